// What an offset of TGATHERB fetches.
#pragma once

#include "core/catalogue/row.h"

namespace ts {

enum Granularity : std::uint8_t { kAuto, kElement, kBlock };

inline std::uint32_t blocks_a_row(const TileRef& dst) { return (dst.valid_cols * dst.elem_bytes() + BLK - 1) / BLK; }

// As the instruction says, else the option, else what the shapes fit; kAuto: nothing fits.
inline Granularity granularity_of(const Bound& bound) {
  const std::uint8_t own = bound.attribute("granularity");
  const std::uint8_t said = own != kAuto ? own : bound.options->tgatherb_granularity;
  if (said != kAuto) return static_cast<Granularity>(said);
  const std::uint32_t given = bound.tile("offsets").valid_cols, blocks = blocks_a_row(bound.tile("dst"));
  if (given == bound.tile("dst").valid_cols) return kElement;
  return given == blocks || given == (blocks + 7) / 8 * 8 ? kBlock : kAuto;
}

}  // namespace ts
