// Lanes of a register to few: sums by a tree of neighbours (the best known; an option has others), the largest and the
// smallest with their lane, products.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engine/reduce_functions.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "core/engine/arithmetic-inl.h"
#include "core/engine/level_functions-inl.h"

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
BitsOf<T> bits_at(const std::uint8_t* lanes, std::uint32_t i) {
  BitsOf<T> bits;
  std::memcpy(&bits, lanes + i * sizeof(T), sizeof bits);
  return bits;
}
template <class T>
void put_bits(std::uint8_t* lanes, std::uint32_t i, BitsOf<T> bits) { std::memcpy(lanes + i * sizeof(T), &bits, sizeof bits); }

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
// The same in floats, where no NaN comes out; every level is rounded to T.
template <class T>
float tree_of_floats(float* lanes, std::uint32_t count) {
  for (; count > 1; count /= 2) {
    for (std::uint32_t i = 0; i < count / 2; ++i) lanes[i] = lanes[2 * i] + lanes[2 * i + 1];
    if constexpr (kNarrowFloat<T>) {
      for (std::uint32_t i = 0; i < count / 2; i += kPartBytes / 4) {
        const auto rounded = Narrow<T>::round(hn::LoadU(Floats(), lanes + i));
        hn::StoreU(Narrow<T>::widen(rounded), Floats(), lanes + i);
      }
    }
  }
  return lanes[0];
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
  std::memcpy(lanes, a, VL);
  if (all_on(pred, sizeof(T))) return;
  for (std::uint32_t i = 0; i < EPR<T>; ++i)
    if (!lane_is_on(pred, i * sizeof(T))) lanes[i] = 0;
}
template <class T>
BitsOf<T> sum_of_lanes(BitsOf<T>* lanes, std::uint32_t count, SumOrder order) {
  if (order != SumOrder::Tree) return sum_in_order<T>(lanes, count, order);
  if constexpr (kIsFloat<T>) {
    alignas(64) float values[EPR<T> + 64] = {};
    for (std::uint32_t i = 0; i < count; ++i) values[i] = value_of<T>(lanes[i]);
    const float sum = tree_of_floats<T>(values, count);
    if (sum == sum) return rounded_bits<T>(sum);
  }
  return tree_sum<T>(lanes, count);
}

template <class T>
void sum_all(std::uint8_t* out, const VPred& pred, const std::uint8_t* a, SumOrder order) {
  std::memset(out, 0, VL);
  alignas(64) BitsOf<T> lanes[EPR<T>];
  active_lanes<T>(lanes, pred, a);
  if constexpr (!kIsFloat<T> && sizeof(T) < 4) {
    // Narrow integers widen once.
    using Wide = std::conditional_t<sizeof(T) == 1, std::conditional_t<std::is_signed_v<T>, std::int16_t, std::uint16_t>,
                                    std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>>;
    Wide sum = 0;
    for (std::uint32_t i = 0; i < EPR<T>; ++i) sum = lane::Add::of(sum, static_cast<Wide>(std::bit_cast<T>(lanes[i])));
    std::memcpy(out, &sum, sizeof sum);
  } else {
    put_bits<T>(out, 0, sum_of_lanes<T>(lanes, EPR<T>, order));
  }
}
template <class T>
void sum_groups(std::uint8_t* out, const VPred& pred, const std::uint8_t* a, SumOrder order) {
  constexpr std::uint32_t kGroup = BLK / sizeof(T);
  std::memset(out, 0, VL);
  alignas(64) BitsOf<T> lanes[EPR<T>];
  active_lanes<T>(lanes, pred, a);
  for (std::uint32_t group = 0; group < 8; ++group) put_bits<T>(out, group, sum_of_lanes<T>(lanes + group * kGroup, kGroup, order));
}
template <class T>
void sum_pairs(std::uint8_t* out, const VPred& pred, const std::uint8_t* a) {
  std::memset(out, 0, VL);
  alignas(64) BitsOf<T> lanes[EPR<T>];
  active_lanes<T>(lanes, pred, a);
  for (std::uint32_t i = 0; i < EPR<T> / 2; ++i) put_bits<T>(out, i, sum_of<T>(lanes[2 * i], lanes[2 * i + 1]));
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
// The first of the largest (smallest) active lanes; the first NaN, if there is one, quiet. No lane on: the type's extremum,
// lane 0. Zeros are equal, but of both -0 is the smaller value.
template <class T, bool kMax>
std::uint32_t extremum(const std::uint8_t* a, const VPred& pred, std::uint32_t first, std::uint32_t count, BitsOf<T>& best) {
  bool seen = false;
  std::uint32_t at = 0;
  Computed<T> value{};
  best = kMax ? least<T>() : greatest<T>();
  for (std::uint32_t i = first; i < first + count; ++i) {
    if (!lane_is_on(pred, i * sizeof(T))) continue;
    const BitsOf<T> bits = bits_at<T>(a, i);
    const Computed<T> here = value_of<T>(bits);
    if constexpr (kIsFloat<T>) {
      if (is_nan_lane<T>(bits)) {
        best = static_cast<BitsOf<T>>(bits | NanBits<T>::kQuiet);
        return i;
      }
      if (seen && here == value) best = static_cast<BitsOf<T>>(kMax ? best & bits : best | bits);
    }
    if (seen && !(kMax ? here > value : here < value)) continue;
    seen = true;
    value = here;
    best = bits;
    at = i;
  }
  return at;
}
template <class T, bool kMax>
void extremum_of_all(std::uint8_t* out, const VPred& pred, const std::uint8_t* a) {
  BitsOf<T> best;
  const std::uint32_t at = extremum<T, kMax>(a, pred, 0, EPR<T>, best);
  std::memset(out, 0, VL);
  put_bits<T>(out, 0, best);
  put_bits<T>(out, 1, static_cast<BitsOf<T>>(at));
}
template <class T, bool kMax>
void extremum_of_groups(std::uint8_t* out, const VPred& pred, const std::uint8_t* a) {
  constexpr std::uint32_t kGroup = BLK / sizeof(T);
  alignas(64) std::uint8_t results[VL] = {};
  for (std::uint32_t group = 0; group < 8; ++group) {
    BitsOf<T> best;
    extremum<T, kMax>(a, pred, group * kGroup, kGroup, best);
    put_bits<T>(results, group, best);
  }
  std::memcpy(out, results, VL);
}

template <class T>
void product(std::uint8_t* out, const VPred& pred, const std::uint8_t* a) {
  using Wide = std::conditional_t<kIsFloat<T>, float, T>;
  Wide result{1};
  for (std::uint32_t i = 0; i < EPR<T>; ++i) {
    if (!lane_is_on(pred, i * sizeof(T))) continue;
    const Wide factor = value_of<T>(bits_at<T>(a, i));
    if constexpr (kIsFloat<T>) {
      const Wide product = result * factor;
      // The first NaN stays, quiet.
      const Wide nan = std::bit_cast<float>(std::bit_cast<std::uint32_t>(result != result ? result : factor) | NanBits<float>::kQuiet);
      const bool operand_is_nan = result != result || factor != factor;
      result = operand_is_nan ? nan : product != product ? std::bit_cast<float>(NanBits<float>::kDefaultNan) : product;
    } else {
      result = lane::Mul::of(result, factor);
    }
  }
  std::memset(out, 0, VL);
  put_bits<T>(out, 0, rounded_bits<T>(result));
}

template <class T>
void reduce_of_type(std::uint8_t* out, ReduceOp op, ReduceScope scope, SumOrder order, const VPred& pred, const std::uint8_t* a) {
  const bool all = scope == ReduceScope::All;
  switch (op) {
    case ReduceOp::Sum:
      if (scope == ReduceScope::Pairs) return sum_pairs<T>(out, pred, a);
      return all ? sum_all<T>(out, pred, a, order) : sum_groups<T>(out, pred, a, order);
    case ReduceOp::Max: return all ? extremum_of_all<T, true>(out, pred, a) : extremum_of_groups<T, true>(out, pred, a);
    case ReduceOp::Min: return all ? extremum_of_all<T, false>(out, pred, a) : extremum_of_groups<T, false>(out, pred, a);
    case ReduceOp::Prod: return product<T>(out, pred, a);
  }
}

void reduce_lanes(std::uint8_t* out, ReduceOp op, ReduceScope scope, SumOrder order, DType type, const VPred& pred, const std::uint8_t* a) {
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
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();
