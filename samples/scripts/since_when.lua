-- Since when is this number wrong? Some rows of a softmax do not add up to 1, and no number in them looks odd. The sum that
-- they were divided by changes many times; its history is compared with what it should have been each time. The first change
-- that is wrong leads to the step that is to blame, and a run with that one number put right shows that nothing else is.
--
--   tilescope script since_when
-- list: 70
local rec = pto.load("bug_softmax_rescale"):record()
rec:last()
local x = rec:buffer("x")

-- What a row of the result adds up to. Roundings come to less than a millionth.
local function total(recording, row)
  local result, sum = recording:buffer("result", {step = recording.count}), 0
  for col = 0, 199 do sum = sum + result:get(row * 200 + col) end
  return sum
end
local function is_wrong(recording, row) return math.abs(total(recording, row) - 1) > 0.000001 end

local wrong = {}
for row = 0, 19 do if is_wrong(rec, row) then wrong[#wrong + 1] = row end end
print(("%d of 20 rows are wrong: %s"):format(#wrong, table.concat(wrong, ", ")))
local row = wrong[1]
print(("row %d adds up to %.6f"):format(row, total(rec, row)))

-- The exponentials of the first `summed` columns, when the largest of the first `seen` columns was taken away.
local function should_be(summed, seen)
  local largest, sum = -math.huge, 0
  for col = 0, seen - 1 do largest = math.max(largest, x:get(row * 200 + col)) end
  for col = 0, summed - 1 do sum = sum + math.exp(x:get(row * 200 + col) - largest) end
  return sum
end

-- In each turn tmul brings the sum of the tiles before to the new largest element, and tadd adds the tile. The row is one of
-- the first 16, so the sums of the other rows, in the same tile later, come behind what is looked for.
local blamed, right
for _, change in ipairs(rec:tile("sum_line"):history(0, row)) do
  local step = rec:at(change.step)
  if step.op == "tmul" or step.op == "tadd" then
    local first = step.loops[2].variable
    local behind = math.min(first + 64, 200)
    right = should_be(step.op == "tmul" and first or behind, behind)
    print(("step %2d, turn %d, %s: %.6f, should be %.6f"):format(step.step, step.loops[2].turn, step.op, change.after, right))
    if math.abs(change.after - right) > 0.000001 * right then blamed = step break end
  end
end

-- What did that step take?
rec:seek(blamed.step + 1)
local values = {}
for _, source in ipairs(rec:tile("sum_line"):sources(0, row)) do
  values[source.tile] = source.value
  print(("step %d took %s"):format(blamed.step, source.text))
end

-- Where did the factor come from? Two levels down are the two numbers whose difference it was made of. Of each tile, the
-- newest step that had a part in it:
local slice = rec:tile("factor_line"):slice(0, row, {depth = 3})
print(slice)
local made = {}
for _, node in ipairs(slice) do
  if node.tile then made[node.tile] = math.max(made[node.tile] or 0, node.step) end
end
print(("%%before_line was made in step %d, behind step %d, where %%largest_line became the new one"):format(
  made.before_line, made.largest_line))

-- The same run with the factor put right, once.
local factor = right / values.sum_line
local fixed = rec:fork{step = blamed.step, tile = "factor_line", row = 0, col = row, value = factor}
print(("with a factor of %.6f in step %d row %d adds up to %.6f"):format(factor, blamed.step, row, total(fixed, row)))

pto.test("the sum is wrong from the first turn on in which the largest element grew", function()
  pto.assert.equal(blamed.op, "tmul")
  pto.assert.equal(values.factor_line, 1)
end)

pto.test("what was kept as the largest element before is the one after", function()
  pto.assert.equal(rec:at(made.before_line).op, "tmov")
  pto.assert.equal(rec:at(made.largest_line).op, "tmax")
  pto.assert.isTrue(made.before_line > made.largest_line)
  pto.assert.equal(rec:at(made.before_line).loops[2].turn, rec:at(made.largest_line).loops[2].turn)
end)

pto.test("nothing else is wrong with this row", function() pto.assert.isTrue(not is_wrong(fixed, row)) end)

pto.test("every step is legal, so no check finds it", function() pto.assert.noFindings(rec) end)
