-- Does the kernel still do what it should? A test for every night: it loads a program, says in plain loops what is right,
-- and ends with a status that a build server understands.
--
--   tilescope script nightly --junit results.xml
-- list: 50
for _, target in ipairs{"a5", "a2a3"} do
  local rec = pto.load("masked_sum", {target = target}):record()
  rec:last()

  pto.test("nothing was found on " .. target, function() pto.assert.noFindings(rec) end)

  pto.test("sums where the mask says so, on " .. target, function()
    local x, y, bits, result = rec:buffer("x"), rec:buffer("y"), rec:buffer("bits"), rec:buffer("result")
    for row = 0, 1 do
      for col = 0, 7 do
        local kept = bits:get(row) >> col & 1 == 1
        local i = row * 8 + col
        pto.assert.equal(result:get(i), kept and x:get(i) + y:get(i) or -1)
      end
    end
  end)
end
