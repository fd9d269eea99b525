-- Are the exponents those of the largest numbers, and are the elements as near as three bits of fraction can be? For the
-- inputs that are made up and for numbers of all sizes.
--
--   tilescope script mx_fp8
-- list: 186
local rng = pto.rng(1)
local function random_numbers()
  local values = {}
  for row = 0, 15 do
    for col = 0, 127 do
      -- A group of zeros, and one large number among small ones.
      local size = row == 3 and col < 32 and 0 or row == 4 and col == 40 and 1000 or 2 ^ (row - 8)
      values[#values + 1] = (rng:real() * 2 - 1) * size
    end
  end
  return pto.array("f32", 16, 128, values)
end

-- The power of two that is not above a number.
local function power(x)
  local exponent = 0
  while 2 ^ exponent > x do exponent = exponent - 1 end
  while 2 ^ (exponent + 1) <= x do exponent = exponent + 1 end
  return exponent
end

for _, given in ipairs{{kind = "made-up", inputs = {}}, {kind = "random", inputs = {x_at = random_numbers()}}} do
  local rec = pto.load("mx_fp8", {inputs = given.inputs}):record()
  rec:last()
  local x, q, exponents = rec:buffer("x_at"), rec:buffer("q_at"), rec:buffer("exponents_at")

  pto.test(("nothing was found, %s inputs"):format(given.kind), function() pto.assert.noFindings(rec) end)

  pto.test(("exponents and elements are right, %s inputs"):format(given.kind), function()
    local clipped = 0
    for row = 0, 15 do
      for group = 0, 3 do
        local largest = 0
        for col = 32 * group, 32 * group + 31 do largest = math.max(largest, math.abs(x:get(row * 128 + col))) end
        local scale = exponents:get(row * 4 + group)
        pto.assert.equal(scale, largest == 0 and 2 ^ -127 or 2 ^ (power(largest) - 8))
        for col = 32 * group, 32 * group + 31 do
          local wanted, found = x:get(row * 128 + col) / scale, q:get(row * 128 + col)
          if math.abs(wanted) > 448 then
            clipped = clipped + 1
            pto.assert.equal(found, wanted > 0 and 448 or -448)
          else
            -- Half of the last of three bits; below 2^-6 all are 2^-9 apart.
            local step = wanted == 0 and 2 ^ -9 or 2 ^ math.max(power(math.abs(wanted)) - 3, -9)
            assert(math.abs(found - wanted) <= step / 2)
          end
        end
      end
    end
    print(("%s inputs: %d of 2048 numbers were clipped"):format(given.kind, clipped))
  end)
end
