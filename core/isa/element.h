// What the bits of an element mean to people and to comparisons: for the types of tiles, and for those that only files
// and program text have.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/isa/dtype.h"
#include "core/isa/float_format.h"

namespace ts {

enum class NumberKind : std::uint8_t { Unsigned, Signed, Float };

struct ElementFormat {
  const char* name;  // "f32", "f8e4m3fn", "f64", "bool"
  NumberKind kind;
  std::uint8_t size_bits;
  FloatFormat fields = {};          // of floats
  std::optional<DType> dtype = {};  // where tiles have it

  bool is_float() const { return kind == NumberKind::Float; }
  std::uint32_t size_bytes() const { return (size_bits + 7u) / 8; }
  std::uint64_t mask() const { return size_bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size_bits) - 1; }
};

// All of them; what refers to one stays valid.
std::span<const ElementFormat> element_formats();
const ElementFormat& element_format(DType type);
const ElementFormat* find_element_format(std::string_view name);  // null: no such type
// A byte of a mask: its bits, the lowest first, as lanes have them. None of the formats above.
const ElementFormat& mask_byte_format();

enum class ElementClass : std::uint8_t { Normal, Zero, Denormal, Infinite, Nan };
ElementClass classify(const ElementFormat& format, std::uint64_t bits);

// --- numbers ---
// Exact for floats and for integers below 2^53; else the nearest.
double number(const ElementFormat& format, std::uint64_t bits);
// Of integers: sign-extended, or the unsigned value's 64 bits.
std::int64_t integer(const ElementFormat& format, std::uint64_t bits);
// The element of this number: floats round once, to nearest even. Integers take whole numbers in their range only.
std::optional<std::uint64_t> element_bits(const ElementFormat& format, double value);
std::optional<std::uint64_t> element_bits(const ElementFormat& format, std::int64_t value);
// The element of another one's number, or nothing where an integer cannot hold it.
std::optional<std::uint64_t> convert(const ElementFormat& to, const ElementFormat& from, std::uint64_t bits);

// How many elements further the other one is, -0 and +0 being one; nothing for NaN, and between an infinity and a
// number.
std::optional<std::uint64_t> ulp_distance(const ElementFormat& format, std::uint64_t a, std::uint64_t b);
// |a - b|. NaN where one of them is, or where both are the same infinity.
double absolute_difference(const ElementFormat& format, std::uint64_t a, std::uint64_t b);

// --- text ---
// So many digits that no two elements look alike; nan, +inf, -inf.
std::string short_text(const ElementFormat& format, std::uint64_t bits);
// All digits of the number: "0.100000001490116119384765625"; with an exponent where it has many zeros.
std::string exact_text(const ElementFormat& format, std::uint64_t bits);
std::string hex_text(const ElementFormat& format, std::uint64_t bits);  // "0x40200000"
// How the bits are grouped: from the highest on, with what each group is.
struct BitGroup {
  const char* name;  // "sign", "dot", "exponent", "fraction"; of integers "" or "sign"
  int bits;
};
std::vector<BitGroup> bit_groups(const ElementFormat& format, std::uint64_t bits);
// "0 10000000 01000000000000000000000": sign, exponent, fraction; of integers groups of four.
std::string bit_text(const ElementFormat& format, std::uint64_t bits);

}  // namespace ts
