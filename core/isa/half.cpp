// Scalar conversions of the 16-bit float formats.
#include "core/isa/half.h"

#include <bit>
#include <cmath>

#include "core/isa/float_format.h"

namespace ts {

float half_to_float(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  float magnitude;
  if (exponent == 31) {
    const std::uint32_t raw = 0x7F800000u | static_cast<std::uint32_t>(fraction) << 13;
    magnitude = std::bit_cast<float>(raw);
  } else {
    magnitude = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                              : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  }
  const std::uint32_t raw = std::bit_cast<std::uint32_t>(magnitude) | static_cast<std::uint32_t>(bits >> 15) << 31;
  return std::bit_cast<float>(raw);
}

float bfloat_to_float(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

std::uint16_t double_to_half(double value) { return static_cast<std::uint16_t>(float_bits(kF16Format, value)); }
std::uint16_t double_to_bfloat(double value) { return static_cast<std::uint16_t>(float_bits(kBf16Format, value)); }

}  // namespace ts
