-- Where do the two targets part? The same program with the same inputs runs on a2a3 and on a5, step beside step, and the
-- first result that differs is told, with what it was made of on each side.
--
--   tilescope script where_targets_part
-- list: 100
local apart = pto.lockstep("bug_transposed_domain", {"a2a3", "a5"}, {region = "valid"})
print(apart.text)

-- What differs in the store was different before it: the element of the tile that was stored, and who made it.
local made_by = {}
for _, rec in ipairs{apart.recA, apart.recB} do
  rec:seek(apart.step)
  local history = rec:tile("dst"):history(apart.row, apart.col)
  made_by[#made_by + 1] = history[#history].op
end
print(("%%dst[%d,%d] was made by %s on a2a3, and by %s on a5"):format(apart.row, apart.col, made_by[1], made_by[2]))

pto.test("the transpose of a5 writes over the zeros", function()
  pto.assert.equal(made_by[1], "texpands")
  pto.assert.equal(made_by[2], "ttrans")
end)

pto.test("a program of whole tiles does the same on both", function()
  pto.assert.equal(pto.lockstep("masked_sum", {"a2a3", "a5"}), nil)
end)
