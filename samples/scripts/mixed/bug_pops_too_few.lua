-- Where is the last strip? A part of the result is not written, though the run came to its end. The finding is read, and the
-- slots are looked into. Then the loop is mended.
--
--   tilescope script bug_pops_too_few
-- list: 232

-- The product and 1. The made-up inputs have few digits, so that their sums are exact.
local function right(rec)
  local a, b, values = rec:buffer("a"), rec:buffer("b"), {}
  for i = 0, 79 do
    for j = 0, 63 do
      local sum = 0
      for k = 0, 31 do sum = sum + a:get(i * 32 + k) * b:get(k * 64 + j) end
      values[#values + 1] = sum + 1
    end
  end
  return pto.array("f64", 80, 64, values)
end

local prog = pto.load("bug_pops_too_few")
local rec = prog:record()
rec:last()
local found = rec:findings{rule = "MK-16"}()
print(("%s %s: %s"):format(found.severity, found.rule, found.text))

local pushes, pops = {}, 0
for s in rec:steps() do
  if s.op == "tpush_to_aiv" then pushes[#pushes + 1] = s end
  if s.op == "tpop_from_aic" then pops = pops + 1 end
end

pto.test("it runs to its end, and tells what is left", function()
  pto.assert.equal({rec.stopReason, #pushes, pops}, {"end", 5, 4})
  assert(found.text:find("5 pushed", 1, true) and found.text:find("popped 4", 1, true))
end)

pto.test("64 rows are right, the last 16 are not written", function()
  local out, wanted = rec:buffer("out"), right(rec)
  for i = 0, 79 do
    for j = 0, 63 do
      assert(out:isDefined(i * 64 + j) == (i < 64))
      assert(i >= 64 or out:get(i * 64 + j) == wanted:get(i, j))
    end
  end
end)

pto.test("they are still in a slot", function()
  local slot, wanted = pushes[5].args.dst, right(rec)
  for row = 0, 15 do
    for col = 0, 63 do assert(slot:get(row, col) == wanted:get(64 + row, col) - 1) end
  end
end)

pto.test("with a turn more, and a look whether there is a second strip, all is right", function()
  local text, changed = prog.text:gsub("%%turns = arith%.divsi %%c5, %%c2",
                                       "%%six = arith.addi %%c5, %%c1 : index\n    %%turns = arith.divsi %%six, %%c2")
  pto.assert.equal(changed, 1)
  text, changed = text:gsub("(\n      %%out1_view = .*%%out1_view : [^\n]*\n)",
                            "\n      %%left = arith.cmpi slt, %%row1, %%c80 : index\n      scf.if %%left {%1      }\n")
  pto.assert.equal(changed, 1)
  -- A lesson takes the text of a program, and its run is the current one then.
  pto.lesson{title = "Mended", teaches = "The same.", family = "debugging", target = "a5", program = text,
             steps = {{say = "It has run."}}}
  local mended = pto.current()
  mended:last()
  pto.assert.equal(mended.stopReason, "end")
  pto.assert.noFindings(mended)
  pto.assert.tile(mended:buffer("out"), right(mended), {abs = 0})
end)
