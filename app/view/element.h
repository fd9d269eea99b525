// Pointing at data: an element of a tile, or of a buffer in global memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ts::ui {

// A tile or a buffer, by its number in the program.
struct Owner {
  enum class Kind : std::uint8_t { Tile, Buffer };
  Kind kind = Kind::Tile;
  std::uint32_t id = 0;
  bool operator==(const Owner&) const = default;
};

// Rows and columns of a buffer are those of `shape_of`.
struct Element {
  Owner owner;
  std::uint32_t row = 0, col = 0;
  bool operator==(const Element&) const = default;
};

// An element on the way back to where a value came from: as it stood at a position.
struct TrailStop {
  Element element;
  std::uint32_t position = 0;
  std::optional<std::uint32_t> step = {};  // that made it; nothing: the program was given it
  bool operator==(const TrailStop&) const = default;
};

}  // namespace ts::ui
