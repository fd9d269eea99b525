-- Do 20 blocks add everything? Each moves its pointers by its number, and two halves of the buffers take turns.
--
--   tilescope script samples/cpp/add_blocks.lua --allow kernels
local prog = pto.load("add_blocks.cpp", {target = "a2a3", blocks = 20})
local rec = prog:record()
rec:last()

pto.test("all of 20 blocks ran to their ends, and nothing was found", function()
  pto.assert.equal(rec.stopReason, "end")
  pto.assert.noFindings(rec)
  local blocks = {}
  for s in rec:find{op = "tadd"} do blocks[s.block] = true end
  pto.assert.equal(#blocks, 19)  -- and block 0
end)

pto.test("every sum is there", function()
  local x, y, z = rec:buffer("x"), rec:buffer("y"), rec:buffer("z")
  local values = {}
  for i = 0, 40959 do values[#values + 1] = x:get(i) + y:get(i) end
  pto.assert.tile(z, pto.array("f64", 1, 40960, values), {rel = 2 ^ -11, abs = 2 ^ -25})
end)
