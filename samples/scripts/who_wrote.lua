-- Who wrote this element? The lower half of a sum is wrong, and no value looks odd. From a wrong element one goes back to
-- what it was made of, and asks of each operand which step put it there.
--
--   tilescope script who_wrote
-- list: 200
local rec = pto.load("bug_overlap"):record()
rec:last()
local row, col = 9, 3
local out = rec:tile("out")
print(("out[%d,%d] = %s, made of"):format(row, col, out:get(row, col)))

local writers = {}
for _, source in ipairs(out:sources(row, col)) do
  -- As the step that read it saw it.
  rec:seek(source.step)
  local history = rec:tile(source.tile):history(source.row, source.col)
  local last = history[#history]
  writers[source.tile] = last.step
  print(("  %s[%d,%d] = %s, read in step %d; written %d times, last in step %d: %s"):format(
    source.tile, source.row, source.col, source.value, source.step, #history, last.step, rec:at(last.step).text))
end

pto.test("the load of %b wrote into %a", function()
  pto.assert.equal(writers.a, writers.b)
  pto.assert.equal(rec:at(writers.a).args.dst.name, "b")
end)
