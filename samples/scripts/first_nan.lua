-- Where does the first NaN come from? The result has a row of them. The run is stopped where the first one is made of
-- numbers that are none, which is several steps before the store in which one sees it.
--
--   tilescope script first_nan
-- list: 10
local rec = pto.load("bug_masked_row"):record()
local stop = rec:continue{nan = "produced"}
print(("step %d, line %d: %s"):format(stop.step, rec:at(stop.step).source.line, rec:at(stop.step).text))
print(("%s[%d,%d] is the first NaN, made of"):format(stop.tile.name, stop.row, stop.col))
local values = {}
for _, source in ipairs(stop.tile:sources(stop.row, stop.col)) do
  print(("  %s[%d,%d] = %s"):format(source.tile, source.row, source.col, source.value))
  values[#values + 1] = source.value
end

pto.test("infinity and minus infinity are added up in row 4", function()
  pto.assert.equal(stop.row, 4)
  pto.assert.equal(values[1], -math.huge)
  pto.assert.equal(values[2], math.huge)
end)
