// Lines, hatches and marks.
#include "app/draw/shapes.h"

#include <algorithm>
#include <cmath>

namespace ts::ui {

void hatch(ImDrawList& out, const Rect& rect, ImU32 color, float gap, bool rising) {
  out.PushClipRect(rect.min, rect.max, true);
  // The lines go on for a pixel outside, where they are cut off: whether a line that ends between two pixels has the last
  // one is decided otherwise by each processor that draws.
  const float height = rect.height(), past = 1;
  const float low_y = rising ? rect.max.y + past : rect.min.y - past,
              high_y = rising ? rect.min.y - past : rect.max.y + past;
  for (float x = rect.min.x - height; x < rect.max.x; x += gap)
    out.AddLine({x - past, low_y}, {x + height + past, high_y}, color, 1);
  out.PopClipRect();
}

void dashed_line(ImDrawList& out, ImVec2 from, ImVec2 to, ImU32 color, float dash, float thickness) {
  const float length = std::hypot(to.x - from.x, to.y - from.y);
  if (length <= 0) return;
  const ImVec2 along{(to.x - from.x) / length, (to.y - from.y) / length};
  for (float at = 0; at < length; at += 2 * dash) {
    const float end = std::min(at + dash, length);
    out.AddLine({from.x + along.x * at, from.y + along.y * at}, {from.x + along.x * end, from.y + along.y * end}, color,
                thickness);
  }
}

void dashed_rect(ImDrawList& out, const Rect& rect, ImU32 color, float dash, float thickness) {
  const ImVec2 a = rect.min, b{rect.max.x, rect.min.y}, c = rect.max, d{rect.min.x, rect.max.y};
  dashed_line(out, a, b, color, dash, thickness);
  dashed_line(out, b, c, color, dash, thickness);
  dashed_line(out, c, d, color, dash, thickness);
  dashed_line(out, d, a, color, dash, thickness);
}

void flag_mark(ImDrawList& out, ImVec2 foot, float height, ImU32 color) {
  const ImVec2 top{foot.x, foot.y - height};
  out.AddLine(foot, top, color, 1.5f);
  out.AddTriangleFilled(top, {top.x + height * 0.6f, top.y + height * 0.28f}, {top.x, top.y + height * 0.56f}, color);
}

}  // namespace ts::ui
