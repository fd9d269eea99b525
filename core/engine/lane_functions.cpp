// Lane operations and comparisons on whole registers: plain loops over lane_ops.h, which the compiler turns into vectors
// of each SIMD level. Floats of 16 bits are computed as f32 and rounded once more; exp, ln and the like in double, and
// rounded once.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engine/lane_functions.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "core/engine/arithmetic-inl.h"
#include "core/engine/level_functions-inl.h"
#include "core/engine/transcendental-inl.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/engine/lane_ops.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

// A register's lanes, whatever its bytes were made as. In memory they begin with any block.
template <class T>
using Alias __attribute__((may_alias)) = T;
template <class T>
TS_INLINE const Alias<T>* lanes_of(const std::uint8_t* bytes) {
  return static_cast<const Alias<T>*>(__builtin_assume_aligned(bytes, BLK));
}
template <class T>
TS_INLINE Alias<T>* lanes_of(std::uint8_t* bytes) {
  return static_cast<Alias<T>*>(__builtin_assume_aligned(bytes, BLK));
}

// NaN results: the first operand that is one, with its quiet bit set, else the default NaN.
template <class T, int kOperands>
HWY_NOINLINE void settle_lanes(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b, const std::uint8_t* c) {
  using U = BitsOf<T>;
  auto* result = lanes_of<U>(out);
  const Alias<U>* const operands[] = {lanes_of<U>(a), lanes_of<U>(b), lanes_of<U>(c)};
  for (std::uint32_t i = 0; i < EPR<T>; ++i) {
    if (!is_nan_lane<T>(result[i])) continue;
    U settled = NanBits<T>::kDefaultNan;
    for (int k = kOperands; k-- > 0;)
      if (is_nan_lane<T>(operands[k][i])) settled = static_cast<U>(operands[k][i] | NanBits<T>::kQuiet);
    result[i] = settled;
  }
}
template <std::uint32_t kCount>
TS_INLINE bool any_nan_in(const Alias<float>* values) {
  std::uint32_t nans = 0;
  for (std::uint32_t i = 0; i < kCount; ++i) nans |= values[i] != values[i] ? 1u : 0u;
  return nans != 0;
}

// Op::of on every lane.
template <class T, class Op, int kOperands>
TS_INLINE void int_lanes(std::uint8_t* __restrict out, const std::uint8_t* a, const std::uint8_t* b,
                         const std::uint8_t* c) {
  auto* r = lanes_of<T>(out);
  const auto *x = lanes_of<T>(a), *y = lanes_of<T>(b), *z = lanes_of<T>(c);
  for (std::uint32_t i = 0; i < EPR<T>; ++i) {
    if constexpr (kOperands == 1) r[i] = Op::of(static_cast<T>(x[i]));
    if constexpr (kOperands == 2) r[i] = Op::of(static_cast<T>(x[i]), static_cast<T>(y[i]));
    if constexpr (kOperands == 3) r[i] = Op::of(static_cast<T>(x[i]), static_cast<T>(y[i]), static_cast<T>(z[i]));
  }
}
// Integer powers by squaring, all lanes at once; negative exponents leave 1 and -1 of what is not a fraction.
template <class T>
void power_lanes(std::uint8_t* __restrict out, const std::uint8_t* a, const std::uint8_t* b, const std::uint8_t*) {
  using U = std::make_unsigned_t<T>;
  constexpr std::uint32_t kCount = EPR<T>;
  alignas(64) U square[kCount], left[kCount], power[kCount];
  std::memcpy(square, a, VL);
  std::memcpy(left, b, VL);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    power[i] = 1;
    left[i] = std::is_signed_v<T> && std::bit_cast<T>(left[i]) < 0 ? U{0} : left[i];
  }
  for (U any = 1; any != 0;) {
    any = 0;
    for (std::uint32_t i = 0; i < kCount; ++i) {
      const U product = lane::Mul::of(power[i], square[i]);
      power[i] = left[i] & 1 ? product : power[i];
      square[i] = lane::Mul::of(square[i], square[i]);
      left[i] = static_cast<U>(left[i] >> 1);
      any |= left[i];
    }
  }
  auto* r = lanes_of<T>(out);
  const auto *x = lanes_of<T>(a), *y = lanes_of<T>(b);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const T base = x[i], exponent = y[i];
    const T fraction = base == 1 ? T{1} : base == static_cast<T>(-1) ? static_cast<T>(exponent & 1 ? -1 : 1) : T{0};
    r[i] = std::is_signed_v<T> && exponent < 0 ? fraction : std::bit_cast<T>(power[i]);
  }
}
// Whether one of the results is NaN.
template <class Op, int kOperands, std::uint32_t kCount>
TS_INLINE bool float_loop(Alias<float>* __restrict r, const Alias<float>* x, const Alias<float>* y,
                          const Alias<float>* z) {
  std::uint32_t nans = 0;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    float result = 0;
    if constexpr (kOperands == 1) result = Op::of(x[i]);
    if constexpr (kOperands == 2) result = Op::of(x[i], y[i]);
    if constexpr (kOperands == 3) result = Op::of(x[i], y[i], z[i]);
    r[i] = result;
    nans |= result != result ? ~0u : 0u;
  }
  return nans != 0;
}
// Operations of floats that the host has for whole vectors.
template <class Op>
inline constexpr bool kIsVectorOp =
    std::is_same_v<Op, lane::Add> || std::is_same_v<Op, lane::Sub> || std::is_same_v<Op, lane::Mul>;
template <class Op, class V>
TS_INLINE V vector_op(V a, V b) {
  if constexpr (std::is_same_v<Op, lane::Add>) return hn::Add(a, b);
  else if constexpr (std::is_same_v<Op, lane::Sub>) return hn::Sub(a, b);
  else return hn::Mul(a, b);
}
// Of these, lanes of 16 bits are widened, operated on and rounded without going through memory in between.
template <class T, class Op>
TS_INLINE bool narrow_lanes(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b) {
  const HalfWords d;
  const auto *x = reinterpret_cast<const std::uint16_t*>(a), *y = reinterpret_cast<const std::uint16_t*>(b);
  auto* r = reinterpret_cast<std::uint16_t*>(out);
  auto nan = hn::Zero(Floats());
  for (std::uint32_t i = 0; i < EPR<T>; i += kPartBytes / 4) {
    const auto result = vector_op<Op>(Narrow<T>::widen(hn::LoadU(d, x + i)), Narrow<T>::widen(hn::LoadU(d, y + i)));
    nan = hn::Or(nan, hn::VecFromMask(Floats(), hn::IsNaN(result)));
    hn::StoreU(Narrow<T>::round(result), d, r + i);
  }
  return !hn::AllFalse(Floats(), hn::MaskFromVec(nan));
}
// kNans: how many operands a NaN result may come from.
template <class T, class Op, int kOperands, int kNans = kOperands>
TS_INLINE void float_lanes(std::uint8_t* __restrict out, const std::uint8_t* a, const std::uint8_t* b,
                           const std::uint8_t* c) {
  constexpr std::uint32_t kCount = EPR<T>;
  if constexpr (std::is_same_v<T, float>) {
    auto* result = lanes_of<float>(out);
    const bool nan =
        float_loop<Op, kOperands, kCount>(result, lanes_of<float>(a), lanes_of<float>(b), lanes_of<float>(c));
    if (HWY_UNLIKELY(nan)) settle_lanes<T, kNans>(out, a, b, c);
  } else if constexpr (kIsVectorOp<Op>) {
    if (HWY_UNLIKELY((narrow_lanes<T, Op>(out, a, b)))) settle_lanes<T, kNans>(out, a, b, c);
  } else {
    alignas(64) float result[kCount], x[kCount], y[kCount], z[kCount];
    widen_lanes<T>(a, x);
    if (kOperands > 1) widen_lanes<T>(b, y);
    if (kOperands > 2) widen_lanes<T>(c, z);
    const bool nan = float_loop<Op, kOperands, kCount>(result, x, y, z);
    round_lanes<T>(result, out);
    if (HWY_UNLIKELY(nan)) settle_lanes<T, kNans>(out, a, b, c);
  }
}

// lane::Max and lane::Min of floats, without a comparison that the host does not do at once. Of f32 the host's own, both
// ways: it gives the second operand where both are zeros. Others as integers, those below zero turned round.
template <class T, bool kMax>
TS_INLINE BitsOf<T> extremum(BitsOf<T> a, BitsOf<T> b) {
  const auto better = [](auto x, auto y) { return kMax ? (x > y ? x : y) : (x < y ? x : y); };
  if constexpr (std::is_same_v<T, float>) {
    const auto x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
    const auto one = std::bit_cast<BitsOf<T>>(better(x, y)), other = std::bit_cast<BitsOf<T>>(better(y, x));
    return kMax ? one & other : one | other;
  } else {
    const auto turned = [](auto x) { return static_cast<std::int16_t>(x ^ (x >> 15 & 0x7FFF)); };
    return static_cast<BitsOf<T>>(
        turned(better(turned(static_cast<std::int16_t>(a)), turned(static_cast<std::int16_t>(b)))));
  }
}
template <class T, bool kMax>
TS_INLINE void extremum_lanes(std::uint8_t* __restrict out, const std::uint8_t* a, const std::uint8_t* b,
                              const std::uint8_t* c) {
  using Signed = std::make_signed_t<BitsOf<T>>;
  auto* r = lanes_of<BitsOf<T>>(out);
  const auto *x = lanes_of<BitsOf<T>>(a), *y = lanes_of<BitsOf<T>>(b);
  Signed nans = 0;  // negative: some operand is one
  for (std::uint32_t i = 0; i < EPR<T>; ++i) {
    r[i] = extremum<T, kMax>(x[i], y[i]);
    const auto magnitude = [](BitsOf<T> bits) {
      return static_cast<Signed>(bits & std::numeric_limits<Signed>::max());
    };
    const Signed most = std::max(magnitude(x[i]), magnitude(y[i]));
    nans = static_cast<Signed>(nans | static_cast<Signed>(NanBits<T>::kInfinity - most));
  }
  if (HWY_UNLIKELY(nans < 0)) float_lanes<T, std::conditional_t<kMax, lane::Max, lane::Min>, 2>(out, a, b, c);
}

// In double precision and rounded once. F: a part of doubles from one, or element by element.
template <class T, class F>
void double_lanes(std::uint8_t* __restrict out, const std::uint8_t* a, const std::uint8_t*, const std::uint8_t*) {
  constexpr std::uint32_t kCount = EPR<T>;
  if constexpr (std::is_same_v<T, float>) {
    auto* result = lanes_of<float>(out);
    in_doubles<F, false>(lanes_of<float>(a), result, kCount);
    if (HWY_UNLIKELY(any_nan_in<kCount>(result))) settle_lanes<T, 1>(out, a, a, a);
  } else {
    alignas(64) float x[kCount], result[kCount];
    widen_lanes<T>(a, x);
    in_doubles<F, true>(x, result, kCount);
    round_lanes<T>(result, out);
    if (HWY_UNLIKELY(any_nan_in<kCount>(result))) settle_lanes<T, 1>(out, a, a, a);
  }
}
// The same with two operands and no vectors: remainders and powers.
template <class T, class Op>
void double_pairs(std::uint8_t* __restrict out, const std::uint8_t* a, const std::uint8_t* b, const std::uint8_t* c) {
  constexpr std::uint32_t kCount = EPR<T>;
  alignas(64) float x[kCount], y[kCount], result[kCount];
  if constexpr (std::is_same_v<T, float>) {
    std::memcpy(x, a, VL);
    std::memcpy(y, b, VL);
  } else {
    widen_lanes<T>(a, x);
    widen_lanes<T>(b, y);
  }
  alignas(64) double exact[kCount];
  for (std::uint32_t i = 0; i < kCount; ++i) exact[i] = Op::of(static_cast<double>(x[i]), static_cast<double>(y[i]));
  round_doubles<!std::is_same_v<T, float>>(exact, result, kCount);
  if constexpr (std::is_same_v<T, float>) {
    std::memcpy(out, result, VL);
  } else {
    round_lanes<T>(result, out);
  }
  if (HWY_UNLIKELY(any_nan_in<kCount>(result))) settle_lanes<T, 2>(out, a, b, c);
}

// Only the sign bit.
template <class T, bool kFlip>
void sign_lanes(std::uint8_t* __restrict out, const std::uint8_t* a, const std::uint8_t*, const std::uint8_t*) {
  using U = BitsOf<T>;
  constexpr U kSign = static_cast<U>(U{1} << (8 * sizeof(T) - 1));
  auto* r = lanes_of<U>(out);
  const auto* x = lanes_of<U>(a);
  for (std::uint32_t i = 0; i < EPR<T>; ++i)
    r[i] = static_cast<U>(kFlip ? x[i] ^ kSign : x[i] & static_cast<U>(~kSign));
}

// What one register becomes, for as many as there are.
using OneRegister = void (*)(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b, const std::uint8_t* c);
template <OneRegister one>
void by_registers(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b, const std::uint8_t* c,
                  std::uint32_t count, LaneSteps steps) {
  for (; count > 0; --count) {
    one(out, a, b, c);
    out += steps.out;
    a += steps.in[0];
    b += steps.in[1];
    c += steps.in[2];
  }
}

// f(std::type_identity) of a float type.
template <class F>
LaneFunction by_float(DType type, F f) {
  switch (type) {
    case DType::F32: return f(std::type_identity<float>());
    case DType::F16: return f(std::type_identity<f16>());
    case DType::BF16: return f(std::type_identity<bf16>());
    default: return nullptr;
  }
}
template <class Lane>
using TypeOf = typename Lane::type;

template <class Op, int kOperands, int kNans = kOperands>
LaneFunction of_floats(DType type) {
  return by_float(type, [](auto lane) -> LaneFunction {
    return by_registers<float_lanes<TypeOf<decltype(lane)>, Op, kOperands, kNans>>;
  });
}
template <class Op, int kOperands>
LaneFunction of_ints(DType type) {
  switch (type) {
    case DType::I8: return by_registers<int_lanes<std::int8_t, Op, kOperands>>;
    case DType::U8: return by_registers<int_lanes<std::uint8_t, Op, kOperands>>;
    case DType::I16: return by_registers<int_lanes<std::int16_t, Op, kOperands>>;
    case DType::U16: return by_registers<int_lanes<std::uint16_t, Op, kOperands>>;
    case DType::I32: return by_registers<int_lanes<std::int32_t, Op, kOperands>>;
    case DType::U32: return by_registers<int_lanes<std::uint32_t, Op, kOperands>>;
    case DType::I64: return by_registers<int_lanes<std::int64_t, Op, kOperands>>;
    case DType::U64: return by_registers<int_lanes<std::uint64_t, Op, kOperands>>;
    default: return nullptr;
  }
}
template <bool kMax>
LaneFunction of_extremes(DType type) {
  if (!is_float(type)) return of_ints<std::conditional_t<kMax, lane::Max, lane::Min>, 2>(type);
  return by_float(type,
                  [](auto lane) -> LaneFunction { return by_registers<extremum_lanes<TypeOf<decltype(lane)>, kMax>>; });
}
// Bits are bits, whatever they stand for.
template <class Op, int kOperands>
LaneFunction of_bits(DType type) {
  switch (size_bytes(type)) {
    case 1: return by_registers<int_lanes<std::uint8_t, Op, kOperands>>;
    case 2: return by_registers<int_lanes<std::uint16_t, Op, kOperands>>;
    case 4: return by_registers<int_lanes<std::uint32_t, Op, kOperands>>;
    default: return by_registers<int_lanes<std::uint64_t, Op, kOperands>>;
  }
}
// The signs of integers make no difference to what is computed modulo 2^n.
template <class Op, int kOperands>
LaneFunction of_all_modulo(DType type) {
  return is_float(type) ? of_floats<Op, kOperands>(type) : of_bits<Op, kOperands>(type);
}
template <class Op, int kOperands>
LaneFunction of_all(DType type) {
  return is_float(type) ? of_floats<Op, kOperands>(type) : of_ints<Op, kOperands>(type);
}
template <class F>
LaneFunction of_doubles(DType type) {
  return by_float(type,
                  [](auto lane) -> LaneFunction { return by_registers<double_lanes<TypeOf<decltype(lane)>, F>>; });
}
template <class Op>
LaneFunction of_double_pairs(DType type) {
  return by_float(type,
                  [](auto lane) -> LaneFunction { return by_registers<double_pairs<TypeOf<decltype(lane)>, Op>>; });
}
template <bool kFlip>
LaneFunction of_signs(DType type) {
  return by_float(type,
                  [](auto lane) -> LaneFunction { return by_registers<sign_lanes<TypeOf<decltype(lane)>, kFlip>>; });
}

LaneFunction power_function(DType type) {
  switch (type) {
    case DType::I8: return by_registers<power_lanes<std::int8_t>>;
    case DType::U8: return by_registers<power_lanes<std::uint8_t>>;
    case DType::I16: return by_registers<power_lanes<std::int16_t>>;
    case DType::U16: return by_registers<power_lanes<std::uint16_t>>;
    case DType::I32: return by_registers<power_lanes<std::int32_t>>;
    case DType::U32: return by_registers<power_lanes<std::uint32_t>>;
    case DType::I64: return by_registers<power_lanes<std::int64_t>>;
    case DType::U64: return by_registers<power_lanes<std::uint64_t>>;
    default: return of_double_pairs<lane::Power>(type);
  }
}

LaneFunction lane_function(LaneOp op, DType type) {
  const bool floats = is_float(type);
  switch (op) {
    case LaneOp::Add: return of_all_modulo<lane::Add, 2>(type);
    case LaneOp::Sub: return of_all_modulo<lane::Sub, 2>(type);
    case LaneOp::Mul: return of_all_modulo<lane::Mul, 2>(type);
    case LaneOp::Div: return of_all<lane::Div, 2>(type);
    case LaneOp::AddClamp: return of_ints<lane::AddClamp, 2>(type);
    case LaneOp::SubClamp: return of_ints<lane::SubClamp, 2>(type);
    case LaneOp::DivPlainNan: return of_floats<lane::Div, 2, 0>(type);
    case LaneOp::DivZero: return of_ints<lane::DivZero, 2>(type);
    case LaneOp::Max: return of_extremes<true>(type);
    case LaneOp::Min: return of_extremes<false>(type);
    case LaneOp::And: return of_bits<lane::And, 2>(type);
    case LaneOp::Or: return of_bits<lane::Or, 2>(type);
    case LaneOp::Xor: return of_bits<lane::Xor, 2>(type);
    case LaneOp::Shl: return of_bits<lane::ShiftLeft<false>, 2>(type);
    case LaneOp::Shr: return of_ints<lane::ShiftRight<false>, 2>(type);
    case LaneOp::ShlModulo: return of_bits<lane::ShiftLeft<true>, 2>(type);
    case LaneOp::ShrModulo: return of_ints<lane::ShiftRight<true>, 2>(type);
    case LaneOp::FloorMod: return of_ints<lane::FloorMod, 2>(type);
    case LaneOp::FloorModZero: return of_ints<lane::FloorModZero, 2>(type);
    case LaneOp::MulHigh:
      if (type == DType::I32) return by_registers<int_lanes<std::int32_t, lane::MulHigh, 2>>;
      return type == DType::U32 ? by_registers<int_lanes<std::uint32_t, lane::MulHigh, 2>> : nullptr;
    case LaneOp::TruncMod: return of_ints<lane::TruncMod, 2>(type);
    case LaneOp::ExactMod: return of_double_pairs<lane::ExactMod>(type);
    case LaneOp::ExactFloorMod: return of_double_pairs<lane::ExactFloorMod>(type);
    case LaneOp::Power: return power_function(type);
    case LaneOp::Prelu: return of_floats<lane::Prelu, 2>(type);
    case LaneOp::Abs: return floats ? of_signs<false>(type) : of_ints<lane::Abs, 1>(type);
    case LaneOp::Neg: return floats ? of_signs<true>(type) : of_bits<lane::Neg, 1>(type);
    case LaneOp::Not: return of_bits<lane::Not, 1>(type);
    case LaneOp::Relu: return floats ? of_floats<lane::ReluOf<false>, 1>(type) : of_ints<lane::ReluOf<false>, 1>(type);
    case LaneOp::ReluZero:
      return floats ? of_floats<lane::ReluOf<true>, 1>(type) : of_ints<lane::ReluOf<true>, 1>(type);
    case LaneOp::Exp: return of_doubles<ExpDoubles<0>>(type);
    case LaneOp::ExpFlush:
      return type == DType::F16 ? by_registers<double_lanes<f16, ExpDoubles<-14>>> : of_doubles<ExpDoubles<-126>>(type);
    case LaneOp::Ln: return of_doubles<LnDoubles>(type);
    case LaneOp::Sqrt: return of_floats<lane::Sqrt, 1>(type);
    case LaneOp::Rsqrt: return of_doubles<RsqrtDoubles>(type);
    case LaneOp::Recip: return of_floats<lane::Recip, 1>(type);
    case LaneOp::RoundEven: return of_floats<lane::RoundEven, 1>(type);
    case LaneOp::RoundAway: return of_floats<lane::RoundAway, 1>(type);
    case LaneOp::RoundDown: return of_floats<lane::RoundDown, 1>(type);
    case LaneOp::RoundUp: return of_floats<lane::RoundUp, 1>(type);
    case LaneOp::RoundZero: return of_floats<lane::RoundZero, 1>(type);
    case LaneOp::MulAdd: return floats ? of_floats<lane::MulAdd, 3>(type) : of_bits<lane::MulAdd, 3>(type);
  }
  return nullptr;
}

// --- comparisons ----------------------------------------------------------------------------------------------------

// Integers have no `at most`; of floats a NaN makes it another thing than `not more`.
template <CompareOp op, class V>
TS_INLINE auto holds(V a, V b) {
  constexpr bool kFloats = std::is_floating_point_v<hn::TFromV<V>>;
  if constexpr (op == CompareOp::Eq) return hn::Eq(a, b);
  else if constexpr (op == CompareOp::Ne) return hn::Not(hn::Eq(a, b));  // also of NaNs
  else if constexpr (op == CompareOp::Lt) return hn::Lt(a, b);
  else if constexpr (op == CompareOp::Gt) return hn::Gt(a, b);
  else if constexpr (op == CompareOp::Le && kFloats) return hn::Le(a, b);
  else if constexpr (op == CompareOp::Le) return hn::Not(hn::Gt(a, b));
  else if constexpr (kFloats) return hn::Ge(a, b);
  else return hn::Not(hn::Lt(a, b));
}
// A part's mask as a predicate has it, but that all bits of a lane are set.
template <class D, class Mask>
TS_INLINE void store_bits(D d, Mask mask, std::uint8_t* bits) {
  const Bytes bytes;
  hn::StoreMaskBits(bytes, hn::MaskFromVec(hn::BitCast(bytes, hn::VecFromMask(d, mask))), bits);
}
// How lanes of T are compared.
template <class T>
using Compared = std::conditional_t<kIsFloat<T>, float, T>;
template <CompareOp op, class T>
void compare_lanes(std::uint8_t* out, const VPred& pred, const std::uint8_t* a, const std::uint8_t* b) {
  const hn::ScalableTag<Compared<T>> d;
  constexpr std::uint32_t kStep = kPartBytes / sizeof(Compared<T>);
  std::uint64_t bits[4 * sizeof(Compared<T>) / sizeof(T)];
  auto* to = reinterpret_cast<std::uint8_t*>(bits);
  if constexpr (sizeof(Compared<T>) != sizeof(T)) {
    alignas(64) float x[EPR<T>], y[EPR<T>];
    widen_lanes<T>(a, x);
    widen_lanes<T>(b, y);
    for (std::uint32_t i = 0; i < EPR<T>; i += kStep, to += kPartBytes / 8)
      store_bits(d, holds<op>(hn::Load(d, x + i), hn::Load(d, y + i)), to);
    // A lane has twice as many bits there as in a predicate.
    for (std::uint32_t i = 0; i < 4; ++i)
      bits[i] = pack_lane_bits<2>(bits[2 * i]) | pack_lane_bits<2>(bits[2 * i + 1]) << 32;
  } else {
    const auto *x = lanes_of<T>(a), *y = lanes_of<T>(b);
    for (std::uint32_t i = 0; i < EPR<T>; i += kStep, to += kPartBytes / 8)
      store_bits(
          d,
          holds<op>(hn::LoadU(d, reinterpret_cast<const T*>(x + i)), hn::LoadU(d, reinterpret_cast<const T*>(y + i))),
          to);
  }
  const std::uint64_t given[4] = {pred.word[0], pred.word[1], pred.word[2], pred.word[3]};
  for (std::uint32_t i = 0; i < 4; ++i) bits[i] &= kLaneBits<sizeof(T)> & given[i];
  std::memcpy(out, bits, sizeof(VPred));
}
template <CompareOp op>
MaskedFunction compare_of_type(DType type) {
  switch (type) {
    case DType::I8: return compare_lanes<op, std::int8_t>;
    case DType::U8: return compare_lanes<op, std::uint8_t>;
    case DType::I16: return compare_lanes<op, std::int16_t>;
    case DType::U16: return compare_lanes<op, std::uint16_t>;
    case DType::I32: return compare_lanes<op, std::int32_t>;
    case DType::U32: return compare_lanes<op, std::uint32_t>;
    case DType::I64: return compare_lanes<op, std::int64_t>;
    case DType::U64: return compare_lanes<op, std::uint64_t>;
    case DType::F16: return compare_lanes<op, f16>;
    case DType::BF16: return compare_lanes<op, bf16>;
    case DType::F32: return compare_lanes<op, float>;
    default: return nullptr;  // nothing computes with 8-bit floats
  }
  return nullptr;
}
MaskedFunction compare_function(CompareOp op, DType type) {
  switch (op) {
    case CompareOp::Eq: return compare_of_type<CompareOp::Eq>(type);
    case CompareOp::Ne: return compare_of_type<CompareOp::Ne>(type);
    case CompareOp::Lt: return compare_of_type<CompareOp::Lt>(type);
    case CompareOp::Le: return compare_of_type<CompareOp::Le>(type);
    case CompareOp::Gt: return compare_of_type<CompareOp::Gt>(type);
    case CompareOp::Ge: return compare_of_type<CompareOp::Ge>(type);
  }
  return nullptr;
}

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();
