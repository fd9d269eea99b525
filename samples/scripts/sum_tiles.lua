-- Are the sums of all columns and of the whole matrix right, and do both targets agree? They are computed once more, in
-- double precision, from the inputs that the run had: those that are made up, and numbers that use all digits of f32.
--
--   tilescope script sum_tiles
-- list: 190
--
-- Tolerance: made-up inputs are eighths, and nothing is rounded at all. The random ones are rounded 8 times on their way into
-- the sum of a column, 5 times in a tile and 3 times from tile to tile; partial sums stay below 256, where a rounding misses
-- by 2^-17 at most. The total is made of 300 such sums, and of 11 roundings of numbers below 4096, of 2^-13 each.
local column_tolerance = 8 * 2 ^ -17
local total_tolerance = 300 * column_tolerance + 11 * 2 ^ -13

local function right(x)
  local columns, total = {}, 0
  for col = 0, 299 do
    local sum = 0
    for row = 0, 89 do sum = sum + x:get(row, col) end
    columns[col + 1], total = sum, total + sum
  end
  return pto.array("f64", 1, 300, columns), total
end

local rng = pto.rng(1)
local values = {}
for i = 1, 27000 do values[i] = rng:real() * 16 - 8 end
local random = {x = pto.array("f32", 90, 300, values)}

for _, given in ipairs{{kind = "made-up", inputs = {}}, {kind = "random", inputs = random}} do
  for _, target in ipairs{"a5", "a2a3"} do
    local rec = pto.load("sum_tiles", {target = target, inputs = given.inputs}):record()
    rec:last()
    local columns, total = rec:buffer("columns"), rec:buffer("total"):get(0)
    local golden, golden_total = right(rec:buffer("x"))

    pto.test(("nothing was found on %s, %s inputs"):format(target, given.kind), function() pto.assert.noFindings(rec) end)

    pto.test(("every column is right on %s, %s inputs"):format(target, given.kind), function()
      local largest = 0
      for col = 0, 299 do largest = math.max(largest, math.abs(columns:get(col) - golden:get(col))) end
      print(("%s, %s inputs: the largest error of a column is %.7f"):format(target, given.kind, largest))
      pto.assert.tile(columns, golden, {abs = given.kind == "random" and column_tolerance or 0})
    end)

    pto.test(("the total is right on %s, %s inputs"):format(target, given.kind), function()
      print(("%s, %s inputs: the total is %.9g, off by %.7f"):format(target, given.kind, total, total - golden_total))
      pto.assert.isTrue(math.abs(total - golden_total) <= (given.kind == "random" and total_tolerance or 0))
    end)
  end

  -- The targets add up in different orders. Lock step compares what every instruction left, also the sums of a tile.
  pto.test(("both targets agree, %s inputs"):format(given.kind), function()
    local apart = pto.lockstep("sum_tiles", {"a2a3", "a5"}, {inputs = given.inputs, abs = 2 * column_tolerance})
    pto.assert.equal(apart and apart.text, nil)
  end)
end
