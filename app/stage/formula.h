// The strip below a drawing: what the element in focus is, and where every part of it came from, with the arithmetic.
#pragma once

#include "app/stage/drawing.h"

namespace ts::ui {

// How high the strip wants to be for this focus; a small pane gives it less.
float formula_height(const StageStep& step);
void draw_formula(StageStep& step, const Rect& area);
// The way that the selection came: a click goes back to that place.
void draw_trail(StageStep& step, const Rect& line);

}  // namespace ts::ui
