// What there is to know of one element: its neighbours, what its bits are as other types, how its address comes about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/isa/element.h"
#include "core/tile/operands.h"

namespace ts {

// The next elements below and above in value; nothing at the ends, and for what is no number.
struct Neighbours {
  std::optional<std::uint64_t> below, above;
};
Neighbours neighbours(const ElementFormat& format, std::uint64_t bits);

// Whether a type has so few codes that people look at all of them: floats of 8 bits and less, and all of 4.
bool has_few_codes(const ElementFormat& format);
// All of them in the order of their values, what is no number last; -0 stands before 0.
std::vector<std::uint64_t> codes_in_order(const ElementFormat& format);
// Those around a code, at most so many in all.
std::vector<std::uint64_t> codes_around(const ElementFormat& format, std::uint64_t bits, std::size_t most);

struct ReadAs {
  const ElementFormat* format;
  std::string text;
};
// The same bits as every other type of their size.
std::vector<ReadAs> read_as_others(const ElementFormat& format, std::uint64_t bits);

// ", low half" of the byte that two elements share, or nothing.
std::string_view half_text(BytePart part);

// "0x200 + (1*16 + 5)*4 = 0x254"; of tiles in boxes the box and the place in it.
std::string address_formula(const TileRef& tile, std::uint32_t row, std::uint32_t col);
// Of a buffer whose rows are `cols` elements wide.
std::string address_formula(std::uint32_t base, std::uint32_t cols, DType type, std::uint32_t row, std::uint32_t col);

}  // namespace ts
