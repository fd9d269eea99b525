-- When did the largest element grow? The factor by which the sum is multiplied then is smaller than 1.
--
--   tilescope script samples/cpp/softmax_online.lua --allow kernels
local rec = pto.load("softmax_online.cpp", {target = "a5"}):record()

pto.test("it runs to its end, and nothing is found", function()
  pto.assert.equal(rec.stopReason, "end")
  pto.assert.noFindings(rec)
end)

pto.test("factors are 0 in the first turn of a row of tiles, and never above 1", function()
  local turns = {}
  for s in rec:find{op = "texp", writes = "factor_line"} do
    local turn = s.loops[#s.loops].turn
    for col = 0, s.tile.validCols - 1 do
      local factor = s.tile:get(0, col)
      assert(factor >= 0 and factor <= 1)
      if turn == 0 then pto.assert.equal(factor, 0) end
    end
    turns[turn] = true
  end
  assert(turns[0] and turns[1])
end)
