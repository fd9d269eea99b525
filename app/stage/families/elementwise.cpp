// Element-wise operations: the sheets of the operands one above the other, lane over lane, with the operation's sign
// between them.
#include <algorithm>

#include "app/draw/canvas.h"
#include "app/draw/look.h"
#include "app/stage/drawing.h"
#include "app/stage/families/shower.h"
#include "app/stage/parts/operation.h"
#include "app/stage/parts/parts.h"
#include "core/debug/picture/stage_rows.h"

namespace ts::ui {
namespace {

// Tiles of one shape with one result, and numbers for all lanes.
bool is_lane_by_lane(const StageStep& step) {
  const Elements* first = nullptr;
  std::size_t results = 0;
  for (const StageOperand& operand : step.operands) {
    if (operand.operand->spec->role == Role::Tmp) return false;
    if (operand.operand->spec->kind == OperandKind::Scalar) continue;
    if (operand.picture == nullptr) return false;
    const Elements& elements = operand.picture->elements;
    if (first != nullptr && (elements.rows != first->rows || elements.cols != first->cols)) return false;
    first = &elements;
    results += operand.result ? 1 : 0;
  }
  return results == 1 && first != nullptr;
}

std::vector<const StageOperand*> sources_then_result(const StageStep& step) {
  std::vector<const StageOperand*> order;
  for (const bool result : {false, true})
    for (const StageOperand& operand : step.operands)
      if (operand.result == result) order.push_back(&operand);
  return order;
}

// An operand's place: a grid, or of a number the cell that it stands in.
struct Sheet {
  const StageOperand* operand;
  Rect header;
  CellGrid grid;
  Rect cell;
  bool is_number() const { return operand->picture == nullptr; }
  float middle() const {
    if (is_number()) return cell.center().y;
    return grid.area().min.y + std::min(grid.area().max.y - grid.area().min.y, look().px(28)) / 2;
  }
};

class Lanes {
 public:
  Lanes(StageStep& step, const Rect& area) : step_(step), area_(area) { place(); }
  void draw();

 private:
  void place();
  float number_height() const { return look().px(24); }
  float sign_room() const { return look().px(30); }
  void draw_lane() const;
  void draw_number(const Sheet& number, const Sheet& below) const;

  StageStep& step_;
  const Rect area_;
  std::vector<Sheet> sheets_;
  std::vector<CellGrid> grids_;
};

// All grids show what the result's grid shows.
void Lanes::place() {
  const float gap = look().px(4), numbers = look().fonts.mono_small->FontSize + look().px(3);
  const std::vector<const StageOperand*> order = sources_then_result(step_);
  const auto all = static_cast<float>(order.size());
  const auto tiles =
      static_cast<float>(std::ranges::count_if(order, [](const StageOperand* one) { return one->picture != nullptr; }));
  const float each =
      (area_.height() - numbers - all * (header_height() + gap) - (all - tiles) * number_height()) / tiles;
  const float left = area_.min.x + sign_room();
  const CellGrid placed = place_grid(
      step_, *order.back(),
      {{left, area_.min.y + header_height()}, {area_.max.x, area_.min.y + header_height() + numbers + each}});
  float y = area_.min.y;
  for (const StageOperand* operand : order) {
    Sheet sheet{operand, {{left, y}, {area_.max.x, y + header_height()}}, placed, {}};
    y += header_height();
    if (sheet.is_number()) {
      sheet.cell = {{left, y}, {left + look().px(90), y + number_height() - 1}};
      y = sheet.cell.max.y + gap;
    } else {
      sheet.grid.operand = operand->index;
      sheet.grid.origin.y = y + (grids_.empty() ? numbers : 0);
      grids_.push_back(sheet.grid);
      y = sheet.grid.area().max.y + gap + (operand->result ? 0 : look().px(3));
    }
    sheets_.push_back(sheet);
  }
}

// The lane that the focus is in, from the first sheet to the last.
void Lanes::draw_lane() const {
  const CellGrid& first = grids_.front();
  if (!step_.focus || !first.cols.holds(step_.focus->col)) return;
  const Rect top = first.rect_of(first.rows.first, step_.focus->col);
  canvas().AddRectFilled({top.min.x - 1, top.min.y - look().px(4)},
                         {top.max.x + 1, grids_.back().area().max.y + look().px(2)},
                         ink(with_alpha(look().theme->accent, 0.16)));
}

// A number meets every lane: a pipe with a jet down into each column in sight.
void Lanes::draw_number(const Sheet& number, const Sheet& below) const {
  const Color color = number.operand->color;
  if (!below.is_number()) {
    const CellGrid& grid = below.grid;
    const float pipe = number.cell.center().y;
    float right = number.cell.max.x;
    for (std::uint32_t col = grid.cols.first; col < grid.cols.end(); ++col) {
      const float x = grid.rect_of(grid.rows.first, col).center().x;
      if (x <= number.cell.max.x) continue;
      right = x;
      draw_jet(x, pipe, grid.origin.y - 1, color, step_.focus && step_.focus->col == col);
    }
    canvas().AddLine({number.cell.max.x, pipe}, {right, pipe}, ink(color), look().px(4));
  }
  draw_scalar_cell(step_, *number.operand, number.cell);
}

void Lanes::draw() {
  draw_lane();
  draw_grid_numbers(step_, grids_.front());
  for (std::size_t i = 0; i + 1 < sheets_.size(); ++i)
    if (sheets_[i].is_number()) draw_number(sheets_[i], sheets_[i + 1]);
  const std::string sign = sign_of(step_.bound.row->summary);
  for (std::size_t i = 1; i < sheets_.size(); ++i)
    draw_sign({area_.min.x + sign_room() * 0.42f, sheets_[i].middle()}, i + 1 == sheets_.size() ? "=" : sign,
              look().px(11));
  for (const CellGrid& grid : grids_) draw_cells(step_, grid);
  draw_overview(step_, grids_.back());
  draw_focus_links(step_, grids_);
  for (const Sheet& sheet : sheets_) draw_header_over(*sheet.operand, sheet.header);
  for (const CellGrid& grid : grids_) scroll_grid(step_, grid, sheets_.back().operand->index);
}

void draw_elementwise(StageStep& step, const Rect& area) {
  if (!is_lane_by_lane(step)) return draw_general(step, area);
  Lanes(step, area).draw();
}

const RegisteredDrawing kElementwiseDrawing(Drawing::Lanes, draw_elementwise);

}  // namespace
}  // namespace ts::ui
