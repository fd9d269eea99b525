-- Is every mean right, however many blocks share the rows and in whichever order they run? All is computed once more, in
-- double precision, from the inputs that the run had. Then the meeting is looked at, and taken away.
--
--   tilescope script two_phase_sum
-- list: 236
--
-- Tolerance: a sum of 128 numbers of at most 1, added in f32, in an order that depends on the number of blocks. Each addition
-- may be off by half a digit of at most 128, which is 2^-18; a mean has 128th of it, and the difference is rounded once. The
-- made-up inputs have few digits, so that their sums are exact.
local sums_near, out_near = {abs = 128 * 2 ^ -18}, {abs = 2 ^ -18 + 2 ^ -23}

local rng = pto.rng(1)
local values = {}
for i = 1, 128 * 64 do values[i] = rng:real() * 2 - 1 end
local random = pto.array("f32", 128, 64, values)

local function right(rec)
  local x, sums, out = rec:buffer("x_at"), {}, {}
  for j = 0, 63 do
    local sum = 0
    for i = 0, 127 do sum = sum + x:get(i * 64 + j) end
    sums[j + 1] = sum
    for i = 0, 127 do out[i * 64 + j + 1] = x:get(i * 64 + j) - sum / 128 end
  end
  return pto.array("f64", 1, 64, sums), pto.array("f64", 128, 64, out)
end

-- 20 blocks are more than there are strips: four have none.
for _, blocks in ipairs{1, 3, 8, 20} do
  for _, order in ipairs{"usual", "reverse", "seed:7"} do
    pto.test(("%d blocks, %s order: sums and differences are right, and nothing was found"):format(blocks, order), function()
      local rec = pto.load("two_phase_sum", {blocks = blocks, inputs = {x_at = random}}):record{order = order}
      rec:last()
      pto.assert.noFindings(rec)
      local sums, out = right(rec)
      pto.assert.tile(rec:buffer("sums_at"), sums, sums_near)
      pto.assert.tile(rec:buffer("out_at"), out, out_near)
    end)
  end
end

pto.test("made-up inputs: sums are exact, on both targets", function()
  for _, target in ipairs{"a5", "a2a3"} do
    local rec = pto.load("two_phase_sum", {blocks = 4, target = target}):record()
    rec:last()
    pto.assert.noFindings(rec)
    pto.assert.tile(rec:buffer("sums_at"), (right(rec)), {abs = 0})
  end
end)

pto.test("nobody reads a partial row before all are stored", function()
  local rec = pto.load("two_phase_sum", {blocks = 4}):record()
  local partial = rec:buffer("partial_at")
  local last_stored, first_read, stores, reads = -1, rec.count, 0, 0
  for s in rec:steps() do
    for _, to in ipairs(s.writes) do
      if to.region == "gm" and to.first >= partial.offset and to.last < partial.offset + 4 * 256 then
        last_stored, stores = s.step, stores + 1
      end
    end
    for _, from in ipairs(s.reads) do
      if from.region == "gm" and from.first >= partial.offset and from.last < partial.offset + 4 * 256 then
        first_read, reads = math.min(first_read, s.step), reads + 1
      end
    end
  end
  print(("the last partial row is stored in step %d, the first one read in step %d"):format(last_stored, first_read))
  pto.assert.equal({stores, reads}, {4, 16})
  assert(last_stored < first_read)
end)

pto.test("without pto.syncall blocks read rows that are not there yet, and the checks name both lines", function()
  local prog = pto.load("two_phase_sum")
  -- An empty line instead, so that lines keep their numbers.
  local text, changed = prog.text:gsub("\n    pto%.syncall[^\n]*", "\n")
  pto.assert.equal(changed, 1)
  local line, store, load = 0, nil, nil
  for words in text:gmatch("([^\n]*)\n") do
    line = line + 1
    if words:find("pto.tstore ins(%partial ", 1, true) then store = line end
    if words:find("pto.tload ins(%other_view ", 1, true) then load = line end
  end
  -- A lesson takes the text of a program, and its run is the current one then.
  pto.lesson{title = "No meeting", teaches = "The same.", family = "debugging", target = "a5", program = text, blocks = 4,
             inputs = {x_at = random}, steps = {{say = "It has run."}}}
  local rec = pto.current()
  rec:last()
  local seen = {}
  for f in rec:findings{kind = "sync"} do
    assert(f.severity == "warning" and f.text:find("nothing orders blocks", 1, true) and f.fix:find("pto.syncall", 1, true))
    seen[f.line] = (seen[f.line] or 0) + 1
  end
  pto.assert.equal({seen[store], seen[load]}, {3, 6})
  -- Block 0 is the first here, and has only its own row.
  local sums, wrong = right(rec), 0
  for j = 0, 63 do
    if math.abs(rec:buffer("sums_at"):get(j) - sums:get(0, j)) > sums_near.abs then wrong = wrong + 1 end
  end
  print(("%d of 64 sums are wrong then"):format(wrong))
  assert(wrong > 32)
end)
