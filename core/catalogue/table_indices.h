// What indices into a table in global memory mean.
#pragma once

#include <cstdint>
#include <optional>

namespace ts {

// What an index behind the last element or row of a table does. Dropped: gathers zero, scatters nothing.
enum class GmOutside : std::uint8_t { Undefined, Clamp, Wrap, Dropped };

struct TableIndices {
  std::uint32_t entries = 0;  // rows or elements of the table
  bool rows = false;          // an index for each row of the tile
  GmOutside outside = GmOutside::Undefined;

  bool is_outside(std::uint64_t index) const { return index >= entries; }
  // The entry that an index is taken for; nothing: for none.
  std::optional<std::uint32_t> entry(std::uint64_t index) const {
    if (!is_outside(index)) return static_cast<std::uint32_t>(index);
    if (outside == GmOutside::Clamp && entries != 0) return entries - 1;
    if (outside == GmOutside::Wrap && entries != 0) return static_cast<std::uint32_t>(index % entries);
    return {};
  }
};

}  // namespace ts
