// What there is to know of one element: its neighbours, what its bits are as other types, how its address comes about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/isa/element.h"
#include "core/tile/operands.h"

namespace ts {

// The next elements below and above in value; nothing at the ends, and for what is no number.
struct Neighbours {
  std::optional<std::uint64_t> below, above;
};
Neighbours neighbours(const ElementFormat& format, std::uint64_t bits);

struct ReadAs {
  const ElementFormat* format;
  std::string text;
};
// The same bits as every other type of their size.
std::vector<ReadAs> read_as_others(const ElementFormat& format, std::uint64_t bits);

// "0x200 + (1*16 + 5)*4 = 0x254"; of tiles in boxes the box and the place in it.
std::string address_formula(const TileRef& tile, std::uint32_t row, std::uint32_t col);
// Of a buffer whose rows are `cols` elements wide.
std::string address_formula(std::uint32_t base, std::uint32_t cols, std::uint32_t size, std::uint32_t row,
                            std::uint32_t col);

}  // namespace ts
