// Which way A2A3's TTRANS takes, and in what units.
#pragma once

#include "core/catalogue/row.h"

namespace ts {

inline std::uint32_t ceil_to(std::uint32_t value, std::uint32_t unit) { return (value + unit - 1) / unit * unit; }

// Source rows of a sub-tile that one sequence of vnchwconv turns over.
constexpr std::uint32_t sub_tile_rows(std::uint32_t elem_bytes) { return elem_bytes == 1 ? 32 : 16; }

// Through tmp in sub-tiles, or else element by element on the scalar pipe.
inline bool block_path(const TileRef& dst, const TileRef& src) {
  return dst.type.row_major() && src.type.row_major() && dst.row_stride() % sub_tile_rows(src.elem_bytes()) == 0;
}

}  // namespace ts
