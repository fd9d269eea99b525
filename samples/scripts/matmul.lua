-- Is the product right, and do both targets agree? Every result is computed once more, in double precision, from the inputs
-- that the run had: those that are made up, and numbers that use all digits of f16.
--
--   tilescope script matmul
-- list: 175
local rng = pto.rng(1)
local function random(kind, rows, cols)
  local values = {}
  for i = 1, rows * cols do values[i] = rng:real() * 2 - 1 end
  return pto.array(kind, rows, cols, values)
end

local function right(a, b, bias)
  local values = {}
  for i = 0, 63 do
    for j = 0, 63 do
      local sum = bias:get(j)
      for k = 0, 127 do sum = sum + a:get(i * 128 + k) * b:get(k * 64 + j) end
      values[#values + 1] = math.max(0, sum)
    end
  end
  return pto.array("f32", 64, 64, values)
end

local given = {
  {kind = "made-up", inputs = {}},
  {kind = "random",
   inputs = {a_at = random("f16", 64, 128), b_at = random("f16", 128, 64), bias_at = random("f32", 1, 64)}},
}
for _, case in ipairs(given) do
  local results = {}
  for _, target in ipairs{"a5", "a2a3"} do
    local rec = pto.load("matmul", {target = target, inputs = case.inputs}):record()
    rec:last()
    local out = rec:buffer("out_at")
    results[target] = out

    pto.test(("nothing was found on %s, %s inputs"):format(target, case.kind), function() pto.assert.noFindings(rec) end)

    pto.test(("every element is right on %s, %s inputs"):format(target, case.kind), function()
      local wanted = right(rec:buffer("a_at"), rec:buffer("b_at"), rec:buffer("bias_at"))
      -- Half a digit of f16, and what 128 additions in f32 leave.
      pto.assert.tile(out, wanted, {rel = 6e-4, abs = 1e-5})
    end)
  end

  pto.test(("both targets give the same bits, %s inputs"):format(case.kind), function()
    pto.assert.tile(results.a5, results.a2a3, {abs = 0})
  end)
end
