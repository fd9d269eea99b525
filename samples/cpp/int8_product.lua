-- Is the product exact until its last step? Sums of bytes are whole numbers; the fixpipe multiplies them by the factor of their
-- column on the way out.
--
--   tilescope script samples/cpp/int8_product.lua --allow kernels
for _, target in ipairs{"a5", "a2a3"} do
  local rec = pto.load("int8_product.cpp", {target = target}):record()
  rec:last()
  local a, b, c = rec:buffer("a_at"), rec:buffer("b_at"), rec:tile("c")

  pto.test("sums and what becomes of them on " .. target, function()
    pto.assert.equal(rec.stopReason, "end")
    local values = {}
    for i = 0, 63 do
      for j = 0, 63 do
        local sum = 0
        for k = 0, 127 do sum = sum + a:get(i * 128 + k) * b:get(k * 64 + j) end
        pto.assert.equal(c:get(i, j), sum)
        values[#values + 1] = sum * (1 + j % 8) / 256
      end
    end
    pto.assert.tile(rec:buffer("out_at"), pto.array("f64", 64, 64, values), {rel = 2 ^ -11, abs = 2 ^ -25})
  end)

  pto.test("what the kernel wrote by itself is told on " .. target, function()
    assert(rec:findings{rule = "W-CPP-HOST"}())
  end)
end
