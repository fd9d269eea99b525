// Scalar conversions of the 16-bit float formats.
#include "core/isa/half.h"

#include <bit>

#include "core/isa/float_format.h"

namespace ts {

float half_to_float(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits >> 15) << 31;
  const std::uint32_t magnitude = static_cast<std::uint32_t>(bits & 0x7FFF) << 13;
  if (magnitude >= 31u << 23) return std::bit_cast<float>(sign | 0x7F800000u | magnitude);
  // Multiplying by 2^112 moves the exponent bias, and is exact for subnormal halves too.
  return std::bit_cast<float>(sign | magnitude) * 0x1p112f;
}

float bfloat_to_float(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

std::uint16_t double_to_half(double value) { return static_cast<std::uint16_t>(float_bits(kF16Format, value)); }
std::uint16_t double_to_bfloat(double value) { return static_cast<std::uint16_t>(float_bits(kBf16Format, value)); }

}  // namespace ts
