// TROWSUM dst, src, tmp: dst[r][0] is the sum of row r of src. Only column 0 of dst is written. Floats depend on the order, so
// each target keeps to its own.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/instructions/row_sum.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "core/instructions/family-inl.h"
#include "core/instructions/row_reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

// Each register becomes one lane, which joins what came before. L: of the sums.
template <class M, class L>
TS_INLINE void add_up_rows(M& m, L lane, const TileRef& src, const TileRef& dst) {
  if (src.valid_rows == 0 || src.valid_cols == 0) return;
  auto all = m.pset_all(lane);
  typename M::Few start = m.vdup(lane, LaneScalar{0, lane, 0}, all);
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    typename M::Few sum = start;
    std::uint32_t left = src.valid_cols;
    for (std::uint32_t at = row * src.row_stride(), end = at + src.valid_cols; at < end; at += m.lanes()) {
      auto active = m.plt(left);
      sum = m.vadd_few(lane, sum, m.vcadd(m.ty(), m.vlds(src.ub(), at), active), all);
    }
    // Sums of i16 come as i32, and are narrowed at the end.
    if constexpr (std::is_same_v<L, AnyLane>) {
      if (lane.dtype != m.dtype()) sum = m.vcvt(m.ty(), lane, {}, sum, all);
    }
    m.vsts_1pt(m.ty(), sum, dst.ub(), first_of_row(dst, row));
  }
}
struct RowSumA5 {
  template <class M>
  static TS_INLINE void lower(M& m, const Bound& bound) {
    add_up_rows(m, m.ty(), bound.tile("src"), bound.tile("dst"));
  }
};
struct RowSumA2A3 {
  template <class M>
  static TS_INLINE void lower(M& m, const Bound& bound) {
    reduce_floats_a2a3<ReduceOp::Sum>(m, bound);
  }
};
TS_HOT(trowsum, On<Target::A5, RowSumA5, TypeList<float>>, On<Target::A2A3, RowSumA2A3, TypeList<float>>);

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "core/instructions/row_reduce.h"

namespace ts {
namespace {

using namespace vec;

void trowsum_a5(A5& m, const Bound& bound) {
  const TileRef &src = bound.tile("src"), &dst = bound.tile("dst");
  if (m.bytes() == 8) return reduce_words_a5<ReduceOp::Sum>(m, src, dst);
  HWY_NAMESPACE::add_up_rows(m, m.dtype() == DType::I16 ? AnyLane{DType::I32} : m.ty(), src, dst);
}

TS_HOT_MACHINES(trowsum, HWY_NAMESPACE::Any<Target::A5, ByFunction<trowsum_a5>>,
                HWY_NAMESPACE::Any<Target::A2A3, ByFunction<reduce_a2a3<ReduceOp::Sum>>>);

constexpr DTypeSet kSums = kA2A3Types | kIntegers64;
const InstructionRow trowsum =
    row_of<ReduceOp::Sum, kSums>("trowsum", "Adds up each row.", "TROWSUM(dst, src, tmp)", trowsum_machines);
const Registered registered(trowsum);

}  // namespace
}  // namespace ts
#endif
