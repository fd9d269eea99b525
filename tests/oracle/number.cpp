// Plain element arithmetic.
#include "tests/oracle/number.h"

#include <cmath>
#include <cstring>

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

std::uint64_t add_floats(DType type, std::uint64_t a, std::uint64_t b) {
  const Format format = format_of(type);
  for (const std::uint64_t operand : {a, b})
    if (is_nan(type, operand)) return operand | format.quiet_bit();
  const auto x = static_cast<float>(float_value(type, a)), y = static_cast<float>(float_value(type, b));
  const float sum = x + y;
  if (std::isnan(sum)) return format.infinity() | format.quiet_bit();
  return nearest_float(type, static_cast<double>(sum));
}

}  // namespace

bool is_nan(DType type, std::uint64_t bits) {
  const Format format = format_of(type);
  return (bits & (format.sign_bit() - 1)) > format.infinity();
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

std::uint64_t nearest_float(DType type, double value) {
  const Format format = format_of(type);
  const std::uint64_t sign = std::signbit(value) ? format.sign_bit() : 0;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  if (std::isinf(magnitude)) return sign | format.infinity();
  const int lowest = 1 - format.bias();
  int exponent;
  std::frexp(magnitude, &exponent);  // magnitude = f * 2^exponent, f in [1/2, 1)
  exponent = exponent - 1 < lowest ? lowest : exponent - 1;
  // How many units of the last place, and what is left over; powers of two divide exactly.
  const double units = std::ldexp(magnitude, format.fraction_bits - exponent);
  const double whole = std::floor(units), rest = units - whole;
  auto count = static_cast<std::uint64_t>(whole);
  if (rest > 0.5 || (rest == 0.5 && count % 2 == 1)) ++count;
  const std::uint64_t hidden = 1ull << format.fraction_bits;
  if (count == 2 * hidden) {
    count = hidden;
    ++exponent;
  }
  if (exponent > format.bias()) return sign | format.infinity();
  if (count < hidden) return sign | count;
  return sign | static_cast<std::uint64_t>(exponent - lowest + 1) << format.fraction_bits | (count - hidden);
}

std::uint64_t add(DType type, std::uint64_t a, std::uint64_t b) {
  if (is_float(type)) return add_floats(type, a, b);
  const std::uint32_t bits = 8 * size_bytes(type);
  return bits == 64 ? a + b : (a + b) & ((1ull << bits) - 1);
}

}  // namespace ts::oracle
