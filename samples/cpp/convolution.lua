-- What does a filter see? TIMG2COL makes a row of it for each place, with zeros around the map.
--
--   tilescope script samples/cpp/convolution.lua --allow kernels
local rec = pto.load("convolution.cpp", {target = "a5"}):record()

pto.test("it runs to its end, and nothing is found", function()
  pto.assert.equal(rec.stopReason, "end")
  pto.assert.noFindings(rec)
end)

pto.test("a corner sees zeros around it", function()
  rec:last()
  local l = rec:tile("l")
  for channel = 0, 15 do pto.assert.equal(l:get(0, channel), 0) end
end)
