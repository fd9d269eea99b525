// What the cube core's operations on pointers share: the types of what stands behind their pointers.
#pragma once

#include <algorithm>
#include <initializer_list>

#include "core/catalogue/on_pointers.h"
#include "core/catalogue/rules.h"
#include "core/cube/cube_machine.h"

namespace ts::pointed {

inline constexpr std::uint32_t kMostSize = 4095;

// Elements of 32 bytes.
inline std::uint32_t run_of(DType type) { return BLK / size_bytes(type); }
inline std::uint32_t rounded_up(std::uint32_t value, std::uint32_t to) { return (value + to - 1) / to * to; }
// A size among the numbers, as far as it is one; what nobody knows counts as one.
inline std::uint32_t size_of(const PointerUse& use, std::string_view name) {
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(use.number(name), 1, kMostSize));
}

// Matrices in boxes of 512 bytes (sums: 1024), each whole: columns of boxes after each other with rows inside (nz), or rows of
// boxes after each other with columns inside (zn).
inline TileType in_columns_of_boxes(TileLoc loc, DType type, std::uint32_t rows, std::uint32_t cols) {
  const bool sums = loc == TileLoc::Acc;
  return {.loc = loc,
          .dtype = type,
          .rows = rounded_up(rows, 16),
          .cols = rounded_up(cols, sums ? 16 : run_of(type)),
          .valid_rows = static_cast<std::int32_t>(rows),
          .valid_cols = static_cast<std::int32_t>(cols),
          .blayout = BoxOrder::ColMajor,
          .slayout = InnerOrder::RowMajor,
          .fractal = sums ? 1024u : 512u};
}
inline TileType in_rows_of_boxes(TileLoc loc, DType type, std::uint32_t rows, std::uint32_t cols) {
  return {.loc = loc,
          .dtype = type,
          .rows = rounded_up(rows, run_of(type)),
          .cols = rounded_up(cols, 16),
          .valid_rows = static_cast<std::int32_t>(rows),
          .valid_cols = static_cast<std::int32_t>(cols),
          .blayout = BoxOrder::RowMajor,
          .slayout = InnerOrder::ColMajor};
}
inline TileType one_row(TileLoc loc, DType type, std::uint32_t elements) {
  TileType row = vec_tile(type, 1, elements, 1, static_cast<std::int32_t>(elements));
  row.loc = loc;
  return row;
}

// Each of these numbers is from `least` to `most`. False: told of the first that is not.
bool check_numbers(RuleCheck& check, std::string_view rule, std::initializer_list<const char*> names,
                   std::uint64_t least, std::uint64_t most, const std::string& hint);
// Each is a size that the cube core takes.
void check_sizes(RuleCheck& check, std::initializer_list<const char*> names);

}  // namespace ts::pointed
