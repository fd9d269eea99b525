// Walking back to where a value came from.
#pragma once

#include "app/window/desk/walk.h"

namespace ts::ui {

// First to the step that made the selected value; from there on to its first source, and the step that made that.
void follow(Walk& walk);
// To a source of the selected value, and the step that made it.
void follow_to(Walk& walk, std::optional<Element> source);
// Back to a stop of the trail.
void trail_to(Walk& walk, std::size_t index);

}  // namespace ts::ui
