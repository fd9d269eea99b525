-- Is the RMS norm right, and do both targets agree? Every result is computed once more, in double precision, from the
-- inputs that the run had: those that are made up, and numbers that use all digits of their type.
--
--   tilescope script rms_norm
-- list: 140
--
-- Tolerance: rounding to f16 misses by 2^-11 = 0.000488 of the number at most, or by 2^-25 below the smallest normal half.
-- The f32 steps before it, a dozen roundings of 2^-24 each, add less than 0.000001 of the number.
local relative, absolute = 0.00049, 2 ^ -25

local rng = pto.rng(1)
local function random_halves(rows, cols, scales)
  local values = {}
  for row = 0, rows - 1 do
    for _ = 1, cols do values[#values + 1] = (rng:real() * 16 - 8) * (scales[row] or 1) end
  end
  return pto.array("f16", rows, cols, values)
end

-- What x and weight should have become.
local function right(x, weight)
  local values = {}
  for row = 0, 49 do
    local squares = 0
    for col = 0, 199 do squares = squares + x:get(row, col) ^ 2 end
    local root = math.sqrt(squares / 200 + 0.00001)
    for col = 0, 199 do values[#values + 1] = x:get(row, col) / root * weight:get(col) end
  end
  return pto.array("f64", 50, 200, values)
end

-- Without epsilon row 7 would be NaN, and row 8 a different one.
local random = {x = random_halves(50, 200, {[7] = 0, [8] = 0.001}), weight = random_halves(1, 200, {})}
for _, given in ipairs{{kind = "made-up", inputs = {}}, {kind = "random", inputs = random}} do
  for _, target in ipairs{"a5", "a2a3"} do
    local rec = pto.load("rms_norm", {target = target, inputs = given.inputs}):record()
    rec:last()

    pto.test(("nothing was found on %s, %s inputs"):format(target, given.kind), function() pto.assert.noFindings(rec) end)

    pto.test(("every element is right on %s, %s inputs"):format(target, given.kind), function()
      local result, golden = rec:buffer("result"), right(rec:buffer("x"), rec:buffer("weight"))
      local largest = 0
      for i = 0, 9999 do
        local error = math.abs(result:get(i) - golden:get(i))
        if error > absolute then largest = math.max(largest, error / math.abs(golden:get(i))) end
      end
      print(("%s, %s inputs: the largest error is %.7f of the number"):format(target, given.kind, largest))
      pto.assert.tile(result, golden, {rel = relative, abs = absolute})
    end)
  end

  -- The targets add up a row in different orders: little in f32, which may turn the last place of a half.
  pto.test(("both targets agree, %s inputs"):format(given.kind), function()
    local apart = pto.lockstep("rms_norm", {"a2a3", "a5"}, {inputs = given.inputs, ulp = 1, rel = 0.000001})
    pto.assert.equal(apart and apart.text, nil)
  end)
end
