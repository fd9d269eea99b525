// Whether a family's own picture of a step shows enough of it in an area.
#pragma once

#include <map>
#include <optional>

#include "app/stage/drawing.h"

namespace ts::ui {

// What was found out, in an area of this size.
struct EnoughAt {
  ImVec2 size;
  float scale = 0;
  bool made = false, enough = true;
  std::map<int, std::uint32_t> slices = {};  // of what was shown
};
// Finds out by drawing it where nobody sees it: once for a step and a size.
bool shows_enough(StageStep& step, const Rect& area, DrawStep family, std::optional<EnoughAt>& kept);
// How much of an area was drawn on: 0..1. From this vertex of the list on.
double share_drawn_on(const ImDrawList& list, int first_index, const Rect& area);

}  // namespace ts::ui
