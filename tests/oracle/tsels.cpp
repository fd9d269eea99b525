// TSELS: dst[r][c] = bit(r, c) ? src[r][c] : scalar over dst's valid region, bits copied as they are. Bit (r, c) is bit
// c % 8 of the byte at mask + r * (static row of the mask in bytes) + c / 8. A2A3 also leaves the scalar in tmp's first
// element.
#include "tests/oracle/effects.h"

namespace ts::oracle {
namespace {

Effects tsels(const Bound& bound, const Before& before) {
  const TileRef &dst = bound.tile("dst"), &mask = bound.tile("mask"), &src = bound.tile("src");
  const std::uint64_t scalar = bound.scalar("scalar").bits;
  const std::uint32_t mask_row = mask.type.cols * size_bytes(mask.type.dtype);
  const Origin from_scalar{.kind = Origin::Kind::Scalar, .operand = "scalar", .place = {}};
  Effects effects;
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    for (std::uint32_t col = 0; col < dst.valid_cols; ++col) {
      const Origin bit = mask_bit_origin(mask, mask_row, row, col);
      const bool chosen = (before.read(bit.place) >> bit.bit & 1) != 0;
      const Origin value = chosen ? element_origin("src", src, row, col) : from_scalar;
      Element element{.place = element_place(dst, row, col), .operand = "dst", .row = row, .col = col, .from = {}};
      element.bits = chosen ? before.read(value.place) : scalar;
      element.made_of(value);
      element.made_of(bit);
      effects.written.push_back(element);
    }
  }
  if (bound.target == Target::A2A3 && !effects.written.empty()) {
    const TileRef& tmp = bound.tile("tmp");
    const std::uint32_t size = size_bytes(dst.type.dtype);
    Element element{.place = {Space::Ub, tmp.address, size}, .bits = scalar, .operand = "tmp", .from = {}};
    element.made_of(from_scalar);
    effects.written.push_back(element);
  }
  return effects;
}

const Oracles tsels_oracles{{"tsels", tsels}};

}  // namespace
}  // namespace ts::oracle
