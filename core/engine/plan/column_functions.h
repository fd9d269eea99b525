// Columns of a matrix as registers: what gathers do one by one, several at once.
#pragma once

#include <cstdint>

#include "core/isa/target.h"

namespace ts {

// Of a block's width: lane i of out[k] is element k of those at from[i]; the lanes behind are 0. Nothing that is read may
// stand where something is written.
using ColumnsFunction = void (*)(std::uint8_t* const* out, const std::uint8_t* const* from, std::uint32_t lanes);
constexpr std::uint32_t columns_at_once(std::uint32_t element_bytes) { return BLK / element_bytes; }
// Of elements of 2 or 4 bytes.
ColumnsFunction best_columns_function(std::uint32_t element_bytes);

}  // namespace ts
