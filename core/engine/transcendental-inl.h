// exp, ln and 1/sqrt of floats, correctly rounded as far as a double tells: computed in double, and rounded once.
#if defined(TS_ENGINE_TRANSCENDENTAL_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_ENGINE_TRANSCENDENTAL_INL_H
#undef TS_ENGINE_TRANSCENDENTAL_INL_H
#else
#define TS_ENGINE_TRANSCENDENTAL_INL_H
#endif

#include <array>
#include <bit>
#include <cmath>

#include "core/engine/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

using Doubles = hn::ScalableTag<double>;
using DoubleBits = hn::ScalableTag<std::int64_t>;
using HalfFloats = hn::Rebind<float, Doubles>;  // as many floats as a part has doubles
using DoubleV = hn::VFromD<Doubles>;

// The float towards zero of a double, with its last bit set where something was cut off: rounding it once more to a
// narrower format gives what rounding the double there would have given.
TS_INLINE hn::VFromD<HalfFloats> round_to_odd(DoubleV exact) {
  const HalfFloats f;
  const Doubles d;
  const hn::Rebind<std::uint32_t, Doubles> bits;
  // All ones or all zeros for each lane, in 32 bits.
  const auto where = [&](auto mask) HWY_ATTR {
    return hn::TruncateTo(bits, hn::BitCast(hn::RebindToUnsigned<Doubles>(), hn::VecFromMask(d, mask)));
  };
  const auto rounded = hn::DemoteTo(f, exact);
  const DoubleV back = hn::PromoteTo(d, rounded);
  const auto cut = hn::Or(hn::Lt(back, exact), hn::Gt(back, exact));  // never of NaN
  const auto away = hn::Gt(hn::Abs(back), hn::Abs(exact));
  const auto nearer = hn::Add(hn::BitCast(bits, rounded), where(away));
  return hn::BitCast(f, hn::Or(nearer, hn::And(where(cut), hn::Set(bits, 1u))));
}

// c[first] + c[first + 1] * x + ..., `count` terms of it, from x, x^2, x^4 and x^8. Pairs of pairs: of a sum from the highest
// power down each step waits for the one before it, longer than it takes.
template <std::size_t first, std::size_t count, std::size_t kAll>
TS_INLINE DoubleV series(const std::array<double, kAll>& c, DoubleV x, DoubleV x2, DoubleV x4, DoubleV x8) {
  const Doubles d;
  if constexpr (count == 1) {
    return hn::Set(d, c[first]);
  } else {
    constexpr std::size_t kHalf = std::bit_floor(count - 1);
    static_assert(kHalf <= 8);
    const DoubleV power = kHalf == 1 ? x : kHalf == 2 ? x2 : kHalf == 4 ? x4 : x8;
    return hn::MulAdd(series<first + kHalf, count - kHalf>(c, x, x2, x4, x8), power,
                      series<first, kHalf>(c, x, x2, x4, x8));
  }
}
template <std::size_t kAll>
TS_INLINE DoubleV series(const std::array<double, kAll>& c, DoubleV x) {
  const DoubleV x2 = hn::Mul(x, x), x4 = hn::Mul(x2, x2), x8 = hn::Mul(x4, x4);
  return series<0, kAll>(c, x, x2, x4, x8);
}

// As many powers of two between 1 and 2 as a vector has lanes, and how many terms of e^r its steps then need.
inline constexpr std::uint32_t kExpSteps = static_cast<std::uint32_t>(hn::MaxLanes(Doubles()));
static_assert(kExpSteps == 2 || kExpSteps == 4 || kExpSteps == 8);
inline constexpr int kExpBits = std::countr_zero(kExpSteps), kExpTerms = kExpSteps == 8 ? 8 : kExpSteps == 4 ? 10 : 12;
inline constexpr double kEighths[8] = {1.0,
                                       0x1.172b83c7d517bp0,
                                       0x1.306fe0a31b715p0,
                                       0x1.4bfdad5362a27p0,
                                       0x1.6a09e667f3bcdp0,
                                       0x1.8ace5422aa0dbp0,
                                       0x1.ae89f995ad3adp0,
                                       0x1.d5818dcfba487p0};
// Their bits, less what adding n << (52 - kExpBits) puts there besides whole powers.
inline constexpr auto kExpTable = [] {
  std::array<std::int64_t, kExpSteps> bits{};
  for (std::uint32_t k = 0; k < kExpSteps; ++k)
    bits[k] =
        std::bit_cast<std::int64_t>(kEighths[k * 8 / kExpSteps]) - (static_cast<std::int64_t>(k) << (52 - kExpBits));
  return bits;
}();

// 1/2!, 1/3!, ... 1/kExpTerms!
inline constexpr auto kInverseFactorials = [] {
  std::array<double, kExpTerms - 1> out{};
  double factorial = 1;
  for (int n = 2; n <= kExpTerms; ++n) out[static_cast<std::size_t>(n) - 2] = 1 / (factorial *= n);
  return out;
}();
// e^r - 1 by its series up to r^kExpTerms: what is left out is less than a double's last place.
TS_INLINE DoubleV exp_minus_one(DoubleV r) { return hn::MulAdd(series(kInverseFactorials, r), hn::Mul(r, r), r); }

// e^x = 2^(n / steps) * e^r, r within half a step of zero. kFlushBelow: results below 2^kFlushBelow are zero; 0: none.
template <int kFlushBelow>
struct ExpDoubles {
  // Beyond these the result is infinite, or zero, in every float type. A NaN is the second operand and stays.
  static TS_INLINE hn::VFromD<HalfFloats> known(hn::VFromD<HalfFloats> x) {
    const HalfFloats f;
    return hn::Min(hn::Set(f, 220.0f), hn::Max(hn::Set(f, -220.0f), x));
  }
  static TS_INLINE DoubleV of(DoubleV x) {
    const Doubles d;
    const DoubleBits i;
    constexpr double kMagic = 0x1.8p52;  // puts a whole number into the lowest bits
    const DoubleV counted = hn::MulAdd(x, hn::Set(d, 0x1.71547652b82fep0 * kExpSteps), hn::Set(d, kMagic));
    const DoubleV n = hn::Sub(counted, hn::Set(d, kMagic));
    const DoubleV r = hn::NegMulAdd(n, hn::Set(d, 0x1.ef35793c76730p-45 / kExpSteps),
                                    hn::NegMulAdd(n, hn::Set(d, 0x1.62e42fefa3800p-1 / kExpSteps), x));
    const auto lowest = hn::BitCast(i, counted), step = hn::And(lowest, hn::Set(i, kExpSteps - 1));
    const auto table = hn::LoadU(i, kExpTable.data());
    const auto power =
        hn::Add(hn::TableLookupLanes(table, hn::IndicesFromVec(i, step)), hn::ShiftLeft<52 - kExpBits>(lowest));
    const DoubleV scale = hn::BitCast(d, power), result = hn::MulAdd(scale, exp_minus_one(r), scale);
    if constexpr (kFlushBelow == 0) return result;
    return hn::IfThenZeroElse(hn::Lt(result, hn::Set(d, kFlushBelow == -14 ? 0x1p-14 : 0x1p-126)), result);
  }
};

// Functions that take every float as it is.
struct AnyFloat {
  static TS_INLINE hn::VFromD<HalfFloats> known(hn::VFromD<HalfFloats> x) { return x; }
};

// ln(m * 2^e) with m between sqrt(1/2) and sqrt(2): 2 atanh((m - 1) / (m + 1)) + e * ln(2).
struct LnDoubles : AnyFloat {
  static constexpr std::array kTerms{2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11, 2.0 / 13,
                                     2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21, 2.0 / 23};
  static TS_INLINE DoubleV of(DoubleV x) {
    const Doubles d;
    const DoubleBits i;
    // Floats that are subnormal are normal doubles.
    const auto bits = hn::BitCast(i, x);
    const auto above = hn::Sub(bits, hn::Set(i, 0x3FE6A09E667F3BCD));  // from sqrt(1/2) on
    const auto exponent = hn::ShiftRight<52>(above);
    const DoubleV m = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<52>(exponent)));
    const DoubleV e = small_int_to_double(exponent);
    const DoubleV one = hn::Set(d, 1.0);
    const DoubleV s = hn::Div(hn::Sub(m, one), hn::Add(m, one)), z = hn::Mul(s, s);
    const DoubleV tail = hn::Mul(hn::Mul(series(kTerms, z), z), s);
    const DoubleV low = hn::MulAdd(e, hn::Set(d, 0x1.ef35793c76730p-45), tail);
    const DoubleV sum = hn::Add(hn::MulAdd(e, hn::Set(d, 0x1.62e42fefa3800p-1), hn::Add(s, s)), low);
    DoubleV result = hn::IfThenElse(hn::Eq(x, hn::Set(d, INFINITY)), x, sum);
    result = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Set(d, -INFINITY), result);
    const auto wrong = hn::Or(hn::IsNaN(x), hn::Lt(x, hn::Zero(d)));
    return hn::IfThenElse(wrong, hn::Set(d, NAN), result);
  }

 private:
  static TS_INLINE DoubleV small_int_to_double(hn::VFromD<DoubleBits> n) {
    const Doubles d;
    const DoubleBits i;
    const auto biased = hn::BitCast(d, hn::Add(n, hn::BitCast(i, hn::Set(d, 0x1.8p52))));
    return hn::Sub(biased, hn::Set(d, 0x1.8p52));
  }
};

struct RsqrtDoubles : AnyFloat {
  static TS_INLINE DoubleV of(DoubleV x) { return hn::Div(hn::Set(Doubles(), 1.0), hn::Sqrt(x)); }
};

// Rounded to float once, or to odd for a narrower format.
template <bool kOdd>
TS_INLINE hn::VFromD<HalfFloats> rounded(DoubleV exact) {
  if constexpr (kOdd) return round_to_odd(exact);
  return hn::DemoteTo(HalfFloats(), exact);
}
template <bool kOdd>
TS_INLINE void round_doubles(const double* exact, float* to, std::uint32_t count) {
  const Doubles d;
  for (std::uint32_t i = 0; i < count; i += static_cast<std::uint32_t>(hn::MaxLanes(d)))
    hn::StoreU(rounded<kOdd>(hn::LoadU(d, exact + i)), HalfFloats(), to + i);
}
// F of every float.
template <class F, bool kOdd>
TS_INLINE void in_doubles(const float* from, float* to, std::uint32_t count) {
  const HalfFloats f;
  const Doubles d;
  for (std::uint32_t i = 0; i < count; i += static_cast<std::uint32_t>(hn::MaxLanes(d)))
    hn::StoreU(rounded<kOdd>(F::of(hn::PromoteTo(d, F::known(hn::LoadU(f, from + i))))), f, to + i);
}

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
