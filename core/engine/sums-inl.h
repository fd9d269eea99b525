// Sums of f32 lanes in host vectors, by the tree of neighbours that reduce_functions.cpp describes: the same additions, so
// the same bits. Only which NaN a sum is they cannot tell; who finds one asks reduce_lanes.
#if defined(TS_ENGINE_SUMS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_ENGINE_SUMS_INL_H
#undef TS_ENGINE_SUMS_INL_H
#else
#define TS_ENGINE_SUMS_INL_H
#endif

#include "core/engine/arithmetic-inl.h"
#include "core/engine/level_functions-inl.h"
#include "core/engine/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

// A register of which nobody looks at more than the first block.
inline constexpr int kFewParts = kPartBytes >= static_cast<int>(BLK) ? 1 : static_cast<int>(BLK) / kPartBytes;
using FewIndices = std::make_integer_sequence<int, kFewParts>;
struct VFew {
  Part part[kFewParts];

  VFew() = default;
  template <class... Parts>
  explicit TS_INLINE VFew(Part first, Parts... others) : part{first, others...} {}
  TS_INLINE VFew(const VReg& v) : VFew(v, FewIndices()) {}

 private:
  template <int... I>
  TS_INLINE VFew(const VReg& v, std::integer_sequence<int, I...>) : part{v.part[I]...} {}
};

template <int... I>
TS_INLINE void store_few(const VFew& v, std::uint8_t* to, std::integer_sequence<int, I...>) {
  (hn::StoreU(v.part[I], Bytes(), to + I * kPartBytes), ...);
}

// --- the tree

template <int n>
struct FloatParts {
  hn::VFromD<Floats> part[n];
};
template <int... I>
TS_INLINE FloatParts<kParts> float_parts(const VReg& v, std::integer_sequence<int, I...>) {
  return {{hn::BitCast(Floats(), v.part[I])...}};
}
TS_INLINE hn::VFromD<Floats> neighbours(hn::VFromD<Floats> low, hn::VFromD<Floats> high) {
  const Floats d;
  return hn::Add(hn::ConcatEven(d, high, low), hn::ConcatOdd(d, high, low));
}
template <int n, int... I>
TS_INLINE FloatParts<n / 2> half_as_many(const FloatParts<n>& v, std::integer_sequence<int, I...>) {
  return {{neighbours(v.part[2 * I], v.part[2 * I + 1])...}};
}
// Half as many lanes. A single part is its own neighbour: of the result, only the lower half counts.
template <int n>
TS_INLINE auto next_level(const FloatParts<n>& v) {
  if constexpr (n == 1) {
    return FloatParts<1>{{neighbours(v.part[0], v.part[0])}};
  } else {
    return half_as_many(v, std::make_integer_sequence<int, n / 2>());
  }
}
template <int levels, int n>
TS_INLINE auto levels_of(const FloatParts<n>& v) {
  if constexpr (levels == 0) {
    return v;
  } else {
    return levels_of<levels - 1>(next_level(v));
  }
}
// All lanes of one part, each with its neighbour, then pairs with their neighbours: in place, which costs half the moves.
TS_INLINE hn::VFromD<Floats> sum_of_part(hn::VFromD<Floats> v) {
  v = hn::Add(v, hn::Shuffle2301(v));
  v = hn::Add(v, hn::Shuffle1032(v));
  if constexpr (kPartBytes >= 32) v = hn::Add(v, hn::SwapAdjacentBlocks(v));
  if constexpr (kPartBytes >= 64) v = hn::Add(v, hn::ConcatLowerUpper(Floats(), v, v));
  return v;
}

template <int... I>
TS_INLINE VFew few_of(const FloatParts<kFewParts>& v, std::integer_sequence<int, I...>) {
  return VFew(hn::BitCast(Bytes(), v.part[I])...);
}
TS_INLINE VFew lowest_of(hn::VFromD<Floats> v) {
  VFew out(zero_register());
  out.part[0] = hn::BitCast(Bytes(), hn::IfThenElseZero(hn::FirstN(Floats(), 1), v));
  return out;
}
// One sum in lane 0, or one of each block.
template <ReduceScope scope>
TS_INLINE VFew tree_sum(const VReg& v) {
  static_assert(scope == ReduceScope::All || scope == ReduceScope::Groups);
  if constexpr (scope == ReduceScope::Groups) {
    return few_of(levels_of<3>(float_parts(v, PartIndices())), FewIndices());
  } else {
    return lowest_of(
        sum_of_part(levels_of<std::countr_zero(static_cast<unsigned>(kParts))>(float_parts(v, PartIndices())).part[0]));
  }
}

TS_INLINE bool any_nan(const VFew& v) {
  const Floats d;
  auto is_nan = hn::IsNaN(hn::BitCast(d, v.part[0]));
  if constexpr (kFewParts == 2) is_nan = hn::Or(is_nan, hn::IsNaN(hn::BitCast(d, v.part[kFewParts - 1])));
  return !hn::AllFalse(d, is_nan);
}

// --- what the run machine does

// The rare cases, by the functions that know all of them. A register goes to them in pieces; see zero_some_lanes.
template <class... Parts>
HWY_NOINLINE VFew sum_slowly(ReduceScope scope, SumOrder order, Parts... parts) {
  alignas(64) std::uint8_t lanes[VL], sums[VL];
  store_register(VReg{{parts...}}, lanes);
  reduce_lanes(sums, ReduceOp::Sum, scope, order, DType::F32, first_lanes<float>(EPR<float>), lanes);
  return VFew(load_register(sums));
}
// A NaN among the lanes, or from infinities, makes one of the sums NaN.
template <ReduceScope scope, int... I>
TS_INLINE VFew sum_lanes(SumOrder order, const VReg& v, std::integer_sequence<int, I...>) {
  if (HWY_LIKELY(order == SumOrder::Tree)) {
    VFew sums = tree_sum<scope>(v);
    if (HWY_LIKELY(!any_nan(sums))) return sums;
  }
  return sum_slowly(scope, order, v.part[I]...);
}
// Lanes that are off count as zero.
template <ReduceScope scope>
TS_INLINE VFew sum_lanes(SumOrder order, const VPred& pred, const VReg& v) {
  return sum_lanes<scope>(order, zero_inactive<std::uint32_t>(v, pred), PartIndices());
}

// The parts of a, then of b, then of the sum.
template <class... Parts>
HWY_NOINLINE VFew settle_few(Parts... parts) {
  const Part all[3 * kFewParts] = {parts...};
  const Part *a = all, *b = all + kFewParts, *sum = all + 2 * kFewParts;
  if constexpr (kFewParts == 1) return VFew(SettledPart<float>::part<0>(a, b, sum));
  if constexpr (kFewParts == 2)
    return VFew(SettledPart<float>::part<0>(a, b, sum), SettledPart<float>::part<1>(a, b, sum));
}
TS_INLINE Part float_sum(Part a, Part b) {
  const Floats d;
  return hn::BitCast(Bytes(), hn::Add(hn::BitCast(d, a), hn::BitCast(d, b)));
}
template <int... I>
TS_INLINE VFew add_few(const VFew& a, const VFew& b, std::integer_sequence<int, I...>) {
  VFew sum(float_sum(a.part[I], b.part[I])...);
  if (HWY_UNLIKELY(any_nan(sum))) return settle_few(a.part[I]..., b.part[I]..., sum.part[I]...);
  return sum;
}

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
