// Rectangles on the screen.
#pragma once

#include <imgui.h>

namespace ts::ui {

struct Rect {
  ImVec2 min, max;
  float width() const { return max.x - min.x; }
  float height() const { return max.y - min.y; }
  ImVec2 center() const { return {(min.x + max.x) / 2, (min.y + max.y) / 2}; }
  bool holds(ImVec2 point) const { return point.x >= min.x && point.x < max.x && point.y >= min.y && point.y < max.y; }
  Rect shrunk(float by) const { return {{min.x + by, min.y + by}, {max.x - by, max.y - by}}; }
};

}  // namespace ts::ui
