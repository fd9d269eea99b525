-- Are the eight largest scores of each token found, with their places, also where several are equal? What the kernel leaves is
-- compared with plain loops over the input that the run had: one that is made up, which has many ties, and one with special
-- rows.
--
--   tilescope script top_k
-- list: 135
--
-- Tolerance: none. Scores are compared and moved, and nothing is rounded.
local kTokens, kScores, kBest = 12, 256, 8

local rng = pto.rng(3)
local values = {}
for token = 0, kTokens - 1 do
  for at = 0, kScores - 1 do
    local value = rng:real() * 16 - 8
    if token == 1 then value = -5 end                            -- all the same: the first eight
    if token == 2 then value = at / 4 end                        -- going up: the last eight, from behind
    if token == 3 then value = -at / 4 end                       -- going down: the first eight
    if token == 4 and at % 32 == 31 then value = 9 end           -- one of each block
    if token == 5 then value = at == 200 and 1 or -math.huge end -- a single number above minus infinity
    if token == 6 and at % 100 == 0 then value = math.huge end
    values[#values + 1] = value
  end
end
local special = pto.array("f32", kTokens, kScores, values)

for _, given in ipairs{{kind = "made-up", inputs = {}}, {kind = "special", inputs = {scores = special}}} do
  for _, target in ipairs{"a5", "a2a3"} do
    local rec = pto.load("top_k", {target = target, inputs = given.inputs}):record()
    rec:last()

    pto.test(("nothing was found on %s, %s scores"):format(target, given.kind), function() pto.assert.noFindings(rec) end)

    pto.test(("the best and their places are right on %s, %s scores"):format(target, given.kind), function()
      local scores, value, index = rec:buffer("scores"), rec:buffer("value"), rec:buffer("index")
      for token = 0, kTokens - 1 do
        local taken = {}
        for place = 0, kBest - 1 do
          local best
          for at = 0, kScores - 1 do
            local score = scores:get(token * kScores + at)
            if not taken[at] and (best == nil or score > scores:get(token * kScores + best)) then best = at end
          end
          taken[best] = true
          local what = ("place %d of token %d"):format(place, token)
          pto.assert.equal(value:get(token * kBest + place), scores:get(token * kScores + best), what)
          pto.assert.equal(index:get(token * kBest + place), best, what)
        end
      end
    end)
  end

  pto.test(("both targets leave the same, %s scores"):format(given.kind), function()
    local apart = pto.lockstep("top_k", {"a2a3", "a5"}, {inputs = given.inputs})
    pto.assert.equal(apart and apart.text, nil)
  end)
end
