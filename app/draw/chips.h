// Small controls in a row: what is chosen among a few things, and facts in little boxes.
#pragma once

#include <string>
#include <vector>

#include "app/draw/rect.h"
#include "app/theme/color.h"

namespace ts::ui {

// Buttons side by side from `at` on, one of them on. Gives the one that was clicked, or -1. `id` tells rows of buttons
// in one window apart. `end_x` gets where the row ends.
int choose(const char* id, ImVec2 at, const std::vector<const char*>& labels, int chosen, float* end_x = nullptr);
// One button that is on or off; true: it was clicked.
bool toggle(const char* id, ImVec2 at, const char* label, bool on, float* end_x = nullptr);
float chip_height();

// A fact in a box; gives where the box ends.
float put_chip(ImVec2 at, const std::string& text, Color edge, bool filled = false);
// Several in a row; what would pass the end is left out.
struct FactRow {
  ImVec2 at;
  float end;
  void put(const std::string& text, Color edge, bool filled = false);
};

}  // namespace ts::ui
