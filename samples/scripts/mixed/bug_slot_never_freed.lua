-- Why does the kernel hang? Its run ends with a finding, which is read: which cores wait, where, and what the vector core did
-- not do. Then it is mended, and as many strips as there are slots are shown to hide the bug.
--
--   tilescope script bug_slot_never_freed
-- list: 222

-- The product and 1, of so many rows. The made-up inputs have few digits, so that their sums are exact.
local function right(rec, rows)
  local a, b, values = rec:buffer("a"), rec:buffer("b"), {}
  for i = 0, rows - 1 do
    for j = 0, 63 do
      local sum = 0
      for k = 0, 31 do sum = sum + a:get(i * 32 + k) * b:get(k * 64 + j) end
      values[#values + 1] = sum + 1
    end
  end
  return pto.array("f64", rows, 64, values)
end

local function count(rec, op)
  local n = 0
  for s in rec:steps() do
    if s.op == op then n = n + 1 end
  end
  return n
end

-- The program with other words in it: a lesson takes its text, and the run is the current one then.
local function run(text)
  pto.lesson{title = "Mended", teaches = "The same.", family = "debugging", target = "a5", program = text,
             steps = {{say = "It has run."}}}
  local rec = pto.current()
  rec:last()
  return rec
end

local prog = pto.load("bug_slot_never_freed")
local rec = prog:record()
rec:last()
local found = rec:findings{severity = "error"}()
print(("stopped by %s in line %d: %s"):format(found.rule, found.line, found.text))
print("  " .. found.fix)

pto.test("no core can go on, and the finding says why", function()
  pto.assert.equal({rec.stopReason, found.rule, found.step}, {"error", "MK-11", rec.count})
  assert(found.text:find("deadlock", 1, true))
  assert(found.text:find("popped 2, freed 0", 1, true))
  assert(found.fix:find("AIV0", 1, true) and found.fix:find("tfree_from_aic", 1, true))
end)

pto.test("both slots were filled and read, and two strips are stored", function()
  pto.assert.equal({count(rec, "tpush_to_aiv"), count(rec, "tpop_from_aic"), count(rec, "tstore")}, {2, 2, 2})
  local out, wanted = rec:buffer("out"), right(rec, 32)
  for i = 0, 32 * 64 - 1 do assert(out:get(i) == wanted:get(i // 64, i % 64)) end
  assert(not out:isDefined(32 * 64))
end)

pto.test("with a tfree behind TADDS it runs to its end, and all is right", function()
  local text, changed = prog.text:gsub("\n      pto%.tstore", "\n      pto.tfree_from_aic {id = 0, split = 0}%0")
  pto.assert.equal(changed, 1)
  local mended = run(text)
  pto.assert.equal(mended.stopReason, "end")
  pto.assert.noFindings(mended)
  pto.assert.tile(mended:buffer("out"), right(mended, 64), {abs = 0})
end)

pto.test("two strips run to the end, and the slots that stay taken are told", function()
  local text, changed = prog.text:gsub("to %%c64 step", "to %%c32 step")
  pto.assert.equal(changed, 2)
  text, changed = text:gsub("(%%c16 = arith.constant 16 : index\n)(    %%c64)", "%1    %%c32 = arith.constant 32 : index\n%2")
  pto.assert.equal(changed, 1)
  local short = run(text)
  pto.assert.equal(short.stopReason, "end")
  local told
  for f in short:findings() do told = f end
  pto.assert.equal({told.rule, told.severity, told.text}, {"MK-16", "warning", "pipe 0: AIV0 popped 2 and freed 0"})
end)
