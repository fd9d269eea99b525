// What the stage shows in the middle of a step: the list of its micro-operations, and a drawing of one of them.
#pragma once

#include "app/stage/drawing.h"

namespace ts::ui {

// When the session stands in the middle of a step.
void draw_micro_step(StageStep& step, const Rect& area);

}  // namespace ts::ui
