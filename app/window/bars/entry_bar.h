// Asks which entry point of a file is meant, where there are several and nobody said it.
#pragma once

#include "app/draw/rect.h"
#include "app/view/command.h"
#include "app/view/document.h"

namespace ts::ui {

float entry_bar_height();
void draw_entry_bar(const Rect& area, const Document& document, CommandQueue& out);

}  // namespace ts::ui
