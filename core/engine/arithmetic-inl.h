// Lane arithmetic, as both targets do it: float results rounded once to nearest even, integers modulo 2^n.
// NaN (unverified, no golden can see it): the first NaN operand with its quiet bit set, else the positive default NaN.
#if defined(TS_ENGINE_ARITHMETIC_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_ENGINE_ARITHMETIC_INL_H
#undef TS_ENGINE_ARITHMETIC_INL_H
#else
#define TS_ENGINE_ARITHMETIC_INL_H
#endif

#include "core/engine/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

using Floats = hn::ScalableTag<float>;
using HalfWords = hn::Rebind<std::uint16_t, Floats>;  // as many 16-bit lanes as a part has floats
using Words = hn::Rebind<std::uint32_t, Floats>;

// The 16-bit float formats widen to float and come back, lane for lane.
template <class T>
struct Narrow;

template <>
struct Narrow<bf16> {
  static constexpr std::uint16_t kInfinity = 0x7F80, kQuiet = 0x0040, kDefaultNan = 0x7FC0;
  static HWY_INLINE hn::VFromD<Floats> widen(hn::VFromD<HalfWords> v) {
    return hn::BitCast(Floats(), hn::ShiftLeft<16>(hn::PromoteTo(Words(), v)));
  }
  static HWY_INLINE hn::VFromD<HalfWords> round(hn::VFromD<Floats> v) {
    const Words d;
    const auto bits = hn::BitCast(d, v);
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(d, 1u));
    const auto rounded = hn::ShiftRight<16>(hn::Add(bits, hn::Add(odd, hn::Set(d, 0x7FFFu))));
    return hn::TruncateTo(HalfWords(), rounded);
  }
};

template <>
struct Narrow<f16> {
  static constexpr std::uint16_t kInfinity = 0x7C00, kQuiet = 0x0200, kDefaultNan = 0x7E00;
#if HWY_TARGET <= HWY_AVX2
  using Halves = hn::Rebind<hwy::float16_t, Floats>;
  static HWY_INLINE hn::VFromD<Floats> widen(hn::VFromD<HalfWords> v) {
    return hn::PromoteTo(Floats(), hn::BitCast(Halves(), v));
  }
  static HWY_INLINE hn::VFromD<HalfWords> round(hn::VFromD<Floats> v) {
    return hn::BitCast(HalfWords(), hn::DemoteTo(Halves(), v));
  }
#else  // no host instruction at this level
  static HWY_INLINE hn::VFromD<Floats> widen(hn::VFromD<HalfWords> v) {
    const Words d;
    const auto wide = hn::PromoteTo(d, v);
    const auto magnitude = hn::ShiftLeft<13>(hn::And(wide, hn::Set(d, 0x7FFFu)));
    // Multiplying by 2^112 moves the exponent bias, and is exact for subnormal halves too.
    const auto scaled = hn::BitCast(d, hn::Mul(hn::BitCast(Floats(), magnitude), hn::Set(Floats(), 0x1p112f)));
    const auto special = hn::Gt(magnitude, hn::Set(d, (0x7C00u << 13) - 1));
    const auto value = hn::IfThenElse(special, hn::Or(magnitude, hn::Set(d, 0x7F800000u)), scaled);
    return hn::BitCast(Floats(), hn::Or(value, hn::ShiftLeft<16>(hn::And(wide, hn::Set(d, 0x8000u)))));
  }
  static HWY_INLINE hn::VFromD<HalfWords> round(hn::VFromD<Floats> v) {
    const Words d;
    const auto bits = hn::BitCast(d, v);
    const auto magnitude = hn::And(bits, hn::Set(d, 0x7FFFFFFFu));
    const auto sign = hn::ShiftRight<16>(hn::And(bits, hn::Set(d, 0x80000000u)));
    const auto odd = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(d, 1u));
    const auto normal = hn::ShiftRight<13>(hn::Add(hn::Sub(magnitude, hn::Set(d, 112u << 23)), hn::Add(odd, hn::Set(d, 0xFFFu))));
    // Adding 0.5 lets the host round a subnormal half at its last place.
    const auto magic = hn::Set(d, 126u << 23);
    const auto small =
        hn::Sub(hn::BitCast(d, hn::Add(hn::BitCast(Floats(), magnitude), hn::BitCast(Floats(), magic))), magic);
    const auto nan = hn::Or(hn::Set(d, 0x7E00u), hn::And(hn::ShiftRight<13>(magnitude), hn::Set(d, 0x3FFu)));
    const auto large = hn::IfThenElse(hn::Gt(magnitude, hn::Set(d, 0x7F800000u)), nan, hn::Set(d, 0x7C00u));
    const auto finite = hn::IfThenElse(hn::Lt(magnitude, hn::Set(d, 113u << 23)), small, normal);
    const auto value = hn::IfThenElse(hn::Gt(magnitude, hn::Set(d, (143u << 23) - 1)), large, finite);
    return hn::TruncateTo(HalfWords(), hn::Or(value, sign));
  }
#endif
};

// What both float widths do about NaN results, on the bits of lanes in a part.
template <class D, class V>
HWY_INLINE V settle_nan(D d, V a, V b, V result, hn::TFromD<D> infinity, hn::TFromD<D> quiet, hn::TFromD<D> default_nan) {
  using Signed = hn::RebindToSigned<D>;
  const Signed s;
  const auto is_nan = [&](V v) HWY_ATTR {
    const auto magnitude = hn::AndNot(hn::BitCast(d, hn::SignBit(s)), v);
    return hn::MaskFromVec(hn::BitCast(d, hn::VecFromMask(s, hn::Gt(hn::BitCast(s, magnitude), hn::BitCast(s, hn::Set(d, infinity))))));
  };
  const auto result_nan = is_nan(result);
  if (HWY_LIKELY(hn::AllFalse(d, result_nan))) return result;
  const V quiet_bit = hn::Set(d, quiet);
  V out = hn::IfThenElse(result_nan, hn::Set(d, default_nan), result);
  out = hn::IfThenElse(is_nan(b), hn::Or(b, quiet_bit), out);
  return hn::IfThenElse(is_nan(a), hn::Or(a, quiet_bit), out);
}

struct AddOp {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Add(a, b);
  }
};

// Applies an operation of two values to the lanes of one part.
template <class T, class Op>
HWY_INLINE Part part_op(Part a, Part b, Op op) {
  const Lanes<T> d;
  return hn::BitCast(Bytes(), op(hn::BitCast(d, a), hn::BitCast(d, b)));
}

template <class Op>
HWY_INLINE Part part_op_float(Part a, Part b, Op op) {
  const Floats d;
  const auto result = op(hn::BitCast(d, a), hn::BitCast(d, b));
  if (HWY_LIKELY(hn::AllFalse(d, hn::IsNaN(result)))) return hn::BitCast(Bytes(), result);
  const Words w;
  return hn::BitCast(Bytes(), settle_nan(w, hn::BitCast(w, a), hn::BitCast(w, b), hn::BitCast(w, result), 0x7F800000u, 0x00400000u,
                                         0x7FC00000u));
}

template <class T, class Op>
HWY_INLINE Part part_op_narrow(Part a, Part b, Op op) {
  const hn::ScalableTag<std::uint16_t> d;
  const HalfWords half;
  const auto x = hn::BitCast(d, a), y = hn::BitCast(d, b);
  const auto low = Narrow<T>::round(op(Narrow<T>::widen(hn::LowerHalf(half, x)), Narrow<T>::widen(hn::LowerHalf(half, y))));
  const auto high = Narrow<T>::round(op(Narrow<T>::widen(hn::UpperHalf(half, x)), Narrow<T>::widen(hn::UpperHalf(half, y))));
  return hn::BitCast(Bytes(), settle_nan(d, x, y, hn::Combine(d, high, low), Narrow<T>::kInfinity, Narrow<T>::kQuiet,
                                         Narrow<T>::kDefaultNan));
}

// result lane = a lane + b lane.
template <class T, class Op>
struct BinaryLanes {
  HWY_INLINE VReg operator()(const VReg& a, const VReg& b) const {
    VReg out;
    TS_UNROLL for (int i = 0; i < kParts; ++i) {
      if constexpr (std::is_same_v<T, float>) {
        out.part[i] = part_op_float(a.part[i], b.part[i], Op());
      } else if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>) {
        out.part[i] = part_op_narrow<T>(a.part[i], b.part[i], Op());
      } else {
        out.part[i] = part_op<T>(a.part[i], b.part[i], Op());
      }
    }
    return out;
  }
};

struct SumAndCarry {
  VReg sum;
  VPred carry;  // canonical b32 image
};

// 32-bit sums with a carry out; the carry in is bit 4i of `carry_in`.
struct AddWithCarry {
  HWY_INLINE SumAndCarry operator()(const VReg& a, const VReg& b, const VPred& carry_in) const {
    const Lanes<std::uint32_t> d;
    SumAndCarry out{};
    TS_UNROLL for (int i = 0; i < kParts; ++i) {
      const auto x = hn::BitCast(d, a.part[i]), y = hn::BitCast(d, b.part[i]);
      const auto one = hn::IfThenElseZero(lane_mask<std::uint32_t>(carry_in, i), hn::Set(d, 1u));
      const auto partial = hn::Add(x, y);
      const auto sum = hn::Add(partial, one);
      const auto carry = hn::Or(hn::Lt(partial, x), hn::Lt(sum, one));
      std::uint64_t bits = 0;
      hn::StoreMaskBits(d, carry, reinterpret_cast<std::uint8_t*>(&bits));
      out.sum.part[i] = hn::BitCast(Bytes(), sum);
      out.carry.word[i * kPartBytes / 64] |= spread_lane_bits<4>(bits & low_bits(kPartBytes / 4)) << (i * kPartBytes % 64);
    }
    return out;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
