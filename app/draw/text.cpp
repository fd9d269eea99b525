// Putting text on the canvas.
#include "app/draw/text.h"

#include <fmt/format.h>

#include <cmath>

#include "app/draw/look.h"
#include "core/debug/elements/cell_text.h"

namespace ts::ui {

void put_text(ImVec2 at, const std::string& text, Color color, ImFont* font) {
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  canvas.AddText(font, font->FontSize, {std::floor(at.x), std::floor(at.y)}, ink(color), text.c_str());
}

float text_width(const std::string& text, ImFont* font) {
  return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, text.c_str()).x;
}

float line_step(ImFont* font) { return std::ceil(font->FontSize * 1.25f); }

std::string cut_text(const std::string& text, float room, ImFont* font) {
  if (text_width(text, font) <= room) return text;
  std::size_t low = 0, high = text.size();
  while (low < high) {
    const std::size_t middle = (low + high + 1) / 2;
    if (text_width(text.substr(0, middle) + "…", font) <= room) low = middle;
    else high = middle - 1;
  }
  return low == 0 ? "" : text.substr(0, low) + "…";
}

float put_text_cut(ImVec2 at, float room, const std::string& text, Color color, ImFont* font) {
  const std::string shown = cut_text(text, room, font);
  put_text(at, shown, color, font);
  return text_width(shown, font);
}

float put_text_wrapped(ImVec2 at, float room, const std::string& text, Color color, ImFont* font, bool draw) {
  const float line = line_step(font);
  float y = at.y;
  const char *rest = text.c_str(), *end = rest + text.size();
  while (rest < end) {
    const char* line_end = font->CalcWordWrapPositionA(1, rest, end, room);
    if (line_end == rest) line_end = rest + 1;
    if (draw) put_text({at.x, y}, std::string(rest, line_end), color, font);
    y += line;
    rest = line_end;
    while (rest < end && *rest == ' ') ++rest;
    if (rest < end && *rest == '\n') ++rest;
  }
  return y - at.y;
}

std::string value_text(const ElementFormat& format, std::uint64_t bits, Definedness worth, float width) {
  const float room = width - look().px(10), character = text_width("0", look().fonts.mono);
  const auto most = static_cast<std::size_t>(std::max(1.0f, room / character));
  const std::string fitted = fitted_text(format, bits, worth, NumberStyle::Decimal, most);
  return fitted.empty() ? cell_text(format, bits, worth, NumberStyle::Decimal) : fitted;
}

}  // namespace ts::ui
