-- Does the program that came from Python do what the Python says? The softmax of each row is computed once more, in double
-- precision; and each line of the Python file is followed by the steps that came of it.
--
--   tilescope script from_python
-- list: 175
--
-- Tolerance: the exponential, the sum of 128 of them and the division are rounded to f32 each; 2e-6 of the number is more
-- than all of that comes to.
local relative = 2e-6

local function right(x)
  local values = {}
  for row = 0, 31 do
    local largest, sum = -math.huge, 0
    for col = 0, 127 do largest = math.max(largest, x:get(row * 128 + col)) end
    for col = 0, 127 do sum = sum + math.exp(x:get(row * 128 + col) - largest) end
    for col = 0, 127 do values[row * 128 + col + 1] = math.exp(x:get(row * 128 + col) - largest) / sum end
  end
  return pto.array("f64", 32, 128, values)
end

for _, target in ipairs{"a5", "a2a3"} do
  local rec = pto.load("from_python", {target = target}):record()

  pto.test("every element is right on " .. target, function()
    rec:last()
    pto.assert.tile(rec:buffer("result"), right(rec:buffer("x")), {rel = relative})
    pto.assert.noFindings(rec)
  end)

  pto.test("the lines of the Python file, one after the other, on " .. target, function()
    rec:first()
    local lines = {}
    while rec.pos < rec.count do
      lines[#lines + 1] = rec:at(rec.pos).origin.line
      rec:overSource()
    end
    -- Of each half: the load, the largest, the exponential, the sum, the division, the store.
    pto.assert.equal(table.concat(lines, " "), "20 6 7 11 13 22 20 6 7 11 13 22")
  end)

  pto.test("the exponential is stopped at once in each half on " .. target, function()
    rec:first()
    rec:addBreakpoint{line = "from_python.py:7"}
    local names = {}
    while rec:continue() do names[#names + 1] = rec:at(rec.pos).op end
    pto.assert.equal(table.concat(names, " "), "trowexpandsub trowexpandsub")
  end)
end
