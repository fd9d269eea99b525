-- Which mask bits did this select read? Row 0 is selected as it should be, the others are not. A select reads the bits of
-- a row from where the mask tile's row begins; bits that nobody wrote say that the mask was loaded in another shape.
--
--   tilescope script mask_bits
-- list: 40
local rec = pto.load("bug_mask_pitch"):record()
local rows = {}
for s in rec:find{op = "tsels"} do
  local mask = s.args.mask
  print(("step %d reads %%%s: %s"):format(s.step, mask.name, mask:rule()))
  local bad = mask:undefinedBitsRead()
  print(("  %d of the bits it reads were never written, the first for lane %d of row %d"):format(#bad, bad[1].col, bad[1].row))
  for _, bit in ipairs(bad) do rows[bit.row] = (rows[bit.row] or 0) + 1 end
end

pto.test("all rows but the first read bits that nobody wrote", function()
  pto.assert.equal(rows[0], nil)
  for row = 1, 5 do pto.assert.equal(rows[row], 40) end
end)
