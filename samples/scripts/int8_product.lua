-- Is every element the right one, to the bit? Sums of bytes are whole numbers, so there is nothing to be tolerant of:
-- each is added up once more, multiplied by its column's factor as the fixpipe reads it, and rounded to f16. For the
-- inputs that are made up, and for random ones, with the largest bytes and a column that is too large for f16 among
-- them.
--
--   tilescope script int8_product
-- list: 176
local function f32(x) return pto.array("f32", 1, 1, {x}):get(0, 0) end

-- The scale as it is in its word: without the last 13 bits.
local function factor(step)
  if step == 0 then return 1 end
  local bits = pto.array("f32", 1, 1, {f32(0.004) * step}):bits(0, 0)
  return (string.unpack("<f", string.pack("<I4", bits & ~0x1fff)))
end

local rng = pto.rng(1)
local function random_bytes(rows, cols)
  local values = {}
  for i = 1, rows * cols do values[i] = rng:int(-128, 127) end
  return values
end

local a, b, steps = random_bytes(64, 128), random_bytes(128, 64), {}
for k = 1, 128 do a[k], b[(k - 1) * 64 + 1], b[(k - 1) * 64 + 2] = -128, -128, 127 end
for j = 1, 64 do steps[j] = (rng:real() + 0.1) * 2 ^ (j % 8 - 4) end
steps[3] = 1000

-- The sums, and what becomes of them.
local function right(rec)
  local a, b, steps = rec:buffer("a_at"), rec:buffer("b_at"), rec:buffer("steps_at")
  local sums, halves = {}, {}
  for i = 0, 63 do
    for j = 0, 63 do
      local sum = 0
      for k = 0, 127 do sum = sum + a:get(i * 128 + k) * b:get(k * 64 + j) end
      sums[#sums + 1] = sum
      halves[#halves + 1] = math.max(-65504, math.min(65504, f32(sum * factor(steps:get(j)))))
    end
  end
  return pto.array("i32", 64, 64, sums), pto.array("f16", 64, 64, halves)
end

local given = {
  {kind = "made-up", inputs = {}},
  {kind = "random",
   inputs = {a_at = pto.array("i8", 64, 128, a), b_at = pto.array("i8", 128, 64, b),
             steps_at = pto.array("f32", 1, 64, steps)}},
}
for _, case in ipairs(given) do
  for _, target in ipairs{"a5", "a2a3"} do
    local rec = pto.load("int8_product", {target = target, inputs = case.inputs}):record()
    rec:last()
    local sums, halves = right(rec)

    pto.test(("nothing was found on %s, %s inputs"):format(target, case.kind), function()
      pto.assert.noFindings(rec)
    end)

    pto.test(("every sum and every half is right on %s, %s inputs"):format(target, case.kind), function()
      pto.assert.tile(rec:tile("c"), sums, {abs = 0})
      pto.assert.tile(rec:buffer("out_at"), halves, {abs = 0})
    end)

    if case.kind == "random" then
      pto.test("128 products of the largest bytes, and a column too large for f16, on " .. target, function()
        pto.assert.equal(rec:tile("c"):get(0, 0), 128 * 128 * 128)
        local largest = 0
        for i = 0, 63 do largest = math.max(largest, math.abs(rec:buffer("out_at"):get(i * 64 + 2))) end
        pto.assert.equal(largest, 65504)
      end)
    end
  end
end
