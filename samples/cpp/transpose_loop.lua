-- Where did an element go? Row and column change twice: of the tiles, and inside them.
--
--   tilescope script samples/cpp/transpose_loop.lua --allow kernels
local rec = pto.load("transpose_loop.cpp", {target = "a5"}):record()

pto.test("it runs to its end, and nothing is found", function()
  pto.assert.equal(rec.stopReason, "end")
  pto.assert.noFindings(rec)
end)

pto.test("element (r, c) is element (c, r)", function()
  rec:last()
  local x, y = rec:buffer("matrix"), rec:buffer("result")
  for row = 0, 39 do
    for col = 0, 23 do pto.assert.equal(y:get(col * 40 + row), x:get(row * 24 + col)) end
  end
end)
