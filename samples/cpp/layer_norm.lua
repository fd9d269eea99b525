-- What stands behind the last rows? The last turn has 5, and what the turn before left is outside of what counts.
--
--   tilescope script samples/cpp/layer_norm.lua --allow kernels
local rec = pto.load("layer_norm.cpp", {target = "a5"}):record()

pto.test("it runs to its end, and nothing is found", function()
  pto.assert.equal(rec.stopReason, "end")
  pto.assert.noFindings(rec)
end)

pto.test("5 rows count in the last turn", function()
  rec:last()
  local centred = rec:tile("centred")
  pto.assert.equal(centred.validRows, 5)
  assert(centred:isDefined(5, 0) and not centred:isValid(5, 0))
end)
