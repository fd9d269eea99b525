-- Is the layer right, and does the second vector core have to take part? Every element is computed once more, in double
-- precision, from the inputs that the run had: those that are made up, and numbers that use all digits of f16. Then the way
-- through global memory is followed, and the second core's pops are taken away.
--
--   tilescope script projection_relu
-- list: 224
--
-- Tolerance: a sum of 64 products of at most 1 and a bias of at most 1, added in f32. Each addition may be off by half a
-- digit of at most 65, which is 2^-18.
local near = {rel = 2 ^ -24, abs = 65 * 2 ^ -18}

local rng = pto.rng(1)
local function random(kind, rows, cols)
  local values = {}
  for i = 1, rows * cols do values[i] = rng:real() * 2 - 1 end
  return pto.array(kind, rows, cols, values)
end

local function right(rec)
  local x, w, bias, values = rec:buffer("x_at"), rec:buffer("w_at"), rec:buffer("bias_at"), {}
  for i = 0, 63 do
    for j = 0, 63 do
      local sum = bias:get(j)
      for k = 0, 63 do sum = sum + x:get(i * 64 + k) * w:get(k * 64 + j) end
      values[#values + 1] = math.max(0, sum)
    end
  end
  return pto.array("f64", 64, 64, values)
end

local given = {
  {kind = "made-up", inputs = {}},
  {kind = "random",
   inputs = {x_at = random("f16", 64, 64), w_at = random("f16", 64, 64), bias_at = random("f32", 1, 64)}},
}
for _, case in ipairs(given) do
  local rec = pto.load("projection_relu", {inputs = case.inputs}):record()
  rec:last()

  pto.test(("nothing was found, %s inputs"):format(case.kind), function() pto.assert.noFindings(rec) end)

  pto.test(("every element is right, %s inputs"):format(case.kind), function()
    -- The made-up inputs have few digits, so that their sums are exact.
    pto.assert.tile(rec:buffer("out_at"), right(rec), case.kind == "made-up" and {abs = 0} or near)
  end)
end

local prog = pto.load("projection_relu")
local rec = prog:record()
local function steps_of(op)
  local steps = {}
  for s in rec:steps() do
    if s.op == op then steps[#steps + 1] = s.step end
  end
  return steps
end

pto.test("strips go through two slots in turn, and each core has two places for them", function()
  local pushes, pops = steps_of("tpush_to_aiv"), steps_of("tpop_from_aic")
  pto.assert.equal({#pushes, #pops}, {4, 8})
  local slots = rec:buffer("slots")
  for n, step in ipairs(pushes) do
    local to = rec:at(step).writes[1]
    pto.assert.equal({to.region, to.first - slots.offset, to.last - to.first + 1}, {"gm", (n - 1) % 2 * 4096, 4096})
  end
  local places = {}
  for _, step in ipairs(pops) do
    rec:seek(step + 1)
    local x, turn = rec:tile("x"), rec:at(step).loops[1].turn
    places[turn % 2] = places[turn % 2] or x.offset
    pto.assert.equal(x.offset, places[turn % 2])
    -- What both cores take is the same: the strip of this turn, which still stands in its slot.
    local slot = rec:buffer("slots")
    for i = 0, 1023 do assert(x:bits(i // 64, i % 64) == slot:bits(turn % 2 * 1024 + i)) end
  end
  pto.assert.equal(math.abs(places[1] - places[0]), 4096)
end)

pto.test("only one core stores", function()
  pto.assert.equal(#steps_of("tstore"), 4)
  pto.assert.equal(#steps_of("tfree_from_aic"), 8)
end)

pto.test("without the second core's pops the cube core waits for ever", function()
  local text, changed = prog.text:gsub("(\n      %%x = pto%.tpop[^\n]*)(\n      scf%.if %%is_first {)", "%2%1")
  pto.assert.equal(changed, 1)
  text, changed = text:gsub("(\n      })(\n      pto%.tfree[^\n]*)", "%2%1")
  pto.assert.equal(changed, 1)
  -- A lesson takes the text of a program, and its run is the current one then.
  pto.lesson{title = "One core only", teaches = "The same.", family = "debugging", target = "a2a3", program = text,
             steps = {{say = "It has run."}}}
  local alone = pto.current()
  pto.assert.equal(alone.stopReason, "error")
  local found = alone:findings{severity = "error"}()
  print(("without them: %s: %s"):format(found.rule, found.text))
  print("  " .. tostring(found.fix))
  assert(found.text:find("deadlock", 1, true) and found.text:find("AIV1", 1, true))
end)
