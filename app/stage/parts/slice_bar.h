// Operands of more than two dimensions: one slice of them is shown, or all, below each other. It is chosen in a strip of the
// stage's own, whatever the drawing.
#pragma once

#include "app/draw/rect.h"
#include "app/stage/drawing.h"

namespace ts::ui {

// 0: no operand of the step has slices.
float slice_bar_height(const StageStep& step);
void draw_slice_bar(StageStep& step, const Rect& bar);

// In each frame before it is drawn: which slices the operands show. They go to where the focus went.
void follow_slices(StageStep& step);

}  // namespace ts::ui
