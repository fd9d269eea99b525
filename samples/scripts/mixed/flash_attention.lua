-- Is it attention, though no row of scores was ever whole? Every element is computed once more, in double precision, from all
-- scores of its row, and from the inputs that the run had: those that are made up, numbers that use all digits of f16, and
-- keys whose scores grow from round to round or shrink. Then a tile is followed from core to core and back.
--
--   tilescope script flash_attention
-- list: 228
--
-- Tolerance: a probability is rounded to f16, by 2^-11 of itself at most, before it is multiplied; the total is made of those
-- that were not. So an element may be off by 2^-11 of the largest value, and by what f32 leaves of 64 terms of a score, which
-- is 0.00002 of it. Rounded to f16, a probability below 2^-14 is off by 2^-25 at most; there are 128 of them.
local function near(values)
  local largest = 0
  for i = 0, 128 * 64 - 1 do largest = math.max(largest, math.abs(values:get(i))) end
  return {rel = 0, abs = largest * (2 ^ -11 + 4e-5 + 128 * 2 ^ -25)}
end

local rng = pto.rng(1)
local function random(rows, cols, size)
  local values = {}
  for i = 0, rows - 1 do
    for _ = 1, cols do values[#values + 1] = (rng:real() * 2 - 1) * (size and size(i) or 1) end
  end
  return pto.array("f16", rows, cols, values)
end

local function right(rec)
  local queries, keys, v = rec:buffer("queries"), rec:buffer("keys"), rec:buffer("values")
  local values = {}
  for i = 0, 15 do
    local probs, largest, total = {}, -math.huge, 0
    for j = 0, 127 do
      local sum = 0
      for d = 0, 63 do sum = sum + queries:get(i * 64 + d) * keys:get(j * 64 + d) end
      probs[j] = sum / 8
      largest = math.max(largest, probs[j])
    end
    for j = 0, 127 do
      probs[j] = math.exp(probs[j] - largest)
      total = total + probs[j]
    end
    for d = 0, 63 do
      local sum = 0
      for j = 0, 127 do sum = sum + probs[j] * v:get(j * 64 + d) end
      values[#values + 1] = sum / total
    end
  end
  return pto.array("f64", 16, 64, values)
end

local q, v = random(16, 64), random(128, 64)
local given = {
  {kind = "made-up", inputs = {}},
  {kind = "random", inputs = {queries = q, keys = random(128, 64), values = v}},
  {kind = "growing", inputs = {queries = q, keys = random(128, 64, function(j) return 2 ^ (j // 32) end), values = v}},
  {kind = "shrinking", inputs = {queries = q, keys = random(128, 64, function(j) return 2 ^ (3 - j // 32) end), values = v}},
}
for _, case in ipairs(given) do
  local rec = pto.load("flash_attention", {inputs = case.inputs}):record()
  rec:last()

  pto.test(("nothing was found, %s inputs"):format(case.kind), function() pto.assert.noFindings(rec) end)

  pto.test(("every element is right, %s inputs"):format(case.kind), function()
    local out, wanted, most = rec:buffer("out_at"), right(rec), near(rec:buffer("values"))
    pto.assert.tile(out, wanted, most)
    local largest = 0
    for i = 0, 1023 do largest = math.max(largest, math.abs(out:get(i) - wanted:get(i // 64, i % 64))) end
    print(("%s inputs: the largest error is %.6f of %.6f allowed"):format(case.kind, largest, most.abs))
  end)

  pto.test(("factors are between 0 and 1, and 1 where no larger score came, %s inputs"):format(case.kind), function()
    local ones, round = 0, 0
    for s in rec:find{op = "texp"} do
      rec:seek(s.step + 1)
      local factor, before, now = rec:tile("factor_line"), rec:tile("before_line"), rec:tile("largest_line")
      for row = 0, 15 do
        local f, grew = factor:get(0, row), now:get(0, row) > before:get(0, row)
        assert(0 <= f and f <= 1 and (f == 1) == not grew)
        if round == 0 then assert(f == 0) end
        if not grew then ones = ones + 1 end
      end
      round = round + 1
    end
    pto.assert.equal(round, 4)
    print(("%s inputs: the largest score stayed in %d of 48 rows"):format(case.kind, ones))
  end)
end

-- The steps of an operation, in their order.
local rec = pto.load("flash_attention"):record()
local function steps_of(op)
  local steps = {}
  for s in rec:steps() do
    if s.op == op then steps[#steps + 1] = s.step end
  end
  return steps
end

pto.test("three tiles cross in each round", function()
  pto.assert.equal({#steps_of("tpush_to_aiv"), #steps_of("tpop_from_aic"), #steps_of("tfree_from_aic")}, {8, 8, 8})
  pto.assert.equal({#steps_of("tpush_to_aic"), #steps_of("tpop_from_aiv"), #steps_of("tfree_from_aiv")}, {4, 4, 4})
end)

pto.test("what the cube core multiplies is what the vector core computed, rounded", function()
  for round, push in ipairs(steps_of("tpush_to_aic")) do
    rec:seek(push + 1)
    local exps, slot = rec:tile("exps"), rec:at(push).args.dst
    pto.assert.equal(rec:at(push).writes[1].region, "l1")
    rec:seek(steps_of("tfree_from_aiv")[round])
    local left = rec:tile("l_p")
    for row = 0, 15 do
      for col = 0, 31 do
        local value = pto.array("f16", 1, 1, {exps:get(row, col)}):get(0)
        assert(slot:get(row, col) == value and left:get(row, col) == value)
      end
    end
  end
end)
