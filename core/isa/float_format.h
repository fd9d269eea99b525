// Float formats by the widths of their fields: exact values, and rounding to the nearest element.
#pragma once

#include <cstdint>

#include "core/isa/hifloat8.h"

namespace ts {

// What the largest exponent stands for.
enum class FloatSpecials : std::uint8_t {
  Ieee,     // fraction 0: infinity; else NaN
  NanOnly,  // all ones: NaN; the others are numbers
  None,     // numbers
};

// Whether fields have their widths, or those of HiFloat8 (hifloat8.h), which change with the exponent.
enum class FloatFields : std::uint8_t { Fixed, Tapered };

struct FloatFormat {
  std::uint8_t exponent_bits, fraction_bits;
  std::int16_t bias;
  FloatSpecials specials = FloatSpecials::Ieee;
  bool sign = true;
  bool denormals = true;  // exponent 0 has no hidden one; else it is an exponent like the others
  FloatFields fields = FloatFields::Fixed;

  constexpr int size_bits() const { return (sign ? 1 : 0) + exponent_bits + fraction_bits; }
  constexpr std::uint64_t fraction_mask() const { return (std::uint64_t{1} << fraction_bits) - 1; }
  constexpr std::uint64_t exponent_mask() const { return ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits; }
  // All but the sign.
  constexpr std::uint64_t magnitude_mask() const { return exponent_mask() | fraction_mask(); }
  constexpr std::uint64_t sign_mask() const { return sign ? magnitude_mask() + 1 : 0; }
  constexpr bool tapered() const { return fields == FloatFields::Tapered; }
  constexpr std::uint64_t largest() const {
    if (tapered()) return hif8::kLargest;
    switch (specials) {
      case FloatSpecials::Ieee: return exponent_mask() - 1;
      case FloatSpecials::NanOnly: return magnitude_mask() - 1;
      case FloatSpecials::None: break;
    }
    return magnitude_mask();
  }
  bool operator==(const FloatFormat&) const = default;
};

inline constexpr FloatFormat kF16Format{5, 10, 15}, kBf16Format{8, 7, 127}, kF32Format{8, 23, 127},
    kF64Format{11, 52, 1023}, kF8E4M3FnFormat{4, 3, 7, FloatSpecials::NanOnly}, kF8E5M2Format{5, 2, 15},
    kF8E8M0FnuFormat{8, 0, 127, FloatSpecials::NanOnly, false, false}, kF4E2M1FnFormat{2, 1, 1, FloatSpecials::None},
    kF4E1M2FnFormat{1, 2, 1, FloatSpecials::None},
    kHif8Format{4, 3, 0, FloatSpecials::Ieee, true, true, FloatFields::Tapered};

bool is_nan(const FloatFormat& format, std::uint64_t bits);
bool is_infinite(const FloatFormat& format, std::uint64_t bits);
// Zero, or smaller than all numbers with a whole fraction.
bool is_tiny(const FloatFormat& format, std::uint64_t bits);
// The place of a magnitude among all, in the order of their values, and back.
std::uint64_t magnitude_rank(const FloatFormat& format, std::uint64_t bits);
std::uint64_t magnitude_of_rank(const FloatFormat& format, std::uint64_t rank);
// Exact. A NaN keeps the upper bits of its fraction.
double float_value(const FloatFormat& format, std::uint64_t bits);
// Rounds to nearest, ties to even (HiFloat8: away from zero), once; NaN keeps its upper fraction bits and becomes quiet. What is too large becomes
// infinity, or the largest number where there is none; what the format has no NaN or no sign for becomes 0.
std::uint64_t float_bits(const FloatFormat& format, double value);
// A double that rounds on to shorter formats as the integer itself would, though 64 bits do not fit a double.
double roundable_double(std::uint64_t magnitude);

}  // namespace ts
