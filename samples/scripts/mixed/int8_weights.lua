-- Is the product right, and do both halves of a slot arrive where they belong? Every element is computed once more, in double
-- precision, from the inputs that the run had: those that are made up, and numbers that use all digits of f16. Weights are
-- rounded to f16 there too, once. Then a slot is looked at.
--
--   tilescope script int8_weights
-- list: 230
local rng = pto.rng(1)
local function random(kind, rows, cols, number)
  local values = {}
  for i = 1, rows * cols do values[i] = number() end
  return pto.array(kind, rows, cols, values)
end
local function real() return rng:real() * 2 - 1 end
local function byte() return rng:int(-128, 127) end

-- What the weights are as halves.
local function weights(rec)
  local bytes, scales, values = rec:buffer("weights"), rec:buffer("scales"), {}
  for k = 0, 127 do
    for j = 0, 63 do values[#values + 1] = bytes:get(k * 64 + j) * scales:get(k // 32 * 64 + j) end
  end
  return pto.array("f16", 128, 64, values)
end

-- The product, and what a sum of 128 products may be off in f32: half a digit for each addition.
local function right(rec)
  local x, w, values, most = rec:buffer("x_at"), weights(rec), {}, 0
  for i = 0, 31 do
    for j = 0, 63 do
      local sum, size = 0, 0
      for k = 0, 127 do
        local term = x:get(i * 128 + k) * w:get(k, j)
        sum, size = sum + term, size + math.abs(term)
      end
      values[#values + 1] = sum
      most = math.max(most, size * 128 * 2 ^ -24)
    end
  end
  return pto.array("f64", 32, 64, values), {abs = most}
end

local given = {
  {kind = "made-up", inputs = {}},
  {kind = "random",
   inputs = {x_at = random("f16", 32, 128, real), weights = random("i8", 128, 64, byte), scales = random("f16", 4, 64, real)}},
}
for _, case in ipairs(given) do
  local rec = pto.load("int8_weights", {inputs = case.inputs}):record()
  rec:last()

  pto.test(("nothing was found, %s inputs"):format(case.kind), function() pto.assert.noFindings(rec) end)

  pto.test(("every element is right, %s inputs"):format(case.kind), function()
    local wanted, most = right(rec)
    pto.assert.tile(rec:buffer("out_at"), wanted, most)
  end)
end

local rec = pto.load("int8_weights"):record()

pto.test("each pop takes 32 rows of weights, 16 of each core", function()
  local w, taken = weights(rec), 0
  for s in rec:steps() do
    if s.op == "tpop_from_aiv" then
      local tile = rec:seek(s.step + 1):tile("w")
      for row = 0, 31 do
        for col = 0, 63 do assert(tile:bits(row, col) == w:bits(32 * taken + row, col)) end
      end
      taken = taken + 1
    end
  end
  pto.assert.equal(taken, 4)
end)

pto.test("the halves of a slot are in turn: 16 rows of AIV0, 16 of AIV1, for each 16 columns", function()
  for s in rec:steps() do
    if s.op == "tpush_to_aic" then
      -- Runs of 512 bytes, with as much between them.
      local bytes = 0
      for n, run in ipairs(s.writes) do
        pto.assert.equal(run.region, "l1")
        assert(n == 1 or run.first - s.writes[n - 1].first == 1024)
        bytes = bytes + run.last - run.first + 1
      end
      pto.assert.equal({#s.writes, bytes}, {4, 2048})
    end
  end
end)
