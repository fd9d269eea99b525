-- Which word of this text does the table not have? Two rows of the result are alike, and nothing was found. Each row is asked
-- where it came from: what decided it is the number of a word, and a number that is not the row's own is one too many.
--
--   tilescope script bug_embedding
-- list: 205
local kWords, kRows = 16, 32

for _, target in ipairs{"a5", "a2a3"} do
  local rec = pto.load("bug_embedding", {target = target}):record()
  rec:last()
  local rows, odd = rec:tile("rows"), {}
  for word = 0, kWords - 1 do
    local number, taken
    for _, source in ipairs(rows:sources(word, 0)) do
      if source.tile == "words" then number = source.value end
      if source.tile == "table" then taken = source.row end
    end
    if number ~= taken then
      print(("on %s word %d is number %s of a table of %d, and got row %s"):format(target, word, number, kRows, taken))
      odd[#odd + 1] = {word = word, number = number, taken = taken}
    end
  end

  pto.test("it is the last word, which got the last row, on " .. target, function()
    pto.assert.equal(odd, {{word = kWords - 1, number = kRows, taken = kRows - 1}})
  end)

  pto.test("what is legal is nobody's finding, on " .. target, function() pto.assert.noFindings(rec) end)
end

pto.test("both targets leave the same", function()
  local apart = pto.lockstep("bug_embedding", {"a2a3", "a5"})
  pto.assert.equal(apart and apart.text, nil)
end)
