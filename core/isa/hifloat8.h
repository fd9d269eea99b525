// HiFloat8: 8 bits whose fields change their widths with the exponent. Behind the sign stands the dot field, a prefix that
// says how many bits the exponent takes; what is left is fraction.
//
//   dot    exponent         fraction   numbers
//   11     4 bits, 8..15    1 bit      the largest is infinity
//   10     3 bits, 4..7     2 bits
//   01     2 bits, 2..3     3 bits
//   001    1 bit,  1        3 bits
//   0001   none,   0        3 bits
//   0000   none             3 bits n   2^(n-23); n = 0: zero, with a sign NaN
//
// An exponent is a sign and a magnitude whose leading one is not stored. The table is as the format was published; no public
// result of the hardware proves it (unverified).
#pragma once

#include <cstdint>

namespace ts::hif8 {

inline constexpr std::uint8_t kNan = 0x80, kInfinity = 0x6F, kLargest = 0x6E, kMostDenormal = 7;

// Exact; of NaN and infinities those of double.
double value(std::uint8_t bits);
// The nearest element, ties away from zero, as the hardware rounds whatever it is told; what is too large is infinity.
std::uint8_t nearest(double value);

// The place of a magnitude among all in order of their values, and back. Infinity is the last.
std::uint8_t rank(std::uint8_t magnitude);
std::uint8_t of_rank(std::uint8_t rank);

// How many bits each field has; the sign has one.
struct Fields {
  std::uint8_t dot, exponent, fraction;
};
Fields fields(std::uint8_t bits);

}  // namespace ts::hif8
