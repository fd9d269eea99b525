// Places on the screen with names, for tests and for the guided tour: "program/line 47", "stage/dst0[1,7]",
// "tiles/cell[0,0]". Kept for one frame, and only while somebody wants them.
#pragma once

#include <map>
#include <string>

#include "app/draw/rect.h"

namespace ts::ui {

using Targets = std::map<std::string, Rect>;

// To be asked before a name is put together: `if (targets_wanted()) note_target(fmt::format(...), rect);`
bool targets_wanted();
void want_targets(bool wanted);

// In the window's coordinates. Of several places with one name in a frame the first stays.
void note_target(std::string name, const Rect& rect);

// At the start of a frame: all are forgotten.
void begin_targets();
// Of this frame, so far.
const Targets& targets();

}  // namespace ts::ui
