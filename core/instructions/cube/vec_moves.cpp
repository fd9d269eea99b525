// Tiles of UB that move to L1, and within UB into boxes or as windows: element by element, whatever the layouts of both.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/instructions/cube/moves.h"

namespace ts {
namespace {

bool into_scales(const Bound& bound) { return bound.tile("dst").type.fractal == 32; }
// Groups of rows in src, of columns in dst.
bool turns_over(const Bound& bound) { return into_scales(bound) && bound.attribute("grpAxis") == 1; }

// The same bytes with rows and columns exchanged.
TileRef turned_over(TileRef tile) {
  std::swap(tile.type.rows, tile.type.cols);
  std::swap(tile.type.valid_rows, tile.type.valid_cols);
  std::swap(tile.valid_rows, tile.valid_cols);
  tile.type.blayout = tile.type.blayout == BoxOrder::RowMajor ? BoxOrder::ColMajor : BoxOrder::RowMajor;
  if (tile.type.boxed())
    tile.type.slayout = tile.type.slayout == InnerOrder::RowMajor ? InnerOrder::ColMajor : InnerOrder::RowMajor;
  return tile;
}

template <Window (*window)(const Bound&)>
void move(CubeMachine& m, const Bound& bound) {
  const TileRef &dst = bound.tile("dst"), &src = bound.tile("src");
  m.ub_to_tile(in_bytes(dst), in_bytes(src), in_bytes(window(bound), dst.type));
}

// Into the boxes of scales go whole boxes of rows: what src lacks to them is zero first, in src itself.
void move_whole(CubeMachine& m, const Bound& bound) {
  const TileRef& dst = bound.tile("dst");
  TileRef src = bound.tile("src");
  if (!into_scales(bound)) return move<moved_window>(m, bound);
  if (turns_over(bound)) src = turned_over(src);
  Window window{.rows = std::min(dst.valid_rows, src.valid_rows), .cols = std::min(dst.valid_cols, src.valid_cols)};
  if (!turns_over(bound)) {
    const std::uint32_t box = box_of(dst.type).rows,
                        whole = std::min({(src.valid_rows + box - 1) / box * box, src.rows(), dst.rows()});
    if (whole > src.valid_rows) m.zeros(src, src.valid_rows, whole - src.valid_rows);
    window.rows = whole;
  }
  m.ub_to_tile(dst, src, window);
}

// --- rules

// Two elements share a byte: a window begins and ends with one.
void check_bytes(RuleCheck& check, const Window& window) {
  const TileRef &dst = check.tile("dst"), &src = check.tile("src");
  if (!is_packed(dst.type.dtype)) return;
  if (rows_run_on(dst.type) != rows_run_on(src.type))
    return check.error("E-EMULATE", "dst", "elements of 4 bits that are turned over are not emulated yet");
  const bool rows = rows_run_on(dst.type);
  for (const std::uint32_t number : {rows ? window.cols : window.rows, rows ? window.from_col : window.from_row,
                                     rows ? window.to_col : window.to_row})
    if (number % 2 != 0)
      return check.error(check.own("R6"), "dst",
                         fmt::format("the window has or begins at an odd {} ({}); two {} share a byte",
                                     rows ? "column" : "row", number, name(dst.type.dtype)),
                         "make it even");
}

// Boxes of turned elements are filled whole.
void check_zn(RuleCheck& check, const Window& window) {
  const TileType& dst = check.tile("dst").type;
  if (dst.layout_name() != "zn" || dst.fractal != 512) return;
  const std::uint32_t rows = box_of(dst).rows;
  for (const std::uint32_t number : {window.rows, window.to_row})
    if (number % rows != 0)
      return check.error(check.own("R6"), "dst",
                         fmt::format("{} rows from row {} on; zn boxes have {}", window.rows, window.to_row, rows),
                         "make both multiples of it");
}

void check_window(RuleCheck& check, const Window& window, std::string_view rule) {
  check.need_same_type(check.own("R2"), "src", "dst");
  if (!check_window_inside(check, window, rule)) return;
  check_bytes(check, window);
}

}  // namespace

namespace cube_moves {

const Machines& vec_move() {
  static const Machines machines = cube_machines<move_whole>();
  return machines;
}
const Machines& vec_window() {
  static const Machines machines = cube_machines<move<extracted_window>>();
  return machines;
}
const Machines& vec_insert() {
  static const Machines machines = cube_machines<move<inserted_window>>();
  return machines;
}

void vec_move_rules(RuleCheck& check) {
  const Bound& bound = check.bound();
  Window window = moved_window(bound);
  if (turns_over(bound)) std::swap(window.rows, window.cols);
  check.need_same_type(check.own("R2"), "src", "dst");
  check_bytes(check, window);
  if (!turns_over(bound)) check_zn(check, window);
}
void vec_window_rules(RuleCheck& check) { check_window(check, extracted_window(check.bound()), check.own("R5")); }
void vec_insert_rules(RuleCheck& check) {
  const Window window = inserted_window(check.bound());
  check_window(check, window, check.own("R5"));
  check_zn(check, window);
}

}  // namespace cube_moves
}  // namespace ts
