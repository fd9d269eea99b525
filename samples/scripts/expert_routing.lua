-- Does every token come back from its expert, and is it the right one? Order, counts and results are computed once more with
-- plain loops, for scores that are made up, which have many ties, and for tokens that all go to few experts.
--
--   tilescope script expert_routing
-- list: 137
--
-- Tolerance: none. Scores are compared and rows are moved; a row is multiplied by a small whole number once, in f32.
local kTokens, kExperts, kCols = 32, 8, 64

local function f32(x) return pto.array("f32", 1, 1, {x}):get(0, 0) end

-- Experts 1 to 4 get nothing.
local rng = pto.rng(5)
local uneven = {}
for token = 0, kTokens - 1 do
  for expert = 0, kExperts - 1 do
    local score = rng:real()
    if expert >= 1 and expert <= 4 then score = score - 2 end
    if token % 3 == 0 and expert == 7 then score = 5 end
    uneven[#uneven + 1] = score
  end
end

local function routed(scores)
  local expert, counts, order = {}, {}, {}
  for e = 0, kExperts - 1 do counts[e] = 0 end
  for token = 0, kTokens - 1 do
    local best = 0
    for e = 1, kExperts - 1 do
      if scores:get(token * kExperts + e) > scores:get(token * kExperts + best) then best = e end
    end
    expert[token] = best
    counts[best] = counts[best] + 1
  end
  for e = 0, kExperts - 1 do
    for token = 0, kTokens - 1 do
      if expert[token] == e then order[#order + 1] = token end
    end
  end
  return expert, counts, order
end

for _, given in ipairs{{kind = "made-up", inputs = {}},
                       {kind = "uneven", inputs = {scores = pto.array("f32", kTokens, kExperts, uneven)}}} do
  for _, target in ipairs{"a5", "a2a3"} do
    local rec = pto.load("expert_routing", {target = target, inputs = given.inputs}):record()
    rec:last()
    local expert, counts, order = routed(rec:buffer("scores"))

    pto.test(("nothing was found on %s, %s scores"):format(target, given.kind), function() pto.assert.noFindings(rec) end)

    pto.test(("order and counts are right on %s, %s scores"):format(target, given.kind), function()
      for at = 1, kTokens do pto.assert.equal(rec:buffer("order"):get(at - 1), order[at], ("place %d"):format(at - 1)) end
      for e = 0, kExperts - 1 do pto.assert.equal(rec:buffer("counts"):get(e), counts[e], ("expert %d"):format(e)) end
    end)

    pto.test(("every token is its own again on %s, %s scores"):format(target, given.kind), function()
      local tokens, out = rec:buffer("tokens"), rec:buffer("out")
      for token = 0, kTokens - 1 do
        for col = 0, kCols - 1 do
          local at = token * kCols + col
          pto.assert.equal(out:get(at), f32(tokens:get(at) * (expert[token] + 1)), ("token %d, column %d"):format(token, col))
        end
      end
    end)
  end

  pto.test(("both targets leave the same, %s scores"):format(given.kind), function()
    local apart = pto.lockstep("expert_routing", {"a2a3", "a5"}, {inputs = given.inputs})
    pto.assert.equal(apart and apart.text, nil)
  end)
end
