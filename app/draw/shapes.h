// Shapes that marks are drawn with. Several panes use them, so that a mark looks the same everywhere.
#pragma once

#include <imgui.h>

#include "app/draw/rect.h"

namespace ts::ui {

// Parallel lines at 45 degrees inside the rectangle; `rising` leans the other way.
void hatch(ImDrawList& out, const Rect& rect, ImU32 color, float gap, bool rising);
void dashed_line(ImDrawList& out, ImVec2 from, ImVec2 to, ImU32 color, float dash, float thickness);
void dashed_rect(ImDrawList& out, const Rect& rect, ImU32 color, float dash, float thickness);

// --- marks along an axis: their tip or foot stands at a point ---

// A pole with a flag to the right.
void flag_mark(ImDrawList& out, ImVec2 foot, float height, ImU32 color);

}  // namespace ts::ui
