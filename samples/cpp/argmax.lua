-- Which branch ran? The `if` is C++: the first turn of a row of tiles copies its winners, the others let them compete.
--
--   tilescope script samples/cpp/argmax.lua --allow kernels
local rec = pto.load("argmax.cpp", {target = "a5"}):record()

pto.test("it runs to its end, and nothing is found", function()
  pto.assert.equal(rec.stopReason, "end")
  pto.assert.noFindings(rec)
end)

pto.test("a turn copies, or competes", function()
  for s in rec:find{op = "tpartargmax"} do assert(s.loops[#s.loops].turn > 0) end
end)
