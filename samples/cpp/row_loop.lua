-- Which set of tiles does a turn take? Two arrays of tiles take turns, and the last turn has 2 rows.
--
--   tilescope script samples/cpp/row_loop.lua --allow kernels
local rec = pto.load("row_loop.cpp", {target = "a5"}):record()

pto.test("it runs to its end, and nothing is found", function()
  pto.assert.equal(rec.stopReason, "end")
  pto.assert.noFindings(rec)
end)

pto.test("two places take turns", function()
  local places = {}
  for s in rec:find{op = "tadd"} do places[#places + 1] = s.tile.offset end
  pto.assert.equal(#places, 4)
  assert(places[1] ~= places[2] and places[1] == places[3] and places[2] == places[4])
end)

pto.test("the last turn has 2 rows", function()
  local last
  for s in rec:find{op = "tadd"} do last = s end
  pto.assert.equal({last.tile.rows, last.tile.validRows}, {16, 2})
end)
