// The ways between the memories of a core, and what the instructions that take them share: which windows move, and what the
// fixpipe makes of sums.
#pragma once

#include <span>

#include "core/catalogue/row.h"
#include "core/catalogue/rules.h"
#include "core/cube/cube_machine.h"

namespace ts {

// One way of one instruction.
struct Path {
  TileLoc from, to;
  bool a2a3;  // A5 has all of them
  Pipe pipe;
  const Machines* machines;
  void (*rules)(RuleCheck&);
  bool scales = false;  // into the memories of the operands' scales, and not to the fixpipe's factors
  // Why a legal use of it is one that nobody emulates yet; null, or null back: it is emulated.
  const char* (*waits)(const Bound&) = nullptr;
};
// Null: the target has none between the memories of src and dst.
const Path* path_of(std::span<const Path> paths, const Bound& bound);
// "mat to left, right; acc to mat": what the target has.
std::string paths_text(std::span<const Path> paths, Target target);

// --- windows

// A row or column that a window begins with; negative ones are beyond all tiles. 0 where the form has none.
std::uint32_t index_of(const Bound& bound, const char* name);
// Of a move, an extraction and an insertion: the elements that are valid on both sides, those valid in dst, in src.
Window moved_window(const Bound& bound);
Window extracted_window(const Bound& bound);
Window inserted_window(const Bound& bound);
// All of dst, whatever of it is valid.
Window whole_window(const Bound& bound);
// It lies inside the tile that is larger. False: told, under this rule.
bool check_window_inside(RuleCheck& check, const Window& window, std::string_view rule);

// --- the fixpipe

// Of the tiles that hold a factor for each column.
inline constexpr DTypeSet kFactors{DType::U64, DType::I64, DType::F16};
struct FixpipeIds {
  std::string conversion, factors, layout, odd;
};
Fixpipe fixpipe_of(const Bound& bound, DType to);
// Of element (row, col) of the result of a move, an extraction, an insertion or a store; none where no sums move.
template <Window (*window)(const Bound&)>
std::vector<Station> stations_of(const Bound& bound, const Memory& before, std::uint32_t row, std::uint32_t col) {
  const TileRef& src = bound.tile("src");
  const Window moved = window(bound);
  if (src.type.loc != TileLoc::Acc || row - moved.to_row >= moved.rows || col - moved.to_col >= moved.cols) return {};
  const Operand& dst = *bound.find("dst");
  const DType to = dst.spec->kind == OperandKind::Global ? dst.global.dtype : dst.tile.type.dtype;
  return fixpipe_stations(fixpipe_of(bound, to), before, src, moved.from_row + row - moved.to_row,
                          moved.from_col + col - moved.to_col, moved.from_col);
}
// All that is valid of src.
Window source_window(const Bound& bound);
// Of so many columns: scales that leave nothing of a sum.
void warn_odd_factors(RuleCheck& check, const Memory& before, std::uint32_t cols);
template <Window (*window)(const Bound&)>
void fixpipe_data_rules(RuleCheck& check, const Memory& before) {
  if (check.bound().has("fp")) warn_odd_factors(check, before, window(check.bound()).cols);
}
// What sums become on their way to global memory, or else to a tile; and the factor, if there is one.
void check_fixpipe(RuleCheck& check, DType to, bool to_gm, std::uint32_t cols, const FixpipeIds& ids);
void check_sums_layout(RuleCheck& check, const std::string& rule);
inline bool has_factor(const Bound& bound) { return bound.has("factor") || bound.has("fp"); }
// The operand that is a factor where no sums move; null: there is none. A second tile of UB is scratch, which nobody needs.
const char* stray_factor(const Bound& bound);
// Where no sums move: no factor, and no relu.
void check_no_fixpipe(RuleCheck& check);

}  // namespace ts
