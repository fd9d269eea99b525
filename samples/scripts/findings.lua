-- What is wrong in these programs? Every step of a recording is looked through: what nobody wrote and reached a result,
-- tiles on each other, steps that nothing orders, the first NaN. What is looked for, and how grave it is, one chooses.
--
--   tilescope script findings
-- list: 20
pto.check{nan = "error", inf = false}

local found = {}
for _, name in ipairs{"bug_mask_pitch", "bug_uninitialised", "bug_overlap", "bug_offset_units", "bug_masked_row"} do
  local rec = pto.load(name):record()
  for f in rec:findings() do
    print(("%s, step %d: %s %s: %s"):format(name, f.step, f.severity, f.rule, f.text))
    if f.fix then print("  " .. f.fix) end
    found[name] = found[name] or f
  end
end

pto.test("each bug is found for what it is", function()
  pto.assert.equal(found.bug_mask_pitch.kind, "mask")
  pto.assert.equal(found.bug_uninitialised.kind, "defined")
  pto.assert.equal(found.bug_overlap.kind, "alias")
  pto.assert.equal(found.bug_offset_units.kind, "align")
  pto.assert.equal(found.bug_masked_row.kind, "nan")
end)

pto.test("and in the element where it begins", function()
  local f = found.bug_mask_pitch
  pto.assert.equal(f.tile, "mask")
  pto.assert.equal(f.row, 1)
  pto.assert.equal(f.col, 0)
end)

-- No value of the result is wrong, but one row has none.
pto.test("a row that nobody wrote is told", function()
  local told = {}
  for f in pto.load("bug_off_by_one"):record():findings() do
    told[#told + 1] = f.rule
    assert(f.text:find("the first is row 36", 1, true), f.text)
  end
  pto.assert.equal(told, {"CHK-UNWRITTEN"})
end)

-- A bug that is legal is nobody's finding: it takes an expectation of one's own. See who_wrote, nightly.
pto.test("what is legal is left in peace", function()
  pto.assert.noFindings(pto.load("bug_softmax_rescale"):record())
end)
