-- Is every half right, to its last bit, also those that are clamped? They are made once more, in double precision, and rounded as
-- the kernel does: once to f32, once to f16.
--
--   tilescope script halves_and_back
-- list: 254
--
-- Tolerance: none. The square of a half is exact in f32; VMULA rounds product and sum together.
local kCount, kMost = 200, 65504

local rng = pto.rng(1)
local large = {}
for i = 1, kCount do large[i] = rng:real() * 800 - 400 end

for _, given in ipairs{{kind = "made-up", inputs = {}}, {kind = "large", inputs = {x = pto.array("f16", 1, kCount, large)}}} do
  local rec = pto.load("halves_and_back", {inputs = given.inputs}):record()
  rec:last()

  pto.test(("nothing was found, %s inputs"):format(given.kind), function() pto.assert.noFindings(rec) end)

  pto.test(("every half is right, %s inputs"):format(given.kind), function()
    local x, sums, clamped = rec:buffer("x"), {}, 0
    for i = 0, kCount - 1 do sums[i + 1] = x:get(i) * x:get(i) + x:get(i) end
    local wide, halves = pto.array("f32", 1, kCount, sums), {}
    for i = 0, kCount - 1 do
      halves[i + 1] = math.min(wide:get(0, i), kMost)
      if wide:get(0, i) > kMost then clamped = clamped + 1 end
    end
    print(("%s inputs: %d of %d are clamped"):format(given.kind, clamped, kCount))
    pto.assert.isTrue(clamped > 0 == (given.kind == "large"))
    pto.assert.tile(rec:buffer("out"), pto.array("f16", 1, kCount, halves), {abs = 0})
  end)
end
