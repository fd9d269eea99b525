// Signs in margins of lists and texts: where one stands, where it stops, what was found. All are shapes.
#pragma once

#include <imgui.h>

#include "app/draw/rect.h"
#include "app/theme/color.h"
#include "core/isa/diagnostic.h"

namespace ts::ui {

// Where the session stands: before the step that comes next, behind the one just made, in the middle of one.
enum class Here : unsigned char { Next, Made, Inside };
// A filled arrow; a hollow one; two narrow ones.
void draw_here(ImDrawList& out, const Rect& rect, Here here);

// A stop: a disc; off: a ring; only a log: a diamond; under the mouse, where one could be: a faint disc.
enum class StopSign : unsigned char { On, Off, Log, Offered };
void draw_stop(ImDrawList& out, const Rect& rect, StopSign sign);

// An error: a filled triangle with an exclamation mark; a warning: a hollow one; a note: a small ring with a dot.
void draw_severity(ImDrawList& out, const Rect& rect, Severity severity);
Color color_of(Severity severity);
// A crossed equals sign.
void draw_different(ImDrawList& out, const Rect& rect);

// The handle of something that folds: points right, or down when it is unfolded.
void draw_fold(ImDrawList& out, const Rect& rect, bool open, ImU32 color);
// Two crossed lines: takes something away.
void draw_cross(ImDrawList& out, const Rect& rect, ImU32 color);
// An arrow as in text, pointing left: `sum <- a, b`.
void draw_from(ImDrawList& out, const Rect& rect, ImU32 color);
// A wave under words.
void draw_wave(ImDrawList& out, ImVec2 from, float width, ImU32 color);
// A small page with a folded corner: somebody wrote a note.
void draw_note_sign(ImDrawList& out, const Rect& rect);
// The same of a cell: in its lower left corner.
void draw_note_corner(ImDrawList& out, const Rect& cell);
float note_corner_side(const Rect& cell);
// A filled diamond: something changed.
void draw_changed(ImDrawList& out, const Rect& rect, ImU32 color);

}  // namespace ts::ui
