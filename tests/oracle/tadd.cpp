// TADD: dst[r][c] = src0[r][c] + src1[r][c] over dst's valid region.
#include "tests/oracle/effects.h"
#include "tests/oracle/number.h"

namespace ts::oracle {
namespace {

Effects tadd(const Bound& bound, const Before& before) {
  const TileRef &dst = bound.tile("dst"), &src0 = bound.tile("src0"), &src1 = bound.tile("src1");
  Effects effects;
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    for (std::uint32_t col = 0; col < dst.valid_cols; ++col) {
      const Origin a = element_origin("src0", src0, row, col), b = element_origin("src1", src1, row, col);
      Element element{.place = element_place(dst, row, col), .operand = "dst", .row = row, .col = col, .from = {}};
      element.bits = add(dst.type.dtype, before.read(a.place), before.read(b.place));
      element.made_of(a);
      element.made_of(b);
      effects.written.push_back(element);
    }
  }
  return effects;
}

const Oracles tadd_oracles{{"tadd", tadd}};

}  // namespace
}  // namespace ts::oracle
