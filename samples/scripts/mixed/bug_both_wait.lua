-- Who waits for whom? The run stops, and the finding is read. Then the strips are counted: where each of them is. With as many
-- slots as strips all is well, and with 5 strips the bug does not show.
--
--   tilescope script bug_both_wait
-- list: 234
local prog = pto.load("bug_both_wait")
local rec = prog:record()
rec:last()
local found = rec:findings{severity = "error"}()
print(("stopped by %s in line %d: %s"):format(found.rule, found.line, found.text))
print("  " .. found.fix)

local function count(recording, op)
  local n = 0
  for s in recording:steps() do
    if s.op == op then n = n + 1 end
  end
  return n
end

-- The program with other words in it: a lesson takes its text, and the run is the current one then.
local function run(text)
  pto.lesson{title = "Changed", teaches = "The same.", family = "debugging", target = "a5", program = text,
             steps = {{say = "It has run."}}}
  local changed = pto.current()
  changed:last()
  return changed
end

pto.test("no core can go on: each waits for another one", function()
  pto.assert.equal({rec.stopReason, found.rule, found.step}, {"error", "MK-11", rec.count})
  assert(found.text:find("deadlock", 1, true) and found.fix:find("each waits for another one", 1, true))
end)

pto.test("two strips stand in the slots one way, two the other way, and one is in the vector core", function()
  local pushed, popped = count(rec, "tpush_to_aiv"), count(rec, "tpop_from_aic")
  local sent_back, taken_back = count(rec, "tpush_to_aic"), count(rec, "tpop_from_aiv")
  print(("%d strips were pushed and %d popped, %d sent back and %d taken back"):format(pushed, popped, sent_back, taken_back))
  pto.assert.equal({pushed - popped, popped - sent_back, sent_back - taken_back}, {2, 1, 2})
end)

pto.test("with as many slots as strips it runs to its end, and all is right", function()
  local text, changed = prog.text:gsub("slot_num = 2}", "slot_num = 8}")
  pto.assert.equal(changed, 2)
  text, changed = text:gsub("size = 4096", "size = 16384")
  pto.assert.equal(changed, 2)
  local roomy = run(text)
  pto.assert.equal(roomy.stopReason, "end")
  pto.assert.noFindings(roomy)

  -- In double precision, with hidden rounded to f16. A sum of 32 products may be off by half a digit for each addition.
  local x, first, second = roomy:buffer("x_at"), roomy:buffer("first"), roomy:buffer("second")
  local hidden, wanted, most = {}, {}, 0
  for i = 0, 127 do
    for h = 0, 31 do
      local sum = 0
      for k = 0, 63 do sum = sum + x:get(i * 64 + k) * first:get(k * 32 + h) end
      hidden[#hidden + 1] = math.max(0, sum)
    end
  end
  hidden = pto.array("f16", 128, 32, hidden)
  for i = 0, 127 do
    for j = 0, 63 do
      local sum, size = 0, 0
      for h = 0, 31 do
        local term = hidden:get(i, h) * second:get(h * 64 + j)
        sum, size = sum + term, size + math.abs(term)
      end
      wanted[#wanted + 1] = sum
      most = math.max(most, size * 32 * 2 ^ -24)
    end
  end
  pto.assert.tile(roomy:buffer("out_at"), pto.array("f64", 128, 64, wanted), {abs = most})
end)

pto.test("5 strips do not show the bug, 6 do", function()
  for strips, reason in pairs{[5] = "end", [6] = "error"} do
    local text, changed = prog.text:gsub("constant 8 : index", ("constant %d : index"):format(strips))
    pto.assert.equal(changed, 2)
    pto.assert.equal(run(text).stopReason, reason)
  end
end)
