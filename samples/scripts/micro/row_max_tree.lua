-- Is the largest number of every row found, wherever it stands? All numbers of a row are looked at once more, one by one.
--
--   tilescope script row_max_tree
-- list: 252
--
-- Tolerance: none, nothing is rounded. One input is negative everywhere: a lane that counts as 0 would win there. In another the
-- largest number of row r stands at column 59r, and that of the last row in its last column.
local kRows, kCols = 6, 300

local rng = pto.rng(1)
local function made(value)
  local values = {}
  for row = 0, kRows - 1 do
    for col = 0, kCols - 1 do values[#values + 1] = value(row, col) end
  end
  return {x = pto.array("f32", kRows, kCols, values)}
end

local given = {
  {kind = "made-up", inputs = {}},
  {kind = "negative", inputs = made(function() return -1 - rng:real() end)},
  {kind = "one large", inputs = made(function(row, col)
    local at = row == kRows - 1 and kCols - 1 or 59 * row
    return col == at and 10 + row or rng:real()
  end)},
}
for _, case in ipairs(given) do
  local rec = pto.load("row_max_tree", {inputs = case.inputs}):record()
  rec:last()

  pto.test(("nothing was found, %s inputs"):format(case.kind), function() pto.assert.noFindings(rec) end)

  pto.test(("every row's maximum is right, %s inputs"):format(case.kind), function()
    local x, out = rec:buffer("x"), rec:buffer("out")
    for row = 0, kRows - 1 do
      local best = x:get(row * kCols)
      for col = 1, kCols - 1 do best = math.max(best, x:get(row * kCols + col)) end
      pto.assert.equal(out:get(row), best, ("row %d"):format(row))
    end
  end)
end
