// Elementwise arithmetic of two tiles.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/instructions/arithmetic.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "core/a2a3/shapes-inl.h"
#include "core/a5/shapes-inl.h"
#include "core/instructions/family-inl.h"

// TADD dst, src0, src1: dst[r][c] = src0[r][c] + src1[r][c] over dst's valid region. Integers wrap; floats round once.
HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

struct TaddA5 {
  template <class M>
  static TS_INLINE void lower(M& m, const Bound& bound) {
    const TileRef dst = bound.tile("dst"), src0 = bound.tile("src0"), src1 = bound.tile("src1");
    if (m.bytes() == 8) return by_words(m, dst, src0, src1);
    elementwise<TaddA5>(m, dst, src0, src1);
  }
  template <class M>
  static TS_INLINE auto apply(M& m, const typename M::Reg& a, const typename M::Reg& b,
                              const typename M::Pred& active) {
    return m.vadd(a, b, active);
  }

 private:
  // 64-bit elements travel as low and high words, 32 elements a step, with the carry in a predicate.
  template <class M>
  static TS_INLINE void by_words(M& m, const TileRef& dst, const TileRef& src0, const TileRef& src1) {
    constexpr std::uint32_t kStep = EPR<std::uint32_t> / 2;
    for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
      for (std::uint32_t col = 0; col < dst.valid_cols; col += kStep) {
        std::uint32_t n = dst.valid_cols - col < kStep ? dst.valid_cols - col : kStep;
        auto active = m.template plt<std::uint32_t>(n);
        auto a = m.vlds_dintlv_b32(src0.ub(), (row * src0.row_stride() + col) * 8);
        auto b = m.vlds_dintlv_b32(src1.ub(), (row * src1.row_stride() + col) * 8);
        auto low = m.vaddc(a.lo, b.lo, active);
        auto high = m.vaddcs(a.hi, b.hi, low.carry, active);
        m.emu_vsts_intlv({low.sum, high.sum}, dst.ub(), (row * dst.row_stride() + col) * 8, active);
      }
    }
  }
};

struct TaddA2A3 {
  template <class M>
  static TS_INLINE void lower(M& m, const Bound& bound) {
    binary_shape(m, bound.tile("dst"), bound.tile("src0"), bound.tile("src1"),
                 [&](Ub d, Ub a, Ub b, std::uint32_t repeats, Strides ds, Strides as, Strides bs)
                     HWY_ATTR { m.vadd(d, a, b, repeats, ds, as, bs); });
  }
};

// With 16 host registers a register's sum and both of its operands do not fit: a plan's loop over memory is quicker, but for
// f16, which that loop widens.
using HotTypes = std::conditional_t<(HWY_TARGET <= HWY_AVX3), TypeList<std::int32_t, f16, float>, TypeList<f16>>;
TS_HOT(tadd, On<Target::A5, TaddA5, HotTypes>, On<Target::A2A3, TaddA2A3, HotTypes>);

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ts {
namespace {

TS_HOT_MACHINES(tadd, HWY_NAMESPACE::Any<Target::A5, HWY_NAMESPACE::TaddA5>,
                HWY_NAMESPACE::Any<Target::A2A3, HWY_NAMESPACE::TaddA2A3>);

DTypeSet tadd_types(Target target, const Options&) {
  if (target == Target::A5) return kAllTypes;
  return {DType::I16, DType::I32, DType::F16, DType::F32};
}

void tadd_rules(RuleCheck& check) {
  for (const char* src : {"src0", "src1"}) check.need_same_type("TADD-R2", src, "dst");
  for (const char* tile : {"dst", "src0", "src1"}) check.need_row_major("TADD-R3", tile);
  for (const char* src : {"src0", "src1"}) check.need_same_valid("TADD-R4", src, "dst");
  for (const char* src : {"src0", "src1"}) check.warn_overlap("dst", src, true);
}

const InstructionRow tadd{
    .name = "tadd",
    .summary = "Adds two tiles element by element.",
    .forms = {{"", {in("src0"), in("src1"), out("dst")}, "TADD(dst, src0, src1)"}},
    .typed_by = "dst",
    .types = tadd_types,
    .type_rules = {"TADD-R1", "TADD-R1"},
    .draw = Drawing::Lanes,
    .rules = tadd_rules,
    .machines = tadd_machines,
};
const Registered tadd_registered(tadd);

}  // namespace
}  // namespace ts
#endif
