-- Is every row right, and who waits for whom? Each result is computed once more, in double precision, from the inputs that
-- the run had: those that are made up, and numbers that use all digits of f16. Then the queue is looked at: when the third
-- push comes, what each vector core gets, and that more slots change the order of steps and nothing else.
--
--   tilescope script scores_softmax
-- list: 220
--
-- Tolerance: a score is a sum of 64 products of at most 1, added in f32. Each addition may be off by half a digit of at most
-- 64, all together by 64 * 2^-19, and an eighth of that counts: 0.000016. Its exponential is off by as much of itself, and it
-- counts twice, for the element and for the sum. The made-up inputs have few digits, so that their sums are exact. An
-- exponential below 2^-126 has lost digits.
local near = {rel = 4e-5, abs = 2 ^ -126}

local rng = pto.rng(1)
local function random(rows, cols)
  local values = {}
  for i = 1, rows * cols do values[i] = rng:real() * 2 - 1 end
  return pto.array("f16", rows, cols, values)
end

local function right(queries, keys)
  local values = {}
  for i = 0, 63 do
    local scores, largest, total = {}, -math.huge, 0
    for j = 0, 127 do
      local sum = 0
      for d = 0, 63 do sum = sum + queries:get(i * 64 + d) * keys:get(j * 64 + d) end
      scores[j] = sum / 8
      largest = math.max(largest, scores[j])
    end
    for j = 0, 127 do total = total + math.exp(scores[j] - largest) end
    for j = 0, 127 do values[#values + 1] = math.exp(scores[j] - largest) / total end
  end
  return pto.array("f64", 64, 128, values)
end

local given = {
  {kind = "made-up", inputs = {}},
  {kind = "random", inputs = {queries = random(64, 64), keys = random(128, 64)}},
}
for _, case in ipairs(given) do
  local rec = pto.load("scores_softmax", {inputs = case.inputs}):record()
  rec:last()

  pto.test(("nothing was found, %s inputs"):format(case.kind), function() pto.assert.noFindings(rec) end)

  pto.test(("every element is right, %s inputs"):format(case.kind), function()
    pto.assert.tile(rec:buffer("result"), right(rec:buffer("queries"), rec:buffer("keys")), near)
  end)
end

-- The steps of one operation, in their order.
local function steps_of(rec, op)
  local steps = {}
  for s in rec:steps() do
    if s.op:find(op, 1, true) then steps[#steps + 1] = s.step end
  end
  return steps
end

pto.test("the third push comes when both vector cores have given back the first slot", function()
  local rec = pto.load("scores_softmax"):record()
  local pushes, pops, frees = steps_of(rec, "tpush_to_aiv"), steps_of(rec, "tpop_from_aic"), steps_of(rec, "tfree_from_aic")
  -- Four strips, and two cores that take each.
  pto.assert.equal({#pushes, #pops, #frees}, {4, 8, 8})
  -- Those of the first strip: turn 0 of each vector core.
  local first = {}
  for _, step in ipairs(frees) do
    if rec:at(step).loops[1].turn == 0 then first[#first + 1] = step end
  end
  print(("slot 0 is given back in steps %d and %d, and filled again in step %d"):format(first[1], first[2], pushes[3]))
  pto.assert.equal(#first, 2)
  assert(pushes[2] < first[1] and first[2] < pushes[3])
end)

pto.test("a strip goes to the vector cores in halves", function()
  local rec = pto.load("scores_softmax"):record()
  local push = steps_of(rec, "tpush_to_aiv")[1]
  rec:seek(push + 1)
  local c = rec:tile("c")
  -- %x before the first TMULS of each vector core, AIV0 first.
  local halves = {}
  for s in rec:find{op = "tmuls"} do
    if s.loops[1].turn == 0 then halves[#halves + 1] = rec:seek(s.step):tile("x") end
  end
  pto.assert.equal(#halves, 2)
  for which, half in ipairs(halves) do
    for row = 0, 7 do
      for col = 0, 127 do assert(half:bits(row, col) == c:bits(8 * (which - 1) + row, col)) end
    end
  end
end)

pto.test("with a slot for each strip nobody waits, and the result is the same", function()
  local rec = pto.load("scores_softmax"):record()
  local text, changed = pto.load("scores_softmax").text:gsub("slot_num = 2", "slot_num = 4")
  pto.assert.equal(changed, 2)
  text, changed = text:gsub("size = 16384", "size = 32768")
  pto.assert.equal(changed, 1)
  -- A lesson takes the text of a program, and its run is the current one then.
  pto.lesson{title = "Four slots", teaches = "The same.", family = "matmul", target = "a5", program = text,
             steps = {{say = "It has run."}}}
  local roomy = pto.current()
  pto.assert.noFindings(roomy)
  assert(steps_of(roomy, "tpush_to_aiv")[4] < steps_of(roomy, "tpop_from_aic")[1])
  pto.assert.tile(roomy:buffer("result", {step = roomy.count}), rec:buffer("result", {step = rec.count}), {abs = 0})
end)
