-- Are the elements the nearest of the 16 numbers of 4 bits, and is what comes back exactly theirs? For the inputs that are made
-- up and for numbers of all sizes, in double precision.
--
--   tilescope script mx_fp4
-- list: 187
local rng = pto.rng(1)
local function random_numbers()
  local values = {}
  for group = 0, 63 do
    for col = 0, 31 do
      -- A group of zeros, and one large number among small ones.
      local size = group == 3 and 0 or group == 4 and col == 8 and 1000 or 2 ^ (group % 16 - 8)
      values[#values + 1] = (rng:real() * 2 - 1) * size
    end
  end
  return pto.array("bf16", 64, 32, values)
end

-- The power of two that is not above a number.
local function power(x)
  local exponent = 0
  while 2 ^ exponent > x do exponent = exponent - 1 end
  while 2 ^ (exponent + 1) <= x do exponent = exponent + 1 end
  return exponent
end

-- The nearest of the eight magnitudes; of two that are as near, the one whose code is even.
local grid = {0, 0.5, 1, 1.5, 2, 3, 4, 6}
local function nearest(x)
  local best = 1
  for code = 2, #grid do
    local here, there = math.abs(grid[code] - x), math.abs(grid[best] - x)
    if here < there or (here == there and code % 2 == 1) then best = code end
  end
  return grid[best]
end

for _, given in ipairs{{kind = "made-up", inputs = {}}, {kind = "random", inputs = {x_at = random_numbers()}}} do
  local rec = pto.load("mx_fp4", {inputs = given.inputs}):record()
  rec:last()
  local x, q, exponents, y = rec:buffer("x_at"), rec:buffer("q_at"), rec:buffer("exponents_at"), rec:buffer("y_at")

  pto.test(("nothing was found, %s inputs"):format(given.kind), function() pto.assert.noFindings(rec) end)

  pto.test(("elements are the nearest, and come back, %s inputs"):format(given.kind), function()
    local clipped, lost = 0, 0
    for group = 0, 63 do
      local largest = 0
      for col = 0, 31 do largest = math.max(largest, math.abs(x:get(group * 32 + col))) end
      local scale = exponents:get(group)
      pto.assert.equal(scale, largest == 0 and 2 ^ -127 or 2 ^ (power(largest) - 2))
      for col = 0, 31 do
        local i = group * 32 + col
        local wanted = x:get(i) / scale
        local size = nearest(math.abs(wanted))
        pto.assert.equal(math.abs(q:get(i)), size)
        assert(size == 0 or (q:get(i) < 0) == (wanted < 0))
        pto.assert.equal(y:get(i), q:get(i) * scale)
        clipped = clipped + (math.abs(wanted) > 6 and 1 or 0)
        lost = lost + (size == 0 and wanted ~= 0 and 1 or 0)
      end
    end
    print(("%s inputs: of 2048 numbers %d were clipped, and %d became 0"):format(given.kind, clipped, lost))
  end)

  pto.test(("every code is counted, %s inputs"):format(given.kind), function()
    local all = 0
    local codes = q:histogram().codes
    pto.assert.equal(#codes, 16)
    for i, code in ipairs(codes) do
      all = all + code.count
      assert(i == 1 or codes[i - 1].value <= code.value)
    end
    pto.assert.equal(all, 2048)
  end)
end
