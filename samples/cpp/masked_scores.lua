-- Who may see whom? No mask is loaded: a tile of distances is compared with a number that C++ computes.
--
--   tilescope script samples/cpp/masked_scores.lua --allow kernels
local rec = pto.load("masked_scores.cpp", {target = "a5"}):record()

pto.test("it runs to its end, and nothing is found", function()
  pto.assert.equal(rec.stopReason, "end")
  pto.assert.noFindings(rec)
end)

pto.test("row r of a tile sees 65 + r keys more than the rows before the tile", function()
  local compared = 0
  for s in rec:find{op = "tcmps"} do compared = compared + 1 end
  assert(compared >= 3)
  rec:last()
  local weights = rec:buffer("weights")
  -- Head 0, token 0 is number 64 of all: key 65 is behind it.
  assert(weights:get(64) > 0)
  pto.assert.equal(weights:get(65), 0)
end)
