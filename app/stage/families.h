// The drawings, one per family of instructions.
#pragma once

#include "app/stage/drawing.h"

namespace ts::ui {

void draw_interleave(StageStep& step, const Rect& area);
void draw_select(StageStep& step, const Rect& area);
void draw_fill(StageStep& step, const Rect& area);
void draw_elementwise(StageStep& step, const Rect& area);
void draw_transfer(StageStep& step, const Rect& area);
void draw_transpose(StageStep& step, const Rect& area);
void draw_gather(StageStep& step, const Rect& area);
void draw_broadcast(StageStep& step, const Rect& area);
void draw_compare(StageStep& step, const Rect& area);
void draw_pad(StageStep& step, const Rect& area);
void draw_reduce(StageStep& step, const Rect& area);
// Any instruction: all operands as grids, and a sentence for what moves no data.
void draw_general(StageStep& step, const Rect& area);

}  // namespace ts::ui
