// Where the bits of predicates come from that are loaded or moved.
#pragma once

#include <array>
#include <bit>

#include "core/engine/block_core.h"
#include "core/engine/tag/tag.h"

namespace ts {

constexpr std::size_t width_number(DType type) { return static_cast<std::size_t>(std::countr_zero(size_bytes(type))); }

// Bit k is bit map[k] of the bytes in memory.
const BitMap& bit_map_of(PredLoad kind, DType type, BlockCore& run);
// ... of the predicate; of the first one, and from 256 on of the second.
const BitMap& bit_map_of(PredMove kind);
const std::array<BitMap, 2>& bit_maps_of(PredMove2 kind);

}  // namespace ts
