// TDEINTERLEAVE. Two sources: with h = half of dst0's valid columns, dst0[r][k] = k < h ? src0[r][2k] : src1[r][2(k-h)],
// dst1 the same with the odd columns. One source: dst0[r][k] = src[r][2k], dst1[r][k] = src[r][2k+1] for k < h = half of
// src's valid columns; where the destinations are as wide as the source, nobody promises their columns h and up.
#include "tests/oracle/effects.h"

namespace ts::oracle {
namespace {

Effects two_sources(const Bound& bound, const Before& before) {
  const TileRef &dst0 = bound.tile("dst0"), &dst1 = bound.tile("dst1"), &src0 = bound.tile("src0"),
                &src1 = bound.tile("src1");
  const std::uint32_t half = dst0.valid_cols / 2;
  Effects effects;
  for (std::uint32_t row = 0; row < dst0.valid_rows; ++row) {
    for (std::uint32_t k = 0; k < dst0.valid_cols; ++k) {
      const bool first = k < half;
      const std::uint32_t even = first ? 2 * k : 2 * (k - half);
      const char* name = first ? "src0" : "src1";
      const TileRef& src = first ? src0 : src1;
      effects.written.push_back(copied(before, "dst0", dst0, row, k, element_origin(name, src, row, even)));
      effects.written.push_back(copied(before, "dst1", dst1, row, k, element_origin(name, src, row, even + 1)));
    }
  }
  return effects;
}

Effects one_source(const Bound& bound, const Before& before) {
  const TileRef &dst0 = bound.tile("dst0"), &dst1 = bound.tile("dst1"), &src = bound.tile("src");
  const std::uint32_t half = src.valid_cols / 2;
  Effects effects;
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    for (std::uint32_t k = 0; k < half; ++k) {
      effects.written.push_back(copied(before, "dst0", dst0, row, k, element_origin("src", src, row, 2 * k)));
      effects.written.push_back(copied(before, "dst1", dst1, row, k, element_origin("src", src, row, 2 * k + 1)));
    }
    for (const TileRef* dst : {&dst0, &dst1})
      for (std::uint32_t k = half; k < dst->valid_cols; ++k) effects.kept.push_back(element_place(*dst, row, k));
  }
  return effects;
}

Effects tdeinterleave(const Bound& bound, const Before& before) {
  return bound.has("src") ? one_source(bound, before) : two_sources(bound, before);
}

const Oracles tdeinterleave_oracles{{"tdeinterleave", tdeinterleave}};

}  // namespace
}  // namespace ts::oracle
