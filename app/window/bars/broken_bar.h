// What stands above the panes while the open file does not run as it is, and over them, so that nobody takes the run before
// for what the file says.
#pragma once

#include "app/draw/rect.h"
#include "app/view/command.h"
#include "app/view/desk_state.h"

namespace ts::ui {

float broken_bar_height();
void draw_broken_bar(const Rect& area, const Broken& broken, CommandQueue& out);
// Panes look faded; they can be used as always.
void draw_veil(const Rect& area);

}  // namespace ts::ui
