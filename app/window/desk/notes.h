// Writing notes, and going to them.
#pragma once

#include "app/window/desk/walk.h"

namespace ts::ui {

// A text, and what it is about: by the command's arguments, else the shown step and the selected element.
void write_note(Walk& walk, const Command& command);
// By its number in the list.
void show_note(Walk& walk, std::size_t index);

}  // namespace ts::ui
