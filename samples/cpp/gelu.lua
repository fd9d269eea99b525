-- How much of a tile counts? The number of elements of a turn is a number of C++, and no step.
--
--   tilescope script samples/cpp/gelu.lua --allow kernels
local rec = pto.load("gelu.cpp", {target = "a5"}):record()

pto.test("it runs to its end, and nothing is found", function()
  pto.assert.equal(rec.stopReason, "end")
  pto.assert.noFindings(rec)
end)

pto.test("2048 elements a turn, and 1807 in the last", function()
  local counts = {}
  for s in rec:find{op = "tstore"} do counts[#counts + 1] = s.args.src.validCols end
  pto.assert.equal(counts, {2048, 2048, 2048, 2048, 1807})
end)
