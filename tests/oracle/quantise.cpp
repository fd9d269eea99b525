// TQUANT: over dst's valid region, v = src[r][c] * scale[r], and with an offset + offset[r], each rounded to f32; then the
// nearest integer, ties to even, clamped to dst's type; NaN is 0. A2A3 uses src for scratch (option sources.overwritten),
// and what it holds afterwards depends on the steps.
// TDEQUANT: dst[r][c] = (src[r][c] - offset[r]) * scale[r], each rounded to f32.
#include "tests/oracle/elementwise.h"
#include "tests/oracle/number.h"
#include "tests/oracle/work.h"

namespace ts::oracle {
namespace {

Effects tquant(const Bound& bound, const Before& before) {
  const TileRef &dst = bound.tile("dst"), &src = bound.tile("src");
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return {};
  Work work(bound, before);
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
    for (std::uint32_t col = 0; col < dst.valid_cols; ++col) {
      const Value element = work.element("src", row, col), scale = work.element("scale", row, 0);
      Value v = computed(mul(kF32, element.bits, scale.bits), element, scale);
      if (bound.has("offset")) {
        const Value offset = work.element("offset", row, 0);
        v = computed(add(kF32, v.bits, offset.bits), v, offset);
      }
      v.bits = convert(dst.type.dtype, kF32, v.bits, Rounding::NearestEven, Overflow::Saturate);
      work.put("dst", row, col, v);
    }
  if (work.on(Target::A2A3) && !bound.options->keep_sources)
    work.leave_open({src.space(), src.address, static_cast<std::uint32_t>(src.type.size_bytes())});
  work.leave_scratch();
  return work.take();
}

Effects tdequant(const Bound& bound, const Before& before) {
  const TileRef &dst = bound.tile("dst"), &src = bound.tile("src");
  Work work(bound, before);
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
    for (std::uint32_t col = 0; col < dst.valid_cols; ++col) {
      const Value element = work.element("src", row, col), scale = work.element("scale", row, 0),
                  offset = work.element("offset", row, 0);
      const std::uint64_t whole =
          convert(kF32, src.type.dtype, element.bits, Rounding::NearestEven, Overflow::Saturate);
      // A2A3 adds what has the other sign, NaN too.
      const std::uint64_t difference =
          work.on(Target::A2A3) ? add(kF32, whole, offset.bits ^ sign_bit(kF32)) : sub(kF32, whole, offset.bits);
      const Value left = computed(difference, element, offset);
      work.put("dst", row, col, computed(mul(kF32, left.bits, scale.bits), left, scale));
    }
  return work.take();
}

const Oracles quantise_oracles{{"tquant", tquant}, {"tdequant", tdequant}};

}  // namespace
}  // namespace ts::oracle
