-- Is the product right, tails and all? Every result is computed once more, in double precision, from the inputs that
-- the run had: those that are made up, and numbers that use all digits of bf16. Then what the text says lies behind the
-- tails is looked at, and that no sum was made of it.
--
--   tilescope script bf16_product
-- list: 179
local rng = pto.rng(1)
local function random(rows, cols)
  local values = {}
  for i = 1, rows * cols do values[i] = rng:real() * 2 - 1 end
  return pto.array("bf16", rows, cols, values)
end

-- What is right, and how far from it a sum of 100 products in f32 may be: half a digit for each addition, of the sum of
-- all magnitudes. A product of two bf16 is exact in f32.
local function right(a, b)
  local values, most = {}, 0
  for i = 0, 49 do
    for j = 0, 39 do
      local sum, size = 0, 0
      for k = 0, 99 do
        local term = a:get(i * 100 + k) * b:get(k * 40 + j)
        sum, size = sum + term, size + math.abs(term)
      end
      values[#values + 1] = sum
      most = math.max(most, size * 100 * 2 ^ -24)
    end
  end
  return pto.array("f64", 50, 40, values), most
end

local given = {
  {kind = "made-up", inputs = {}},
  {kind = "random", inputs = {a_at = random(50, 100), b_at = random(100, 40)}},
}
for _, case in ipairs(given) do
  local results = {}
  for _, target in ipairs{"a5", "a2a3"} do
    local rec = pto.load("bf16_product", {target = target, inputs = case.inputs}):record()
    rec:last()
    local a, b = rec:buffer("a_at"), rec:buffer("b_at")
    results[target] = rec:buffer("out_at")

    pto.test(("nothing was found on %s, %s inputs"):format(target, case.kind), function()
      pto.assert.noFindings(rec)
    end)

    pto.test(("every element is right on %s, %s inputs"):format(target, case.kind), function()
      local wanted, most = right(a, b)
      pto.assert.tile(results[target], wanted, {abs = most})
    end)

    pto.test(("what lies behind the tails is as the text says on %s, %s inputs"):format(target, case.kind), function()
      local a_tile, l, r = rec:tile("a"), rec:tile("l"), rec:tile("r")
      for row = 0, 49 do
        for col = 36, 47 do pto.assert.equal(l:bits(row, col), 0) end
        for col = 48, 63 do pto.assert.equal(l:bits(row, col), a:bits(row * 100 + col)) end
      end
      for row = 36, 63 do
        for col = 0, 39 do pto.assert.equal(r:bits(row, col), b:bits(row * 40 + col)) end
      end
      for row = 50, 63 do
        for col = 0, 63 do pto.assert.isTrue(not a_tile:isDefined(row, col)) end
      end
    end)

    pto.test(("the last step adds 36 terms to a sum on %s, %s inputs"):format(target, case.kind), function()
      local last
      for s in rec:find{op = "tmatmul.acc"} do last = s end
      rec:seek(last.step + 1)
      local of = {l = 0, r = 0, c = 0}
      for _, source in ipairs(rec:tile("c"):sources(1, 7)) do of[source.tile] = of[source.tile] + 1 end
      pto.assert.equal(of, {l = 36, r = 36, c = 1})
    end)
  end

  pto.test(("both targets give the same bits, %s inputs"):format(case.kind), function()
    pto.assert.tile(results.a5, results.a2a3, {abs = 0})
  end)
end
