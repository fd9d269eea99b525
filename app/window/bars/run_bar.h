// One row above the panes: how the program is run. Each part of it opens the sheet where that is changed.
#pragma once

#include "app/draw/rect.h"
#include "app/view/command.h"
#include "app/window/desk/desk.h"

namespace ts::ui {

class RunSheet;

float run_bar_height();
void draw_run_bar(const Rect& area, Desk& desk, const RunSheet& sheet, CommandQueue& out);

}  // namespace ts::ui
