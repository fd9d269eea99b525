// How the result in focus of a reduction was joined, for drawings of whatever size.
#pragma once

#include "app/stage/drawing.h"

namespace ts::ui {

// Null: the step is no reduction, or what is in focus was made of nothing. Kept as long as the focus rests.
const Reduction* reduction_in_focus(StageStep& step);
// Its tree, with the way of the element that is pointed at, or that was searched for.
void draw_joins(StageStep& step, const Reduction& reduction, const Rect& area);

}  // namespace ts::ui
