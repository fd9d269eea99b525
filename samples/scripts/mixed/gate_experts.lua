-- Does every token get to its expert, and is what comes back right? All is computed once more, in double precision, from the
-- inputs that the run had: those that are made up, numbers that use all digits of f16, and tokens of one expert only. Then a
-- tile is followed from core to core and back.
--
--   tilescope script gate_experts
-- list: 240
--
-- Tolerance: what the vector cores send back is rounded to f16, by 2^-11 of itself at most, or by 2^-25 where it is small. Sums
-- of f32 have up to 64 terms, each addition may be off by half a digit: 2^-18 of the largest sum on the way, for each of the
-- two layers. A weight is off by as much as its scores: see below.
local kTokens, kCols, kExperts, kHidden = 64, 64, 4, 32

local rng = pto.rng(1)
local function random(rows, cols, size, offset)
  local values = {}
  for i = 1, rows * cols do values[i] = ((rng:real() * 2 - 1) + (offset and offset((i - 1) % cols) or 0)) * size end
  return pto.array("f16", rows, cols, values)
end

-- Experts, weights and results as they should be, and how far a result may be off.
local function right(rec)
  local x, gate, up, down = rec:buffer("x_at"), rec:buffer("gate_at"), rec:buffer("up"), rec:buffer("down")
  local chosen, weights, out, most = {}, {}, {}, {}
  for t = 0, kTokens - 1 do
    local scores, best, total, size = {}, 0, 0, 0
    for e = 0, kExperts - 1 do
      local sum, terms = 0, 0
      for k = 0, kCols - 1 do
        local term = x:get(t * kCols + k) * gate:get(k * kExperts + e)
        sum, terms = sum + term, terms + math.abs(term)
      end
      scores[e], size = sum, math.max(size, terms)
      if sum > scores[best] then best = e end
    end
    for e = 0, kExperts - 1 do total = total + math.exp(scores[e] - scores[best]) end
    chosen[t + 1], weights[t + 1] = best, 1 / total
    -- Every score may be off by this, and a weight by twice as much of itself.
    local score_off = size * 64 * 2 ^ -24
    local hidden, off = {}, {}
    for h = 0, kHidden - 1 do
      local sum, terms = 0, 0
      for k = 0, kCols - 1 do
        local term = x:get(t * kCols + k) * up:get((best * kCols + k) * kHidden + h)
        sum, terms = sum + term, terms + math.abs(term)
      end
      hidden[h] = math.max(0, sum) / total
      off[h] = terms * 64 * 2 ^ -24 + hidden[h] * (2 ^ -11 + 2 * score_off) + 2 ^ -25
    end
    for j = 0, kCols - 1 do
      local sum, allowed = 0, 0
      for h = 0, kHidden - 1 do
        local weight = down:get((best * kHidden + h) * kCols + j)
        sum = sum + hidden[h] * weight
        allowed = allowed + math.abs(weight) * (off[h] + hidden[h] * 32 * 2 ^ -24)
      end
      out[#out + 1], most[#most + 1] = sum, allowed
    end
  end
  return chosen, weights, out, most
end

local given = {
  {kind = "made-up", inputs = {}},
  {kind = "random", inputs = {x_at = random(64, 64, 1), gate_at = random(64, 4, 0.25), up = random(256, 32, 1),
                              down = random(128, 64, 1)}},
  -- Tokens are positive, and the gate has large weights for expert 2.
  {kind = "one-sided", inputs = {x_at = random(64, 64, 0.5, function() return 1 end), up = random(256, 32, 1),
                                 gate_at = random(64, 4, 0.25, function(e) return e == 2 and 1 or 0 end),
                                 down = random(128, 64, 1)}},
}
for _, case in ipairs(given) do
  for _, order in ipairs{"usual", "reverse"} do
    local rec = pto.load("gate_experts", {inputs = case.inputs}):record{order = order}
    rec:last()
    local chosen, weights, out, most = right(rec)
    local what = ("%s inputs, %s order"):format(case.kind, order)

    pto.test(("nothing was found, %s"):format(what), function() pto.assert.noFindings(rec) end)

    pto.test(("experts and weights are right, %s"):format(what), function()
      local counts = {0, 0, 0, 0}
      for t = 1, kTokens do
        pto.assert.equal(rec:buffer("chosen_at"):get(t - 1), chosen[t], ("token %d"):format(t - 1))
        assert(math.abs(rec:buffer("weight_at"):get(t - 1) - weights[t]) < 4e-5 * weights[t])
        counts[chosen[t] + 1] = counts[chosen[t] + 1] + 1
      end
      if order == "usual" then
        print(("%s inputs: the experts have %s tokens"):format(case.kind, table.concat(counts, ", ")))
      end
      if case.kind == "one-sided" then pto.assert.equal(counts, {0, 0, 64, 0}) end
    end)

    pto.test(("every element is right, %s"):format(what), function()
      local got, worst = rec:buffer("out_at"), 0
      for i = 1, kTokens * kCols do
        local off = math.abs(got:get(i - 1) - out[i])
        assert(off <= most[i], ("element %d is %g, not %g"):format(i - 1, got:get(i - 1), out[i]))
        worst = math.max(worst, off / most[i])
      end
      if order == "usual" then
        print(("%s inputs: the largest error is %.2f of what is allowed"):format(case.kind, worst))
      end
    end)
  end
end

local rec = pto.load("gate_experts"):record()
local function steps_of(op)
  local steps = {}
  for s in rec:steps() do
    if s.op == op then steps[#steps + 1] = s.step end
  end
  return steps
end

pto.test("one tile of scores goes to the vector cores, and for each expert one goes there and one back", function()
  pto.assert.equal({#steps_of("tpush_to_aiv"), #steps_of("tpop_from_aic"), #steps_of("tfree_from_aic")}, {10, 20, 20})
  pto.assert.equal({#steps_of("tpush_to_aic"), #steps_of("tpop_from_aiv"), #steps_of("tfree_from_aiv")}, {16, 8, 8})
end)

pto.test("the cube core gets zeros for the tokens of other experts", function()
  local chosen = right(rec)
  for n, step in ipairs(steps_of("tfree_from_aiv")) do
    local left, expert, zeros = rec:seek(step):tile("l_hidden"), (n - 1) % kExperts, 0
    for row = 0, 31 do
      if chosen[(n - 1) // kExperts * 32 + row + 1] ~= expert then
        for h = 0, kHidden - 1 do pto.assert.equal(left:get(row, h), 0) end
        zeros = zeros + 1
      end
    end
    assert(zeros < 32)
  end
end)
