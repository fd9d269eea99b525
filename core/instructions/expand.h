// What the expansions along rows and along columns share: their operations, and which source gives the values that are
// spread over the other one.
#pragma once

#include <fmt/format.h>

#include "core/instructions/vector_family.h"

namespace ts::vec {

// --- operations -------------------------------------------------------------------------------------------------------

// On registers of A5.
using SpreadOp = Reg (*)(A5&, const Bound&, const Reg&, const Reg&, const Pred&);

template <A5Two op>
Reg plain_a5(A5& m, const Bound&, const Reg& a, const Reg& b, const Pred& active) {
  return (lanes_of(m).*op)(m.ty(), a, b, active);
}
// The library's high precision takes every NaN for the default one.
inline Reg quotient_a5(A5& m, const Bound& bound, const Reg& a, const Reg& b, const Pred& active) {
  if (!high_precision(bound) || !is_float(m.dtype())) return m.vdiv(m.ty(), a, b, active);
  return m.emu_default_nan(m.ty(), m.emu_lanes(LaneOp::Div, m.ty(), "precise division", a, b, active), active);
}
template <auto spread>
void divide_a5(A5& m, const Bound& bound) {
  watch_divisor(m, bound.tile("src1"));
  spread(m, bound);
}
inline Reg exp_of_difference_a5(A5& m, const Bound&, const Reg& a, const Reg& b, const Pred& active) {
  if (m.dtype() == DType::F32) return m.vexpdif(a, b, active);
  return m.vexp(m.ty(), m.vsub(m.ty(), a, b, active), active);
}

// The second half of EXPDIF on A2A3: what stands in dst becomes its exponential.
inline void exp_in_place(A2A3& m, const TileRef& dst) {
  single_a2a3(m, Shape::Unary, dst, dst,
              [&](Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) { m.vexp(m.ty(), d, s, n, ds, ss); });
}

// --- sources ----------------------------------------------------------------------------------------------------------

struct SpreadSources {
  const char *full, *small;
  bool full_first;
};
inline SpreadSources spread_sources(bool src0_is_full) {
  return src0_is_full ? SpreadSources{"src0", "src1", true} : SpreadSources{"src1", "src0", false};
}
inline bool has_shape_of(const TileRef& tile, const TileRef& dst) {
  return tile.valid_rows == dst.valid_rows && tile.valid_cols == dst.valid_cols;
}

// --- rows -------------------------------------------------------------------------------------------------------------

// R4 where neither source is the full one: the larger one is named.
inline void no_full_source(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &src0 = check.tile("src0"), &src1 = check.tile("src1");
  const auto elements = [](const TileRef& tile) { return std::uint64_t{tile.valid_rows} * tile.valid_cols; };
  const char* larger = elements(src0) >= elements(src1) ? "src0" : "src1";
  check.error(check.own("R4"), larger,
              fmt::format("neither source has the valid shape of dst, {}x{}: src0 {}x{}, src1 {}x{}", dst.valid_rows,
                          dst.valid_cols, src0.valid_rows, src0.valid_cols, src1.valid_rows, src1.valid_cols),
              fmt::format("set that of {}, or that of dst", larger));
}
// R2 to R4, and overlap; whether one source has the shape of dst.
inline bool spread_rules(RuleCheck& check, const SpreadSources& from) {
  same_types(check, {"src0", "src1"});
  row_major(check, {"dst"});
  const TileRef &dst = check.tile("dst"), &full = check.tile(from.full);
  if (has_shape_of(full, dst)) {
    row_major(check, {from.full});
  } else {
    no_full_source(check);
  }
  check.warn_overlap("dst", from.full, true);
  check.warn_overlap("dst", from.small, false);
  return has_shape_of(full, dst);
}

inline constexpr DTypeSet kProvenDivision = kIntegers16And32 | kF16AndF32;
// Division of bytes and of bf16 is not proven.
inline DTypeSet division_types(Target target, const Options& options) {
  return target == Target::A2A3 ? kF16AndF32 : options.strict ? kProvenDivision : kTypesTo32;
}

}  // namespace ts::vec
