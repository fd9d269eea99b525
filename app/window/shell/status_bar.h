// The line at the window's lower edge: why it stopped, what comes next, what runs, what to press.
#pragma once

#include <string>

#include "app/draw/rect.h"
#include "app/view/command.h"
#include "app/view/debug_view.h"

namespace ts::ui {

// `pending`: the first keys of a command that has two; or "".
void draw_status(const Rect& area, DebugView& view, const std::string& pending, CommandQueue& queue);

}  // namespace ts::ui
