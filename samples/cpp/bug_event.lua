-- Which event is waited for? The run ends at a wait that nobody answers.
--
--   tilescope script samples/cpp/bug_event.lua --allow kernels
local rec = pto.load("bug_event.cpp", {target = "a2a3"}):record()
rec:last()
local found = rec:findings{severity = "error"}()
print(("%s: %s"):format(found.rule, found.text))

pto.test("it ends at the first wait, for an event that the second load raises", function()
  pto.assert.equal({rec.stopReason, found.rule}, {"error", "SYNC-R1"})
  assert(found.text:find("EVENT_ID1", 1, true))
  local raised = {}
  for s in rec:find{op = "set_flag"} do raised[#raised + 1] = s.text end
  pto.assert.equal(#raised, 1)
end)
