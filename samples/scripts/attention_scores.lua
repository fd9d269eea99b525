-- Is every score right, though nothing turned the keys? Each is computed once more, in double precision, from the
-- inputs that the run had: those that are made up, and numbers that use all digits of f16. Then the keys are followed:
-- every column of the right operand has the bytes of a row of memory. The factor is for a5 only; without it both
-- targets take the program, and leave the same.
--
--   tilescope script attention_scores
-- list: 178
local rng = pto.rng(1)
local function random(rows, cols)
  local values = {}
  for i = 1, rows * cols do values[i] = rng:real() * 2 - 1 end
  return pto.array("f16", rows, cols, values)
end

local function right(queries, keys, measure)
  local values = {}
  for i = 0, 63 do
    for j = 0, 127 do
      local sum = 0
      for d = 0, 63 do sum = sum + queries:get(i * 64 + d) * keys:get(j * 64 + d) end
      values[#values + 1] = math.max(-65504, math.min(65504, sum / measure))
    end
  end
  return pto.array("f64", 64, 128, values)
end

local given = {
  {kind = "made-up", inputs = {}},
  {kind = "random", inputs = {queries = random(64, 64), keys = random(128, 64)}},
}
-- Half a digit of f16, and what 64 additions in f32 leave.
local near = {rel = 5e-4, abs = 1e-5}

for _, case in ipairs(given) do
  local rec = pto.load("attention_scores", {inputs = case.inputs}):record()
  rec:last()
  local queries, keys = rec:buffer("queries"), rec:buffer("keys")

  pto.test(("nothing was found, %s inputs"):format(case.kind), function() pto.assert.noFindings(rec) end)

  pto.test(("every score is right, %s inputs"):format(case.kind), function()
    pto.assert.tile(rec:buffer("scores"), right(queries, keys, 8), near)
  end)

  pto.test(("a column of the right operand is a row of memory, %s inputs"):format(case.kind), function()
    local k, r = rec:tile("k"), rec:tile("r")
    for d = 0, 63 do
      for j = 0, 127 do
        assert(r:bits(d, j) == keys:bits(j * 64 + d))
        assert(r:cell(d, j).offset - r.offset == k:cell(d, j).offset - k.offset)
      end
    end
  end)
end

pto.test("a2a3 does not take the factor", function()
  local ok, message = pcall(pto.load, "attention_scores", {target = "a2a3"})
  assert(not ok and message:find("TSTORE-R7", 1, true), message)
end)

-- The program with other words in it: a lesson takes its text, and the run is the current one then.
local function run(text, target, inputs)
  pto.lesson{title = "Without the factor", teaches = "The same.", family = "matmul", target = target, program = text,
             inputs = inputs, steps = {{say = "It has run."}}}
  local rec = pto.current()
  rec:last()
  return rec
end

pto.test("without it both targets give the same bits, 8 times the scores", function()
  local text = pto.load("attention_scores").text
  text = text:gsub("ins%(%%c, %%eighth", "ins(%%c"):gsub("fractal=1024>, i64%)", "fractal=1024>)")
  local case = given[2]
  local a5, a2a3 = run(text, "a5", case.inputs), run(text, "a2a3", case.inputs)
  pto.assert.noFindings(a5)
  pto.assert.noFindings(a2a3)
  pto.assert.tile(a5:buffer("scores"), a2a3:buffer("scores"), {abs = 0})
  pto.assert.tile(a2a3:buffer("scores"), right(a2a3:buffer("queries"), a2a3:buffer("keys"), 1), near)
end)
