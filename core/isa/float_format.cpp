// Reading and rounding floats of any field widths.
#include "core/isa/float_format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace ts {
namespace {

// The exponent of the smallest number with a whole fraction.
int lowest_exponent(const FloatFormat& format) { return (format.denormals ? 1 : 0) - format.bias; }

std::uint64_t nan_bits(const FloatFormat& format, std::uint64_t raw) {
  switch (format.specials) {
    case FloatSpecials::NanOnly: return format.magnitude_mask();
    case FloatSpecials::None: return 0;
    case FloatSpecials::Ieee: break;
  }
  const std::uint64_t quiet = std::uint64_t{1} << (format.fraction_bits - 1);
  return format.exponent_mask() | quiet | (raw >> (52 - format.fraction_bits) & format.fraction_mask());
}

std::uint64_t magnitude_bits(const FloatFormat& format, double magnitude) {
  const std::uint64_t too_large = format.specials == FloatSpecials::Ieee ? format.exponent_mask() : format.largest();
  if (std::isinf(magnitude)) return too_large;
  const int lowest = lowest_exponent(format);
  const int exponent = std::max(lowest, magnitude == 0 ? lowest : std::ilogb(magnitude));
  if (exponent - lowest > 1 << format.exponent_bits) return too_large;
  // In units of the last place the element is an integer; nearbyint rounds ties to even.
  const auto units = static_cast<std::uint64_t>(std::nearbyint(std::ldexp(magnitude, format.fraction_bits - exponent)));
  const auto biased = static_cast<std::uint64_t>(exponent - lowest) << format.fraction_bits;
  // A carry out of the fraction moves into the exponent by itself, up to infinity.
  if (format.denormals) return std::min(biased + units, too_large);
  const std::uint64_t hidden = std::uint64_t{1} << format.fraction_bits;
  return units < hidden ? 0 : std::min(biased + units - hidden, too_large);
}

}  // namespace

bool is_nan(const FloatFormat& format, std::uint64_t bits) {
  if (format.tapered()) return (bits & 0xFF) == hif8::kNan;
  const std::uint64_t magnitude = bits & format.magnitude_mask();
  switch (format.specials) {
    case FloatSpecials::Ieee: return magnitude > format.exponent_mask();
    case FloatSpecials::NanOnly: return magnitude == format.magnitude_mask();
    case FloatSpecials::None: break;
  }
  return false;
}

bool is_infinite(const FloatFormat& format, std::uint64_t bits) {
  if (format.tapered()) return (bits & format.magnitude_mask()) == hif8::kInfinity;
  return format.specials == FloatSpecials::Ieee && (bits & format.magnitude_mask()) == format.exponent_mask();
}

bool is_tiny(const FloatFormat& format, std::uint64_t bits) {
  const std::uint64_t magnitude = bits & format.magnitude_mask();
  if (format.tapered()) return magnitude <= hif8::kMostDenormal;
  return format.denormals && (magnitude & format.exponent_mask()) == 0;
}

std::uint64_t magnitude_rank(const FloatFormat& format, std::uint64_t bits) {
  const std::uint64_t magnitude = bits & format.magnitude_mask();
  return format.tapered() ? hif8::rank(static_cast<std::uint8_t>(magnitude)) : magnitude;
}
std::uint64_t magnitude_of_rank(const FloatFormat& format, std::uint64_t rank) {
  return format.tapered() ? hif8::of_rank(static_cast<std::uint8_t>(rank)) : rank;
}

double float_value(const FloatFormat& format, std::uint64_t bits) {
  if (format.tapered()) return hif8::value(static_cast<std::uint8_t>(bits));
  const bool negative = (bits & format.sign_mask()) != 0;
  if (is_nan(format, bits)) {
    const std::uint64_t fraction = (bits & format.fraction_mask()) << (52 - format.fraction_bits);
    constexpr std::uint64_t kQuietNan = 0x7FF8ull << 48;
    return std::bit_cast<double>(kQuietNan | fraction | std::uint64_t{negative} << 63);
  }
  double magnitude = std::numeric_limits<double>::infinity();
  if (!is_infinite(format, bits)) {
    const int exponent = static_cast<int>((bits & format.exponent_mask()) >> format.fraction_bits);
    const bool denormal = format.denormals && exponent == 0;
    const std::uint64_t hidden = denormal ? 0 : std::uint64_t{1} << format.fraction_bits;
    const auto units = static_cast<double>((bits & format.fraction_mask()) | hidden);
    magnitude = std::ldexp(units, (denormal ? 1 : exponent) - format.bias - format.fraction_bits);
  }
  return negative ? -magnitude : magnitude;
}

std::uint64_t float_bits(const FloatFormat& format, double value) {
  if (format.tapered()) return hif8::nearest(value);
  const bool negative = std::signbit(value);
  const std::uint64_t sign = negative ? format.sign_mask() : 0;
  if (std::isnan(value)) return sign | nan_bits(format, std::bit_cast<std::uint64_t>(value));
  if (negative && !format.sign) return 0;
  return sign | magnitude_bits(format, std::fabs(value));
}

double roundable_double(std::uint64_t magnitude) {
  // What does not fit sets the last bit that does, far below all that the shorter formats keep, so that a number above
  // the middle of two of theirs stays above it.
  constexpr std::uint64_t kLost = 0x7FF;
  if (magnitude >> 53 != 0) magnitude = (magnitude & ~kLost) | ((magnitude & kLost) != 0 ? kLost + 1 : 0);
  return static_cast<double>(magnitude);
}

}  // namespace ts
