// Drawing rulers.
#include "app/stage/parts/ruler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/draw/look.h"
#include "app/draw/text.h"
#include "core/isa/target.h"

namespace ts::ui {
namespace {

// Bytes between two labels, so that they do not touch: powers of two, from a block on.
double label_step(const Ruler& ruler, float least) {
  double step = BLK;
  while (step / ruler.span.size * static_cast<double>(ruler.rect.width()) < static_cast<double>(least)) step *= 2;
  return step;
}

}  // namespace

Ruler place_ruler(const Rect& rect, const ByteRange& reach) {
  const std::uint32_t begin = reach.address / BLK * BLK;
  const std::uint32_t end = (reach.address + std::max(reach.size, 1u) + BLK - 1) / BLK * BLK;
  return {reach.with(begin, end - begin), rect};
}

float ruler_height() { return std::floor(look().px(20)); }
float ruler_label_height() { return std::floor(look().px(18)); }

void draw_ruler(const Ruler& ruler, std::optional<std::uint32_t> counted_from) {
  const std::uint32_t from = counted_from.value_or(0);
  const Theme& theme = *look().theme;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const Rect& bar = ruler.rect;
  canvas.AddRectFilled(bar.min, bar.max, ink(theme.cell));
  canvas.AddRect(bar.min, bar.max, ink(theme.line));
  const double begin = ruler.span.address, end = begin + ruler.span.size;
  const double label = label_step(ruler, look().px(72)), tick = label_step(ruler, look().px(7));
  for (double at = std::ceil((begin - from) / tick) * tick + from; at <= end; at += tick)
    canvas.AddLine({ruler.x_of(at), bar.min.y}, {ruler.x_of(at), bar.max.y}, ink(theme.grid), 1);
  for (double at = std::ceil((begin - from) / label) * label + from; at <= end; at += label) {
    const std::string text = !counted_from ? fmt::format("0x{:x}", static_cast<std::uint64_t>(at))
                                           : fmt::format("{}", static_cast<std::int64_t>(at - from));
    const float x = ruler.x_of(at), wide = text_width(text, look().fonts.mono_small);
    canvas.AddLine({x, bar.max.y}, {x, bar.max.y + look().px(4)}, ink(theme.text_quiet), 1);
    put_text({std::min(x, std::max(bar.min.x, bar.max.x - wide)), bar.max.y + look().px(4)}, text, theme.text_quiet,
             look().fonts.mono_small);
  }
}

Rect draw_window(const Ruler& ruler, const ByteRange& place, Color color, WindowLook how) {
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const float x = ruler.x_of(place.address),
              end = std::max(ruler.x_of(double{static_cast<double>(place.address)} + place.size), x + 2);
  const Rect rect{{x, ruler.rect.min.y}, {end, ruler.rect.max.y}};
  const double strength = how == WindowLook::Ghost ? 0.22 : how == WindowLook::Plain ? 0.5 : 0.9;
  canvas.AddRectFilled(rect.min, rect.max, ink(with_alpha(color, strength)));
  if (rect.width() >= 5)
    canvas.AddRect(rect.min, rect.max, ink(with_alpha(color, how == WindowLook::Ghost ? 0.6 : 1)), 0, 0,
                   how == WindowLook::Strong ? 2.0f : 1.0f);
  return rect;
}

}  // namespace ts::ui
