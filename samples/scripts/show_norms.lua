-- Which row of a tile is the largest? In the window a panel shows the norms of all rows wherever one stands, colours mark
-- the largest row and a button goes to it; without a window the same lines are a test.
--
--   tilescope open samples/scripts/show_norms.lua
--   tilescope script show_norms
-- list: 60
local rec = pto.load("complex_split"):record()
rec:seek(6)

-- The square root of the sum of squares, of every row as it stands where one stands.
local function norms(name)
  local t, out = rec:tile(name), {}
  for row = 0, t.validRows - 1 do
    local sum = 0
    for col = 0, t.validCols - 1 do sum = sum + (t:get(row, col) or 0) ^ 2 end
    out[row + 1] = math.sqrt(sum)
  end
  return out
end

local function largest(name)
  local all, best = norms(name), 1
  for i, norm in ipairs(all) do if norm > all[best] then best = i end end
  return best - 1, all[best]
end

gui.panel("Norms of im", function(ui)
  ui.value("position", rec.pos)
  local rows = {}
  for i, norm in ipairs(norms("im")) do rows[i] = {i - 1, ("%.4f"):format(norm)} end
  ui.table(rows, {"row", "norm"})
  ui.plot(norms("im"), "norm by row")
  if ui.button("largest row") then gui.select("im", largest("im"), 0) end
  if ui.button("step") then rec:over() end
end)

gui.overlay("im", function(row, col) if row == largest("im") then return "orange" end end)
local row, norm = largest("im")
gui.select("im", row, 0)
rec:note{text = ("row %d has the largest norm, %.4f"):format(row, norm), step = 5, tile = "im", row = row, col = 0}

pto.test("row 0 of im is the largest", function()
  pto.assert.equal(row, 0)
  assert(math.abs(norm - 18.3427) < 1e-4)
  pto.assert.equal(#rec:notes(), 1)
end)
