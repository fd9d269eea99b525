-- Which terms were added that should not be? A product is wrong everywhere, and one finding says that it has terms that
-- its operands have not. An element is asked what the last step made it of, and for each of these columns, which turn of
-- the loop loaded it.
--
--   tilescope script bug_k_tail
-- list: 210
local rng = pto.rng(1)
local function random(rows, cols)
  local values = {}
  for i = 1, rows * cols do values[i] = rng:real() * 2 - 1 end
  return pto.array("f16", rows, cols, values)
end
local inputs = {a_at = random(64, 100), b_at = random(100, 64)}

-- The sum over some of k, and what a sum of so many products may be off in f32: half a digit for each addition.
local function product(rec, first, last)
  local a, b = rec:buffer("a_at"), rec:buffer("b_at")
  local values, most = {}, 0
  for i = 0, 63 do
    for j = 0, 63 do
      local sum, size = 0, 0
      for k = first, last do
        local term = a:get(i * 100 + k) * b:get(k * 64 + j)
        sum, size = sum + term, size + math.abs(term)
      end
      values[#values + 1] = sum
      most = math.max(most, size * 128 * 2 ^ -24)
    end
  end
  return pto.array("f64", 64, 64, values), most
end

local function sum_of(x, y)
  local values = {}
  for i = 0, 63 do
    for j = 0, 63 do values[#values + 1] = x:get(i, j) + y:get(i, j) end
  end
  return pto.array("f64", 64, 64, values)
end

for _, target in ipairs{"a5", "a2a3"} do
  local rec = pto.load("bug_k_tail", {target = target, inputs = inputs}):record()
  rec:last()
  local out = rec:buffer("out_at")
  local wanted, most = product(rec, 0, 99)
  local d = pto.compare(out, wanted, {abs = most})
  print(("on %s %d of 4096 elements are wrong"):format(target, d.count))

  -- An element, and the step that made it last.
  local row, col = 1, 7
  local last
  for s in rec:find{op = "tmatmul.acc"} do last = s end
  rec:seek(last.step + 1)
  local lefts = {}
  for _, source in ipairs(rec:tile("c"):sources(row, col)) do
    if source.tile == "l" then lefts[#lefts + 1] = source end
  end
  print(("  c[%d,%d] of step %d has %d terms"):format(row, col, last.step, #lefts))

  -- Each term's left factor: from which column of %a, and which turn of the loop loaded that.
  local stale, zeros = {}, 0
  for _, left in ipairs(lefts) do
    rec:seek(left.step)
    local from = rec:tile("l"):sources(left.row, left.col)[1]
    rec:seek(from.step)
    local history = rec:tile("a"):history(from.row, from.col)
    local writer
    for _, change in ipairs(history) do
      if change.step < from.step then writer = rec:at(change.step) end
    end
    if writer.loops[1].turn ~= last.loops[1].turn then
      stale[#stale + 1] = left.col
    elseif left.col >= 36 then
      zeros = zeros + 1
      assert(left.value == 0)
    end
  end
  print(("  %d of them, columns %d to %d, were loaded in an earlier turn; %d are zeros"):format(
    #stale, stale[1], stale[#stale], zeros))

  pto.test("all is wrong, and 16 terms too many are found, on " .. target, function()
    assert(d.count > 4000)
    local terms = {}
    for finding in rec:findings() do
      if finding.rule == "CHK-TERMS" then terms[#terms + 1] = finding.text end
    end
    pto.assert.equal(#terms, 1)
    assert(terms[1]:find("28 of the 64 terms", 1, true) and terms[1]:find("16 of them are no 0", 1, true))
  end)

  pto.test("28 terms too many: 12 zeros, and 16 of the step before, on " .. target, function()
    pto.assert.equal(#lefts, 64)
    pto.assert.equal(zeros, 12)
    pto.assert.equal({#stale, stale[1], stale[#stale]}, {16, 48, 63})
  end)

  pto.test("terms 48 to 63 are in every result twice, on " .. target, function()
    local twice = product(rec, 48, 63)
    pto.assert.tile(out, sum_of(wanted, twice), {abs = most})
  end)

  pto.test("with as many valid columns as terms it is right, on " .. target, function()
    local text, changed = pto.load("bug_k_tail").text
    text, changed = text:gsub("set_validshape %%l, %%c64, %%c64", "set_validshape %%l, %%c64, %%terms")
    pto.assert.equal(changed, 1)
    text, changed = text:gsub("set_validshape %%r, %%c64, %%c64", "set_validshape %%r, %%terms, %%c64")
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
