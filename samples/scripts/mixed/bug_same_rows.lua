-- Why is half of the rows missing, and why do the others change from run to run? The findings are read, then what stands in
-- the result after both orders of the two vector cores. Then the offset is put in.
--
--   tilescope script bug_same_rows
-- list: 238

-- What row i should be. The made-up inputs have few digits, so that their sums are exact.
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

local prog = pto.load("bug_same_rows")

pto.test("each strip has a finding, which names both cores and the line of both stores", function()
  local rec = prog:record()
  local line, store = 0, nil
  for text in prog.text:gmatch("([^\n]*)\n") do
    line = line + 1
    if text:find("pto.tstore", 1, true) then store = line end
  end
  local places = {}
  for f in rec:findings() do
    -- That other rows have no values at all is told too.
    if f.rule == "CHK-UNWRITTEN" then goto continue end
    if #places == 0 then print(("%s in line %d: %s"):format(f.rule, f.line, f.text)) print("  " .. f.fix) end
    pto.assert.equal({f.rule, f.kind, f.severity, f.line}, {"MK-33", "cores", "warning", store})
    for _, words in ipairs{"tstore of AIV1", "of AIV0", "nothing orders"} do assert(f.text:find(words, 1, true)) end
    assert(f.fix:find("pto.get_subblock_idx", 1, true))
    -- The other store, by its step.
    local other = rec:at(tonumber(f.text:match("%(step (%d+)%)")))
    pto.assert.equal({other.op, other.writes[1].first}, {"tstore", rec:at(f.step).writes[1].first})
    places[#places + 1] = f.text:match("%%out%[(%d+),0%]")
    ::continue::
  end
  pto.assert.equal(places, {"0", "16", "32", "48"})
end)

-- The last store wins: that of AIV1, or with the cores asked in reverse order that of AIV0.
for _, case in ipairs{{order = "usual", first = 8}, {order = "reverse", first = 0}} do
  pto.test(("%s order: rows 0 to 7 of a strip hold what belongs to rows %d to %d, the others nothing")
             :format(case.order, case.first, case.first + 7), function()
    local rec = prog:record{order = case.order}
    rec:last()
    pto.assert.equal(rec.stopReason, "end")
    local out, wanted = rec:buffer("out"), right(rec)
    for i = 0, 63 do
      for j = 0, 63 do
        if i % 16 < 8 then pto.assert.equal(out:get(i * 64 + j), wanted:get(i + case.first, j))
        else assert(not out:isDefined(i * 64 + j)) end
      end
    end
  end)
end

pto.test("with the offset of the second core nothing is found, and all is right", function()
  local text, changed = prog.text:gsub("\n      %%out_view = pto%.partition_view %%out_all, offsets = %[%%strip",
    "\n      %%which = arith.index_cast %%__pypto_spmd_subblock_idx : i32 to index" ..
    "\n      %%mine = arith.muli %%which, %%c8 : index" ..
    "\n      %%row = arith.addi %%strip, %%mine : index" ..
    "\n      %%out_view = pto.partition_view %%out_all, offsets = [%%row")
  pto.assert.equal(changed, 1)
  -- A lesson takes the text of a program, and its run is the current one then.
  pto.lesson{title = "Mended", teaches = "The same.", family = "debugging", target = "a5", program = text,
             steps = {{say = "It has run."}}}
  local mended = pto.current()
  mended:last()
  pto.assert.noFindings(mended)
  pto.assert.tile(mended:buffer("out"), right(mended), {abs = 0})
end)
