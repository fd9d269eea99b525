// Which part of something long is shown where there is room for some of it only, and the order in which elements are
// walked through.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "core/tile/operands.h"

namespace ts {

// Rows or columns that are shown.
struct Shown {
  std::uint32_t first = 0, count = 0;
  std::uint32_t end() const { return first + count; }
  bool holds(std::uint32_t index) const { return index >= first && index < end(); }
  bool operator==(const Shown&) const = default;
};
// The part that fits into `room` places. It begins at `first`, or, where `focus` would be outside, as near to it as
// brings the focus in, with one neighbour; never beyond the end.
Shown shown_part(std::uint32_t total, std::uint32_t room, std::uint32_t first, std::optional<std::uint32_t> focus = {});

// The part with `focus` in its middle, as far as the ends let it.
Shown shown_around(std::uint32_t total, std::uint32_t room, std::uint32_t focus);

// The place of a part in the whole, 0..1; at least `least` wide, so that it is seen.
struct Share {
  double begin = 0, end = 1;
};
Share share_of(const Shown& part, std::uint32_t total, double least);
// The first of `count` that are shown when somebody points at `place`, 0..1, of the whole.
std::uint32_t first_at(double place, std::uint32_t total, std::uint32_t count);

// --- elements of the valid region, in the order of memory ---
using RowCol = std::pair<std::uint32_t, std::uint32_t>;
// How many come before this one.
std::uint32_t order_of(const TileRef& tile, RowCol element);
// Back. Nothing beyond the last one.
std::optional<RowCol> element_in_order(const TileRef& tile, std::uint32_t order);

}  // namespace ts
