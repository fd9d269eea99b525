// One value for each row (or column), spread along it, as a shower head. With arithmetic the tiles stand as an
// equation: the elements, the values that are spread, the result.
#include <fmt/format.h>

#include <algorithm>

#include "app/draw/canvas.h"
#include "app/draw/look.h"
#include "app/stage/families/broadcast.h"
#include "app/stage/parts/operation.h"
#include "app/stage/parts/row_parts.h"
#include "app/stage/parts/scratch.h"
#include "app/stage/parts/tinted_grid.h"

namespace ts::ui {
void BroadcastDrawing::draw_sheet(Sheet& sheet) {
  if (sheet.grid.rows.count == 0 || sheet.grid.cols.count == 0) return;
  draw_grid_numbers(step_, sheet.grid, spread_.rows || &sheet == &sheets_.front());
  draw_tinted_cells(step_, sheet.grid, [&](const StageCell& cell, CellLook& cell_look) {
    if (sheet.small && !is_read(cell)) cell_look.marks = cell_look.marks | Mark::Faded;
  });
  if (&sheet == &sheets_.back()) draw_overview(step_, sheet.grid);
  scroll_grid(step_, sheet.grid, dst_.index);
}

// From the value, past what is not read, into the line of the next sheet.
void BroadcastDrawing::draw_pipe(const CellGrid& from, const CellGrid& to, std::uint32_t line, Color color,
                                 bool strong) {
  const bool rows = spread_.rows;
  const Rect source = rows ? from.rect_of(line, from.cols.first) : from.rect_of(from.rows.first, line);
  const Rect target = rows ? to.rect_of(line, to.cols.first) : to.rect_of(to.rows.first, line);
  const Rect end = from.area();
  const float side = look().px(strong ? 5 : 3.5f), thick = look().px(strong ? 3 : 1.6f);
  const bool past =
      rows ? from.cols.count > 1 && !is_read({from.operand, line, from.cols.first + 1}) : from.rows.count > 1;
  std::vector<ImVec2> path;
  ImVec2 tip;
  if (rows) {
    tip = {target.min.x - row_number_width(dst_.operand->tile.rows()), source.center().y};
    if (past)
      path = {{source.center().x, source.max.y},
              {end.max.x + look().px(3), source.max.y},
              {end.max.x + look().px(7), tip.y}};
    else path = {{end.max.x, tip.y}};
    path.push_back({tip.x - side, tip.y});
  } else {
    tip = {source.center().x, target.min.y};
    if (past)
      path = {{source.max.x, source.center().y},
              {source.max.x, end.max.y + look().px(3)},
              {tip.x, end.max.y + look().px(7)}};
    else path = {{tip.x, end.max.y}};
    path.push_back({tip.x, tip.y - side});
  }
  const ImU32 ink_of = ink(strong ? color : with_alpha(color, 0.6));
  canvas().AddPolyline(path.data(), static_cast<int>(path.size()), ink_of, 0, thick);
  canvas().AddCircleFilled(path.front(), look().px(strong ? 3.5f : 2.5f), ink_of);
  if (rows)
    canvas().AddTriangleFilled({tip.x - side * 1.4f, tip.y - side}, {tip.x - side * 1.4f, tip.y + side}, tip, ink_of);
  else
    canvas().AddTriangleFilled({tip.x - side, tip.y - side * 1.4f}, {tip.x + side, tip.y - side * 1.4f}, tip, ink_of);
}

// Along the line that is in focus, a jet into every element that the value goes to.
void BroadcastDrawing::draw_jets() {
  const CellGrid& dst = sheets_.back().grid;
  if (!step_.focus || step_.focus->operand != dst_.index) return;
  const std::uint32_t line = spread_.rows ? step_.focus->row : step_.focus->col;
  if (!(spread_.rows ? dst.rows : dst.cols).holds(line)) return;
  const ImU32 color = ink(small_.color);
  const Shown& along = spread_.rows ? dst.cols : dst.rows;
  // The link from the element that it meets comes along the other border.
  const bool meets = spread_.full >= 0;
  const float into = meets ? 1.0f : -1.0f;
  ImVec2 last{};
  for (std::uint32_t i = along.first; i < along.end(); ++i) {
    const StageCell cell = spread_.rows ? StageCell{dst_.index, line, i} : StageCell{dst_.index, i, line};
    if (step_.sources_of(cell).empty()) break;
    const Rect rect = dst.rect_of(cell.row, cell.col);
    const float side = look().px(cell == *step_.focus ? 5 : 3), tip = into * side * 1.5f;
    if (spread_.rows) {
      last = {rect.center().x, meets ? rect.min.y : rect.max.y};
      canvas().AddTriangleFilled({last.x - side, last.y}, {last.x + side, last.y}, {last.x, last.y + tip}, color);
    } else {
      last = {meets ? rect.min.x : rect.max.x, rect.center().y};
      canvas().AddTriangleFilled({last.x, last.y - side}, {last.x, last.y + side}, {last.x + tip, last.y}, color);
    }
  }
  const Rect first = spread_.rows ? dst.rect_of(line, dst.cols.first) : dst.rect_of(dst.rows.first, line);
  if (last.x != 0)
    canvas().AddLine(spread_.rows ? ImVec2{first.min.x, last.y} : ImVec2{last.x, first.min.y}, last, color,
                     look().px(2));
}

// From the element that the value meets to the result.
void BroadcastDrawing::draw_full_link() {
  if (!step_.focus) return;
  const CellGrid& dst = sheets_.back().grid;
  for (const Sheet& sheet : sheets_) {
    if (sheet.operand->index != spread_.full || !dst.shows(*step_.focus)) continue;
    for (const StageCell& cell : step_.source_cells)
      if (sheet.grid.shows(cell))
        draw_routed_link(sheet.grid.rect_of(cell.row, cell.col), sheet.grid.area(),
                         dst.rect_of(step_.focus->row, step_.focus->col), dst.area(), sheet.operand->color, false);
  }
}

void BroadcastDrawing::draw_pipes(const Sheet& from, const Sheet& to) {
  const Shown& lines = spread_.rows ? from.grid.rows : from.grid.cols;
  for (std::uint32_t line = lines.first; line < lines.end(); ++line) {
    const bool strong = step_.focus && (spread_.rows ? step_.focus->row : step_.focus->col) == line;
    const StageCell value = spread_.rows ? StageCell{small_.index, line, 0} : StageCell{small_.index, 0, line};
    if (is_read(value)) draw_pipe(from.grid, to.grid, line, small_.color, strong);
  }
}

// Between the tiles: the operation, and what it comes to.
void BroadcastDrawing::draw_signs() {
  if (spread_.full < 0) return;
  const bool exponential = expression_of(step_.bound.row->summary, "a", "b").starts_with("exp");
  const std::string sign = exponential ? "-" : sign_of(step_.bound.row->summary);
  for (std::size_t i = 1; i < sheets_.size(); ++i) {
    const CellGrid &before = sheets_[i - 1].grid, &grid = sheets_[i].grid;
    const std::string shown = i == 1 ? sign : exponential ? "exp" : "=";
    const float radius = look().px(11);
    if (spread_.rows)
      draw_sign({before.area().max.x + gap_ * 0.42f, grid.origin.y - col_number_height() / 2 - look().px(2)}, shown,
                radius);
    else draw_sign({sheets_[i].header.min.x - look().px(14), sheets_[i].header.center().y}, shown, radius);
  }
}

// "%x[1,5] = %a[1,5] - %m[1,0] = 2 - 3.5"
std::string BroadcastDrawing::formula() const {
  if (!step_.focus || spread_.full < 0) return "";
  std::string names[2], values[2];
  std::size_t count = 0;
  for (const Source& source : step_.sources) {
    const auto cell = step_.cell_of(source);
    if (!cell || source.decided || count == 2) continue;
    const StageOperand& operand = *step_.operand(cell->operand);
    names[count] = fmt::format("{}[{},{}]", step_.program().operand_name(*operand.operand), cell->row, cell->col);
    values[count++] = short_text(*operand.picture->elements.format, source.bits);
  }
  if (count != 2) return "";
  if (step_.sources[0].operand > step_.sources[1].operand) {
    std::swap(names[0], names[1]);
    std::swap(values[0], values[1]);
  }
  const std::string of_names = expression_of(step_.bound.row->summary, names[0], names[1]);
  if (of_names.empty()) return "";
  const std::string text =
      fmt::format("{}[{},{}] = {} = {}", step_.program().operand_name(*dst_.operand), step_.focus->row,
                  step_.focus->col, of_names, expression_of(step_.bound.row->summary, values[0], values[1]));
  if (!step_.made) return text;
  const Elements& elements = dst_.picture->elements;
  return text + " = " + short_text(*elements.format, elements.at(step_.focus->row, step_.focus->col));
}

std::string BroadcastDrawing::note() const {
  std::string text = formula();
  const char* line = spread_.rows ? "row" : "column";
  if (text.empty()) text = fmt::format("One element of {} goes to all of a {}.", small_.title, line);
  for (const Sheet& sheet : sheets_) {
    const CellGrid& grid = sheet.grid;
    if (!sheet.small || grid.rows.count == 0 || grid.cols.count == 0) continue;
    const TileRef& tile = small_.operand->tile;
    const std::uint32_t row = std::min(grid.rows.end(), std::max(tile.valid_rows, 1u)) - 1,
                        col = std::min(grid.cols.end(), std::max(tile.valid_cols, 1u)) - 1;
    if (!is_read({small_.index, row, col})) text += fmt::format("   What is faded of {} is not read.", small_.title);
  }
  const std::string unused = unused_scratch_text(step_);
  return unused.empty() ? text : text + "   " + unused;
}

void BroadcastDrawing::draw(const Rect& whole) {
  Rect area = whole;
  if (tmp_ != nullptr && area.height() >= look().px(300)) {
    area.max.y -= scratch_row_height();
    draw_scratch_row(step_, *tmp_, step_.focus ? step_.focus->row / 8 : 0,
                     {{area.min.x, area.max.y + look().px(4)}, whole.max});
  }
  const float line = look().fonts.small->FontSize + look().px(8);
  const Rect grids{area.min, {area.max.x, area.max.y - line}};
  const float end = spread_.rows ? place_side_by_side(grids) : place_above_each_other(grids);
  find_read();
  for (Sheet& sheet : sheets_) draw_sheet(sheet);
  for (std::size_t i = 0; i + 1 < sheets_.size(); ++i)
    if (sheets_[i].small) draw_pipes(sheets_[i], sheets_[i + 1]);
  draw_jets();
  draw_full_link();
  for (const Sheet& sheet : sheets_) draw_header_over(*sheet.operand, sheet.header);
  draw_signs();
  put_text_cut({area.min.x, std::min(end + look().px(14), area.max.y - line + look().px(4))}, area.width(), note(),
               look().theme->text, look().fonts.small);
}

namespace {

void draw_broadcast(StageStep& step, const Rect& area) {
  const StageOperand* dst = step.find(Role::Out);
  const auto spread = dst != nullptr && dst->picture != nullptr ? spread_of(flow_of(step), dst->index) : std::nullopt;
  if (!spread || step.operand(spread->small)->picture == nullptr) return draw_general(step, area);
  BroadcastDrawing(step, *spread, *dst).draw(area);
}

const RegisteredDrawing kBroadcastDrawing(Drawing::Broadcast, draw_broadcast);

}  // namespace
}  // namespace ts::ui
