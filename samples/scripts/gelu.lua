-- Is the GELU right, and do both targets agree? Every result is computed once more, in double precision, from the inputs
-- that the run had: those that are made up, and numbers that use all digits of f32.
--
--   tilescope script gelu
-- list: 160
--
-- Tolerance: for x = -8 the exponential is taken of 49. A place of f32 is 2^-18 = 0.0000038 there, a rounding misses by half
-- of it, and up to five roundings and two rounded constants come together. By what the argument is off, absolutely, the
-- exponential is off relative to itself, and so is the result.
local tolerance = 0.000015

local function right(x)
  local values = {}
  for i = 0, 9998 do
    local u = math.sqrt(2 / math.pi) * (x:get(i) + 0.044715 * x:get(i) ^ 3)
    values[i + 1] = x:get(i) / (1 + math.exp(-2 * u))
  end
  return pto.array("f64", 1, 9999, values)
end

-- Numbers from -8 to 8, and some where the exponential is 1, infinite, and nothing.
local rng = pto.rng(1)
local values = {0, -30, 30}
for i = 4, 9999 do values[i] = rng:real() * 16 - 8 end
local random = {x = pto.array("f32", 1, 9999, values)}

for _, given in ipairs{{kind = "made-up", inputs = {}}, {kind = "random", inputs = random}} do
  for _, target in ipairs{"a5", "a2a3"} do
    local rec = pto.load("gelu", {target = target, inputs = given.inputs}):record()
    rec:last()

    pto.test(("nothing was found on %s, %s inputs"):format(target, given.kind), function() pto.assert.noFindings(rec) end)

    pto.test(("every element is right on %s, %s inputs"):format(target, given.kind), function()
      local result, golden = rec:buffer("result"), right(rec:buffer("x"))
      local largest = 0
      for i = 0, 9998 do
        if golden:get(i) ~= 0 then largest = math.max(largest, math.abs(result:get(i) / golden:get(i) - 1)) end
      end
      print(("%s, %s inputs: the largest error is %.8f of the number"):format(target, given.kind, largest))
      pto.assert.tile(result, golden, {rel = tolerance})
    end)
  end

  -- Nothing is added up in an order of its own, and both round alike: not a bit differs.
  pto.test(("both targets agree, %s inputs"):format(given.kind), function()
    local apart = pto.lockstep("gelu", {"a2a3", "a5"}, {inputs = given.inputs})
    pto.assert.equal(apart and apart.text, nil)
  end)
end
