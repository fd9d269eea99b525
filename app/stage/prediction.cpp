// Operands one above the other: what is given, and what is to be filled in.
#include "app/stage/prediction.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/draw/look.h"
#include "app/draw/text.h"
#include "app/stage/parts/parts.h"
#include "app/view/operand_element.h"
#include "app/view/targets.h"
#include "core/debug/elements/cell_text.h"

namespace ts::ui {
namespace {

// Which of the predicted cells it is.
std::optional<std::size_t> asked_cell(const ShownLesson& lesson, const StageCell& cell) {
  const learn::Predict* predict = lesson.predicting();
  if (predict == nullptr || cell.operand != predict->operand) return {};
  const auto found = std::ranges::find(predict->cells, learn::Predict::Cell{cell.row, cell.col});
  if (found == predict->cells.end()) return {};
  return static_cast<std::size_t>(found - predict->cells.begin());
}

// A cell that waits for an answer, or has one: a question mark, a frame, and what was said of it.
void draw_asked(const ShownLesson& lesson, std::size_t index, const Rect& rect) {
  const Theme& theme = *look().theme;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const std::string& filled = lesson.fills[index];
  const learn::Verdict* verdict = lesson.judged && index < lesson.judged->parts.size() && !lesson.judged->unread
                                      ? &lesson.judged->parts[index]
                                      : nullptr;
  CellLook cell{.text = filled.empty() ? "?" : filled, .ground = mix(theme.cell, theme.accent, 0.25)};
  if (verdict != nullptr) cell.ground = mix(theme.cell, verdict->right ? theme.good : theme.finding, 0.3);
  if (verdict != nullptr && !verdict->right) cell.marks = Mark::Finding;
  draw_cell(canvas, rect, cell);
  const bool current = lesson.current == index;
  canvas.AddRect({rect.min.x - 1, rect.min.y - 1}, {rect.max.x + 1, rect.max.y + 1},
                 ink(current ? theme.accent : theme.text_quiet), 0, 0, look().px(current ? 2.5f : 1.2f));
}

// A result as it stands before the step: what it holds is going to be written over, and so it is faint.
CellLook old_look(const StageOperand& operand, const StageCell& cell, float width) {
  const TilePicture& picture = *operand.picture;
  const Elements& elements = picture.elements;
  const Definedness worth = elements.worth_at(cell.row, cell.col);
  CellLook made;
  if (!picture.is_valid(cell.row, cell.col)) made.marks = made.marks | Mark::Padding;
  if (worth == Definedness::Never) made.marks = made.marks | Mark::Undefined;
  made.marks = made.marks | Mark::Faded;
  made.text = value_text(*elements.format, elements.at(cell.row, cell.col), worth, width);
  return made;
}

// An operand that is given. Of a mask its bits are asked about: 181 tells nobody that bit 4 is 1.
CellLook given_look(StageStep& step, const StageOperand& operand, const StageCell& cell, float width) {
  CellLook made = step.look_of(cell, width);
  const Elements& elements = operand.picture->elements;
  if (operand.operand->spec->role != Role::Mask || elements.worth_at(cell.row, cell.col) != Definedness::Written)
    return made;
  const std::uint64_t bits = elements.at(cell.row, cell.col);
  made.text = cell_text(*elements.format, bits, Definedness::Written, NumberStyle::Bits);
  if (text_width(made.text, look().fonts.mono) > width - look().px(6))
    made.text = "0x" + cell_text(*elements.format, bits, Definedness::Written, NumberStyle::Hex);
  return made;
}

// What a press of the mouse began on stays until it is let go.
void take_mouse(StageStep& step, const ShownLesson& lesson, const CellGrid& grid) {
  if (!ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows)) return;
  const auto cell = grid.cell_at(ImGui::GetIO().MousePos);
  if (!cell) return;
  const auto asked = asked_cell(lesson, *cell);
  if (!asked) {
    const Operand& operand = step.bound.operands[static_cast<std::size_t>(cell->operand)];
    if (operand.spec->role != Role::Out) step.view.hover({owner_of(operand), cell->row, cell->col});
  }
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    step.memory.pulled = cell;
    return;
  }
  if (!ImGui::IsMouseReleased(ImGuiMouseButton_Left) || !step.memory.pulled) return;
  const StageCell pulled = *step.memory.pulled;
  step.memory.pulled.reset();
  if (pulled != *cell && asked && !asked_cell(lesson, pulled)) {
    step.out.push("lessonDrop", {static_cast<std::int64_t>(*asked), step.view.name_of(step.element_at(pulled))});
    return;
  }
  if (pulled != *cell) return;
  // A result that is not asked for says nothing.
  const bool result = step.bound.operands[static_cast<std::size_t>(cell->operand)].spec->role == Role::Out;
  if (result && !asked) return;
  const std::string name = step.view.name_of(step.element_at(*cell));
  step.out.push("select", {name.substr(0, name.find('[')), static_cast<std::int64_t>(cell->row),
                           static_cast<std::int64_t>(cell->col)});
}

void draw_operand(StageStep& step, const ShownLesson& lesson, const StageOperand& operand, const CellGrid& grid) {
  const learn::Predict* predict = lesson.predicting();
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const Rect whole = grid.area();
  canvas.AddRectFilled({whole.min.x - 1, whole.min.y - 1}, {whole.max.x, whole.max.y}, ink(look().theme->grid));
  const bool result = operand.operand->spec->role == Role::Out;
  for (std::uint32_t row = grid.rows.first; row < grid.rows.end(); ++row)
    for (std::uint32_t col = grid.cols.first; col < grid.cols.end(); ++col) {
      const StageCell cell{grid.operand, row, col};
      const Rect rect = grid.rect_of(row, col);
      if (!result) draw_cell(canvas, rect, given_look(step, operand, cell, grid.width));
      else if (!asked_cell(lesson, cell)) draw_cell(canvas, rect, old_look(operand, cell, grid.width));
      if (targets_wanted()) step.mark_target(cell, rect);
    }
  // Above their neighbours, for their frames.
  for (std::size_t i = 0; predict != nullptr && i < predict->cells.size(); ++i)
    if (grid.shows(predict->element(i)))
      draw_asked(lesson, i, grid.rect_of(predict->cells[i].row, predict->cells[i].col));
  draw_grid_numbers(step, grid);
  draw_overview(step, grid);
  scroll_grid(step, grid, grid.operand);
  take_mouse(step, lesson, grid);
}

// A scalar can be an answer as well.
void draw_number(StageStep& step, const ShownLesson& lesson, const StageOperand& operand, const Rect& rect) {
  draw_scalar_cell(step, operand, rect);
  if (targets_wanted()) note_target(fmt::format("stage/{}", operand.operand->spec->name), rect);
  if (lesson.predicting() != nullptr && ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) &&
      rect.holds(ImGui::GetIO().MousePos) && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
    step.out.push("lessonDrop", {static_cast<std::int64_t>(lesson.current), std::string(operand.operand->spec->name)});
}

// What is pulled hangs on the mouse.
void draw_pulled(const StageStep& step) {
  if (!step.memory.pulled) return;
  step.view.keep_moving();
  const Theme& theme = *look().theme;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const std::string text = step.view.name_of(step.element_at(*step.memory.pulled));
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float wide = text_width(text, look().fonts.mono) + look().px(14),
              high = look().fonts.mono->FontSize + look().px(8);
  const Rect box{{mouse.x + look().px(12), mouse.y + look().px(8)},
                 {mouse.x + look().px(12) + wide, mouse.y + look().px(8) + high}};
  canvas.AddRectFilled(box.min, box.max, ink(theme.raised), look().px(3));
  canvas.AddRect(box.min, box.max, ink(theme.accent), look().px(3));
  draw_text_in(canvas, box, text, ink(theme.text), look().fonts.mono);
}

// Few cells are large: there is something to be put into them.
constexpr GridWish kCells{.least_width = 68, .most_width = 104, .most_height = 38};

// How high an operand's rows would be with all the room there is.
float wished_height(const StageOperand& operand) {
  const float numbers = col_number_height();
  if (operand.picture == nullptr) return look().px(28);
  const auto rows = static_cast<float>(std::min<std::uint32_t>(operand.picture->elements.rows, 64));
  return numbers + rows * look().px(kCells.most_height) + look().px(8);
}

}  // namespace

void draw_prediction(StageStep& step, const ShownLesson& lesson, const Rect& area) {
  const learn::Predict* predict = lesson.predicting();
  // Where anything comes from is not known here.
  step.sources.clear();
  step.source_cells.clear();
  step.reached.clear();
  step.focus.reset();
  step.focus_moved = false;
  // Scrolls to the cell that is filled in next.
  if (predict != nullptr) {
    step.focus = predict->element(std::min(lesson.current, predict->cells.size() - 1));
    step.focus_moved = step.memory.asked != step.focus;
    step.memory.asked = step.focus;
  }
  if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !area.holds(ImGui::GetIO().MousePos)) step.memory.pulled.reset();

  const char* words = predict != nullptr
                          ? "This step has not run yet. What will stand in the cells with a question mark? "
                            "Type it beside, or click a source or drag it there."
                          : "This step has not run yet; what it does is a question of this lesson.";
  const float note = draw_note(area.min, area.width(), words) + look().px(8);
  std::vector<const StageOperand*> order;
  for (const bool results : {false, true})
    for (const StageOperand& operand : step.operands)
      if (operand.result == results && operand.operand->spec->role != Role::Tmp &&
          operand.operand->spec->role != Role::Address)
        order.push_back(&operand);
  const float gap = look().px(10);
  float wished = 0;
  for (const StageOperand* operand : order) wished += wished_height(*operand);
  const float room = area.height() - note - static_cast<float>(order.size()) * (header_height() + gap);
  const float share = std::min(1.0f, room / std::max(1.0f, wished));
  float y = area.min.y + note;
  for (const StageOperand* operand : order) {
    draw_header(*operand, {{area.min.x, y}, {area.max.x, y + header_height()}});
    y += header_height();
    const float high = std::max(col_number_height() + look().px(20), wished_height(*operand) * share);
    if (operand->picture == nullptr) {
      draw_number(step, lesson, *operand, {{area.min.x, y}, {area.min.x + look().px(92), y + look().px(26)}});
    } else {
      const CellGrid grid = place_grid(step, *operand, {{area.min.x, y}, {area.max.x, y + high}}, kCells);
      if (grid.rows.count != 0 && grid.cols.count != 0) draw_operand(step, lesson, *operand, grid);
    }
    y += high + gap;
  }
  if (ImGui::IsMouseReleased(ImGuiMouseButton_Left)) step.memory.pulled.reset();
  draw_pulled(step);
}

}  // namespace ts::ui
