// One cell with a value, the same in every pane and drawing: its ground, its text, and the marks that say what is
// special about it. Marks are shapes, so that they are seen without colour.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <optional>
#include <string>

#include "app/draw/rect.h"
#include "app/theme/color.h"

namespace ts::ui {

// What is special about a cell; several may hold at once.
enum class Mark : std::uint16_t {
  None = 0,
  Undefined = 1 << 0,    // never written: diagonal hatch, text ".."
  Unspecified = 1 << 1,  // nobody promises the value: dots along the bottom, text with ?
  Padding = 1 << 2,      // outside the valid region: cross-hatch, no text
  Written = 1 << 3,      // in this step: a triangle in the upper right corner
  Read = 1 << 4,         // in this step: dotted border
  Finding = 1 << 5,      // double border and !
  Different = 1 << 6,    // a crossed equals sign
  Selected = 1 << 7,     // a ring
  Hovered = 1 << 8,      // a thin ring
  Provenance = 1 << 9,   // a source of what is hovered: thick dashed ring
  Faded = 1 << 10,       // not taken: at 35 %
  Noted = 1 << 11,       // somebody wrote a note: a small page in the lower left corner
};
constexpr Mark operator|(Mark a, Mark b) { return static_cast<Mark>(static_cast<int>(a) | static_cast<int>(b)); }
constexpr bool has(Mark marks, Mark mark) { return (static_cast<int>(marks) & static_cast<int>(mark)) != 0; }

struct CellLook {
  std::string text = {};
  std::optional<Color> ground = {};  // else the theme's
  // Which operand the value is of or came from: an edge in its colour, on the left for the first and on the right for
  // the second, and its letter where there is room.
  std::optional<Color> source = {};
  char letter = 0;
  bool edge_right = false;
  Mark marks = Mark::None;
};

// What the marks of a cell of this height need beside its text: at its left and right end.
struct MarkRoom {
  float left = 0, right = 0;
};
MarkRoom mark_room(Mark marks, const Rect& cell);

// Draws what there is room for: less than 3 pixels only the ground, less than 18 no text.
void draw_cell(ImDrawList& out, const Rect& rect, const CellLook& cell);

// Text in the middle of a rectangle, cut with an ellipsis where it is too long.
void draw_text_in(ImDrawList& out, const Rect& rect, const std::string& text, ImU32 color, ImFont* font);

}  // namespace ts::ui
