// Scalar conversions of the 16-bit float formats, through one routine for any exponent and fraction width.
#include "core/isa/half.h"

#include <bit>
#include <cmath>

namespace ts {
namespace {

struct Format {
  int fraction_bits, max_exponent, min_exponent;  // exponents of the largest and the smallest normal number
};
constexpr Format kHalf{10, 15, -14};
constexpr Format kBfloat{7, 127, -126};

std::uint16_t pack(Format format, double value) {
  const auto raw = std::bit_cast<std::uint64_t>(value);
  const auto sign = static_cast<std::uint16_t>((raw >> 63) << 15);
  const auto infinity = static_cast<std::uint16_t>(((format.max_exponent - format.min_exponent + 2) << format.fraction_bits));
  if (std::isnan(value)) {
    const std::uint64_t payload = (raw >> (52 - format.fraction_bits)) & ((1u << format.fraction_bits) - 1);
    return static_cast<std::uint16_t>(sign | infinity | (1u << (format.fraction_bits - 1)) | payload);
  }
  const double magnitude = std::fabs(value);
  if (std::isinf(value)) return sign | infinity;
  int exponent = magnitude == 0 ? format.min_exponent : std::ilogb(magnitude);
  if (exponent < format.min_exponent) exponent = format.min_exponent;
  if (exponent > format.max_exponent) return sign | infinity;
  // In units of the last place the element is an integer; nearbyint rounds ties to even.
  const double units = std::nearbyint(std::ldexp(magnitude, format.fraction_bits - exponent));
  const auto biased = static_cast<std::uint64_t>(exponent - format.min_exponent) << format.fraction_bits;
  // A carry out of the fraction moves into the exponent by itself, up to infinity.
  const std::uint64_t bits = biased + static_cast<std::uint64_t>(units);
  return static_cast<std::uint16_t>(sign | (bits > infinity ? infinity : bits));
}

}  // namespace

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

std::uint16_t double_to_half(double value) { return pack(kHalf, value); }
std::uint16_t double_to_bfloat(double value) { return pack(kBfloat, value); }

}  // namespace ts
