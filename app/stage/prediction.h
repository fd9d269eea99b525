// The stage while a lesson asks what a step will do: its operands, and results that hold nothing but the learner's own
// answers. Nothing of the data flow is drawn.
#pragma once

#include "app/stage/drawing.h"
#include "app/view/shown_lesson.h"

namespace ts::ui {

void draw_prediction(StageStep& step, const ShownLesson& lesson, const Rect& area);

}  // namespace ts::ui
