// A fill as a shower head: the scalar on a pipe above the tile, a jet into every column; what is outside the valid
// region stays as it was.
#include <fmt/format.h>

#include <algorithm>

#include "app/draw/look.h"
#include "app/stage/drawing.h"
#include "app/stage/families/shower.h"

namespace ts::ui {
namespace {

// The part of the grid that the step wrote, as far as it is in sight.
struct Filled {
  std::uint32_t rows = 0, cols = 0;  // behind the last one
  std::size_t padding = 0;           // written elements outside the valid region
  bool copies = true;                // all are the scalar itself
};

Filled filled_part(StageStep& step, const CellGrid& grid, const TilePicture& picture, std::uint64_t scalar) {
  Filled filled;
  for (std::uint32_t row = grid.rows.first; row < grid.rows.end(); ++row) {
    for (std::uint32_t col = grid.cols.first; col < grid.cols.end(); ++col) {
      if (step.sources_of({grid.operand, row, col}).empty()) continue;
      filled.rows = std::max(filled.rows, row + 1);
      filled.cols = std::max(filled.cols, col + 1);
      filled.padding += picture.is_valid(row, col) ? 0 : 1;
      filled.copies = filled.copies && picture.elements.at(row, col) == scalar;
    }
  }
  return filled;
}

// `made`: how elements are made of the scalar; empty where they are copies of it.
std::string note(const TileRef& tile, const Filled& filled, std::string_view made) {
  const bool whole = tile.valid_rows == tile.rows() && tile.valid_cols == tile.cols();
  const std::string what =
      made.empty() ? "The scalar goes to the valid region," : std::string(made) + " The valid region is";
  std::string text =
      fmt::format("{} {}x{} of {}x{}.", what, tile.valid_rows, tile.valid_cols, tile.rows(), tile.cols());
  if (whole) return text;
  if (filled.padding != 0)
    return text + fmt::format(" The step also writes padding: {} of the elements in sight.", filled.padding);
  return text + " What is hatched is padding: it stays as it was.";
}

void draw_fill(StageStep& step, const Rect& area) {
  const StageOperand *scalar = step.find(Role::Scalar), *result = step.find(Role::Out);
  if (scalar == nullptr || result == nullptr || result->picture == nullptr) return draw_general(step, area);
  float y = area.min.y;
  draw_header(*scalar, {{area.min.x, y}, {area.min.x + area.width() * 0.3f, y + header_height()}});
  draw_header(*result, {{area.min.x + area.width() * 0.32f, y}, {area.max.x, y + header_height()}});
  y += header_height();
  const Rect cell{{area.min.x, y}, {area.min.x + look().px(110), y + look().px(26)}};
  const float pipe = cell.center().y;
  y = cell.max.y + std::clamp(area.height() * 0.06f, look().px(8), look().px(30));
  const float note_height = look().fonts.small->FontSize + look().px(8);
  const Rect below{{area.min.x, y}, {area.max.x, area.max.y - note_height}};
  const CellGrid grid = place_grid(step, *result, below);
  const Filled filled = filled_part(step, grid, *result->picture, scalar->operand->scalar.bits);
  draw_grid(step, grid);
  std::vector<std::uint32_t> cols;
  for (std::uint32_t col = grid.cols.first; col < filled.cols; ++col) cols.push_back(col);
  draw_shower(step, grid, cols, {cell.max.x, pipe}, scalar->color);
  draw_scalar_cell(step, *scalar, cell);
  frame_region(grid, filled.rows, filled.cols, scalar->color, false);
  put_text_cut({area.min.x, area.max.y - note_height + look().px(4)}, area.width(),
               note(result->operand->tile, filled, filled.copies || !step.made ? "" : step.bound.row->summary),
               look().theme->text_quiet, look().fonts.small);
}

const RegisteredDrawing kFillDrawing(Drawing::Fill, draw_fill);

}  // namespace
}  // namespace ts::ui
