-- Does rotary position embedding turn every point by its angle, and do both targets agree? Every result is computed once
-- more, in double precision, from the inputs that the run had: those that are made up, and numbers with true angles.
--
--   tilescope script rope
-- list: 180
--
-- Tolerance: made-up inputs are eighths, so nothing is rounded at all. With true angles the two products are below 8, and
-- rounding misses them by 2^-22; their sum is below 12, and is missed by 2^-21. Together that is 0.00000095.
local tolerance = 0.000001

-- Row by row a head: 3 heads of token 0, then those of token 1, ...
local function right(x, cos, sin)
  local values = {}
  for token = 0, 49 do
    for head = 0, 2 do
      local row = token * 3 + head
      for i = 0, 35 do
        local low, high = x:get(row, i), x:get(row, i + 36)
        local c, s = cos:get(token, i), sin:get(token, i)
        values[row * 72 + i + 1] = low * c - high * s
        values[row * 72 + i + 37] = high * c + low * s
      end
    end
  end
  return pto.array("f64", 150, 72, values)
end

-- The angle of point i is the position times 10000^(-i / 36): from a turn in 6 tokens to one in 50000.
local rng = pto.rng(1)
local values, cosines, sines = {}, {}, {}
for i = 1, 10800 do values[i] = rng:real() * 16 - 8 end
for token = 0, 49 do
  for i = 0, 35 do
    local angle = token * 10000 ^ (-i / 36)
    cosines[#cosines + 1], sines[#sines + 1] = math.cos(angle), math.sin(angle)
  end
end
local turning = {x = pto.array("f32", 150, 72, values), cos = pto.array("f32", 50, 36, cosines),
                 sin = pto.array("f32", 50, 36, sines)}

for _, given in ipairs{{kind = "made-up inputs", inputs = {}}, {kind = "true angles", inputs = turning}} do
  for _, target in ipairs{"a5", "a2a3"} do
    local rec = pto.load("rope", {target = target, inputs = given.inputs}):record()
    rec:last()
    local x, result = rec:buffer("x"), rec:buffer("result")

    pto.test(("nothing was found on %s, %s"):format(target, given.kind), function() pto.assert.noFindings(rec) end)

    pto.test(("every element is right on %s, %s"):format(target, given.kind), function()
      local golden = right(x, rec:buffer("cos"), rec:buffer("sin"))
      local largest = 0
      for i = 0, 10799 do largest = math.max(largest, math.abs(result:get(i) - golden:get(i))) end
      print(("%s, %s: the largest error is %.8f"):format(target, given.kind, largest))
      pto.assert.tile(result, golden, {abs = tolerance})
    end)

    -- A point that is turned stays as far from the centre, but for the errors of both its numbers.
    if given.inputs.cos then
      pto.test("every point keeps its distance on " .. target, function()
        for row = 0, 149 do
          for i = 0, 35 do
            local before = math.sqrt(x:get(row, i) ^ 2 + x:get(row, i + 36) ^ 2)
            local after = math.sqrt(result:get(row, i) ^ 2 + result:get(row, i + 36) ^ 2)
            pto.assert.isTrue(math.abs(after - before) < 2 * tolerance)
          end
        end
      end)
    end
  end

  -- Nothing is added up in an order of its own, and both round alike: not a bit differs.
  pto.test(("both targets agree, %s"):format(given.kind), function()
    local apart = pto.lockstep("rope", {"a2a3", "a5"}, {inputs = given.inputs})
    pto.assert.equal(apart and apart.text, nil)
  end)
end
