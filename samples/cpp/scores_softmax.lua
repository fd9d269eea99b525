-- Who waits for whom? A cube core fills a queue of two slots, two vector cores empty it. The same kernel as text leaves the same
-- numbers.
--
--   tilescope script samples/cpp/scores_softmax.lua --allow kernels
local rec = pto.load("scores_softmax.cpp", {target = "a5"}):record()

local function count(core, op)
  local n = 0
  for _ in rec:find{core = core, op = op} do n = n + 1 end
  return n
end

pto.test("three cores, and each does its part", function()
  pto.assert.equal(#rec:lanes(), 3)
  pto.assert.equal({count(0, "tmatmul"), count(1, "tmatmul"), count(2, "tmatmul")}, {4, 0, 0})
  pto.assert.equal({count(0, "trowmax"), count(1, "trowmax"), count(2, "trowmax")}, {0, 4, 4})
end)

pto.test("the cube core waits before its third push, for both vector cores", function()
  local pushes = {}
  for s in rec:find{op = "tpush_to_aiv"} do pushes[#pushes + 1] = s.step end
  rec:seek(pushes[2] + 1)
  local q = rec:queues()[1]
  pto.assert.equal({q.slots[1].state, q.slots[2].state}, {"full", "full"})
  local freed = {}
  for s in rec:find{op = "tfree_from_aic", last = pushes[3]} do freed[s.core] = true end
  assert(freed[1] and freed[2])
end)

pto.test("as the text, and every row adds up to 1 on both targets", function()
  local text = pto.load("scores_softmax"):record()
  local ours, theirs = rec:buffer("result", {step = rec.count}), text:buffer("result", {step = text.count})
  for i = 0, theirs.count - 1 do pto.assert.equal(ours:hex(i), theirs:hex(i)) end
  for _, other in ipairs{rec, pto.load("scores_softmax.cpp", {target = "a2a3"}):record()} do
    pto.assert.noFindings(other)
    local result = other:buffer("result", {step = other.count})
    for row = 0, 63 do
      local sum = 0
      for col = 0, 127 do sum = sum + result:get(row * 128 + col) end
      assert(math.abs(sum - 1) < 1e-5)
    end
  end
end)
