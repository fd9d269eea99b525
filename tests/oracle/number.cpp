// Plain element arithmetic.
#include "tests/oracle/number.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <initializer_list>

namespace ts::oracle {
namespace {

// A binary float format by its widths.
struct Format {
  int fraction_bits, exponent_bits;
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  std::uint64_t top_exponent() const { return (1ull << exponent_bits) - 1; }
  std::uint64_t sign_bit() const { return 1ull << (fraction_bits + exponent_bits); }
  std::uint64_t infinity() const { return top_exponent() << fraction_bits; }
  std::uint64_t quiet_bit() const { return 1ull << (fraction_bits - 1); }
};

Format format_of(DType type) {
  if (type == DType::F16) return {10, 5};
  if (type == DType::BF16) return {7, 8};
  return {23, 8};
}

// The number count * 2^exponent; `more`: and a little, less than one unit of the count.
struct Exact {
  bool negative = false;
  std::uint64_t count = 0;
  int exponent = 0;
  bool more = false;
};

Exact exact_of(long double value) {
  int exponent;
  const long double scaled = std::ldexp(std::frexp(std::fabs(value), &exponent), 64);
  const auto count = static_cast<std::uint64_t>(scaled);
  return {std::signbit(value), count, exponent - 64, scaled != static_cast<long double>(count)};
}

bool goes_up(const Exact& value, bool odd, bool half, bool rest, Rounding rounding) {
  switch (rounding) {
    case Rounding::NearestEven: return half && (rest || odd);
    case Rounding::NearestAway: return half;
    case Rounding::Down: return value.negative && (half || rest);
    case Rounding::Up: return !value.negative && (half || rest);
    case Rounding::TowardZero: return false;
    case Rounding::ToOdd: return !odd && (half || rest);
  }
  return false;
}

// How many units of 2^unit the magnitude has, rounded to a whole number; all bits set where there are too many to count.
std::uint64_t units_of(const Exact& value, int unit, Rounding rounding) {
  if (value.count == 0) return 0;
  const int drop = unit - value.exponent;
  if (drop <= 0) return -drop > std::countl_zero(value.count) ? ~0ull : value.count << -drop;
  const std::uint64_t kept = drop >= 64 ? 0 : value.count >> drop;
  const bool half = drop <= 64 && (value.count >> (drop - 1) & 1) != 0;
  const std::uint64_t below_half = drop > 64 ? ~0ull : (1ull << (drop - 1)) - 1;
  const bool rest = (value.count & below_half) != 0 || value.more;
  return kept + (goes_up(value, kept % 2 == 1, half, rest, rounding) ? 1 : 0);
}

bool overflows_to_infinity(bool negative, Rounding rounding) {
  if (rounding == Rounding::Down) return negative;
  if (rounding == Rounding::Up) return !negative;
  return rounding == Rounding::NearestEven || rounding == Rounding::NearestAway;
}

std::uint64_t to_float(DType type, const Exact& value, Rounding rounding, Overflow overflow = Overflow::Wrap) {
  const Format format = format_of(type);
  const std::uint64_t sign = value.negative ? format.sign_bit() : 0;
  if (value.count == 0) return sign;
  const int smallest = 1 - format.bias();
  int exponent = std::max(smallest, 63 - std::countl_zero(value.count) + value.exponent);
  std::uint64_t count = units_of(value, exponent - format.fraction_bits, rounding);
  const std::uint64_t hidden = 1ull << format.fraction_bits;
  if (count == 2 * hidden) {
    count = hidden;
    ++exponent;
  }
  if (exponent > format.bias()) {
    const bool infinite = overflow == Overflow::Wrap && overflows_to_infinity(value.negative, rounding);
    return sign | (infinite ? format.infinity() : format.infinity() - 1);
  }
  if (count < hidden) return sign | count;
  return sign | static_cast<std::uint64_t>(exponent - smallest + 1) << format.fraction_bits | (count - hidden);
}

// A whole number as an integer element, clamped.
std::uint64_t clamped(DType type, bool negative, std::uint64_t magnitude) {
  const std::uint64_t kept = std::min(magnitude, negative ? lowest(type) : largest(type));
  return low_bits(type, negative ? 0 - kept : kept);
}

std::uint64_t float_to_int(DType to, DType from, std::uint64_t bits, Rounding rounding, Overflow overflow) {
  if (is_nan(from, bits)) return 0;
  if (overflow == Overflow::Wrap && size_bytes(to) < 4 && !is_infinite(from, bits)) {
    const double low = std::fmod(float_value(from, integral(from, bits, rounding)), 65536.0);
    return low_bits(to, static_cast<std::uint64_t>(static_cast<std::int64_t>(low)));
  }
  if (overflow == Overflow::Wrap && size_bytes(to) < 8)
    return low_bits(to, float_to_int(DType::I64, from, bits, rounding, Overflow::Saturate));
  const bool negative = (bits & sign_bit(from)) != 0;
  return clamped(to, negative,
                 is_infinite(from, bits) ? ~0ull : units_of(exact_of(float_value(from, bits)), 0, rounding));
}

std::uint64_t float_to_float(DType to, DType from, std::uint64_t bits, Rounding rounding, Overflow overflow) {
  if (to == from) return is_nan(from, bits) ? quieted(from, bits) : bits;
  const std::uint64_t sign = (bits & sign_bit(from)) != 0 ? sign_bit(to) : 0;
  if (is_nan(from, bits)) {
    if (to != DType::F32) return default_nan(to);
    if (from == DType::BF16) return bits << 16;
    return quieted(to, sign | infinity(to) | (bits & (infinity(from) - 1) & 0x3FF) << 13);
  }
  if (is_infinite(from, bits)) return sign | (overflow == Overflow::Saturate ? largest(to) : infinity(to));
  return to_float(to, exact_of(float_value(from, bits)), rounding, overflow);
}

bool is_negative_int(DType type, std::uint64_t bits) { return is_signed_int(type) && (bits & sign_bit(type)) != 0; }

// The first NaN, quieted; 0 when there is none.
std::uint64_t first_nan(DType type, std::initializer_list<std::uint64_t> operands) {
  for (const std::uint64_t operand : operands)
    if (is_nan(type, operand)) return quieted(type, operand);
  return 0;
}

float as_float(DType type, std::uint64_t bits) { return static_cast<float>(float_value(type, bits)); }

std::uint64_t result_of(DType type, float value) {
  return std::isnan(value) ? default_nan(type) : nearest_float(type, static_cast<double>(value));
}

// One operation of floats, in f32.
template <class Op>
std::uint64_t of_floats(DType type, std::uint64_t a, std::uint64_t b, Op op) {
  if (const std::uint64_t nan = first_nan(type, {a, b})) return nan;
  return result_of(type, op(as_float(type, a), as_float(type, b)));
}

// A function of one float, computed with more digits than any element type has. Quiet NaN where it is not defined.
template <class Function>
std::uint64_t of_float(DType type, std::uint64_t a, Function function) {
  if (is_nan(type, a)) return quieted(type, a);
  const long double value = function(static_cast<long double>(float_value(type, a)));
  if (std::isnan(value)) return default_nan(type);
  if (std::isinf(value)) return infinity(type) | (value < 0 ? sign_bit(type) : 0);
  return to_float(type, exact_of(value), Rounding::NearestEven);
}

// Where an element stands among the others of its type.
std::int64_t rank(DType type, std::uint64_t bits) {
  const auto magnitude = static_cast<std::int64_t>(bits & (sign_bit(type) - 1));
  return (bits & sign_bit(type)) != 0 ? -magnitude - 1 : magnitude;
}
bool stands_before(DType type, std::uint64_t a, std::uint64_t b) {
  if (is_float(type)) return rank(type, a) < rank(type, b);
  if (!is_signed_int(type)) return a < b;
  return static_cast<std::int64_t>(extended(type, a)) < static_cast<std::int64_t>(extended(type, b));
}

}  // namespace

bool is_nan(DType type, std::uint64_t bits) { return is_float(type) && (bits & (sign_bit(type) - 1)) > infinity(type); }

bool is_infinite(DType type, std::uint64_t bits) {
  return is_float(type) && (bits & (sign_bit(type) - 1)) == infinity(type);
}

double float_value(DType type, std::uint64_t bits) {
  const Format format = format_of(type);
  const std::uint64_t exponent = bits >> format.fraction_bits & format.top_exponent();
  const std::uint64_t fraction = bits & ((1ull << format.fraction_bits) - 1);
  double magnitude;
  if (exponent == format.top_exponent()) {
    magnitude = INFINITY;
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<double>(fraction), 1 - format.bias() - format.fraction_bits);
  } else {
    magnitude = std::ldexp(static_cast<double>(fraction + (1ull << format.fraction_bits)),
                           static_cast<int>(exponent) - format.bias() - format.fraction_bits);
  }
  return (bits & format.sign_bit()) != 0 ? -magnitude : magnitude;
}

double int_value(DType type, std::uint64_t bits) {
  const std::uint64_t wide = extended(type, bits);
  return is_signed_int(type) ? static_cast<double>(static_cast<std::int64_t>(wide)) : static_cast<double>(wide);
}

std::uint64_t extended(DType type, std::uint64_t bits) {
  bits = low_bits(type, bits);
  return is_negative_int(type, bits) ? bits | ~low_bits(type, ~0ull) : bits;
}

std::uint64_t quieted(DType type, std::uint64_t nan) { return nan | format_of(type).quiet_bit(); }
std::uint64_t default_nan(DType type) { return quieted(type, infinity(type)); }
std::uint64_t infinity(DType type) { return format_of(type).infinity(); }
std::uint64_t largest(DType type) {
  if (is_float(type)) return infinity(type) - 1;
  return is_signed_int(type) ? sign_bit(type) - 1 : low_bits(type, ~0ull);
}
std::uint64_t lowest(DType type) {
  if (is_float(type)) return sign_bit(type) | largest(type);
  return is_signed_int(type) ? sign_bit(type) : 0;
}
std::uint64_t sign_bit(DType type) { return 1ull << (8 * size_bytes(type) - 1); }
std::uint64_t one(DType type) { return is_float(type) ? nearest_float(type, 1) : 1; }
std::uint64_t low_bits(DType type, std::uint64_t bits) {
  const std::uint32_t width = 8 * size_bytes(type);
  return width == 64 ? bits : bits & ((1ull << width) - 1);
}

std::uint64_t nearest_float(DType type, double value) { return rounded_float(type, value, Rounding::NearestEven); }

std::uint64_t rounded_float(DType type, double value, Rounding rounding, Overflow overflow) {
  const std::uint64_t sign = std::signbit(value) ? sign_bit(type) : 0;
  if (std::isinf(value)) return sign | (overflow == Overflow::Saturate ? largest(type) : infinity(type));
  return to_float(type, exact_of(static_cast<long double>(value)), rounding, overflow);
}

std::uint64_t add(DType type, std::uint64_t a, std::uint64_t b) {
  if (!is_float(type)) return low_bits(type, a + b);
  return of_floats(type, a, b, [](float x, float y) { return x + y; });
}

std::uint64_t sub(DType type, std::uint64_t a, std::uint64_t b) {
  if (!is_float(type)) return low_bits(type, a - b);
  return of_floats(type, a, b, [](float x, float y) { return x - y; });
}

std::uint64_t mul(DType type, std::uint64_t a, std::uint64_t b) {
  if (!is_float(type)) return low_bits(type, a * b);
  return of_floats(type, a, b, [](float x, float y) { return x * y; });
}

std::uint64_t div(DType type, std::uint64_t a, std::uint64_t b, std::uint64_t by_zero) {
  if (is_float(type)) return of_floats(type, a, b, [](float x, float y) { return x / y; });
  if (b == 0) return low_bits(type, by_zero);
  const bool negative = is_negative_int(type, a) != is_negative_int(type, b);
  const auto magnitude = [type](std::uint64_t bits) {
    return is_negative_int(type, bits) ? 0 - extended(type, bits) : bits;
  };
  const std::uint64_t quotient = magnitude(a) / magnitude(b);
  return low_bits(type, negative ? 0 - quotient : quotient);
}

std::uint64_t fma(DType type, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  if (!is_float(type)) return low_bits(type, a * b + c);
  if (const std::uint64_t nan = first_nan(type, {a, b, c})) return nan;
  return result_of(type, std::fma(as_float(type, a), as_float(type, b), as_float(type, c)));
}

std::uint64_t max(DType type, std::uint64_t a, std::uint64_t b) {
  if (const std::uint64_t nan = first_nan(type, {a, b})) return nan;
  return stands_before(type, a, b) ? b : a;
}

std::uint64_t min(DType type, std::uint64_t a, std::uint64_t b) {
  if (const std::uint64_t nan = first_nan(type, {a, b})) return nan;
  return stands_before(type, b, a) ? b : a;
}

bool less(DType type, std::uint64_t a, std::uint64_t b) {
  if (!is_float(type)) return stands_before(type, a, b);
  return !is_nan(type, a) && !is_nan(type, b) && float_value(type, a) < float_value(type, b);
}

std::uint64_t abs(DType type, std::uint64_t a) {
  if (is_float(type)) return a & ~sign_bit(type);
  return is_negative_int(type, a) ? low_bits(type, 0 - a) : a;
}

std::uint64_t neg(DType type, std::uint64_t a) {
  if (is_nan(type, a)) return quieted(type, a);
  return is_float(type) ? a ^ sign_bit(type) : low_bits(type, 0 - a);
}

std::uint64_t relu(DType type, std::uint64_t a, bool nan_is_zero) {
  if (is_nan(type, a)) return nan_is_zero ? 0 : quieted(type, a);
  return (a & sign_bit(type)) != 0 ? 0 : a;
}

std::uint64_t trunc_mod(DType type, std::uint64_t a, std::uint64_t b, std::uint64_t by_zero) {
  if (is_float(type)) return of_floats(type, a, b, [](float x, float y) { return std::fmod(x, y); });
  return b == 0 ? low_bits(type, by_zero) : sub(type, a, mul(type, div(type, a, b), b));
}

std::uint64_t floor_mod(DType type, std::uint64_t a, std::uint64_t b, std::uint64_t by_zero) {
  const std::uint64_t rest = trunc_mod(type, a, b, by_zero);
  const bool wrong_sign = b != 0 && rest != 0 && is_negative_int(type, rest) != is_negative_int(type, b);
  return wrong_sign ? add(type, rest, b) : rest;
}

std::uint64_t shift_left(DType type, std::uint64_t a, std::uint64_t count) {
  return count >= 8 * size_bytes(type) ? 0 : low_bits(type, a << count);
}

std::uint64_t shift_right(DType type, std::uint64_t a, std::uint64_t count) {
  const std::uint64_t fill = is_negative_int(type, a) ? ~0ull : 0;
  const std::uint32_t width = 8 * size_bytes(type);
  if (count >= width) return low_bits(type, fill);
  if (count == 0) return a;
  return low_bits(type, a >> count | fill << (width - count));
}

std::uint64_t exp(DType type, std::uint64_t a, bool flush) {
  const std::uint64_t result = of_float(type, a, [](long double x) { return std::exp(x); });
  const bool subnormal = result < 1ull << format_of(type).fraction_bits;
  return flush && subnormal ? 0 : result;
}

std::uint64_t log(DType type, std::uint64_t a) {
  return of_float(type, a, [](long double x) { return std::log(x); });
}

std::uint64_t sqrt(DType type, std::uint64_t a) {
  return of_float(type, a, [](long double x) { return std::sqrt(x); });
}

std::uint64_t reciprocal_sqrt(DType type, std::uint64_t a) {
  return of_float(type, a, [](long double x) { return 1 / std::sqrt(x); });
}

std::uint64_t power(DType type, std::uint64_t a, std::uint64_t b) {
  const auto exponent = static_cast<long double>(float_value(type, b));
  return of_float(type, a, [exponent](long double x) {
    const long double result = std::pow(x, exponent);
    if (result == 0 || std::isinf(result)) return result;
    // Halfway between two elements, the result has few digits: the last ones of what was computed are errors.
    int scale;
    const long double digits = std::ldexp(std::frexp(result, &scale), 40), few = std::round(digits);
    return std::fabs(digits - few) < 0x1p-20L ? std::ldexp(few, scale - 40) : result;
  });
}

std::uint64_t integral(DType type, std::uint64_t a, Rounding rounding) {
  if (is_nan(type, a)) return quieted(type, a);
  if (is_infinite(type, a)) return a;
  const std::uint64_t sign = a & sign_bit(type);
  const double value = float_value(type, a);
  if (std::fabs(value) >= 0x1p24) return a;
  return sign |
         nearest_float(type, static_cast<double>(units_of(exact_of(static_cast<long double>(value)), 0, rounding)));
}

std::uint64_t convert(DType to, DType from, std::uint64_t bits, Rounding rounding, Overflow overflow) {
  if (is_float(from))
    return is_float(to) ? float_to_float(to, from, bits, rounding, overflow)
                        : float_to_int(to, from, bits, rounding, overflow);
  const bool negative = is_negative_int(from, bits);
  const std::uint64_t wide = extended(from, bits), magnitude = negative ? 0 - wide : wide;
  if (is_float(to)) return to_float(to, {negative, magnitude, 0, false}, rounding, overflow);
  return overflow == Overflow::Saturate ? clamped(to, negative, magnitude) : low_bits(to, wide);
}

std::uint64_t narrowed(DType to, DType from, std::uint64_t bits, Rounding rounding, std::uint64_t beyond) {
  const std::uint64_t sign = (bits & sign_bit(from)) != 0 ? sign_bit(to) : 0;
  if (is_infinite(from, bits)) return sign | infinity(to);
  if (!is_nan(from, bits)) {
    const std::uint64_t half = rounded_float(to, float_value(from, bits) / 2, rounding, Overflow::Wrap);
    if (is_infinite(to, half) || std::fabs(float_value(to, half)) * 2 > float_value(to, largest(to)))
      return sign | beyond;
  }
  return convert(to, from, bits, rounding, Overflow::Wrap);
}

}  // namespace ts::oracle
