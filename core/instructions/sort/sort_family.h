// What the sorting instructions share: records, and what their keys are told of.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "core/engine/ordered.h"
#include "core/instructions/vector_family.h"

namespace ts::vec {

// Columns of a record: its key and 32 bits of index, and between them what fills 16 bits up.
inline std::uint32_t record_cols(const TileRef& tile) { return kRecordBytes / tile.elem_bytes(); }

// Elements of a row that are keys, `step` columns apart.
struct KeyRow {
  std::string_view operand;
  std::uint32_t row, col, step, count;
};
inline std::uint64_t key_bits(const Memory& before, const TileRef& tile, const KeyRow& keys, std::uint32_t i) {
  return before.element(tile.place_of(keys.row, keys.col + i * keys.step));
}
inline std::string key_text(const TileRef& tile, const KeyRow& keys, std::uint32_t i, std::uint64_t bits) {
  return fmt::format("{}[{},{}]={}", keys.operand, keys.row, keys.col + i * keys.step,
                     format_value(tile.type.dtype, bits));
}
// N1: the first NaN among the keys. True: told.
inline bool note_nan(RuleCheck& check, const Memory& before, const KeyRow& keys) {
  const TileRef& tile = check.tile(keys.operand);
  for (std::uint32_t i = 0; i < keys.count; ++i) {
    const std::uint64_t bits = key_bits(before, tile, keys, i);
    if (!std::isnan(to_double(tile.type.dtype, bits))) continue;
    check.note(check.own("N1"), keys.operand, fmt::format("{}: a key that is NaN", key_text(tile, keys, i, bits)),
               "here NaNs come last, in the order they stand in; what the hardware does is not known (unverified)");
    check.about(FindingKind::Rule, DiagnosticElement{keys.row, keys.col + i * keys.step});
    return true;
  }
  return false;
}

}  // namespace ts::vec
