-- Is every byte the right one, and every number that comes back within half a step? All of it is computed once more, with
-- the same roundings to f32, for the inputs that are made up and for numbers that use all digits of their type.
--
--   tilescope script int8_quantise
-- list: 185
local function f32(x) return pto.array("f32", 1, 1, {x}):get(0, 0) end

-- To the nearest whole number, a half to the even one.
local function nearest(x)
  local low = math.floor(x)
  if x - low == 0.5 then return low % 2 == 0 and low or low + 1 end
  return math.floor(x + 0.5)
end

local rng = pto.rng(1)
local function random_rows()
  local values = {}
  for row = 0, 31 do
    -- A row of zeros, one of tiny numbers, one that is a whole number of steps.
    local size = ({[3] = 0, [4] = 1e-20})[row] or 2 ^ (row - 16)
    for col = 0, 63 do
      values[#values + 1] = row == 5 and (col - 32) * 4 - 1 + (col == 32 and 128 or 0) or (rng:real() * 2 - 1) * size
    end
  end
  return pto.array("f32", 32, 64, values)
end

-- Bytes, and numbers of them, as they should be.
local function right(x)
  local bytes, back, steps = {}, {}, {}
  for row = 0, 31 do
    local largest = f32(1e-30)
    for col = 0, 63 do largest = math.max(largest, math.abs(x:get(row * 64 + col))) end
    local scale, step = f32(127 / largest), f32(largest * f32(0.007874016))
    steps[row] = step
    for col = 0, 63 do
      local q = nearest(f32(x:get(row * 64 + col) * scale))
      bytes[#bytes + 1] = math.max(-128, math.min(127, q))
      back[#back + 1] = f32(bytes[#bytes] * step)
    end
  end
  return pto.array("i8", 32, 64, bytes), pto.array("f32", 32, 64, back), steps
end

for _, given in ipairs{{kind = "made-up", inputs = {}}, {kind = "random", inputs = {x_at = random_rows()}}} do
  for _, target in ipairs{"a5", "a2a3"} do
    local rec = pto.load("int8_quantise", {target = target, inputs = given.inputs}):record()
    rec:last()
    local x, q, back = rec:buffer("x_at"), rec:buffer("q_at"), rec:buffer("back_at")
    local bytes, numbers, steps = right(x)

    pto.test(("nothing was found on %s, %s inputs"):format(target, given.kind), function() pto.assert.noFindings(rec) end)

    pto.test(("every byte is right on %s, %s inputs"):format(target, given.kind), function()
      pto.assert.tile(q, bytes, {abs = 0})
      pto.assert.tile(back, numbers, {abs = 0})
    end)

    pto.test(("no number is off by more than half a step on %s, %s inputs"):format(target, given.kind), function()
      local worst = 0
      for row = 0, 31 do
        for col = 0, 63 do
          worst = math.max(worst, math.abs(back:get(row * 64 + col) - x:get(row * 64 + col)) / steps[row])
        end
      end
      print(("%s, %s inputs: the largest error is %.5f steps"):format(target, given.kind, worst))
      assert(worst < 0.5001)
    end)
  end
end
