// Where the result of a row stands.
#pragma once

#include "core/tile/operands.h"

namespace ts {

inline constexpr std::uint32_t kMaxStep = 65535;  // elements from result to result that an A2A3 reduction knows

// Elements from one row's result to the next one's; and to the one of this row.
inline std::uint32_t row_step(const TileRef& dst) { return dst.type.col_major() ? 1 : dst.row_stride(); }
inline std::uint32_t first_of_row(const TileRef& dst, std::uint32_t row) { return row * row_step(dst); }

}  // namespace ts
