-- Where does a row come from? TGATHERB takes 32 bytes from each offset, and an offset is 32 times a number of the text.
--
--   tilescope script samples/cpp/block_lookup.lua --allow kernels
local rec = pto.load("block_lookup.cpp", {target = "a5"}):record()

pto.test("it runs to its end, and nothing is found", function()
  pto.assert.equal(rec.stopReason, "end")
  pto.assert.noFindings(rec)
end)

pto.test("numbers are doubled five times", function()
  local turns = {}
  for s in rec:find{op = "tadd"} do turns[s.loops[#s.loops].turn] = true end
  pto.assert.equal(#turns, 4)  -- and turn 0
end)
