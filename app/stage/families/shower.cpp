// Drawing showers and regions.
#include "app/stage/families/shower.h"

#include <algorithm>

#include "app/draw/look.h"
#include "app/draw/shapes.h"

namespace ts::ui {

void draw_jet(float x, float from, float to, Color color, bool strong) {
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const float side = look().px(3.5f);
  const ImU32 jet = ink(strong ? color : with_alpha(color, 0.6));
  canvas.AddLine({x, from}, {x, to - side}, jet, look().px(strong ? 3.0f : 1.4f));
  canvas.AddTriangleFilled({x - side, to - side * 1.6f}, {x + side, to - side * 1.6f}, {x, to}, jet);
}

void draw_shower(const StageStep& step, const CellGrid& grid, const std::vector<std::uint32_t>& cols, ImVec2 from,
                 Color color) {
  if (cols.empty()) return;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const float right = grid.rect_of(grid.rows.first, cols.back()).center().x, end = grid.origin.y - col_number_height();
  canvas.AddLine(from, {right, from.y}, ink(color), look().px(4));
  for (const std::uint32_t col : cols) {
    const bool strong = step.focus && step.focus->operand == grid.operand && step.focus->col == col;
    draw_jet(grid.rect_of(grid.rows.first, col).center().x, from.y, end, color, strong);
  }
}

void frame_region(const CellGrid& grid, std::uint32_t rows, std::uint32_t cols, Color color, bool dashed) {
  rows = std::min(rows, grid.rows.end());
  cols = std::min(cols, grid.cols.end());
  if (rows <= grid.rows.first || cols <= grid.cols.first) return;
  const Rect last = grid.rect_of(rows - 1, cols - 1);
  const Rect frame{{grid.origin.x - 2, grid.origin.y - 2}, {last.max.x + 2, last.max.y + 2}};
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  if (dashed) dashed_rect(canvas, frame, ink(color), look().px(4), look().px(1.6f));
  else canvas.AddRect(frame.min, frame.max, ink(color), look().px(2), 0, look().px(1.6f));
}

}  // namespace ts::ui
