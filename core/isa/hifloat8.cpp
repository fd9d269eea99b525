// HiFloat8 by its table of fields.
#include "core/isa/hifloat8.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ts::hif8 {
namespace {

constexpr std::uint8_t kSign = 0x80, kMagnitudes = 0x80;

double finite_magnitude(std::uint8_t bits) {
  const Fields widths = fields(bits);
  const unsigned fraction = bits & ((1u << widths.fraction) - 1);
  if (bits <= kMostDenormal) return bits == 0 ? 0 : std::ldexp(1.0, bits - 23);
  int exponent = 0;
  if (widths.exponent != 0) {
    // The sign of the exponent, then what follows its leading one.
    const unsigned stored = bits >> widths.fraction & ((1u << widths.exponent) - 1),
                   leading = 1u << (widths.exponent - 1);
    exponent = static_cast<int>(leading | (stored & (leading - 1)));
    if ((stored & leading) != 0) exponent = -exponent;
  }
  return std::ldexp(1.0 + fraction / std::ldexp(1.0, widths.fraction), exponent);
}

// All magnitudes in order, each with its bits.
struct Magnitude {
  double value;
  std::uint8_t bits;
};
const std::array<Magnitude, kMagnitudes>& line() {
  static const auto made = [] {
    std::array<Magnitude, kMagnitudes> all;
    for (std::uint8_t bits = 0; bits < kMagnitudes; ++bits)
      all[bits] = {bits == kInfinity ? std::numeric_limits<double>::infinity() : finite_magnitude(bits), bits};
    std::ranges::sort(all, {}, &Magnitude::value);
    return all;
  }();
  return made;
}

}  // namespace

Fields fields(std::uint8_t bits) {
  if ((bits & 0x60) == 0x60) return {2, 4, 1};
  if ((bits & 0x40) != 0) return {2, 3, 2};
  if ((bits & 0x20) != 0) return {2, 2, 3};
  if ((bits & 0x10) != 0) return {3, 1, 3};
  return {4, 0, 3};
}

double value(std::uint8_t bits) {
  if (bits == kNan) return std::numeric_limits<double>::quiet_NaN();
  const std::uint8_t magnitude = bits & ~kSign & 0xFF;
  const double size = magnitude == kInfinity ? std::numeric_limits<double>::infinity() : finite_magnitude(magnitude);
  return (bits & kSign) != 0 ? -size : size;
}

std::uint8_t nearest(double value) {
  if (std::isnan(value)) return kNan;
  const double magnitude = std::fabs(value);
  const auto& all = line();
  const auto above = std::ranges::upper_bound(all, magnitude, {}, &Magnitude::value);
  std::uint8_t bits = (above - 1)->bits;
  if (above != all.end()) {
    // Behind the largest the line goes on for the rounding as if there were no end: infinity's bits would be 1.5 * 2^15.
    const double next = above->bits == kInfinity ? 0x1.8p15 : above->value, here = (above - 1)->value;
    if (magnitude - here >= next - magnitude) bits = above->bits;
  }
  // There is one zero.
  return bits == 0 || !std::signbit(value) ? bits : bits | kSign;
}

std::uint8_t rank(std::uint8_t magnitude) {
  static const auto ranks = [] {
    std::array<std::uint8_t, kMagnitudes> made;
    for (std::uint8_t i = 0; i < kMagnitudes; ++i) made[line()[i].bits] = i;
    return made;
  }();
  return ranks[magnitude & (kMagnitudes - 1)];
}
std::uint8_t of_rank(std::uint8_t rank) { return line()[rank & (kMagnitudes - 1)].bits; }

}  // namespace ts::hif8
