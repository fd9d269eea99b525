// Drawing signs.
#include "app/stage/parts/operation.h"

#include <algorithm>
#include <string_view>

#include "app/draw/look.h"
#include "app/draw/text.h"

namespace ts::ui {

void draw_sign(ImVec2 middle, const std::string& sign, float radius, float room) {
  const Theme& theme = *look().theme;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const float half = radius * 5 / 11, thick = std::max(1.0f, radius * 0.2f);
  const ImU32 color = ink(theme.text);
  const ImVec2 c = middle;
  const bool word = std::string_view("+-=*").find(sign) == std::string_view::npos;
  const float wide = word ? text_width(sign, look().fonts.mono_small) : 0;
  if (radius < look().px(4) || wide + look().px(4) > room) {
    canvas.AddCircleFilled(c, std::max(1.5f, radius * 0.7f), ink(theme.text_quiet));
    return;
  }
  canvas.AddCircleFilled(c, radius, ink(theme.raised));
  canvas.AddCircle(c, radius, ink(theme.line), 0, look().px(1));
  if (sign == "+" || sign == "-" || sign == "=") {
    const float apart = sign == "=" ? look().px(2.5f) : 0;
    canvas.AddLine({c.x - half, c.y - apart}, {c.x + half, c.y - apart}, color, thick);
    if (sign == "=") canvas.AddLine({c.x - half, c.y + apart}, {c.x + half, c.y + apart}, color, thick);
    if (sign == "+") canvas.AddLine({c.x, c.y - half}, {c.x, c.y + half}, color, thick);
    return;
  }
  if (sign == "*") {
    canvas.AddLine({c.x - half, c.y - half}, {c.x + half, c.y + half}, color, thick);
    canvas.AddLine({c.x - half, c.y + half}, {c.x + half, c.y - half}, color, thick);
    return;
  }
  // A word is wider than a small circle.
  if (wide > 2 * radius)
    canvas.AddRectFilled({c.x - wide / 2 - 2, c.y - radius}, {c.x + wide / 2 + 2, c.y + radius}, ink(theme.raised),
                         radius);
  put_text({c.x - wide / 2, c.y - look().fonts.mono_small->FontSize / 2}, sign, theme.text, look().fonts.mono_small);
}

}  // namespace ts::ui
