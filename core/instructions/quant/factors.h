// What quantising and its inverse share: scales and offsets, one for each row.
#pragma once

#include <fmt/format.h>

#include <string>

#include "core/instructions/vector_family.h"

namespace ts::vec {

inline constexpr AnyLane kQuantF32{DType::F32}, kQuantF16{DType::F16}, kQuantI32{DType::I32};

inline Ub factor_at(const TileRef& factors, std::uint32_t row) { return {factors.at(row, 0)}; }
// The factor of a row, in every lane.
inline Reg row_factor(A5& m, const TileRef& factors, std::uint32_t row) {
  return m.vlds_brc<float>(factor_at(factors, row), 0);
}

// R2 and R8: f32, and one for each row of dst. A5 counts elements, whatever the tile's pitch is.
inline void factor_rules(RuleCheck& check, const char* factors) {
  const TileRef &tile = check.tile(factors), &dst = check.tile("dst");
  if (tile.type.dtype != DType::F32)
    check.error(check.own("R2"), factors, fmt::format("{} is {}, needs f32", factors, name(tile.type.dtype)),
                "convert it with tcvt");
  const bool one_a_row = tile.valid_cols == 1 && tile.valid_rows == dst.valid_rows;
  const bool close = check.target() == Target::A2A3 || tile.type.col_major() || tile.valid_rows <= 1;
  if (!tile.type.boxed() && one_a_row && close) return;
  check.error(check.own("R8"), factors,
              fmt::format("{} is {}, valid {}x{}, and dst has {} rows", factors, tile.type.layout_name(),
                          tile.valid_rows, tile.valid_cols, dst.valid_rows),
              fmt::format("it gives a value for each row: col_major {}x1", dst.valid_rows));
}

// W1 of scales, W2 of offsets: what cannot be meant, the first of each.
inline void odd_factor(RuleCheck& check, const Memory& before, const char* rule, const char* factors, bool zero_too,
                       const char* hint) {
  constexpr std::uint64_t kMagnitude = 0x7FFFFFFF, kInfinity = 0x7F800000;
  const TileRef& tile = check.tile(factors);
  std::uint32_t first = 0, count = 0;
  for (std::uint32_t row = 0; row < tile.valid_rows; ++row) {
    const std::uint64_t magnitude = before.element(tile.place_of(row, 0)) & kMagnitude;
    if (magnitude < kInfinity && (magnitude != 0 || !zero_too)) continue;
    if (count++ == 0) first = row;
  }
  if (count == 0) return;
  const std::string value = format_value(DType::F32, before.element(tile.place_of(first, 0)));
  check.warn(check.own(rule), factors,
             fmt::format("{}[{},0] is {}{}", factors, first, value,
                         count == 1 ? "" : fmt::format("; {} rows have such a {}", count, factors)),
             hint);
  check.about(FindingKind::Rule, DiagnosticElement{first, 0});
}

}  // namespace ts::vec
