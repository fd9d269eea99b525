// A tile in the order of memory: 32-byte blocks side by side, boxes and rows as they follow each other, what lies
// between rows.
#pragma once

#include "app/draw/tile_grid.h"

namespace ts::ui {

struct ByteRowsInput {
  std::optional<GridCell> hovered = {};
  // Bytes under the mouse that are no element: between rows.
  std::optional<ByteRange> gap = {};
  bool clicked = false, menu = false;
};

class ByteRows {
 public:
  ByteRowsInput draw(const char* id, const Rect& area, const GridContent& content);
  void reveal(GridCell cell) { reveal_ = cell; }

 private:
  struct Place {
    const TilePicture* picture = nullptr;
    std::uint32_t bits = 32, in_block = 8, blocks = 1;  // of an element; elements of a block; blocks of a line
    std::uint64_t elements = 0;                         // that memory has room for, gaps too
    float cell = 0, row = 0, gap = 0, left = 0;
    std::uint32_t per_line() const { return in_block * blocks; }
  };
  Place place_in(const Rect& area, const TilePicture& picture) const;
  void draw_line(ImDrawList& out, const Place& place, const GridContent& content, std::uint64_t line, ImVec2 at);
  static Rect rect_in_line(const Place& place, ImVec2 line, std::uint32_t number);

  double line_ = 0;
  std::optional<GridCell> reveal_;
};

}  // namespace ts::ui
