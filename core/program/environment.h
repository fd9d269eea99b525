// Where tiles stand while a program runs, and how much of them is valid.
#pragma once

#include <cstdint>
#include <vector>

namespace ts {

struct Environment {
  struct TileState {
    std::uint32_t address, valid_rows, valid_cols;
    bool known;  // false: only running tells
    bool operator==(const TileState&) const = default;
  };
  std::vector<TileState> tiles;
  std::uint32_t version = 0;  // counts changes
};

}  // namespace ts
