// Element-wise operations: the sheets of the operands one above the other, lane over lane, with the operation's sign
// between them.
#include <algorithm>

#include "app/draw/look.h"
#include "app/stage/families.h"
#include "app/stage/operation.h"
#include "app/stage/parts.h"
#include "core/debug/stage_rows.h"

namespace ts::ui {
namespace {

ImDrawList& canvas() {
  return *ImGui::GetWindowDrawList();
}

bool all_tiles_of_one_shape(const StageStep& step) {
  const Elements* first = nullptr;
  std::size_t results = 0;
  for (const StageOperand& operand : step.operands) {
    if (operand.picture == nullptr || operand.operand->spec->role == Role::Tmp) return false;
    const Elements& elements = operand.picture->elements;
    if (first != nullptr && (elements.rows != first->rows || elements.cols != first->cols)) return false;
    first = &elements;
    results += operand.result ? 1 : 0;
  }
  return results == 1;
}

// The lane that the focus is in, from the first sheet to the last.
void draw_lane(const StageStep& step, const std::vector<CellGrid>& sheets) {
  if (!step.focus || sheets.empty()) return;
  const CellGrid& first = sheets.front();
  if (!first.cols.holds(step.focus->col)) return;
  const Rect top = first.rect_of(first.rows.first, step.focus->col);
  const float bottom = sheets.back().area().max.y;
  canvas().AddRectFilled({top.min.x - 1, top.min.y - look().px(4)}, {top.max.x + 1, bottom + look().px(2)},
                         ink(with_alpha(look().theme->accent, 0.16)));
}

}  // namespace

void draw_elementwise(StageStep& step, const Rect& area) {
  if (!all_tiles_of_one_shape(step)) return draw_general(step, area);
  std::vector<const StageOperand*> order;
  for (const StageOperand& operand : step.operands)
    if (!operand.result) order.push_back(&operand);
  for (const StageOperand& operand : step.operands)
    if (operand.result) order.push_back(&operand);
  // All sheets show what the result's sheet shows.
  const float sign_room = look().px(30), gap = look().px(4), numbers = look().fonts.mono_small->FontSize + look().px(3);
  const auto count = static_cast<float>(order.size());
  const float each = (area.height() - numbers - count * (header_height() + gap)) / count;
  const Rect first{{area.min.x + sign_room, area.min.y + header_height()},
                   {area.max.x, area.min.y + header_height() + numbers + each}};
  const CellGrid placed = place_grid(step, *order.back(), first);
  std::vector<CellGrid> sheets;
  std::vector<Rect> headers;
  float y = area.min.y;
  const std::string sign = sign_of(step.bound.row->summary);
  for (std::size_t i = 0; i < order.size(); ++i) {
    headers.push_back({{area.min.x + sign_room, y}, {area.max.x, y + header_height()}});
    CellGrid sheet = placed;
    sheet.operand = order[i]->index;
    sheet.origin.y = y + header_height() + (i == 0 ? numbers : 0);
    sheets.push_back(sheet);
    if (i > 0)
      draw_sign({area.min.x + sign_room * 0.42f,
                 sheet.area().min.y + std::min(sheet.area().max.y - sheet.area().min.y, look().px(28)) / 2},
                i + 1 == order.size() ? "=" : sign, look().px(11));
    y = sheet.area().max.y + gap + (i + 1 < order.size() ? look().px(3) : 0);
  }
  draw_lane(step, sheets);
  draw_grid_numbers(step, sheets.front());
  for (const CellGrid& sheet : sheets) draw_cells(step, sheet);
  draw_overview(step, sheets.back());
  draw_focus_links(step, sheets);
  for (std::size_t i = 0; i < order.size(); ++i) draw_header_over(*order[i], headers[i]);
  for (const CellGrid& sheet : sheets) scroll_grid(step, sheet, order.back()->index);
}

}  // namespace ts::ui
