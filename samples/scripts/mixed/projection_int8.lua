-- Is every byte right, however many blocks share the rows? All is computed once more: for made-up inputs, whose sums are
-- exact, with the same roundings to f32, bit by bit; for numbers that use all digits of f16 in double precision. Then the
-- blocks' own slots are looked at, and taken away.
--
--   tilescope script projection_int8
-- list: 242
--
-- Tolerance of random inputs: a sum of 64 products of at most 1 and a bias of at most 1, added in f32. Each addition may be
-- off by half a digit of at most 65, which is 2^-18. A byte is off by what that is in steps, when its number is near a half.
local sum_off = 65 * 2 ^ -18

local function f32(x) return pto.array("f32", 1, 1, {x}):get(0, 0) end

-- To the nearest whole number, a half to the even one.
local function nearest(x)
  local low = math.floor(x)
  if x - low == 0.5 then return low % 2 == 0 and low or low + 1 end
  return math.floor(x + 0.5)
end

local rng = pto.rng(1)
local function random(kind, rows, cols)
  local values = {}
  for i = 1, rows * cols do values[i] = rng:real() * 2 - 1 end
  return pto.array(kind, rows, cols, values)
end
local given = {x_at = random("f16", 512, 64), w_at = random("f16", 64, 64), bias_at = random("f32", 1, 64)}

-- The rows before they become bytes, and the largest magnitude of each.
local function projected(rec)
  local x, w, bias, y, largest = rec:buffer("x_at"), {}, rec:buffer("bias_at"), {}, {}
  for i = 0, 64 * 64 - 1 do w[i] = rec:buffer("w_at"):get(i) end
  for i = 0, 511 do
    local row, most = {}, 0
    for k = 0, 63 do row[k] = x:get(i * 64 + k) end
    for j = 0, 63 do
      local sum = bias:get(j)
      for k = 0, 63 do sum = sum + row[k] * w[k * 64 + j] end
      y[i * 64 + j] = sum
      most = math.max(most, math.abs(sum))
    end
    largest[i] = most
  end
  return y, largest
end

local function run(blocks, order, inputs)
  local rec = pto.load("projection_int8", {blocks = blocks, inputs = inputs}):record{order = order}
  rec:last()
  return rec
end

local exact_y, exact_largest = projected(run(1, "usual", {}))
for _, blocks in ipairs{1, 8} do
  for _, order in ipairs{"usual", "reverse"} do
    local what = ("made-up inputs, %d blocks, %s order"):format(blocks, order)
    pto.test(("every byte is right, and nothing was found, %s"):format(what), function()
      local rec = run(blocks, order, {})
      pto.assert.noFindings(rec)
      local q, step = rec:buffer("q_at"), rec:buffer("step_at")
      for i = 0, 511 do
        local largest = math.max(f32(1e-30), exact_largest[i])
        local scale = f32(127 / largest)
        pto.assert.equal(step:get(i), f32(largest * f32(0.007874016)))
        for j = 0, 63 do
          local wanted = math.max(-128, math.min(127, nearest(f32(exact_y[i * 64 + j] * scale))))
          if q:get(i * 64 + j) ~= wanted then error(("q[%d,%d] is %d, not %d"):format(i, j, q:get(i * 64 + j), wanted)) end
        end
      end
    end)
  end
end

pto.test("random inputs: no number is off by more than half a step, for any number of blocks", function()
  local y, largest
  for _, blocks in ipairs{1, 3, 8} do
    local rec = run(blocks, "seed:7", given)
    pto.assert.noFindings(rec)
    if y == nil then y, largest = projected(rec) end
    local q, step, worst = rec:buffer("q_at"), rec:buffer("step_at"), 0
    for i = 0, 511 do
      local wanted, ends = largest[i] / 127, 0
      assert(math.abs(step:get(i) - wanted) <= sum_off / 127 + wanted * 2 ^ -22)
      for j = 0, 63 do
        local byte = q:get(i * 64 + j)
        worst = math.max(worst, math.abs(byte * wanted - y[i * 64 + j]) / wanted)
        assert(math.abs(byte * wanted - y[i * 64 + j]) <= 0.5 * wanted + 2 * sum_off + 127 * wanted * 2 ^ -21)
        if math.abs(byte) == 127 then ends = ends + 1 end
      end
      assert(ends >= 1)
    end
    print(("%d blocks: the largest error is %.5f steps"):format(blocks, worst))
  end
end)

pto.test("each of 8 blocks pushes two strips, into slots of its own", function()
  local rec = run(8, "usual", {})
  local slots, places, pushes = rec:buffer("slots"), {}, 0
  for s in rec:steps() do
    if s.op == "tpush_to_aiv" then
      local slot = (s.writes[1].first - slots.offset) // 8192
      pto.assert.equal({s.writes[1].region, slot // 2}, {"gm", s.block})
      places[slot] = (places[slot] or 0) + 1
      pushes = pushes + 1
    end
  end
  pto.assert.equal(pushes, 16)
  for slot = 0, 15 do pto.assert.equal(places[slot], 1, ("slot %d"):format(slot)) end
end)

pto.test("with the same slots for all blocks, MK-33 tells that two cores are at the same bytes", function()
  local text, changed = pto.load("projection_int8").text:gsub("gm_slot_buffer = %%own_slots", "gm_slot_buffer = %%slots")
  pto.assert.equal(changed, 2)
  -- A lesson takes the text of a program, and its run is the current one then.
  pto.lesson{title = "One for all", teaches = "The same.", family = "debugging", target = "a2a3", program = text, blocks = 8,
             steps = {{say = "It has run."}}}
  local rec, found = pto.current(), 0
  for f in rec:findings{kind = "cores"} do
    if found == 0 then print(("%s in line %d: %s"):format(f.rule, f.line, f.text)) print("  " .. tostring(f.fix)) end
    pto.assert.equal({f.rule, f.severity}, {"MK-33", "warning"})
    found = found + 1
  end
  assert(found > 0)
  rec:last()
  local q, wrong = rec:buffer("q_at"), 0
  local right = run(1, "usual", {}):buffer("q_at")
  for i = 0, 512 * 64 - 1 do
    if q:get(i) ~= right:get(i) then wrong = wrong + 1 end
  end
  -- Blocks that run one after the other do not show it; `tilescope run` with --order seed:1 does.
  print(("%d of %d bytes are wrong in the usual order"):format(wrong, 512 * 64))
end)
