-- Is the first of the largest elements found, also where several are equal, in one tile and in different ones? What the kernel
-- leaves is compared with plain loops over the input that the run had: one that is made up, which has many ties, and one with
-- special rows.
--
--   tilescope script argmax
-- list: 130
--
-- Tolerance: none. Elements are compared and copied, and nothing is rounded.
local rng = pto.rng(1)
local values = {}
for row = 0, 49 do
  for col = 0, 299 do
    local value = rng:real() * 16 - 8
    if row == 1 then value = -5 end                               -- all the same: column 0
    if row == 2 then value = -math.huge end                       -- nothing above minus infinity: column 0
    if row == 3 then value = col / 4 end                          -- the last column of the last tile
    if row == 4 then value = -col / 4 end                         -- the first of the first
    if row == 5 and (col == 127 or col == 128) then value = 9 end -- a tie across two tiles
    if row == 6 and col == 299 then value = math.huge end
    if row == 49 and col >= 256 then value = 10 end               -- a tie in the tail of the last row
    values[#values + 1] = value
  end
end
local special = pto.array("f32", 50, 300, values)

for _, given in ipairs{{kind = "made-up", inputs = {}}, {kind = "special", inputs = {x = special}}} do
  for _, target in ipairs{"a5", "a2a3"} do
    local rec = pto.load("argmax", {target = target, inputs = given.inputs}):record()
    rec:last()

    pto.test(("nothing was found on %s, %s rows"):format(target, given.kind), function() pto.assert.noFindings(rec) end)

    pto.test(("value and index are right on %s, %s rows"):format(target, given.kind), function()
      local x, value, index = rec:buffer("x"), rec:buffer("value"), rec:buffer("index")
      local ties = 0
      for row = 0, 49 do
        local best, where, equals = x:get(row * 300), 0, 0
        for col = 1, 299 do
          local element = x:get(row * 300 + col)
          if element == best then equals = equals + 1 end
          if element > best then best, where, equals = element, col, 0 end
        end
        pto.assert.equal(value:get(row), best, ("value of row %d"):format(row))
        pto.assert.equal(index:get(row), where, ("index of row %d"):format(row))
        if equals > 0 then ties = ties + 1 end
      end
      print(("%s, %s rows: %d of 50 have a tie for the largest element"):format(target, given.kind, ties))
      pto.assert.isTrue(ties > 0, "no row has a tie, so nothing was asked about ties")
    end)
  end

  pto.test(("both targets leave the same, %s rows"):format(given.kind), function()
    local apart = pto.lockstep("argmax", {"a2a3", "a5"}, {inputs = given.inputs})
    pto.assert.equal(apart and apart.text, nil)
  end)
end
