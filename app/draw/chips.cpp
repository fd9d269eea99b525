// Buttons and boxes the height of a line.
#include "app/draw/chips.h"

#include "app/draw/look.h"
#include "app/draw/text.h"

namespace ts::ui {
namespace {

bool button(const char* id, int number, const Rect& rect, const char* label, bool on) {
  const Theme& theme = *look().theme;
  ImGui::PushID(id);
  ImGui::PushID(number);
  const ImVec2 back = ImGui::GetCursorPos();
  ImGui::SetCursorScreenPos(rect.min);
  const bool clicked = ImGui::InvisibleButton("chip", {rect.width(), rect.height()});
  const bool hovered = ImGui::IsItemHovered();
  ImGui::SetCursorPos(back);
  ImGui::PopID();
  ImGui::PopID();
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const Color ground = on ? theme.accent : hovered ? theme.hovered : theme.raised;
  const float round = look().px(3);
  canvas.AddRectFilled(rect.min, rect.max, ink(ground), round);
  canvas.AddRect(rect.min, rect.max, ink(on ? theme.accent : theme.line), round);
  const float y = rect.min.y + (rect.height() - look().fonts.small->FontSize) / 2;
  put_text({rect.min.x + look().px(8), y}, label, on ? theme.accent_text : theme.text, look().fonts.small);
  return clicked;
}

}  // namespace

float chip_height() { return look().fonts.small->FontSize + look().px(7); }

int choose(const char* id, ImVec2 at, const std::vector<const char*>& labels, int chosen, float* end_x) {
  int clicked = -1;
  for (int i = 0; i < static_cast<int>(labels.size()); ++i) {
    const float width = text_width(labels[i], look().fonts.small) + look().px(16);
    if (button(id, i, {at, {at.x + width, at.y + chip_height()}}, labels[i], i == chosen)) clicked = i;
    at.x += width + look().px(2);
  }
  if (end_x != nullptr) *end_x = at.x;
  return clicked;
}

bool toggle(const char* id, ImVec2 at, const char* label, bool on, float* end_x) {
  return choose(id, at, {label}, on ? 0 : -1, end_x) == 0;
}

float put_chip(ImVec2 at, const std::string& text, Color edge, bool filled) {
  const Theme& theme = *look().theme;
  ImFont* font = look().fonts.small;
  const Rect rect{at, {at.x + text_width(text, font) + look().px(12), at.y + chip_height()}};
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  canvas.AddRectFilled(rect.min, rect.max, ink(filled ? edge : theme.raised), look().px(3));
  canvas.AddRect(rect.min, rect.max, ink(edge), look().px(3));
  put_text({at.x + look().px(6), at.y + (rect.height() - font->FontSize) / 2}, text,
           filled ? text_on(edge) : theme.text, font);
  return rect.max.x;
}

void FactRow::put(const std::string& text, Color edge, bool filled) {
  if (at.x + text_width(text, look().fonts.small) + look().px(12) > end) return;
  at.x = put_chip(at, text, edge, filled) + look().px(6);
}

}  // namespace ts::ui
