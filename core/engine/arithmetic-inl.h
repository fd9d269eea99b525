// Lane arithmetic, as both targets do it: float results rounded once to nearest even, integers modulo 2^n.
// NaN (unverified, no golden can see it): the first NaN operand with its quiet bit set, else the positive default NaN.
#if defined(TS_ENGINE_ARITHMETIC_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_ENGINE_ARITHMETIC_INL_H
#undef TS_ENGINE_ARITHMETIC_INL_H
#else
#define TS_ENGINE_ARITHMETIC_INL_H
#endif

#include "core/engine/value_kinds.h"
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
  static TS_INLINE hn::VFromD<Floats> widen(hn::VFromD<HalfWords> v) {
    return hn::BitCast(Floats(), hn::ShiftLeft<16>(hn::PromoteTo(Words(), v)));
  }
  static TS_INLINE hn::VFromD<HalfWords> round(hn::VFromD<Floats> v) {
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
  static TS_INLINE hn::VFromD<Floats> widen(hn::VFromD<HalfWords> v) {
    return hn::PromoteTo(Floats(), hn::BitCast(Halves(), v));
  }
  static TS_INLINE hn::VFromD<HalfWords> round(hn::VFromD<Floats> v) {
    return hn::BitCast(HalfWords(), hn::DemoteTo(Halves(), v));
  }
#else  // no host instruction at this level
  static TS_INLINE hn::VFromD<Floats> widen(hn::VFromD<HalfWords> v) {
    const Words d;
    const auto wide = hn::PromoteTo(d, v);
    const auto magnitude = hn::ShiftLeft<13>(hn::And(wide, hn::Set(d, 0x7FFFu)));
    // Multiplying by 2^112 moves the exponent bias, and is exact for subnormal halves too.
    const auto scaled = hn::BitCast(d, hn::Mul(hn::BitCast(Floats(), magnitude), hn::Set(Floats(), 0x1p112f)));
    const auto special = hn::Gt(magnitude, hn::Set(d, (0x7C00u << 13) - 1));
    const auto value = hn::IfThenElse(special, hn::Or(magnitude, hn::Set(d, 0x7F800000u)), scaled);
    return hn::BitCast(Floats(), hn::Or(value, hn::ShiftLeft<16>(hn::And(wide, hn::Set(d, 0x8000u)))));
  }
  static TS_INLINE hn::VFromD<HalfWords> round(hn::VFromD<Floats> v) {
    const Words d;
    const auto bits = hn::BitCast(d, v);
    const auto magnitude = hn::And(bits, hn::Set(d, 0x7FFFFFFFu));
    const auto sign = hn::ShiftRight<16>(hn::And(bits, hn::Set(d, 0x80000000u)));
    const auto odd = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(d, 1u));
    const auto normal =
        hn::ShiftRight<13>(hn::Add(hn::Sub(magnitude, hn::Set(d, 112u << 23)), hn::Add(odd, hn::Set(d, 0xFFFu))));
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

// Lanes of 16 bits, a register or less of them, as floats to compute with, and back: in whole vectors, so that a few more
// may be read and written.
template <class T>
TS_INLINE void widen_lanes(const std::uint8_t* from, float* to, std::uint32_t count = EPR<T>) {
  const auto* lanes = reinterpret_cast<const std::uint16_t*>(from);
  for (std::uint32_t i = 0; i < count; i += kPartBytes / 4)
    hn::StoreU(Narrow<T>::widen(hn::LoadU(HalfWords(), lanes + i)), Floats(), to + i);
}
template <class T>
TS_INLINE void round_lanes(const float* from, std::uint8_t* to, std::uint32_t count = EPR<T>) {
  auto* lanes = reinterpret_cast<std::uint16_t*>(to);
  for (std::uint32_t i = 0; i < count; i += kPartBytes / 4)
    hn::StoreU(Narrow<T>::round(hn::LoadU(Floats(), from + i)), HalfWords(), lanes + i);
}

// What all float formats do about NaN results, on the bits of the lanes in a part.
template <class D, class V>
TS_INLINE V settle_nan(D d, V a, V b, V result, hn::TFromD<D> infinity, hn::TFromD<D> quiet,
                       hn::TFromD<D> default_nan) {
  using Signed = hn::RebindToSigned<D>;
  const Signed s;
  const auto is_nan = [&](V v) TS_INLINE_LAMBDA {
    const auto magnitude = hn::AndNot(hn::BitCast(d, hn::SignBit(s)), v);
    return hn::MaskFromVec(
        hn::BitCast(d, hn::VecFromMask(s, hn::Gt(hn::BitCast(s, magnitude), hn::BitCast(s, hn::Set(d, infinity))))));
  };
  const V quiet_bit = hn::Set(d, quiet);
  V out = hn::IfThenElse(is_nan(result), hn::Set(d, default_nan), result);
  out = hn::IfThenElse(is_nan(b), hn::Or(b, quiet_bit), out);
  return hn::IfThenElse(is_nan(a), hn::Or(a, quiet_bit), out);
}

struct AddOp {
  template <class V>
  TS_INLINE V operator()(V a, V b) const {
    return hn::Add(a, b);
  }
};

// Of unsigned lanes, as indices are.
struct MinOp {
  template <class V>
  TS_INLINE V operator()(V a, V b) const {
    return hn::Min(a, b);
  }
};
struct MulOp {
  template <class V>
  TS_INLINE V operator()(V a, V b) const {
    return hn::Mul(a, b);
  }
};
struct ShiftRightOp {
  template <class V>
  TS_INLINE V operator()(V a, V b) const {
    return hn::Shr(a, b);
  }
};
template <LaneOp op>
struct VectorOpOf;
template <>
struct VectorOpOf<LaneOp::Add> {
  using type = AddOp;
};
template <>
struct VectorOpOf<LaneOp::Min> {
  using type = MinOp;
};
template <>
struct VectorOpOf<LaneOp::Mul> {
  using type = MulOp;
};
template <>
struct VectorOpOf<LaneOp::Shr> {
  using type = ShiftRightOp;
};

// Applies an operation of two values to the lanes of one part.
template <class T, class Op>
TS_INLINE Part part_op(Part a, Part b, Op op) {
  const Lanes<T> d;
  return hn::BitCast(Bytes(), op(hn::BitCast(d, a), hn::BitCast(d, b)));
}

// A part of two narrow operands: half by half widened, operated on and rounded back.
template <class T, class Op>
TS_INLINE Part part_op_narrow(hn::VFromD<HalfWords> a_low, hn::VFromD<HalfWords> a_high, hn::VFromD<HalfWords> b_low,
                              hn::VFromD<HalfWords> b_high, Op op) {
  const auto low = Narrow<T>::round(op(Narrow<T>::widen(a_low), Narrow<T>::widen(b_low)));
  const auto high = Narrow<T>::round(op(Narrow<T>::widen(a_high), Narrow<T>::widen(b_high)));
  return hn::BitCast(Bytes(), hn::Combine(hn::ScalableTag<std::uint16_t>(), high, low));
}
template <class T, class Op>
struct NarrowPart {
  template <int I>
  static TS_INLINE Part part(const VReg& a, const VReg& b) {
    const hn::ScalableTag<std::uint16_t> d;
    const HalfWords half;
    const auto x = hn::BitCast(d, a.part[I]), y = hn::BitCast(d, b.part[I]);
    return part_op_narrow<T>(hn::LowerHalf(half, x), hn::UpperHalf(half, x), hn::LowerHalf(half, y),
                             hn::UpperHalf(half, y), Op());
  }
  template <int I>
  static TS_INLINE Part part(const std::uint16_t* a, const std::uint16_t* b) {
    const HalfWords half;
    constexpr int kLow = I * kPartBytes / 2, kHigh = kLow + kPartBytes / 4;
    return part_op_narrow<T>(hn::Load(half, a + kLow), hn::Load(half, a + kHigh), hn::Load(half, b + kLow),
                             hn::Load(half, b + kHigh), Op());
  }
};
template <class T, class Op>
TS_INLINE VReg narrow_op(const VReg& a, const VReg& b) {
#if HWY_TARGET <= HWY_AVX2 && defined(__GNUC__)
  // The host widens halves straight from memory at half the cost of taking a register apart first: so they take a detour
  // over the stack that the compiler must not see through.
  if constexpr (std::is_same_v<T, f16>) {
    alignas(64) std::uint16_t x[VL / 2], y[VL / 2];
    store_register(a, reinterpret_cast<std::uint8_t*>(x));
    store_register(b, reinterpret_cast<std::uint8_t*>(y));
    asm("" : "+m"(x), "+m"(y));
    return make_register<NarrowPart<T, Op>>(&x[0], &y[0]);
  }
#endif
  return make_register<NarrowPart<T, Op>>(a, b);
}

// Float lanes as integers, and what a NaN looks like there.
template <class T>
struct NanBits {
  static constexpr std::uint16_t kInfinity = Narrow<T>::kInfinity, kQuiet = Narrow<T>::kQuiet,
                                 kDefaultNan = Narrow<T>::kDefaultNan;
};
template <>
struct NanBits<float> {
  static constexpr std::uint32_t kInfinity = 0x7F800000, kQuiet = 0x00400000, kDefaultNan = 0x7FC00000;
};

template <class T>
inline constexpr bool kIsFloat = std::is_same_v<T, float> || std::is_same_v<T, f16> || std::is_same_v<T, bf16>;

template <class T>
bool is_nan_lane(BitsOf<T> bits) {
  if constexpr (kIsFloat<T>) {
    return static_cast<BitsOf<T>>(bits & static_cast<BitsOf<T>>(~(BitsOf<T>{1} << (8 * sizeof(T) - 1)))) >
           NanBits<T>::kInfinity;
  } else {
    return false;
  }
}

// A NaN anywhere makes the sum of all parts NaN. Infinities of both signs do too: then settle_nans finds nothing to do.
template <int I = 0>
TS_INLINE hn::VFromD<Floats> sum_of_parts(const VReg& v) {
  const auto part = hn::BitCast(Floats(), v.part[I]);
  if constexpr (I + 1 == kParts) {
    return part;
  } else {
    return hn::Add(part, sum_of_parts<I + 1>(v));
  }
}
// 16-bit formats: some lane's magnitude is greater than infinity's.
template <class T, int... I>
TS_INLINE bool any_nan_narrow(const VReg& v, std::integer_sequence<int, I...>) {
  const hn::ScalableTag<std::int16_t> d;
  auto most = hn::Zero(d);
  ((most = hn::Max(most, hn::AndNot(hn::SignBit(d), hn::BitCast(d, v.part[I])))), ...);
  return !hn::AllFalse(d, hn::Gt(most, hn::Set(d, static_cast<std::int16_t>(NanBits<T>::kInfinity))));
}
template <class T>
TS_INLINE bool any_nan(const VReg& v) {
  if constexpr (std::is_same_v<T, float>) {
    return !hn::AllFalse(Floats(), hn::IsNaN(sum_of_parts(v)));
  } else {
    return any_nan_narrow<T>(v, PartIndices());
  }
}

template <class T>
struct SettledPart {
  template <int I>
  static TS_INLINE Part part(const Part* a, const Part* b, const Part* result) {
    const Lanes<T> d;
    return hn::BitCast(Bytes(), settle_nan(d, hn::BitCast(d, a[I]), hn::BitCast(d, b[I]), hn::BitCast(d, result[I]),
                                           NanBits<T>::kInfinity, NanBits<T>::kQuiet, NanBits<T>::kDefaultNan));
  }
};
// Rare, so it stands alone: the parts of a, then of b, then of the result. Where it gave a register back, g++ 12 would keep
// the other result in memory as well.
template <class T, class... Parts>
HWY_NOINLINE void settle_nans(Part* out, Parts... parts) {
  const Part all[3 * kParts] = {parts...};
  const Part *a = all, *b = all + kParts, *result = all + 2 * kParts;
  VReg settled = make_register<SettledPart<T>>(a, b, result);
  for (int i = 0; i < kParts; ++i) out[i] = settled.part[i];
}

// result lane = a lane (op) b lane.
template <class T, class Op>
struct BinaryLanes {
  TS_INLINE VReg operator()(const VReg& a, const VReg& b) const { return settled(a, b, result(a, b), PartIndices()); }

 private:
  struct ResultPart {
    template <int I>
    static TS_INLINE Part part(const VReg& a, const VReg& b) {
      if constexpr (std::is_same_v<T, float>) {
        const Floats d;
        return hn::BitCast(Bytes(), Op()(hn::BitCast(d, a.part[I]), hn::BitCast(d, b.part[I])));
      } else {
        return part_op<T>(a.part[I], b.part[I], Op());
      }
    }
  };
  static TS_INLINE VReg result(const VReg& a, const VReg& b) {
    if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>) {
      return narrow_op<T, Op>(a, b);
    } else {
      return make_register<ResultPart>(a, b);
    }
  }
  template <int... I>
  static TS_INLINE VReg settled(const VReg& a, const VReg& b, const VReg& result, std::integer_sequence<int, I...>) {
    if constexpr (kIsFloat<T>) {
      if (HWY_UNLIKELY(any_nan<T>(result))) {
        Part out[kParts];
        settle_nans<T>(out, a.part[I]..., b.part[I]..., result.part[I]...);
        return {{out[I]...}};
      }
    }
    return result;
  }
};

struct SumAndCarry {
  VReg sum;
  VPred carry;  // canonical b32 image
};

// 32-bit sums with a carry out; the carry in is bit 4i of `carry_in`.
struct AddWithCarry {
  TS_INLINE SumAndCarry operator()(const VReg& a, const VReg& b, const VPred& carry_in) const {
    SumAndCarry out{make_register<SumPart>(a, b, carry_in), {}};
    carries(a, b, carry_in, out.carry, PartIndices());
    return out;
  }

 private:
  template <int I>
  static TS_INLINE auto one_where_carried(const VPred& carry_in) {
    const Lanes<std::uint32_t> d;
    return hn::IfThenElseZero(lane_mask<std::uint32_t, I>(carry_in), hn::Set(d, 1u));
  }
  struct SumPart {
    template <int I>
    static TS_INLINE Part part(const VReg& a, const VReg& b, const VPred& carry_in) {
      const Lanes<std::uint32_t> d;
      return hn::BitCast(Bytes(), hn::Add(hn::Add(hn::BitCast(d, a.part[I]), hn::BitCast(d, b.part[I])),
                                          one_where_carried<I>(carry_in)));
    }
  };
  template <int I>
  static TS_INLINE void carry_of_part(const VReg& a, const VReg& b, const VPred& carry_in, VPred& out) {
    const Lanes<std::uint32_t> d;
    const auto x = hn::BitCast(d, a.part[I]), one = one_where_carried<I>(carry_in);
    const auto partial = hn::Add(x, hn::BitCast(d, b.part[I]));
    std::uint64_t bits = 0;
    hn::StoreMaskBits(d, hn::Or(hn::Lt(partial, x), hn::Lt(hn::Add(partial, one), one)),
                      reinterpret_cast<std::uint8_t*>(&bits));
    out.word[I * kPartBytes / 64] |= spread_lane_bits<4>(bits & low_bits(kPartBytes / 4)) << (I * kPartBytes % 64);
  }
  template <int... I>
  static TS_INLINE void carries(const VReg& a, const VReg& b, const VPred& carry_in, VPred& out,
                                std::integer_sequence<int, I...>) {
    (carry_of_part<I>(a, b, carry_in, out), ...);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
