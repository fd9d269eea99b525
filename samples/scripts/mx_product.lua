-- Is the product right? Every element is computed once more, in double precision, from the inputs that the run had: those
-- that are made up, and bytes and scales of many sizes.
--
--   tilescope script mx_product
-- list: 180
local rng = pto.rng(1)

-- Bytes of all signs and exponents, but no NaN.
local function random_bytes(rows, cols)
  local bits = {}
  for i = 1, rows * cols do bits[i] = rng:int(0, 1) * 128 + rng:int(0, 126) end
  return pto.array("u8", rows, cols, bits)
end
local function random_scales(count)
  local bits = {}
  for i = 1, count do bits[i] = 127 + rng:int(-6, 6) end
  return pto.array("u8", 1, count, bits)
end

-- Where the scale of a row's (or a column's) group stands: boxes of 16 lines and two groups, those of a line beside each
-- other.
local function place(line, group) return (line // 16 * 2 + group // 2) * 32 + line % 16 * 2 + group % 2 end

-- What is right, and how far from it a sum in f32 may be: 128 roundings, half a digit each, of the sum of all magnitudes.
local function right(rec)
  local a, b = rec:buffer("a_at"), rec:buffer("b_at")
  local a_scale, b_scale = rec:buffer("a_scale_at"), rec:buffer("b_scale_at")
  local values, most = {}, 0
  for i = 0, 63 do
    for j = 0, 63 do
      local sum, size = 0, 0
      for k = 0, 127 do
        local scale = a_scale:get(place(i, k // 32)) * b_scale:get(place(j, k // 32))
        local term = a:get(i * 128 + k) * b:get(k * 64 + j) * scale
        sum, size = sum + term, size + math.abs(term)
      end
      values[#values + 1] = sum
      most = math.max(most, size * 128 * 2 ^ -24)
    end
  end
  return pto.array("f64", 64, 64, values), most
end

local given = {
  {kind = "made-up", inputs = {}},
  {kind = "random",
   inputs = {a_at = random_bytes(64, 128), a_scale_at = random_scales(256), b_at = random_bytes(128, 64),
             b_scale_at = random_scales(256)}},
}
for _, case in ipairs(given) do
  local rec = pto.load("mx_product", {inputs = case.inputs}):record()
  rec:last()

  pto.test(("nothing was found, %s inputs"):format(case.kind), function() pto.assert.noFindings(rec) end)

  pto.test(("every element is right, %s inputs"):format(case.kind), function()
    local wanted, most = right(rec)
    pto.assert.tile(rec:buffer("out_at"), wanted, {abs = most})
    print(("%s inputs: sums may be off by %.2g"):format(case.kind, most))
  end)

  pto.test(("the scales stand at a sixteenth of their operands' addresses, %s inputs"):format(case.kind), function()
    assert(rec:tile("ls").offset * 16 == rec:tile("l").offset, "those of l")
    assert(rec:tile("rs").offset * 16 == rec:tile("r").offset, "those of r")
  end)
end
