// Asks whether the code of a C++ file may run.
#pragma once

#include "app/draw/rect.h"
#include "app/view/command.h"
#include "app/view/document.h"

namespace ts::ui {

float trust_bar_height();
void draw_trust_bar(const Rect& area, const Document& document, CommandQueue& out);

}  // namespace ts::ui
