// What gathers and scatters by index share: patterns that stand for indices, and the rules on both.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "core/instructions/vector_family.h"

namespace ts::vec {

// --- patterns ---------------------------------------------------------------------------------------------------------

// Numbered as the hardware numbers them. Read from right to left: P0100 is the third of four.
inline constexpr AttributeSpec kMaskPattern{"maskPattern", "none|p0101|p1010|p0001|p0010|p0100|p1000|p1111"};
inline bool has_pattern(const Bound& bound) { return bound.attribute("maskPattern") != 0; }

// Every step-th of a row, or of rows, from the `first` on.
struct MaskPattern {
  std::uint32_t number, step, first;
  // How many there are among so many.
  std::uint32_t among(std::uint32_t count) const { return count > first ? (count - first + step - 1) / step : 0; }
};
inline MaskPattern pattern_of(const Bound& bound) {
  constexpr MaskPattern kPatterns[] = {{0, 1, 0}, {1, 2, 0}, {2, 2, 1}, {3, 4, 0},
                                       {4, 4, 1}, {5, 4, 2}, {6, 4, 3}, {7, 1, 0}};
  return kPatterns[bound.attribute("maskPattern")];
}
// R8: a pattern stands in place of indices.
inline bool pattern_fits(RuleCheck& check, const char* other_rows) {
  const bool wanted = !check.bound().has("indices");
  if (wanted == has_pattern(check.bound())) return true;
  check.error(check.own("R8"), "src",
              wanted ? fmt::format("{} has neither indices nor a maskPattern", check.bound().row->name)
                     : fmt::format("{} has a maskPattern, and {}", check.bound().row->name, other_rows),
              wanted ? "give it indices, or maskPattern = P0101, P1010, P0001, P0010, P0100, P1000 or P1111"
                     : "leave the maskPattern out");
  return false;
}

// The whole number next to a value, ties to even, as far as 32 bits hold it: the bits of an i32.
inline std::uint32_t whole_word(double value) {
  if (std::isnan(value)) return 0;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(std::clamp(std::nearbyint(value), -0x1p31, 0x1p31 - 1)));
}

// --- indices ----------------------------------------------------------------------------------------------------------

inline std::uint32_t elements_of(const TileRef& tile) { return tile.rows() * tile.cols(); }
inline IndexList index_list(const TileRef& tile, std::uint32_t rows, std::uint32_t cols) {
  return {tile.space(), tile.address, tile.elem_bytes(), rows, cols, tile.pitch_bytes(), tile.elem_bytes(), tile.core};
}
// f(row, col, index) until it says that it has seen enough.
template <class F>
void each_index(const IndexList& list, const Memory& memory, F f) {
  bool enough = false;
  for_indices(list, memory, [&](std::uint32_t row, std::uint32_t col, std::uint64_t index) {
    if (!enough) enough = f(DiagnosticElement{row, col}, index);
  });
}
inline std::string index_text(const DiagnosticElement& at, std::uint64_t index) {
  return fmt::format("indices[{},{}]={}", at.row, at.col, index);
}
// The same bits as somebody who thinks of them as signed wrote them.
inline std::string as_signed(const TileRef& indices, std::uint64_t index) {
  if (!is_signed_int(indices.type.dtype) || index >> (8 * indices.elem_bytes() - 1) == 0) return "";
  return fmt::format(" ({})", format_value(indices.type.dtype, index));
}
// R9: integers of one of two widths.
inline void index_type(RuleCheck& check, DTypeSet types, std::string_view why) {
  const DType type = check.tile("indices").type.dtype;
  if (!types.contains(type))
    check.error(check.own("R9"), "indices", fmt::format("indices are {}, needs {}", name(type), types.list()),
                std::string(why));
}
inline constexpr DTypeSet kIndices16{DType::I16, DType::U16}, kIndices32{DType::I32, DType::U32};

// W1: what lanes of a scatter bring to one element, where that is not always the same.
class Collisions {
 public:
  // Element number `number` of the result gets the element at `from` of src, by the index at `index`.
  void add(std::uint64_t number, const DiagnosticElement& index, const DiagnosticElement& from, std::uint64_t bits) {
    const Lane lane{index, from, bits};
    const auto [held, is_new] = last_.try_emplace(number, lane);
    if (!is_new && held->second.bits != bits) pairs_.try_emplace(number, held->second, lane);
    held->second = lane;
  }
  // `cols` of a row of the result; 0: it is one row.
  void tell(RuleCheck& check, const char* result, std::uint32_t cols) const {
    if (pairs_.empty()) return;
    const auto& [number, pair] = *pairs_.begin();
    const bool one = pairs_.size() == 1;
    const std::string place = cols == 0 ? std::to_string(number) : fmt::format("{},{}", number / cols, number % cols);
    check.documented(check.own("W1"), "indices",
                     fmt::format("{} element{} of {} get{} different values; {}[{}] gets {}, then {}; {} stays",
                                 pairs_.size(), one ? "" : "s", result, one ? "s" : "", result, place,
                                 text(check, pair.first), text(check, pair.second), text(check, last_.at(number))),
                     check.target() == Target::A2A3
                         ? "a2a3 goes row by row: the last one stays"
                         : "no document promises an order within a register; the emulator takes the last one");
    check.about(FindingKind::Collision, pair.second.index);
  }

 private:
  struct Lane {
    DiagnosticElement index, from;
    std::uint64_t bits;
  };
  static std::string text(const RuleCheck& check, const Lane& lane) {
    return fmt::format("src[{},{}]={}", lane.from.row, lane.from.col,
                       format_value(check.tile("src").type.dtype, lane.bits));
  }
  std::map<std::uint64_t, Lane> last_;
  std::map<std::uint64_t, std::pair<Lane, Lane>> pairs_;  // the first two that differ
};

// Results that are written before their sources are read for the last time.
inline void apart(RuleCheck& check, std::initializer_list<const char*> sources) {
  for (const char* source : sources) distinct(check, "dst", source);
}
inline void may_overlap(RuleCheck& check, std::initializer_list<const char*> sources) {
  for (const char* source : sources) check.warn_overlap("dst", source, false);
}

}  // namespace ts::vec
