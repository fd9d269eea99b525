// Drawing tinted grids.
#include "app/stage/parts/tinted_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/draw/look.h"

namespace ts::ui {

void tint_cell(CellLook& cell, Color hue, char letter) {
  const Theme& theme = *look().theme;
  cell.ground = mix(theme.cell, hue, theme.dark ? 0.42 : 0.38);
  cell.source = hue;
  cell.letter = letter;
  cell.edge_right = false;
}

namespace {

void draw_tinted_cell(StageStep& step, const StageCell& cell, const Rect& rect, const Tint& tint) {
  CellLook cell_look = step.look_of(cell, rect.width());
  if (step.has_landed(cell)) tint(cell, cell_look);
  draw_cell(*ImGui::GetWindowDrawList(), rect, cell_look);
  step.mark_target(cell, rect);
}

}  // namespace

void draw_tinted_cells(StageStep& step, const CellGrid& grid, const Tint& tint) {
  const Rect area = grid.area();
  ImGui::GetWindowDrawList()->AddRectFilled({area.min.x - 1, area.min.y - 1}, {area.max.x, area.max.y},
                                            ink(look().theme->grid));
  for (std::uint32_t row = grid.rows.first; row < grid.rows.end(); ++row)
    for (std::uint32_t col = grid.cols.first; col < grid.cols.end(); ++col)
      draw_tinted_cell(step, {grid.operand, row, col}, grid.rect_of(row, col), tint);
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows))
    if (const auto cell = grid.cell_at(ImGui::GetIO().MousePos)) step.point_at(*cell);
}

void draw_tinted_grid(StageStep& step, const CellGrid& grid, const Tint& tint) {
  if (grid.rows.count == 0 || grid.cols.count == 0) {
    put_text(grid.origin, "nothing: no rows or no columns", look().theme->text_quiet, look().fonts.small);
    return;
  }
  draw_grid_numbers(step, grid);
  draw_tinted_cells(step, grid, tint);
  draw_overview(step, grid);
  scroll_grid(step, grid, grid.operand);
}

CellGrid draw_tinted_operand(StageStep& step, const StageOperand& operand, const Rect& area, float least_width,
                             const Tint& tint, bool decides) {
  const float top = area.min.y + header_height();
  draw_header(operand, {area.min, {area.max.x, top}});
  CellGrid grid = place_grid(step, operand, {{area.min.x, top}, area.max}, {.least_width = least_width});
  if (decides) {
    const Rect cells = grid.area();
    ImGui::GetWindowDrawList()->AddRectFilled({cells.min.x - look().px(3), cells.min.y - look().px(3)},
                                              {cells.max.x + look().px(2), cells.max.y + look().px(2)},
                                              ink(look().theme->mask), look().px(2));
  }
  draw_tinted_grid(step, grid, tint);
  return grid;
}

namespace {

// Elements in storage order, so many a line.
struct MemoryLines {
  const TileRef& tile;
  std::uint32_t a_block, a_line, a_box;  // elements
  float cell_width, cell_height, label;
  std::uint32_t count() const {
    return static_cast<std::uint32_t>(elements_in(tile.type.dtype, tile.type.size_bytes()));
  }
};

MemoryLines memory_lines(const TileRef& tile, float width) {
  const auto a_block = static_cast<std::uint32_t>(elements_in(tile.type.dtype, BLK));
  const Box box = box_of(tile.type);
  MemoryLines lines{tile, a_block, a_block, box.rows * box.cols, 0, std::floor(look().px(22)), look().px(56)};
  const float room = std::max(width - lines.label, look().px(60));
  const float least = look().px(tile.elem_bytes() == 1 ? 26 : 40);
  const auto blocks = std::max(1u, static_cast<std::uint32_t>(room / (least * static_cast<float>(a_block))));
  lines.a_line = std::min(blocks, 8u) * a_block;
  lines.cell_width = std::floor(std::min(room / static_cast<float>(lines.a_line), look().px(64)));
  return lines;
}

// Thick lines where blocks and boxes begin.
void draw_borders(const MemoryLines& lines, std::uint32_t index, const Rect& rect) {
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const Theme& theme = *look().theme;
  if (index % lines.a_block == 0)
    canvas.AddLine({rect.min.x - 1, rect.min.y}, {rect.min.x - 1, rect.max.y}, ink(theme.text_quiet), look().px(1.5f));
  if (lines.a_box > 1 && index % lines.a_box < lines.a_line)
    canvas.AddLine({rect.min.x, rect.min.y - 1}, {rect.max.x, rect.min.y - 1}, ink(theme.accent), look().px(2));
}

}  // namespace

std::vector<SeenElement> draw_in_memory_order(StageStep& step, const StageOperand& operand, const Rect& area,
                                              const Tint& tint) {
  std::vector<SeenElement> seen;
  ImGui::SetCursorScreenPos(area.min);
  ImGui::PushID(operand.index);
  ImGui::BeginChild("memory", {area.width(), area.height()});
  const MemoryLines lines = memory_lines(operand.operand->tile, ImGui::GetContentRegionAvail().x - look().px(14));
  const std::uint32_t total = (lines.count() + lines.a_line - 1) / lines.a_line;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGuiListClipper rows;
  rows.Begin(static_cast<int>(total), lines.cell_height);
  while (rows.Step()) {
    for (int line = rows.DisplayStart; line < rows.DisplayEnd; ++line) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      ImGui::Dummy({lines.label + lines.cell_width * static_cast<float>(lines.a_line), lines.cell_height});
      const std::uint32_t first = static_cast<std::uint32_t>(line) * lines.a_line;
      const std::string offset =
          lines.a_box > 1 ? fmt::format("{} box {}", bytes_for(lines.tile.type.dtype, first), first / lines.a_box)
                          : fmt::format("{}", bytes_for(lines.tile.type.dtype, first));
      put_text_cut({at.x, at.y + look().px(3)}, lines.label - look().px(4), offset, look().theme->text_quiet,
                   look().fonts.mono_small);
      for (std::uint32_t i = 0; i < lines.a_line && first + i < lines.count(); ++i) {
        const auto [row, col] = element_at(lines.tile.type, first + i);
        if (row >= lines.tile.rows() || col >= lines.tile.cols()) continue;  // between lines
        const float x = at.x + lines.label + lines.cell_width * static_cast<float>(i);
        const Rect rect{{x, at.y}, {x + lines.cell_width - 1, at.y + lines.cell_height - 1}};
        const StageCell cell{operand.index, row, col};
        draw_tinted_cell(step, cell, rect, tint);
        draw_borders(lines, first + i, rect);
        if (ImGui::IsWindowHovered() && rect.holds(ImGui::GetIO().MousePos)) step.point_at(cell);
        if (step.focus == cell || step.is_source(cell)) seen.push_back({cell, rect});
      }
    }
  }
  rows.End();
  ImGui::PopStyleVar();
  ImGui::EndChild();
  ImGui::PopID();
  return seen;
}

}  // namespace ts::ui
