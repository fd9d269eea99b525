// Enumerations of the library: their names in C++, and the attribute of an instruction that each is.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/catalogue/row.h"

namespace ts::cpp {

struct OptionKind {
  std::string_view name;        // "CmpMode"
  std::string_view words;       // "EQ|NE|LT", by their numbers
  std::string_view attributes;  // "cmpMode|..": the first of them that a row has
};

// A kind's number is its place here, from 1 on; 0 is a plain number.
std::span<const OptionKind> option_kinds();

struct AttributeValue {
  std::size_t attribute;  // of the row
  std::uint8_t value;
};
// What an option says of a use of an instruction; nothing: the row has no such attribute, or not this value.
std::optional<AttributeValue> attribute_of(const InstructionRow& row, std::uint8_t kind, std::uint64_t value);
std::string_view word_of(std::uint8_t kind, std::uint64_t value);  // "": there is none

}  // namespace ts::cpp
