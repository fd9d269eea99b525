-- What moved? TRESHAPE makes a row of a column, and no byte moves.
--
--   tilescope script samples/cpp/rms_norm.lua --allow kernels
local rec = pto.load("rms_norm.cpp", {target = "a5"}):record()

pto.test("it runs to its end, and nothing is found", function()
  pto.assert.equal(rec.stopReason, "end")
  pto.assert.noFindings(rec)
end)

pto.test("the column and the line are the same 64 bytes", function()
  rec:last()
  local column, line = rec:tile("squares_sum"), rec:tile("line")
  pto.assert.equal({column.offset, column.size}, {line.offset, line.size})
  for i = 0, line.validCols - 1 do pto.assert.equal(column:get(i, 0), line:get(0, i)) end
end)
