-- Does the mask let nothing through, and do the weights of each row add up to what they should? Every weight is computed once
-- more, in double precision, from the scores that the run had: those that are made up, and scores that use all digits of f32
-- and are enormous where nobody may look.
--
--   tilescope script masked_scores
-- list: 120
--
-- Tolerance: a score less the largest of its row lies between -16 and 0 and is rounded by 2^-21 at most, which moves its
-- exponential by 2^-21 of itself. That counts twice, for the score and for the sum; with a dozen roundings of 2^-24 each,
-- exponentials, additions and the division, it comes to 0.0000017 of the weight. A masked weight has to be 0 exactly.
local relative = 0.0000017

local function seen(token, key) return key <= 64 + token end

local rng = pto.rng(1)
local values = {}
for _ = 1, 3 do
  for token = 0, 35 do
    for key = 0, 99 do
      local score = rng:real() * 120 - 60
      if not seen(token, key) then score = 1e30 end
      values[#values + 1] = score
    end
  end
end
local random = pto.array("f32", 108, 100, values)

-- What the scores should have become.
local function right(scores)
  local values = {}
  for row = 0, 107 do
    local token = row % 36
    local largest, sum = -math.huge, 0
    for key = 0, 99 do
      if seen(token, key) then largest = math.max(largest, scores:get(row * 100 + key) / 8) end
    end
    for key = 0, 99 do
      if seen(token, key) then sum = sum + math.exp(scores:get(row * 100 + key) / 8 - largest) end
    end
    for key = 0, 99 do
      values[#values + 1] = seen(token, key) and math.exp(scores:get(row * 100 + key) / 8 - largest) / sum or 0
    end
  end
  return pto.array("f64", 108, 100, values)
end

for _, given in ipairs{{kind = "made-up", inputs = {}}, {kind = "random", inputs = {scores = random}}} do
  for _, target in ipairs{"a5", "a2a3"} do
    local rec = pto.load("masked_scores", {target = target, inputs = given.inputs}):record()
    rec:last()

    pto.test(("nothing was found on %s, %s scores"):format(target, given.kind), function() pto.assert.noFindings(rec) end)

    pto.test(("every weight is right on %s, %s scores"):format(target, given.kind), function()
      local weights, golden = rec:buffer("weights"), right(rec:buffer("scores"))
      pto.assert.tile(weights, golden, {rel = relative})
      local largest = 0
      for i = 0, 10799 do
        if golden:get(i) ~= 0 then largest = math.max(largest, math.abs(weights:get(i) - golden:get(i)) / golden:get(i)) end
      end
      print(("%s, %s scores: the largest error is %.8f of the weight"):format(target, given.kind, largest))
    end)
  end

  -- The targets add up a row in different orders.
  pto.test(("both targets agree, %s scores"):format(given.kind), function()
    local apart = pto.lockstep("masked_scores", {"a2a3", "a5"}, {inputs = given.inputs, rel = relative})
    pto.assert.equal(apart and apart.text, nil)
  end)
end
