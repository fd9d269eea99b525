// The colours of the window by what they mean. Every mark that a colour makes has a second sign beside it.
#pragma once

#include <span>
#include <string_view>

#include "app/theme/color.h"

namespace ts::ui {

struct Theme {
  const char* name;  // "dark"
  bool dark;
  // --- the window ---
  Color window;  // between panes
  Color pane;    // behind a pane's contents
  Color raised;  // bars, headers, fields
  Color hovered, pressed;
  Color line;  // borders and rules, quiet
  Color text, text_quiet;
  Color accent;       // what is active: the tab, the current step
  Color accent_text;  // on accent
  // --- data ---
  Color cell;                       // behind values
  Color grid;                       // between cells
  Color src0, src1, mask, scratch;  // operands by their part
  Color written, read;              // in this step
  Color finding, difference;
  Color select;     // the ring around the selection
  Color heat_zero;  // of the signed scale's middle
  Color good;
};

// Dark first.
std::span<const Theme> themes();
const Theme* find_theme(std::string_view name);  // null: no such theme

// A number of 0..1 as a colour: cividis, for data of one sign.
Color heat_color(double share);
// -1..1: blue, the theme's middle, orange.
Color signed_heat_color(const Theme& theme, double share);

}  // namespace ts::ui
