-- Why does the first pop stop? The finding is read, and so is the slot: what stands where the vector core would look. Then
-- the push is mended.
--
--   tilescope script bug_wrong_split
-- list: 226

-- The made-up inputs have few digits, so that their sums are exact.
local function right(rec)
  local a, b, bias, values = rec:buffer("a"), rec:buffer("b"), rec:buffer("bias_at"), {}
  for i = 0, 63 do
    for j = 0, 63 do
      local sum = bias:get(j)
      for k = 0, 31 do sum = sum + a:get(i * 32 + k) * b:get(k * 64 + j) end
      values[#values + 1] = sum
    end
  end
  return pto.array("f64", 64, 64, values)
end

local prog = pto.load("bug_wrong_split")
local rec = prog:record()
rec:last()
local found = rec:findings{severity = "error"}()
print(("stopped by %s in line %d: %s"):format(found.rule, found.line, found.text))
print("  " .. found.fix)

pto.test("the finding names both splits, in the line of the pop", function()
  pto.assert.equal({rec.stopReason, found.rule, found.step}, {"error", "MK-14", rec.count})
  assert(found.text:find("pushed with split 1", 1, true) and found.text:find("popped with split 2", 1, true))
  local line, pop = 0, nil
  for text in prog.text:gmatch("([^\n]*)\n") do
    line = line + 1
    if text:find("tpop_from_aic", 1, true) then pop = line end
  end
  pto.assert.equal(found.line, pop)
end)

pto.test("nothing was popped or stored", function()
  for s in rec:steps() do assert(s.op ~= "tpop_from_aic" and s.op ~= "tstore") end
end)

pto.test("a half is 2048 bytes either way, and x[1,0] would be column 32 of row 0", function()
  local push
  for s in rec:steps() do
    if s.op == "tpush_to_aiv" then push = push or s end
  end
  local slot = push.args.dst
  pto.assert.equal({slot.rows, slot.cols, slot.size}, {8, 64, 16 * 32 * 4})
  pto.assert.equal(slot:cell(0, 32).offset - slot.offset, 32 * 4)
  rec:seek(push.step + 1)
  pto.assert.equal(slot:get(0, 32), rec:tile("c"):get(0, 32))
end)

pto.test("with split = 2 in the push it runs to its end, and all is right", function()
  local text, changed = prog.text:gsub("{id = 0, split = 1}", "{id = 0, split = 2}")
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
