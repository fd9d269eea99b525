-- Which inputs decide this output? A sum over six matrices comes out different on every chip. The slice of one element is
-- the tree of all that it was made of, down to what the program was given; what nobody gave it stands out.
--
--   tilescope script which_inputs
-- list: 90
local rec = pto.load("bug_uninitialised"):record()
rec:last()
local slice = rec:tile("sum"):slice(2, 5)
print(slice)

local given, nobodys = {}, {}
for _, leaf in ipairs(slice:leaves()) do
  local list = leaf.madeBy == "never written" and nobodys or given
  list[#list + 1] = leaf
end
print(("%d inputs decide it, and %d values that nobody wrote"):format(#given, #nobodys))

pto.test("the sum begins with what nobody wrote", function()
  pto.assert.equal(#given, 6)
  pto.assert.equal(#nobodys, 1)
  pto.assert.equal(nobodys[1].tile, "sum")
end)
