-- Who wrote into the left matrix? A product is wrong, and there is a finding. It is followed: which columns of the left
-- matrix are not what memory holds, who wrote them, and where both tiles lie.
--
--   tilescope script bug_left_overwritten
-- list: 215
local rng = pto.rng(1)
local function random(rows, cols)
  local values = {}
  for i = 1, rows * cols do values[i] = rng:real() * 2 - 1 end
  return pto.array("f16", rows, cols, values)
end
local inputs = {a_at = random(64, 128), b_at = random(128, 64)}

-- The product, and what a sum of 128 products may be off in f32: half a digit for each addition.
local function product(rec)
  local a, b = rec:buffer("a_at"), rec:buffer("b_at")
  local values, most = {}, 0
  for i = 0, 63 do
    for j = 0, 63 do
      local sum, size = 0, 0
      for k = 0, 127 do
        local term = a:get(i * 128 + k) * b:get(k * 64 + j)
        sum, size = sum + term, size + math.abs(term)
      end
      values[#values + 1] = sum
      most = math.max(most, size * 128 * 2 ^ -24)
    end
  end
  return pto.array("f64", 64, 64, values), most
end

for _, target in ipairs{"a5", "a2a3"} do
  local rec = pto.load("bug_left_overwritten", {target = target, inputs = inputs}):record()
  rec:last()
  local wanted, most = product(rec)
  local found
  for f in rec:findings() do
    print(("on %s, step %d: %s %s: %s"):format(target, f.step, f.severity, f.rule, f.text))
    found = found or f
  end

  -- What was copied to the left operand, column by column.
  local a, l, wrong = rec:buffer("a_at"), rec:tile("l"), {}
  for col = 0, 127 do
    local differs = 0
    for row = 0, 63 do
      if l:bits(row, col) ~= a:bits(row * 128 + col) then differs = differs + 1 end
    end
    if differs > 0 then wrong[#wrong + 1] = col end
  end
  print(("  columns %d to %d of the left operand are not those of a"):format(wrong[1], wrong[#wrong]))

  local copy = rec:find{op = "tmov", writes = "l"}()
  rec:seek(copy.step)
  local history = rec:tile("a"):history(3, 70)
  local last = history[#history]
  print(("  a[3,70] was written %d times, last in step %d: %s"):format(#history, last.step, rec:at(last.step).text))
  local a_tile, b_tile = rec:tile("a"), rec:tile("b")
  print(("  a ends at 0x%x, b begins at 0x%x"):format(a_tile.offset + a_tile.size, b_tile.offset))

  pto.test("it is found where it happens, on " .. target, function()
    pto.assert.equal(found.kind, "alias")
    pto.assert.equal(found.step, last.step)
    pto.assert.equal(rec:at(found.step).args.dst.name, "b")
  end)

  pto.test("half of the left matrix is lost, on " .. target, function()
    pto.assert.equal({#wrong, wrong[1], wrong[#wrong]}, {64, 64, 127})
    pto.assert.equal(a_tile.offset + a_tile.size - b_tile.offset, a_tile.size // 2)
    assert(not pto.compare(rec:buffer("out_at", {step = rec.count}), wanted, {abs = most}).ok)
  end)

  pto.test("behind the left matrix there is room, and all is right, on " .. target, function()
    local text, changed = pto.load("bug_left_overwritten").text:gsub("constant 0x2000", "constant 0x4000")
    pto.assert.equal(changed, 1)
    -- A lesson takes the text of a program, and its run is the current one then.
    pto.lesson{title = "Mended", teaches = "The same.", family = "debugging", target = target, program = text,
               inputs = inputs, steps = {{say = "It has run."}}}
    local mended = pto.current()
    mended:last()
    pto.assert.noFindings(mended)
    pto.assert.tile(mended:buffer("out_at"), wanted, {abs = most})
  end)
end
