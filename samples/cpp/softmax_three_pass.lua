-- Who called? Three passes share a lambda, and the call chain of a step says which of them it is.
--
--   tilescope script samples/cpp/softmax_three_pass.lua --allow kernels
local rec = pto.load("softmax_three_pass.cpp", {target = "a5"}):record()

pto.test("it runs to its end, and nothing is found", function()
  pto.assert.equal(rec.stopReason, "end")
  pto.assert.noFindings(rec)
end)

pto.test("the same line of the lambda is called from three others", function()
  local lines, count = {}, 0
  for s in rec:find{op = "tload"} do
    local from = s.origin.calls[1].line
    if not lines[from] then lines[from], count = true, count + 1 end
  end
  pto.assert.equal(count, 3)
end)
