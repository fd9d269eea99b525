-- How far apart are rows? A half of a head stands 216 floats apart in memory, and 40 apart in a tile.
--
--   tilescope script samples/cpp/rope.lua --allow kernels
local rec = pto.load("rope.cpp", {target = "a5"}):record()

pto.test("it runs to its end, and nothing is found", function()
  pto.assert.equal(rec.stopReason, "end")
  pto.assert.noFindings(rec)
end)

pto.test("each half of a head is loaded by itself", function()
  local loads = 0
  for s in rec:find{op = "tload"} do
    if s.loops[2] and s.loops[1].turn == 0 and s.loops[2].turn == 0 then loads = loads + 1 end
  end
  pto.assert.equal(loads, 2)
end)
