// Lanes of a register to few: sums by a tree of neighbours (the best known; an option has others), the largest and the
// smallest with their lane, products.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engine/reduce_functions.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "core/engine/arithmetic-inl.h"
#include "core/engine/level_functions-inl.h"
#include "core/engine/vector-inl.h"

#include <cstring>
#include <limits>

#include "core/engine/lane_ops.h"
#include "core/isa/half.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

template <class T>
inline constexpr bool kNarrowFloat = std::is_same_v<T, f16> || std::is_same_v<T, bf16>;
// What lanes are computed as.
template <class T>
using Computed = std::conditional_t<kIsFloat<T>, float, T>;

template <class T>
void put_bits(std::uint8_t* lanes, std::uint32_t i, BitsOf<T> bits) {
  std::memcpy(lanes + i * sizeof(T), &bits, sizeof bits);
}

template <class T>
Computed<T> value_of(BitsOf<T> bits) {
  if constexpr (std::is_same_v<T, f16>) {
    return half_to_float(bits);
  } else if constexpr (std::is_same_v<T, bf16>) {
    return bfloat_to_float(bits);
  } else {
    return std::bit_cast<T>(bits);
  }
}
template <class T>
BitsOf<T> rounded_bits(Computed<T> value) {
  if constexpr (std::is_same_v<T, f16>) {
    return double_to_half(value);
  } else if constexpr (std::is_same_v<T, bf16>) {
    return double_to_bfloat(value);
  } else {
    return std::bit_cast<BitsOf<T>>(value);
  }
}
// One addition with all that belongs to it; NaN as everywhere.
template <class T>
BitsOf<T> sum_of(BitsOf<T> a, BitsOf<T> b) {
  if constexpr (kIsFloat<T>) {
    if (is_nan_lane<T>(a)) return static_cast<BitsOf<T>>(a | NanBits<T>::kQuiet);
    if (is_nan_lane<T>(b)) return static_cast<BitsOf<T>>(b | NanBits<T>::kQuiet);
    const float sum = value_of<T>(a) + value_of<T>(b);
    return sum != sum ? static_cast<BitsOf<T>>(NanBits<T>::kDefaultNan) : rounded_bits<T>(sum);
  } else {
    return std::bit_cast<BitsOf<T>>(lane::Add::of(std::bit_cast<T>(a), std::bit_cast<T>(b)));
  }
}

// Of `count` lanes, a power of two. The lanes are used up.
template <class T>
BitsOf<T> tree_sum(BitsOf<T>* lanes, std::uint32_t count) {
  for (; count > 1; count /= 2)
    for (std::uint32_t i = 0; i < count / 2; ++i) lanes[i] = sum_of<T>(lanes[2 * i], lanes[2 * i + 1]);
  return lanes[0];
}
// --- sums of neighbours, a register at a time

// Room behind a register's floats, for vectors that begin in them.
inline constexpr std::uint32_t kSlack = 64;
template <class T>
struct FloatLanes {
  alignas(64) float lane[EPR<T> + kSlack];
};
template <class T>
void take_floats(const BitsOf<T>* lanes, FloatLanes<T>& out) {
  std::memset(out.lane + EPR<T>, 0, kSlack * sizeof(float));
  if constexpr (kNarrowFloat<T>) {
    widen_lanes<T>(reinterpret_cast<const std::uint8_t*>(lanes), out.lane);
  } else {
    std::memcpy(out.lane, lanes, VL);
  }
}
// `count` lanes become half as many, each the sum of two neighbours, rounded to T. Says whether one of them is NaN.
template <class T>
bool join_neighbours(float* lanes, std::uint32_t count) {
  constexpr std::uint32_t kStep = kPartBytes / 4;
  const Floats d;
  auto is_nan = hn::MaskFromVec(hn::Zero(d));
  for (std::uint32_t i = 0; i < count / 2; i += kStep) {
    const auto low = hn::Load(d, lanes + 2 * i), high = hn::Load(d, lanes + 2 * i + kStep);
    auto sum = hn::Add(hn::ConcatEven(d, high, low), hn::ConcatOdd(d, high, low));
    if constexpr (kNarrowFloat<T>) sum = Narrow<T>::widen(Narrow<T>::round(sum));
    is_nan = hn::Or(is_nan, hn::IsNaN(sum));
    hn::Store(sum, d, lanes + i);
  }
  return !hn::AllFalse(d, is_nan);
}
// Groups of `count` lanes, a power of two, become their sums; every level is rounded to T. Where a NaN comes out the way
// lane by lane tells which.
template <class T>
void tree_sums(std::uint8_t* out, BitsOf<T>* lanes, std::uint32_t count) {
  std::uint32_t left = EPR<T>;
  if constexpr (kIsFloat<T>) {
    FloatLanes<T> values;
    take_floats<T>(lanes, values);
    bool nan = false;
    for (std::uint32_t group = count; group > 1; group /= 2, left /= 2) nan |= join_neighbours<T>(values.lane, left);
    if (!nan) {
      if constexpr (kNarrowFloat<T>) {
        round_lanes<T>(values.lane, out, left);
      } else {
        std::memcpy(out, values.lane, left * sizeof(float));
      }
      std::memset(out + left * sizeof(T), 0, VL - left * sizeof(T));
      return;
    }
  }
  std::memset(out, 0, VL);
  for (std::uint32_t i = 0; i < EPR<T> / count; ++i) put_bits<T>(out, i, tree_sum<T>(lanes + i * count, count));
}
template <class T>
BitsOf<T> sum_in_order(BitsOf<T>* lanes, std::uint32_t count, SumOrder order) {
  if (order == SumOrder::Sequential || !kIsFloat<T>) {
    BitsOf<T> sum = lanes[0];
    for (std::uint32_t i = 1; i < count; ++i) sum = sum_of<T>(sum, lanes[i]);
    return sum;
  }
  if constexpr (kIsFloat<T>) {
    double sum = -0.0;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (is_nan_lane<T>(lanes[i])) return static_cast<BitsOf<T>>(lanes[i] | NanBits<T>::kQuiet);
      sum += static_cast<double>(value_of<T>(lanes[i]));
    }
    if (sum != sum) return NanBits<T>::kDefaultNan;
    if constexpr (std::is_same_v<T, f16>) return double_to_half(sum);
    if constexpr (std::is_same_v<T, bf16>) return double_to_bfloat(sum);
    return rounded_bits<T>(static_cast<float>(sum));
  }
  return 0;
}

// Inactive lanes count as zero.
template <class T>
void active_lanes(BitsOf<T>* lanes, const VPred& pred, const std::uint8_t* a) {
  store_register(zero_inactive<BitsOf<T>>(load_register(a), pred), reinterpret_cast<std::uint8_t*>(lanes));
}

// Groups of `count` lanes.
template <class T>
void sum_groups(std::uint8_t* out, const VPred& pred, const std::uint8_t* a, SumOrder order, std::uint32_t count) {
  alignas(64) BitsOf<T> lanes[EPR<T>];
  active_lanes<T>(lanes, pred, a);
  if (order == SumOrder::Tree) return tree_sums<T>(out, lanes, count);
  std::memset(out, 0, VL);
  for (std::uint32_t i = 0; i < EPR<T> / count; ++i)
    put_bits<T>(out, i, sum_in_order<T>(lanes + i * count, count, order));
}
// Narrow integers widen once.
template <class T>
void sum_widened(std::uint8_t* out, const VPred& pred, const std::uint8_t* a) {
  using Wide = std::conditional_t<sizeof(T) == 1, std::conditional_t<std::is_signed_v<T>, std::int16_t, std::uint16_t>,
                                  std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>>;
  alignas(64) BitsOf<T> lanes[EPR<T>];
  active_lanes<T>(lanes, pred, a);
  Wide sum = 0;
  for (std::uint32_t i = 0; i < EPR<T>; ++i) sum = lane::Add::of(sum, static_cast<Wide>(std::bit_cast<T>(lanes[i])));
  std::memset(out, 0, VL);
  std::memcpy(out, &sum, sizeof sum);
}
template <class T>
void sum(std::uint8_t* out, ReduceScope scope, SumOrder order, const VPred& pred, const std::uint8_t* a) {
  if (scope == ReduceScope::Pairs) return sum_groups<T>(out, pred, a, SumOrder::Tree, 2);
  if (scope == ReduceScope::Groups) return sum_groups<T>(out, pred, a, order, BLK / sizeof(T));
  if constexpr (!kIsFloat<T> && sizeof(T) < 4) {
    sum_widened<T>(out, pred, a);
  } else {
    sum_groups<T>(out, pred, a, order, EPR<T>);
  }
}

template <class T>
BitsOf<T> least() {
  if constexpr (kIsFloat<T>) {
    return static_cast<BitsOf<T>>(NanBits<T>::kInfinity | BitsOf<T>{1} << (8 * sizeof(T) - 1));
  } else {
    return std::bit_cast<BitsOf<T>>(std::numeric_limits<T>::min());
  }
}
template <class T>
BitsOf<T> greatest() {
  if constexpr (kIsFloat<T>) {
    return NanBits<T>::kInfinity;
  } else {
    return std::bit_cast<BitsOf<T>>(std::numeric_limits<T>::max());
  }
}
// What stands in the same order as T's values, as a signed integer: -0 is smaller than 0.
template <class T>
auto ordered(BitsOf<T> bits) {
  using Signed = std::make_signed_t<BitsOf<T>>;
  const auto value = static_cast<Signed>(bits);
  if constexpr (kIsFloat<T>) {
    return static_cast<Signed>(
        value ^ (static_cast<Signed>(value >> (8 * sizeof(T) - 1)) & std::numeric_limits<Signed>::max()));
  } else {
    return std::bit_cast<T>(bits);
  }
}
template <class T>
using Ordered = decltype(ordered<T>(0));

// The lanes of a register, those that are off as the worst there is.
template <class T, bool kMax>
struct Contest {
  alignas(64) BitsOf<T> lanes[EPR<T>];
  const VPred& pred;

  Contest(const std::uint8_t* a, const VPred& on) : pred(on) {
    const VReg all = load_register(a);
    store_register(all_lanes_on<BitsOf<T>>(on)
                       ? all
                       : SelectLanes<BitsOf<T>>()(on, all, broadcast<BitsOf<T>>(kMax ? least<T>() : greatest<T>())),
                   reinterpret_cast<std::uint8_t*>(lanes));
  }

  // The largest (smallest) of `count` lanes; the first NaN, if there is one, quiet. Of both zeros -0 is the smaller one.
  // NaNs stand beyond the infinities, on both ends.
  template <std::uint32_t count>
  BitsOf<T> best(std::uint32_t first) const {
    Ordered<T> least = ordered<T>(lanes[first]), most = least;
    for (std::uint32_t i = first; i < first + count; ++i) {
      const Ordered<T> here = ordered<T>(lanes[i]);
      most = here > most ? here : most;
      least = here < least ? here : least;
    }
    if constexpr (kIsFloat<T>) {
      if (most > ordered<T>(greatest<T>()) || least < ordered<T>(HWY_NAMESPACE::least<T>()))
        return quiet(lanes[first_nan(first)]);
    }
    return from_ordered(kMax ? most : least);
  }
  // The first active lane with that value, NaN, or a zero of either sign; 0 if there is none.
  std::uint32_t first_with(BitsOf<T> value) const {
    if (is_nan_lane<T>(value)) return first_nan(0);
    const std::uint32_t at = first_like(value);
    if (at == EPR<T> || lane_is_on(pred, at * sizeof(T))) return at % EPR<T>;
    // A lane that is off looks like the worst there is, which may be the best.
    for (std::uint32_t i = at; i < EPR<T>; ++i)
      if (lanes[i] == value && lane_is_on(pred, i * sizeof(T))) return i;
    return 0;
  }

 private:
  static BitsOf<T> quiet(BitsOf<T> nan) {
    if constexpr (kIsFloat<T>) return static_cast<BitsOf<T>>(nan | NanBits<T>::kQuiet);
    return nan;
  }
  static BitsOf<T> from_ordered(Ordered<T> value) {
    if constexpr (kIsFloat<T>) return static_cast<BitsOf<T>>(ordered<T>(static_cast<BitsOf<T>>(value)));
    return static_cast<BitsOf<T>>(value);
  }
  std::uint32_t first_nan(std::uint32_t i) const {
    while (!is_nan_lane<T>(lanes[i])) ++i;
    return i;
  }
  std::uint32_t first_like(BitsOf<T> value) const {
    const Lanes<T> d;
    constexpr std::uint32_t kStep = kPartBytes / sizeof(T);
    const bool zero = kIsFloat<T> && static_cast<BitsOf<T>>(value << 1) == 0;
    const auto wanted = hn::Set(d, zero ? BitsOf<T>{0} : value);
    for (std::uint32_t i = 0; i < EPR<T>; i += kStep) {
      const auto here = hn::Load(d, lanes + i);
      const auto at = hn::FindFirstTrue(d, hn::Eq(zero ? hn::Add(here, here) : here, wanted));
      if (at >= 0) return i + static_cast<std::uint32_t>(at);
    }
    return EPR<T>;
  }
};
template <class T, bool kMax>
void extremum_of_all(std::uint8_t* out, const VPred& pred, const std::uint8_t* a) {
  const Contest<T, kMax> contest(a, pred);
  const BitsOf<T> best = contest.template best<EPR<T>>(0);
  const std::uint32_t at = contest.first_with(best);
  std::memset(out, 0, VL);
  put_bits<T>(out, 0, best);
  put_bits<T>(out, 1, static_cast<BitsOf<T>>(at));
}
template <class T, bool kMax>
void extremum_of_groups(std::uint8_t* out, const VPred& pred, const std::uint8_t* a) {
  constexpr std::uint32_t kGroup = BLK / sizeof(T);
  alignas(64) std::uint8_t results[VL] = {};
  const Contest<T, kMax> contest(a, pred);
  for (std::uint32_t group = 0; group < 8; ++group)
    put_bits<T>(results, group, contest.template best<kGroup>(group * kGroup));
  std::memcpy(out, results, VL);
}

// The first NaN stays, quiet.
float product_with_nan(const float* lanes, std::uint32_t count) {
  float result = 1;
  for (std::uint32_t i = 0; i < count; ++i) {
    const float factor = lanes[i], product = result * factor;
    const float nan =
        std::bit_cast<float>(std::bit_cast<std::uint32_t>(result != result ? result : factor) | NanBits<float>::kQuiet);
    const bool operand_is_nan = result != result || factor != factor;
    result = operand_is_nan ? nan : product != product ? std::bit_cast<float>(NanBits<float>::kDefaultNan) : product;
  }
  return result;
}
// One lane after the other; those that are off count as 1.
template <class T>
void product(std::uint8_t* out, const VPred& pred, const std::uint8_t* a) {
  alignas(64) BitsOf<T> lanes[EPR<T>];
  store_register(
      SelectLanes<BitsOf<T>>()(pred, load_register(a), broadcast<BitsOf<T>>(rounded_bits<T>(Computed<T>{1}))),
      reinterpret_cast<std::uint8_t*>(lanes));
  Computed<T> result{1};
  if constexpr (kIsFloat<T>) {
    FloatLanes<T> values;
    take_floats<T>(lanes, values);
    for (std::uint32_t i = 0; i < EPR<T>; ++i) result *= values.lane[i];
    if (HWY_UNLIKELY(result != result)) result = product_with_nan(values.lane, EPR<T>);
  } else {
    for (const BitsOf<T> lane : lanes) result = lane::Mul::of(result, std::bit_cast<T>(lane));
  }
  std::memset(out, 0, VL);
  put_bits<T>(out, 0, rounded_bits<T>(result));
}

template <class T>
void reduce_of_type(std::uint8_t* out, ReduceOp op, ReduceScope scope, SumOrder order, const VPred& pred,
                    const std::uint8_t* a) {
  const bool all = scope == ReduceScope::All;
  switch (op) {
    case ReduceOp::Sum: return sum<T>(out, scope, order, pred, a);
    case ReduceOp::Max: return all ? extremum_of_all<T, true>(out, pred, a) : extremum_of_groups<T, true>(out, pred, a);
    case ReduceOp::Min:
      return all ? extremum_of_all<T, false>(out, pred, a) : extremum_of_groups<T, false>(out, pred, a);
    case ReduceOp::Prod: return product<T>(out, pred, a);
  }
}

void reduce_lanes(std::uint8_t* out, ReduceOp op, ReduceScope scope, SumOrder order, DType type, const VPred& pred,
                  const std::uint8_t* a) {
  switch (type) {
    case DType::I8: return reduce_of_type<std::int8_t>(out, op, scope, order, pred, a);
    case DType::U8: return reduce_of_type<std::uint8_t>(out, op, scope, order, pred, a);
    case DType::I16: return reduce_of_type<std::int16_t>(out, op, scope, order, pred, a);
    case DType::U16: return reduce_of_type<std::uint16_t>(out, op, scope, order, pred, a);
    case DType::I32: return reduce_of_type<std::int32_t>(out, op, scope, order, pred, a);
    case DType::U32: return reduce_of_type<std::uint32_t>(out, op, scope, order, pred, a);
    case DType::I64: return reduce_of_type<std::int64_t>(out, op, scope, order, pred, a);
    case DType::U64: return reduce_of_type<std::uint64_t>(out, op, scope, order, pred, a);
    case DType::F16: return reduce_of_type<f16>(out, op, scope, order, pred, a);
    case DType::BF16: return reduce_of_type<bf16>(out, op, scope, order, pred, a);
    case DType::F32: return reduce_of_type<float>(out, op, scope, order, pred, a);
    default: break;  // nothing computes with 8-bit floats
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();
