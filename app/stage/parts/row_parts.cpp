// Rows of cells for drawings that show one row of the tiles at a time.
#include "app/stage/parts/row_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/draw/canvas.h"
#include "app/draw/look.h"
#include "app/stage/parts/parts.h"

namespace ts::ui {
namespace {

// The window on rows and slots is kept beside those of the operands.
constexpr int kRowsKey = -1;

bool over(const Rect& area) {
  return area.holds(ImGui::GetIO().MousePos) && ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
}

bool arrow_button(const char* id, ImVec2 at, float side, bool right, bool enabled) {
  const Theme& theme = *look().theme;
  ImGui::SetCursorScreenPos(at);
  const bool pressed = ImGui::InvisibleButton(id, {side, side}) && enabled;
  const Color color = !enabled ? theme.line : ImGui::IsItemHovered() ? theme.accent : theme.text_quiet;
  const ImVec2 middle{at.x + side / 2, at.y + side / 2};
  const float half = side * 0.26f, tip = right ? half : -half;
  canvas().AddTriangleFilled({middle.x - tip, middle.y - half}, {middle.x - tip, middle.y + half},
                             {middle.x + tip, middle.y}, ink(color));
  return pressed;
}

bool pressed(ImGuiKey key) {
  return ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) && !ImGui::GetIO().WantTextInput &&
         ImGui::IsKeyPressed(ImGui::GetKeyIndex(key));
}

}  // namespace

float picker_height() { return look().fonts.small->FontSize + look().px(8); }

std::uint32_t pick_row(StageStep& step, Rect& line, const Rect& area, std::uint32_t rows,
                       std::optional<std::uint32_t> focus_row) {
  std::uint32_t& row = step.memory.first[kRowsKey].first;
  if (step.focus_moved && step.focus) row = focus_row.value_or(step.focus->row);
  if (rows == 0) return row = 0;
  row = std::min(row, rows - 1);
  // A few rows one after the other are no keyhole.
  constexpr std::uint32_t kTurnedThrough = 8;
  step.note_shown(std::min(rows, kTurnedThrough), rows);
  const float side = picker_height();
  const std::string text = fmt::format("row {}  (0 to {})", row, rows - 1),
                    widest = fmt::format("row {}  (0 to {})", rows - 1, rows - 1);
  const std::uint32_t before = row;
  ImGui::PushID("row");
  if (arrow_button("##up", line.min, side, false, row > 0)) --row;
  line.min.x += side;
  put_text({line.min.x, line.min.y + look().px(3)}, text, look().theme->text, look().fonts.small);
  line.min.x += text_width(widest, look().fonts.small) + look().px(2);
  if (arrow_button("##down", line.min, side, true, before + 1 < rows)) ++row;
  ImGui::PopID();
  line.min.x += side + look().px(10);
  const ImGuiIO& io = ImGui::GetIO();
  const float wheel = over(area) && !io.KeyShift ? io.MouseWheel : 0;
  if ((wheel > 0 || pressed(ImGuiKey_UpArrow)) && row > 0) --row;
  if ((wheel < 0 || pressed(ImGuiKey_DownArrow)) && row + 1 < rows) ++row;
  return row;
}

Slots place_slots(StageStep& step, const Rect& area, std::uint32_t total, std::optional<std::uint32_t> focus,
                  float least, float most, std::uint32_t meant) {
  Slots slots{.shown = {}, .left = area.min.x, .width = 0, .total = total};
  // The whole in sight is worth cells that are somewhat narrower.
  const float wide = std::max(0.0f, area.width());  // of a pane that is too small for it there is nothing left
  const auto narrow = static_cast<std::uint32_t>(wide / look().px(least * 0.62f)),
             usual = static_cast<std::uint32_t>(std::max(1.0f, std::floor(wide / look().px(least))));
  meant = std::min(meant, total);
  const std::uint32_t room = total <= narrow ? std::max(total, 1u) : meant <= narrow ? std::max(usual, meant) : usual;
  std::uint32_t& first = step.memory.first[kRowsKey].second;
  const ImGuiIO& io = ImGui::GetIO();
  const float keys = (pressed(ImGuiKey_RightArrow) ? 1.0f : 0.0f) - (pressed(ImGuiKey_LeftArrow) ? 1.0f : 0.0f);
  const float turned = (over(area) ? io.MouseWheelH + (io.KeyShift ? -io.MouseWheel : 0) : 0) + keys;
  if (turned != 0)
    first = static_cast<std::uint32_t>(std::max(0.0f, static_cast<float>(first) + std::round(turned * 3)));
  // What a move shows does not depend on what it showed before.
  const bool anew = step.is_new || (step.move && step.focus_moved);
  slots.shown = anew && focus ? shown_around(total, room, *focus)
                              : shown_part(total, room, first, step.focus_moved ? focus : std::nullopt);
  first = slots.shown.first;
  step.note_shown(meant_in_sight(slots.shown, meant), meant);
  if (slots.shown.count > 0)
    slots.width = std::floor(std::min(area.width() / static_cast<float>(slots.shown.count), look().px(most)));
  return slots;
}

void draw_slots_overview(StageStep& step, const Slots& slots, float y) {
  if (slots.shown.count >= slots.total) return;
  std::uint32_t& first = step.memory.first[kRowsKey].second;
  draw_overview_bar("##slots", {{slots.left, y}, {slots.right(), y + look().px(5)}}, slots.shown, slots.total, first);
}

void FreeCells::draw(StageStep& step, const std::vector<StageCell>& faded, bool numbers, Mark without) const {
  const bool hovered = ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  for (const One& one : cells_) {
    CellLook cell = step.look_of(one.cell, one.rect.width());
    if (std::ranges::count(faded, one.cell) != 0) cell.marks = cell.marks | Mark::Faded;
    if (has(cell.marks, without))
      cell.marks = static_cast<Mark>(static_cast<int>(cell.marks) & ~static_cast<int>(without));
    canvas().AddRectFilled({one.rect.min.x - 1, one.rect.min.y - 1}, {one.rect.max.x + 1, one.rect.max.y + 1},
                           ink(look().theme->grid));
    draw_cell(canvas(), one.rect, cell);
    step.mark_target(one.cell, one.rect);
    if (hovered && one.rect.holds(mouse)) step.point_at(one.cell);
    if (numbers)
      draw_col_number(one.cell.col, one.rect, step.operand(one.cell.operand)->result,
                      has(cell.marks, Mark::Hovered) || has(cell.marks, Mark::Provenance));
  }
}

const Rect* FreeCells::find(const StageCell& cell) const {
  const auto found = std::ranges::find(cells_, cell, &One::cell);
  return found == cells_.end() ? nullptr : &found->rect;
}

void draw_col_number(std::uint32_t col, const Rect& cell, bool below, bool strong) {
  const Theme& theme = *look().theme;
  ImFont* font = look().fonts.mono_small;
  const float size = font->FontSize * 0.88f;
  const std::string text = std::to_string(col);
  const float wide = font->CalcTextSizeA(size, FLT_MAX, 0, text.c_str()).x;
  canvas().AddText(font, size,
                   {std::floor(cell.center().x - wide / 2), std::floor(below ? cell.max.y + 2 : cell.min.y - size - 1)},
                   ink(strong ? theme.text : theme.text_quiet), text.c_str());
}
float col_number_room() { return look().fonts.mono_small->FontSize * 0.88f + look().px(2); }

void draw_ribbon(const Rect& from, const Rect& to, Color color, bool strong) {
  const float inset = std::min(from.width() * 0.18f, look().px(9));
  const ImU32 fill = ink(with_alpha(color, strong ? 0.55 : 0.20));
  const ImVec2 a{from.min.x + inset, from.max.y}, b{from.max.x - inset, from.max.y}, c{to.max.x - inset, to.min.y},
      d{to.min.x + inset, to.min.y};
  canvas().AddQuadFilled(a, b, c, d, fill);
  const float middle_from = (a.x + b.x) / 2, middle_to = (c.x + d.x) / 2, side = look().px(strong ? 5 : 3.5f);
  const ImU32 line = ink(with_alpha(color, strong ? 1.0 : 0.7));
  canvas().AddLine({middle_from, a.y}, {middle_to, c.y - side}, line, look().px(strong ? 2.2f : 1));
  canvas().AddTriangleFilled({middle_to - side, c.y - side * 1.3f}, {middle_to + side, c.y - side * 1.3f},
                             {middle_to, c.y}, line);
}

float label_width(const Rect& area) { return std::clamp(area.width() * 0.14f, look().px(64), look().px(140)); }

void draw_label(const StageOperand& operand, const Rect& rect) {
  const Theme& theme = *look().theme;
  const float bar = look().px(4);
  canvas().AddRectFilled({rect.min.x, rect.min.y + 2}, {rect.min.x + bar, rect.max.y - 2}, ink(operand.color));
  const std::string letter = operand.letter == 0 ? "" : std::string(1, operand.letter) + "  ";
  const float x = rect.min.x + bar + look().px(5), y = rect.center().y - look().fonts.small->FontSize / 2,
              room = rect.max.x - x - look().px(4);
  put_text_cut({x, y}, room, letter + operand.title, theme.text, look().fonts.small);
}

}  // namespace ts::ui
