// Finding elements by what they hold: "1.5", "1.5~0.01", "0x3f800000", "nan", ">100".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/isa/element.h"
#include "core/memory/memory.h"

namespace ts {

struct ElementSearch {
  enum class Kind : std::uint8_t { Value, Above, Below, Bits, Nan, Inf, Undefined };
  Kind kind = Kind::Value;
  double value = 0, tolerance = 0;  // of Value, Above, Below
  std::uint64_t bits = 0;           // of Bits

  bool matches(const ElementFormat& format, std::uint64_t element, Definedness worth) const;
};

// A number is met by elements that are it when rounded to as many digits as it is given with, or, with ~, by those that
// are so close to it. ".." is what nobody wrote. Nothing: it is none of these.
std::optional<ElementSearch> read_element_search(std::string_view text);

}  // namespace ts
