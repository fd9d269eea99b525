// Windows on long rows, and walks in the order of memory.
#include "core/debug/picture/stage_window.h"

#include <algorithm>
#include <cmath>

namespace ts {

Shown shown_part(std::uint32_t total, std::uint32_t room, std::uint32_t first, std::optional<std::uint32_t> focus) {
  const std::uint32_t count = std::min(total, room);
  if (count == 0) return {};
  const std::uint32_t last_first = total - count;
  first = std::min(first, last_first);
  if (focus && *focus < total) {
    const std::uint32_t margin = count > 2 ? 1 : 0;
    if (*focus < first + margin) first = *focus - std::min(*focus, margin);
    if (*focus + margin >= first + count) first = *focus + margin + 1 - count;
  }
  return {std::min(first, last_first), count};
}

Shown shown_around(std::uint32_t total, std::uint32_t room, std::uint32_t focus) {
  return shown_part(total, room, focus - std::min(focus, room / 2));
}

Share share_of(const Shown& part, std::uint32_t total, double least) {
  if (total == 0) return {};
  double begin = static_cast<double>(part.first) / total, end = static_cast<double>(part.end()) / total;
  if (end - begin < least) {
    begin = std::clamp((begin + end - least) / 2, 0.0, std::max(0.0, 1 - least));
    end = begin + least;
  }
  return {begin, end};
}

std::uint32_t first_at(double place, std::uint32_t total, std::uint32_t count) {
  if (count >= total) return 0;
  const double first = std::floor(place * total - count / 2.0 + 0.5);
  return static_cast<std::uint32_t>(std::clamp(first, 0.0, static_cast<double>(total - count)));
}

namespace {

bool is_valid(const TileRef& tile, RowCol element) {
  return element.first < tile.valid_rows && element.second < tile.valid_cols;
}

std::uint64_t storage_size(const TileRef& tile) { return elements_in(tile.type.dtype, tile.type.size_bytes()); }

}  // namespace

std::uint32_t order_of(const TileRef& tile, RowCol element) {
  const auto [row, col] = element;
  if (tile.type.row_major()) return row * tile.valid_cols + col;
  if (tile.type.col_major()) return col * tile.valid_rows + row;
  const std::uint64_t index = element_index(tile.type, row, col);
  std::uint32_t before = 0;
  for (std::uint64_t i = 0; i < index; ++i) before += is_valid(tile, element_at(tile.type, i)) ? 1 : 0;
  return before;
}

std::optional<RowCol> element_in_order(const TileRef& tile, std::uint32_t order) {
  if (order >= std::uint64_t{tile.valid_rows} * tile.valid_cols) return std::nullopt;
  if (tile.type.row_major()) return RowCol{order / tile.valid_cols, order % tile.valid_cols};
  if (tile.type.col_major()) return RowCol{order % tile.valid_rows, order / tile.valid_rows};
  for (std::uint64_t i = 0; i < storage_size(tile); ++i) {
    const RowCol element = element_at(tile.type, i);
    if (is_valid(tile, element) && order-- == 0) return element;
  }
  return std::nullopt;
}

}  // namespace ts
