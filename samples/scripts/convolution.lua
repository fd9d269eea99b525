-- Is the convolution right? Every result is computed once more, in double precision and in the loops of its definition,
-- from the inputs that the run had; then what stands in the windows is looked at, and where a result came from.
--
--   tilescope script convolution
-- list: 181
local rng = pto.rng(1)
local function random(count)
  local values = {}
  for i = 1, count do values[i] = rng:real() * 2 - 1 end
  return pto.array("f16", 1, count, values)
end

-- What is right, and how far from it a sum of 144 products in f32 may be: half a digit for each addition, of the sum of all
-- magnitudes. A product of two f16 is exact in f32.
local function right(map, filter)
  local values, most = {}, 0
  for y = 0, 7 do
    for x = 0, 7 do
      for n = 0, 15 do
        local sum, size = 0, 0
        for kh = 0, 2 do
          for kw = 0, 2 do
            local h, w = y + kh - 1, x + kw - 1
            for c = 0, (h < 0 or h > 7 or w < 0 or w > 7) and -1 or 15 do
              local term = map:get((h * 8 + w) * 16 + c) * filter:get(((kh * 3 + kw) * 16 + n) * 16 + c)
              sum, size = sum + term, size + math.abs(term)
            end
          end
        end
        values[#values + 1] = sum
        most = math.max(most, size * 144 * 2 ^ -24)
      end
    end
  end
  return pto.array("f64", 64, 16, values), most
end

local given = {
  {kind = "made-up", inputs = {}},
  {kind = "random", inputs = {map_at = random(1024), filter_at = random(2304)}},
}
for _, case in ipairs(given) do
  local results = {}
  for _, target in ipairs{"a5", "a2a3"} do
    local rec = pto.load("convolution", {target = target, inputs = case.inputs}):record()
    rec:last()
    local map, filter = rec:buffer("map_at"), rec:buffer("filter_at")
    results[target] = rec:buffer("out_at")

    pto.test(("nothing was found on %s, %s inputs"):format(target, case.kind), function()
      pto.assert.noFindings(rec)
    end)

    pto.test(("every element is right on %s, %s inputs"):format(target, case.kind), function()
      local wanted, most = right(map, filter)
      pto.assert.tile(results[target], wanted, {abs = most})
    end)

    pto.test(("a window holds the points around its own, and zeros outside, on %s, %s inputs"):format(target, case.kind),
      function()
        local l = rec:tile("l")
        for c = 0, 15 do
          pto.assert.equal(l:bits(0, c), 0)
          pto.assert.equal(l:bits(9, 4 * 16 + c), map:bits((1 * 8 + 1) * 16 + c))
          pto.assert.equal(l:bits(9, 8 * 16 + c), map:bits((2 * 8 + 2) * 16 + c))
        end
      end)

    pto.test(("a point of the map is where nine windows have it, on %s, %s inputs"):format(target, case.kind), function()
      for step in rec:find{op = "timg2col"} do rec:seek(step.step + 1) end
      local rows = {}
      for row = 0, 63 do
        for place = 0, 8 do
          local from = rec:tile("l"):sources(row, place * 16)[1]
          if from and from.tile == "x" and from.row == 9 then rows[#rows + 1] = row end
        end
      end
      pto.assert.equal(#rows, 9)
      rec:last()
    end)
  end

  pto.test(("both targets give the same bits, %s inputs"):format(case.kind), function()
    pto.assert.tile(results.a5, results.a2a3, {abs = 0})
  end)
end
