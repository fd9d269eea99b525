-- When did the operands change last? Every turn of a loop adds two tiles, and only the first turn is right. An operand that
-- did not change since the turn before is the one that nobody loads.
--
--   tilescope script last_change
-- list: 30
local rec = pto.load("bug_loaded_once"):record()

local stale = {}
for s in rec:find{op = "tadd"} do
  local changes = {}
  for _, name in ipairs{"src0", "src1"} do
    local tile = s.args[name]
    local history = tile:history(0, 0)
    local last
    for i = 1, #history do
      if history[i].step < s.step then last = history[i].step end
    end
    changes[#changes + 1] = ("%%%s in step %d"):format(tile.name, last)
    -- Something is loaded in each turn, or it is the same in all of them.
    local turn = rec:at(last).loops[1]
    if not turn or turn.turn ~= s.loops[1].turn then stale[tile.name] = (stale[tile.name] or 0) + 1 end
  end
  print(("step %2d, turn %d: changed last %s"):format(s.step, s.loops[1].turn, table.concat(changes, ", ")))
end

pto.test("%b is not loaded in the loop", function()
  pto.assert.equal(stale.a, nil)
  pto.assert.equal(stale.b, 4)
end)
