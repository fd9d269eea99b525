// The element that an element shares as its scale with others of its group, where the step that made it has such a result.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/debug/origins/data_flow.h"

namespace ts {

struct GroupScale {
  std::uint32_t tile = 0, row = 0, col = 0;  // the program's number of the tile
  ByteRange place;
  std::uint32_t step = 0;  // that made both
};
// Of the element at a place, all of whose bytes the one of these makers made.
std::optional<GroupScale> group_scale(const Recording& recording, std::span<const Made> makers, const ByteRange& place);

}  // namespace ts
