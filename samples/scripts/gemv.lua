-- Is the row right, and do both targets agree? Every element is computed once more, in double precision, from the
-- inputs that the run had: those that are made up, and numbers that use all digits of f16.
--
--   tilescope script gemv
-- list: 177
local rng = pto.rng(1)
local function random(kind, rows, cols)
  local values = {}
  for i = 1, rows * cols do values[i] = rng:real() * 2 - 1 end
  return pto.array(kind, rows, cols, values)
end

-- What is right, and how far from it a sum in f32 may be: 513 additions and products, half a digit each, of the sum of
-- all magnitudes.
local function right(x, w, bias)
  local values, most = {}, 0
  for j = 0, 63 do
    local sum, size = bias:get(j), math.abs(bias:get(j))
    for k = 0, 511 do
      local term = x:get(k) * w:get(k * 64 + j)
      sum, size = sum + term, size + math.abs(term)
    end
    values[#values + 1] = sum
    most = math.max(most, size * 513 * 2 ^ -24)
  end
  return pto.array("f64", 1, 64, values), most
end

local given = {
  {kind = "made-up", inputs = {}},
  {kind = "random",
   inputs = {x_at = random("f16", 1, 512), w_at = random("f16", 512, 64), bias_at = random("f32", 1, 64)}},
}
for _, case in ipairs(given) do
  local results = {}
  for _, target in ipairs{"a5", "a2a3"} do
    local rec = pto.load("gemv", {target = target, inputs = case.inputs}):record()
    rec:last()
    results[target] = rec:buffer("out_at")

    pto.test(("nothing was found on %s, %s inputs"):format(target, case.kind), function()
      pto.assert.noFindings(rec)
    end)

    pto.test(("every element is right on %s, %s inputs"):format(target, case.kind), function()
      local wanted, most = right(rec:buffer("x_at"), rec:buffer("w_at"), rec:buffer("bias_at"))
      pto.assert.tile(results[target], wanted, {abs = most})
      print(("%s, %s inputs: sums may be off by %.2g"):format(target, case.kind, most))
    end)
  end

  pto.test(("both targets give the same bits, %s inputs"):format(case.kind), function()
    pto.assert.tile(results.a5, results.a2a3, {abs = 0})
  end)
end
