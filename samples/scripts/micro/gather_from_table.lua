-- Is every number looked up, and is 0 there where the index is outside of the table? Each is looked up once more, one by one.
--
--   tilescope script gather_from_table
-- list: 256
--
-- Tolerance: none, numbers are moved only. The second indices are in the table, at its ends, and just outside of it, by turns.
local kTable, kCount = 100, 150

local near = {}
local edges = {0, 99, -1, 100, 57, 2147483647, -2147483648, 42}
for i = 0, kCount - 1 do near[i + 1] = edges[i % #edges + 1] end

for _, given in ipairs{{kind = "made-up", inputs = {}}, {kind = "near", inputs = {index = pto.array("i32", 1, kCount, near)}}} do
  local rec = pto.load("gather_from_table", {inputs = given.inputs}):record()
  rec:last()

  pto.test(("nothing was found, %s indices"):format(given.kind), function() pto.assert.noFindings(rec) end)

  pto.test(("every number is right, %s indices"):format(given.kind), function()
    local table, index, out = rec:buffer("table"), rec:buffer("index"), rec:buffer("out")
    local found = 0
    for i = 0, kCount - 1 do
      local at = index:get(i)
      local inside = at >= 0 and at < kTable
      if inside then found = found + 1 end
      pto.assert.equal(out:get(i), inside and table:get(at) or 0, ("place %d, index %d"):format(i, at))
    end
    print(("%s indices: %d of %d are in the table"):format(given.kind, found, kCount))
  end)
end
