-- Do both pieces stand side by side? Every element is compared with the one that it came from.
--
--   tilescope script joined_pieces
-- list: 258
local kFirst, kSecond = 100, 90

local rec = pto.load("joined_pieces"):record()
rec:last()
local x, y, out = rec:buffer("x"), rec:buffer("y"), rec:buffer("out")

pto.test("nothing was found", function() pto.assert.noFindings(rec) end)

pto.test("x[3] to x[102] stand in front", function()
  for i = 0, kFirst - 1 do pto.assert.equal(out:get(i), x:get(i + 3), ("place %d"):format(i)) end
end)

pto.test("y[5] to y[94] stand behind them", function()
  for i = 0, kSecond - 1 do pto.assert.equal(out:get(kFirst + i), y:get(i + 5), ("place %d"):format(kFirst + i)) end
end)
