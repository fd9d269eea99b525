// A tile that stands in boxes: which box comes when in memory, and where the elements of one stand.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/tile/tile_type.h"

namespace ts {

struct TileBox {
  std::uint32_t row = 0, col = 0;    // its first element
  std::uint32_t rows = 0, cols = 0;  // as far as the tile has them
  std::uint64_t first = 0;           // the number of its first element in storage order
  bool operator==(const TileBox&) const = default;
};

struct TileBoxes {
  std::uint32_t rows = 0, cols = 0;         // elements of a whole box
  std::uint32_t down = 0, across = 0;       // boxes
  bool along_rows = true;                   // elements of a row stand side by side in a box, else those of a column
  std::vector<TileBox> in_order = {};       // as they follow each other in memory
  std::vector<std::uint32_t> numbers = {};  // of each, row of boxes by row of boxes: its place in that order

  std::uint32_t number_at(std::uint32_t row, std::uint32_t col) const {
    return numbers[std::size_t{row / rows} * across + col / cols];
  }
  // Element number `at` of those of a box in storage order, counted in whole boxes.
  std::pair<std::uint32_t, std::uint32_t> element(const TileBox& box, std::uint32_t at) const {
    return along_rows ? std::pair{box.row + at / cols, box.col + at % cols}
                      : std::pair{box.row + at % rows, box.col + at / rows};
  }
};

// Nothing: it does not stand in boxes.
std::optional<TileBoxes> boxes_of(const TileType& type);

}  // namespace ts
