-- Is the layer right, is it another one where nothing turns the right side over, and who waits for a flag that nobody sets? Every
-- element is computed once more, in double precision, from the inputs that the run had: those that are made up, and numbers that
-- use all digits of f16.
--
--   tilescope script product_to_vectors
-- list: 256
--
-- Tolerance: a sum of 96 products of at most 1 and a bias of at most 1, added in f32. Each addition may be off by half a
-- digit of at most 97, which is 2^-18.
local near = {rel = 2 ^ -24, abs = 97 * 2 ^ -18}
local kRows, kTerms, kCols = 32, 96, 64

local rng = pto.rng(1)
local function random(kind, rows, cols)
  local values = {}
  for i = 1, rows * cols do values[i] = rng:real() * 2 - 1 end
  return pto.array(kind, rows, cols, values)
end

local function right(rec)
  local x, w, bias, values = rec:buffer("x"), rec:buffer("w"), rec:buffer("bias"), {}
  for i = 0, kRows - 1 do
    for j = 0, kCols - 1 do
      local sum = bias:get(j)
      for k = 0, kTerms - 1 do sum = sum + x:get(i * kTerms + k) * w:get(k * kCols + j) end
      values[#values + 1] = math.max(0, sum)
    end
  end
  -- Each vector core stores half of the rows as one row of its own.
  return pto.array("f64", 2, kRows * kCols / 2, values)
end

local given = {
  {kind = "made-up", inputs = {}},
  {kind = "random",
   inputs = {x = random("f16", kRows, kTerms), w = random("f16", kTerms, kCols), bias = random("f32", 1, kCols)}},
}
for _, case in ipairs(given) do
  local rec = pto.load("product_to_vectors", {inputs = case.inputs}):record()
  rec:last()

  pto.test(("nothing was found, %s inputs"):format(case.kind), function() pto.assert.noFindings(rec) end)

  pto.test(("every element is right, %s inputs"):format(case.kind), function()
    pto.assert.tile(rec:buffer("out"), right(rec), near)
  end)
end

local prog = pto.load("product_to_vectors")

pto.test("turned over the other way, the product is another one", function()
  local text, changed = prog.text:gsub(" {transpose = true}", "")
  pto.assert.equal(changed, 1)
  pto.lesson{title = "Not turned", teaches = "The same.", family = "debugging", target = "a5", program = text,
             steps = {{say = "It has run."}}}
  local rec = pto.current()
  rec:last()
  local wanted, differ = right(rec), 0
  for i = 0, kRows * kCols - 1 do
    if math.abs(rec:buffer("out"):get(i) - wanted:get(i)) > 0.01 then differ = differ + 1 end
  end
  print(("%d of %d elements are wrong"):format(differ, kRows * kCols))
  assert(differ > kRows * kCols / 4)
end)

pto.test("vector cores that wait for another flag wait for ever", function()
  local text, changed = prog.text:gsub("wait_intra_block <PIPE_V>, 1\n", "wait_intra_block <PIPE_V>, 2\n")
  pto.assert.equal(changed, 1)
  pto.lesson{title = "Another flag", teaches = "The same.", family = "debugging", target = "a5", program = text,
             steps = {{say = "It has run."}}}
  local found = pto.current():findings{severity = "error"}()
  print(("with it: %s: %s"):format(found.rule, found.text))
  assert(found.text:find("deadlock", 1, true) and found.text:find("AIV0", 1, true))
end)
