-- Are the two softmax kernels right, and do both targets agree? The one reads a row three times, the other twice and rescales
-- its sum on the way; both shall give the same. Every result is computed once more, in double precision, from the inputs that
-- the run had: those that are made up, and numbers that use all digits of f32, with rows far from 0 and rows of far apart ones.
--
--   tilescope script softmax
-- list: 110
--
-- Tolerance: an element less the largest of its row lies between -16 and 0 here and is rounded by 2^-21 at most, which moves
-- its exponential by 2^-21 = 0.00000048 of itself; or it lies so far below that its exponential is 0 in any precision. That
-- counts twice, for the element and for the sum. Besides, there are up to 25 roundings of 2^-24 each: exponentials, additions,
-- the factors of the online kernel, the division. At their worst, and all together, they come to 0.0000025 of the number.
local relative = 0.0000025

local rng = pto.rng(1)
local values = {}
for row = 0, 39 do
  for col = 0, 299 do
    local value = rng:real() * 16 - 8
    if row == 7 then value = value + 1000 end                    -- exp(1000) is more than a double can hold
    if row == 8 then value = value - 1000 end                    -- and exp(-1000) less
    if row == 9 then value = col == 299 and 1000 or 0 end        -- 1 in the last column, 0 in the others
    if row == 10 and col < 200 then value = value - 1000 end     -- all that counts comes late
    if row == 33 then value = -3 end                             -- 1/300 everywhere
    values[#values + 1] = value
  end
end
local random = pto.array("f32", 40, 300, values)

-- What x should have become.
local function right(x)
  local values = {}
  for row = 0, 39 do
    local largest, sum = -math.huge, 0
    for col = 0, 299 do largest = math.max(largest, x:get(row * 300 + col)) end
    for col = 0, 299 do sum = sum + math.exp(x:get(row * 300 + col) - largest) end
    for col = 0, 299 do values[#values + 1] = math.exp(x:get(row * 300 + col) - largest) / sum end
  end
  return pto.array("f64", 40, 300, values)
end

for _, name in ipairs{"softmax_three_pass", "softmax_online"} do
  for _, given in ipairs{{kind = "made-up", inputs = {}}, {kind = "random", inputs = {x = random}}} do
    for _, target in ipairs{"a5", "a2a3"} do
      local rec = pto.load(name, {target = target, inputs = given.inputs}):record()
      rec:last()

      pto.test(("%s: nothing was found on %s, %s inputs"):format(name, target, given.kind), function()
        pto.assert.noFindings(rec)
      end)

      pto.test(("%s: every element is right on %s, %s inputs"):format(name, target, given.kind), function()
        local result, golden = rec:buffer("result"), right(rec:buffer("x"))
        pto.assert.tile(result, golden, {rel = relative})
        local largest = 0
        for i = 0, 11999 do
          if golden:get(i) ~= 0 then largest = math.max(largest, math.abs(result:get(i) - golden:get(i)) / golden:get(i)) end
        end
        print(("%s on %s, %s inputs: the largest error is %.8f of the number"):format(name, target, given.kind, largest))
      end)
    end

    -- The targets add up a row in different orders.
    pto.test(("%s: both targets agree, %s inputs"):format(name, given.kind), function()
      local apart = pto.lockstep(name, {"a2a3", "a5"}, {inputs = given.inputs, rel = relative})
      pto.assert.equal(apart and apart.text, nil)
    end)
  end
end
