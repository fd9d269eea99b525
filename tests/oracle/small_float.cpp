// The elements of the 8-bit floats, spelled out bit by bit.
#include "tests/oracle/small_float.h"

#include <cmath>
#include <limits>
#include <string>

namespace ts::oracle {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();

double power_of_two(int exponent) { return std::ldexp(1.0, exponent); }

// The numbers of 4 bits, as they are listed.
constexpr double kE2M1[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6}, kE1M2[] = {0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75};
double listed_value(DType type, unsigned bits) {
  const double size = (type == DType::E2M1 ? kE2M1 : kE1M2)[bits & 7];
  return (bits & 8) != 0 ? -size : size;
}
bool has_4_bits(DType type) { return type == DType::E2M1 || type == DType::E1M2; }

// sign, `exponents` bits, the rest fraction.
double plain_value(unsigned bits, int exponents, int bias) {
  const int fractions = 7 - exponents;
  const unsigned exponent = bits >> fractions & ((1u << exponents) - 1), fraction = bits & ((1u << fractions) - 1);
  const double part = fraction / power_of_two(fractions);
  const double size = exponent == 0 ? part * power_of_two(1 - bias) : (1 + part) * power_of_two(int(exponent) - bias);
  return (bits & 0x80) != 0 ? -size : size;
}

// The bits as text, read from the left as the format's table has them.
double tapered_value(unsigned bits) {
  std::string text;
  for (int i = 6; i >= 0; --i) text += (bits >> i & 1) != 0 ? '1' : '0';
  const struct {
    const char* dot;
    int exponent_bits;
  } rows[] = {{"11", 4}, {"10", 3}, {"01", 2}, {"001", 1}, {"0001", 0}};
  for (const auto& row : rows) {
    const std::string dot = row.dot;
    if (!text.starts_with(dot)) continue;
    const std::string exponent = text.substr(dot.size(), static_cast<std::size_t>(row.exponent_bits)),
                      fraction = text.substr(dot.size() + exponent.size());
    int power = 0;
    if (!exponent.empty()) power = std::stoi("1" + exponent.substr(1), nullptr, 2) * (exponent[0] == '1' ? -1 : 1);
    const double part = std::stoi(fraction, nullptr, 2) / power_of_two(static_cast<int>(fraction.size()));
    const double size = (1 + part) * power_of_two(power);
    return (bits & 0x80) != 0 ? -size : size;
  }
  const unsigned count = bits & 7;
  const double size = count == 0 ? 0 : power_of_two(static_cast<int>(count) - 23);
  return (bits & 0x80) != 0 ? -size : size;
}

// What would come after the largest element if the type went on.
double beyond(DType type) { return type == DType::F8E4M3 ? 480 : type == DType::F8E5M2 ? 65536 : 49152; }
unsigned largest_small(DType type) { return type == DType::F8E4M3 ? 0x7E : type == DType::F8E5M2 ? 0x7B : 0x6E; }
std::uint8_t nan_of(DType type) { return type == DType::F8E4M3 ? 0x7F : type == DType::F8E5M2 ? 0x7E : 0x80; }
std::uint8_t infinity_of(DType type) { return type == DType::F8E4M3 ? 0x7F : type == DType::F8E5M2 ? 0x7C : 0x6F; }

// Whether the element further from zero is taken, of the two around a magnitude.
bool goes_up(double below, double magnitude, double above, bool below_is_even, bool negative, Rounding rounding) {
  if (magnitude == below) return false;
  const double middle = below + (above - below) / 2;
  switch (rounding) {
    case Rounding::NearestEven: return magnitude > middle || (magnitude == middle && !below_is_even);
    case Rounding::NearestAway: return magnitude >= middle;
    case Rounding::Down: return negative;
    case Rounding::Up: return !negative;
    case Rounding::TowardZero: return false;
    case Rounding::ToOdd: return below_is_even;
  }
  return false;
}

}  // namespace

double small_value(DType type, std::uint8_t bits) {
  if (has_4_bits(type)) return listed_value(type, bits);
  const double sign = (bits & 0x80) != 0 ? -1 : 1;
  switch (type) {
    case DType::E8M0: return bits == 0xFF ? kNan : power_of_two(bits - 127);
    case DType::F8E4M3: return (bits & 0x7F) == 0x7F ? kNan : plain_value(bits, 4, 7);
    case DType::F8E5M2:
      if ((bits & 0x7F) >= 0x7C) return (bits & 0x7F) == 0x7C ? sign * kInfinity : kNan;
      return plain_value(bits, 5, 15);
    default:
      if (bits == 0x80) return kNan;
      return (bits & 0x7F) == 0x6F ? sign * kInfinity : tapered_value(bits);
  }
}

namespace {

// The exponent alone, whose halves go up; there is no sign, no zero and no infinity.
std::uint8_t exponent_element(double value) {
  if (std::isnan(value)) return 0xFF;
  std::uint8_t bits = 0;
  while (bits < 0xFE && value >= 0.75 * power_of_two(bits + 1 - 127)) ++bits;
  return bits;
}

}  // namespace

namespace {

// By the list; without an infinity or a NaN.
std::uint8_t listed_element(DType type, double value, Rounding rounding) {
  if (std::isnan(value)) return 7;
  const bool negative = std::signbit(value);
  const double magnitude = std::fabs(value);
  std::uint8_t bits = 7;
  while (bits > 0 && listed_value(type, bits) > magnitude) --bits;
  const bool up = bits < 7 && goes_up(listed_value(type, bits), magnitude, listed_value(type, bits + 1u), bits % 2 == 0,
                                      negative, rounding);
  bits = static_cast<std::uint8_t>(up ? bits + 1 : bits);
  return negative ? bits | 8 : bits;
}

}  // namespace

std::uint8_t small_element(DType type, double value, Rounding rounding, bool clamps) {
  if (has_4_bits(type)) return listed_element(type, value, rounding);
  if (type == DType::E8M0) return exponent_element(value);
  if (std::isnan(value)) return nan_of(type);
  const bool negative = std::signbit(value);
  const auto with_sign = [&](unsigned bits) {
    const bool one_zero = type == DType::HIF8 && bits == 0;
    const bool is_nan = type == DType::F8E4M3 && bits == 0x7F;
    return static_cast<std::uint8_t>(negative && !one_zero && !is_nan ? bits | 0x80 : bits);
  };
  const double magnitude = std::fabs(value);
  const unsigned too_large = clamps ? largest_small(type) : infinity_of(type);
  if (std::isinf(value)) return with_sign(type == DType::F8E4M3 ? too_large : infinity_of(type));
  if (magnitude >= beyond(type)) return with_sign(too_large);
  unsigned below = 0, above = 0;
  double low = -1, high = beyond(type);
  bool is_last = true;
  for (unsigned bits = 0; bits < 0x80; ++bits) {
    const double one = small_value(type, static_cast<std::uint8_t>(bits));
    if (!std::isfinite(one)) continue;
    if (one <= magnitude && one > low) low = one, below = bits;
    if (one > magnitude && one < high) high = one, above = bits, is_last = false;
  }
  if (!goes_up(low, magnitude, high, (below & 1) == 0, negative, rounding)) return with_sign(below);
  return with_sign(is_last ? too_large : above);
}

}  // namespace ts::oracle
