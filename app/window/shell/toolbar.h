// The bar below the menus: the step buttons, where the session stands, what was found, the program's name.
#pragma once

#include "app/view/command.h"
#include "app/view/debug_view.h"

namespace ts::ui {

void draw_toolbar(DebugView& view, CommandQueue& queue);

}  // namespace ts::ui
