-- Is every sum right, also those of the tail, and is nothing else written? The sums are made once more, in double precision.
--
--   tilescope script add_tail
-- list: 250
--
-- Tolerance: none. A sum of two f32 is rounded once, and pto.array rounds the double in the same way.
local kCount = 203

local rng = pto.rng(1)
local function random()
  local values = {}
  for i = 1, kCount do values[i] = rng:real() * 16 - 8 end
  return pto.array("f32", 1, kCount, values)
end

for _, given in ipairs{{kind = "made-up", inputs = {}}, {kind = "random", inputs = {x = random(), y = random()}}} do
  local rec = pto.load("add_tail", {inputs = given.inputs}):record()
  rec:last()

  pto.test(("nothing was found, %s inputs"):format(given.kind), function() pto.assert.noFindings(rec) end)

  pto.test(("every sum is right, %s inputs"):format(given.kind), function()
    local x, y, sums = rec:buffer("x"), rec:buffer("y"), {}
    for i = 0, kCount - 1 do sums[i + 1] = x:get(i) + y:get(i) end
    pto.assert.tile(rec:buffer("out"), pto.array("f32", 1, kCount, sums), {abs = 0})
  end)
end
