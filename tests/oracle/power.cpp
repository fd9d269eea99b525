// tpow and tpows: base ^ exponent, element by element.
// Integers: exact, modulo 2^n; a negative exponent gives 0, but for bases of 1 and -1. A2A3 takes u32 exponents for i32.
// Floats: exp(exponent * ln |base|) in f32 steps, and then what zeros, infinities, NaNs and negative bases need. A5 with
// high precision: one rounding instead of the steps.
#include <cmath>

#include "tests/oracle/elementwise.h"

namespace ts::oracle {
namespace {

constexpr const char* kBaseAndExponent[] = {"base", "exponent"};
constexpr const char* kTileAndExponent[] = {"src", "exponent"};

// base * base * ... modulo 2^64; the low bits are those of any narrower type.
std::uint64_t repeated_product(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t product = 1;
  for (; exponent != 0; exponent /= 2) {
    if (exponent % 2 == 1) product *= base;
    base *= base;
  }
  return product;
}

std::uint64_t integer_power(const Lane& lane) {
  const bool as_i32 = lane.bound.target == Target::A2A3 && lane.type == DType::U32;
  const DType type = as_i32 ? DType::I32 : lane.type;
  const std::uint64_t base = extended(type, lane.in[0]), exponent = extended(type, lane.in[1]);
  const bool odd = exponent % 2 == 1, negative = is_signed_int(type) && (exponent >> 63) != 0;
  if (!negative) return low_bits(lane.type, repeated_product(base, exponent));
  if (base == 1) return 1;
  return base == ~0ull ? low_bits(lane.type, odd ? ~0ull : 1) : 0;
}

// A float as a plain number, NaN included.
double number(DType type, std::uint64_t bits) { return is_nan(type, bits) ? NAN : float_value(type, bits); }
bool is_whole(double value) { return std::isfinite(value) && std::floor(value) == value; }
bool is_odd(double value) { return is_whole(value) && std::fmod(std::fabs(value), 2) == 1; }

std::uint64_t by_logarithm(const Lane& lane, std::uint64_t base, std::uint64_t exponent) {
  return exp(kF32, mul(kF32, log(kF32, base), exponent), lane.bound.options->exp_flush != 0);
}

// f32. Exponents that an i32 cannot hold count as even.
std::uint64_t a2a3_power(const Lane& lane) {
  const std::uint64_t base = lane.in[0], exponent = lane.in[1];
  const double b = number(kF32, base), e = number(kF32, exponent);
  if (e == 0) return one(kF32);
  if (b == 0) return e > 0 ? 0 : infinity(kF32);
  if (b == -1 && std::isinf(e)) return one(kF32);
  if (!is_whole(e)) return by_logarithm(lane, base, exponent);
  const std::uint64_t magnitude = by_logarithm(lane, abs(kF32, base), exponent);
  return b < 0 && is_odd(e) && std::fabs(e) < 0x1p31 ? neg(kF32, magnitude) : magnitude;
}

// |b| ^ e as an element of the type, for a finite b other than zero.
std::uint64_t a5_magnitude(const Lane& lane) {
  const std::uint64_t base = abs(lane.type, lane.in[0]), exponent = lane.in[1];
  if (high_precision(lane.bound)) return power(lane.type, base, exponent);
  const auto wide = [&](std::uint64_t bits) {
    return convert(kF32, lane.type, bits, Rounding::NearestEven, Overflow::Wrap);
  };
  return convert(lane.type, kF32, by_logarithm(lane, wide(base), wide(exponent)), Rounding::NearestEven,
                 Overflow::Wrap);
}

std::uint64_t a5_power(const Lane& lane) {
  const DType type = lane.type;
  const double b = number(type, lane.in[0]), e = number(type, lane.in[1]);
  if (e == 0 || b == 1) return one(type);
  if (std::isnan(b) || std::isnan(e)) return default_nan(type);
  if (b == 0 || std::isinf(b)) {
    const bool infinite = std::isinf(b) != (e < 0);
    const std::uint64_t sign = is_odd(e) && std::signbit(b) ? sign_bit(type) : 0;
    return sign | (infinite ? infinity(type) : 0);
  }
  if (b == -1 && std::isinf(e)) return one(type);
  if (b < 0 && std::isfinite(e) && !is_whole(e)) return default_nan(type);
  const std::uint64_t magnitude = a5_magnitude(lane);
  return b < 0 && is_odd(e) ? neg(type, magnitude) : magnitude;
}

std::uint64_t power_of(const Lane& lane) {
  if (!is_float(lane.type)) return integer_power(lane);
  return lane.bound.target == Target::A2A3 ? a2a3_power(lane) : a5_power(lane);
}

// Only the float steps of A2A3 use tmp.
template <const auto& Inputs>
Effects power_oracle(const Bound& bound, const Before& before) {
  const bool floats = is_float(bound.tile("dst").type.dtype);
  return elementwise(bound, before, Inputs, power_of, {.columns = Columns::Valid, .a2a3_scratch = floats});
}

const Oracles power_oracles{{"tpow", power_oracle<kBaseAndExponent>}, {"tpows", power_oracle<kTileAndExponent>}};

}  // namespace
}  // namespace ts::oracle
