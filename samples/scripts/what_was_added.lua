-- What was added up here? Some rows of a norm are wrong by a few parts in a thousand, and others are right. A sum shows the
-- numbers that it was made of; those that should not be among them are followed back, to the step before which they were
-- still harmless.
--
--   tilescope script what_was_added
-- list: 80
local rec = pto.load("bug_norm_tail"):record()
rec:last()
local x, result = rec:buffer("x"), rec:buffer("result")

-- How far the rows are off, and what their means are.
local wrong, right, worst, largest = 0, 0, nil, 0
for row = 0, 49 do
  local sum, squares, off = 0, 0, 0
  for col = 0, 99 do sum = sum + x:get(row, col) end
  for col = 0, 99 do squares = squares + (x:get(row, col) - sum / 100) ^ 2 end
  for col = 0, 99 do
    local golden = (x:get(row, col) - sum / 100) / math.sqrt(squares / 100 + 0.00001)
    if math.abs(golden) > 0.1 then off = math.max(off, math.abs(result:get(row, col) / golden - 1)) end
  end
  if off > 0.001 then
    print(("row %2d, mean %8.5f: wrong by %.5f of the number"):format(row, sum / 100, off))
    wrong = wrong + 1
  else
    right = right + 1
  end
  if off > largest then worst, largest = row, off end
end
print(("%d rows are wrong by more than 0.001, most of all row %d; %d are not"):format(wrong, worst, right))

-- The step that added up the squares of that row, and what it added.
local row, summed = worst % 16, nil
for s in rec:find{op = "trowsum"} do
  if s.args.dst.name == "deviation" and s.loops[1].variable == worst - row then summed = s end
end
rec:seek(summed.step + 1)
local extra, too_much = {}, 0
for _, source in ipairs(rec:tile("deviation"):sources(row, 0)) do
  if source.tile == "squares" and source.col >= 100 then
    extra[#extra + 1] = source
    too_much = too_much + source.value
  end
end
print(("step %d adds %d numbers of columns that x does not have, %.4f together"):format(summed.step, #extra, too_much))

assert(#extra > 0, "nothing but the 100 numbers of the row is added")

-- Back from the first of them, until what stood there was 0.
local place, guilty = extra[1], nil
while place.value ~= 0 do
  print(("  %s[%d,%d] = %.6f"):format(place.tile, place.row, place.col, place.value))
  rec:seek(place.step)
  place = rec:tile(place.tile):sources(place.row, place.col)[1]
  guilty = rec:at(place.step)
end
print(("  %s[%d,%d] = %.6f, until step %d, line %d: %s"):format(
  place.tile, place.row, place.col, place.value, guilty.step, guilty.source.line, guilty.text))

pto.test("some rows are wrong, and some are right", function()
  pto.assert.isTrue(wrong > 0)
  pto.assert.isTrue(right > 0)
end)

pto.test("28 squares too many are added up, each of them the mean squared", function()
  local mean = 0
  for col = 0, 99 do mean = mean + x:get(worst, col) / 100 end
  pto.assert.equal(#extra, 28)
  -- A few roundings of f32, 2^-24 each.
  pto.assert.isTrue(math.abs(too_much / (28 * mean ^ 2) - 1) < 0.000001)
end)

pto.test("they were zeros, until the mean was taken away from them", function()
  pto.assert.equal(guilty.op, "trowexpandsub")
  pto.assert.equal(guilty.args.src0.name, "filled")
  pto.assert.equal(guilty.args.dst.validCols, 128)
end)

-- What is legal is nobody's finding: it takes an expectation of one's own.
pto.test("nothing is found by itself", function() pto.assert.noFindings(rec) end)
