// The order of a tile's boxes, from the place of each one's first element.
#include "core/debug/picture/tile_boxes.h"

#include <algorithm>
#include <numeric>

namespace ts {

std::optional<TileBoxes> boxes_of(const TileType& type) {
  if (!type.in_boxes() || type.rows == 0 || type.cols == 0) return {};
  const Box box = box_of(type);
  TileBoxes made{.rows = box.rows,
                 .cols = box.cols,
                 .down = (type.rows + box.rows - 1) / box.rows,
                 .across = (type.cols + box.cols - 1) / box.cols,
                 .along_rows = type.slayout == InnerOrder::RowMajor};
  std::vector<TileBox> all;
  for (std::uint32_t row = 0; row < type.rows; row += box.rows)
    for (std::uint32_t col = 0; col < type.cols; col += box.cols)
      all.push_back({row, col, std::min(box.rows, type.rows - row), std::min(box.cols, type.cols - col),
                     element_index(type, row, col)});
  std::vector<std::uint32_t> order(all.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](std::uint32_t at) { return all[at].first; });
  made.numbers.resize(all.size());
  for (std::uint32_t number = 0; number < order.size(); ++number) {
    made.numbers[order[number]] = number;
    made.in_order.push_back(all[order[number]]);
  }
  return made;
}

}  // namespace ts
