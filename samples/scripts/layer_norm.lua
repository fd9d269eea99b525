-- Is the layer norm right, and do both targets agree? Every result is computed once more, in double precision, from the
-- inputs that the run had: those that are made up, and numbers that use all digits of f32.
--
--   tilescope script layer_norm
-- list: 150
--
-- Tolerance: weight and bias are 8 at most, and no row here has an element 3 deviations away from its mean, so two numbers
-- up to 24 and 8 are added at the end. Where they cancel nearly all digits of the result are gone; so what counts is the
-- absolute error. One rounding of 24 is 24 * 2^-24 = 0.0000014, and about eight of them (mean, difference, deviation,
-- quotient, product, sum) come together.
local tolerance = 0.00001

local rng = pto.rng(1)
local function random_floats(rows, cols, scales)
  local values = {}
  for row = 0, rows - 1 do
    for _ = 1, cols do values[#values + 1] = (rng:real() * 16 - 8) * (scales[row] or 1) end
  end
  return pto.array("f32", rows, cols, values)
end

-- What the inputs should have become.
local function right(x, weight, bias)
  local values = {}
  for row = 0, 36 do
    local sum, squares = 0, 0
    for col = 0, 299 do sum = sum + x:get(row, col) end
    for col = 0, 299 do squares = squares + (x:get(row, col) - sum / 300) ^ 2 end
    local deviation = math.sqrt(squares / 300 + 0.00001)
    for col = 0, 299 do
      values[#values + 1] = (x:get(row, col) - sum / 300) / deviation * weight:get(col) + bias:get(col)
    end
  end
  return pto.array("f64", 37, 300, values)
end

-- Without epsilon row 7 would be NaN, and row 8 a different one.
local random = {x = random_floats(37, 300, {[7] = 0, [8] = 0.01}), weight = random_floats(1, 300, {}),
                bias = random_floats(1, 300, {})}
for _, given in ipairs{{kind = "made-up", inputs = {}}, {kind = "random", inputs = random}} do
  for _, target in ipairs{"a5", "a2a3"} do
    local rec = pto.load("layer_norm", {target = target, inputs = given.inputs}):record()
    rec:last()

    pto.test(("nothing was found on %s, %s inputs"):format(target, given.kind), function() pto.assert.noFindings(rec) end)

    pto.test(("every element is right on %s, %s inputs"):format(target, given.kind), function()
      local result, golden = rec:buffer("result"), right(rec:buffer("x"), rec:buffer("weight"), rec:buffer("bias"))
      local largest = 0
      for i = 0, 37 * 300 - 1 do largest = math.max(largest, math.abs(result:get(i) - golden:get(i))) end
      print(("%s, %s inputs: the largest error is %.7f"):format(target, given.kind, largest))
      pto.assert.tile(result, golden, {abs = tolerance})
    end)
  end

  -- The targets add up a row in different orders, and lock step compares the sums too. A partial sum of x may be near 200,
  -- where a rounding is 0.00001, and a few of them come together; sums of squares part by a few of their last places.
  pto.test(("both targets agree, %s inputs"):format(given.kind), function()
    local apart = pto.lockstep("layer_norm", {"a2a3", "a5"}, {inputs = given.inputs, abs = 0.00005, ulp = 4})
    pto.assert.equal(apart and apart.text, nil)
  end)
end
