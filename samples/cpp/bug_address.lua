-- Who wrote there last? Every other tile of the result is 2 y. The history of an element of b says who lost what.
--
--   tilescope script samples/cpp/bug_address.lua --allow kernels
local rec = pto.load("bug_address.cpp", {target = "a2a3"}):record()
rec:last()

pto.test("it runs to its end, and every other tile is 2 y", function()
  pto.assert.equal(rec.stopReason, "end")
  local x, y, z = rec:buffer("x"), rec:buffer("y"), rec:buffer("z")
  local wrong = 0
  for tile = 0, 3 do
    local i = tile * 1024 + 5
    if z:get(i) ~= x:get(i) + y:get(i) then
      wrong = wrong + 1
      pto.assert.equal(z:get(i), 2 * y:get(i))
    end
  end
  pto.assert.equal(wrong, 2)
end)

pto.test("the check says which tile was loaded over which", function()
  local found = rec:findings{kind = "alias"}()
  assert(found, "nothing was found")
  print(found.text)
  assert(found.text:find("are lost", 1, true))
end)
