-- Is the SiLU right, and do both targets agree? Every result is computed once more, in double precision, from the inputs
-- that the run had: those that are made up, and numbers that use all digits of f16.
--
--   tilescope script silu
-- list: 170
--
-- Tolerance: rounding to f16 misses by 2^-11 = 0.000488 of the number at most, or by 2^-25 below the smallest normal half.
-- The three roundings to f32 before it, 2^-24 each, do not show.
local relative, absolute = 0.000489, 2 ^ -25

local function right(x)
  local values = {}
  for i = 0, 14999 do values[i + 1] = x:get(i) / (1 + math.exp(-x:get(i))) end
  return pto.array("f64", 50, 300, values)
end

-- Numbers from -20 to 20: below -11 a half could not hold the exponential.
local rng = pto.rng(1)
local values = {}
for i = 1, 15000 do values[i] = rng:real() * 40 - 20 end
local random = {x = pto.array("f16", 50, 300, values)}

for _, given in ipairs{{kind = "made-up", inputs = {}}, {kind = "random", inputs = random}} do
  for _, target in ipairs{"a5", "a2a3"} do
    local rec = pto.load("silu", {target = target, inputs = given.inputs}):record()
    rec:last()

    pto.test(("nothing was found on %s, %s inputs"):format(target, given.kind), function() pto.assert.noFindings(rec) end)

    pto.test(("every element is right on %s, %s inputs"):format(target, given.kind), function()
      local result, golden = rec:buffer("result"), right(rec:buffer("x"))
      local largest = 0
      for i = 0, 14999 do
        local error = math.abs(result:get(i) - golden:get(i))
        if error > absolute then largest = math.max(largest, error / math.abs(golden:get(i))) end
      end
      print(("%s, %s inputs: the largest error is %.7f of the number"):format(target, given.kind, largest))
      pto.assert.tile(result, golden, {rel = relative, abs = absolute})
    end)
  end

  -- Nothing is added up in an order of its own, and both round alike: not a bit differs.
  pto.test(("both targets agree, %s inputs"):format(given.kind), function()
    local apart = pto.lockstep("silu", {"a2a3", "a5"}, {inputs = given.inputs})
    pto.assert.equal(apart and apart.text, nil)
  end)
end
