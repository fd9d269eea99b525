// The colours of everything that TileScope draws, by what they mean: one table for the window, for pages and for
// pictures. Every mark that a colour makes has a second sign beside it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/data/color.h"

namespace ts::data {

struct Palette {
  std::string name;  // "dark"
  bool dark = true;
  // --- the window ---
  Color window;       // between panes
  Color pane;         // behind a pane's contents
  Color raised;       // bars, headers, fields
  Color hovered;      // under the mouse
  Color pressed;      // while it is pressed
  Color line;         // borders and rules, quiet
  Color text;         // sentences
  Color text_quiet;   // what is said beside them
  Color accent;       // what is active: the tab, the current step
  Color accent_text;  // on accent
  // --- data ---
  Color cell;        // behind values
  Color grid;        // between cells
  Color src0;        // the first source
  Color src1;        // the second source
  Color mask;        // masks, offsets, indices
  Color scratch;     // scratch operands
  Color written;     // written in this step
  Color read;        // read in this step
  Color finding;     // what is wrong
  Color difference;  // what differs
  Color select;      // the ring around the selection
  Color heat_zero;   // the signed heat scale's middle
  Color good;        // what is right
  // --- pages ---
  Color page_grid;  // between cells on pages and paper
  Color hatch;      // lines of hatches on pages
};

// One row for each colour above.
struct PaletteColor {
  const char* name;
  Color Palette::*color;
  const char* help;
};
std::span<const PaletteColor> palette_colors();

// "dark" first, "light", "contrast".
std::span<const Palette> palettes();
const Palette& palette(std::string_view name);  // one of these

}  // namespace ts::data
