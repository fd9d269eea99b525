// Grids whose cells are tinted by a drawing, and elements in the order of memory.
#pragma once

#include <functional>

#include "app/stage/parts/parts.h"

namespace ts::ui {

// Changes how a cell looks.
using Tint = std::function<void(const StageCell& cell, CellLook& look)>;
// A ground of this hue, quiet enough for text; its edge in full colour, with a letter.
void tint_cell(CellLook& look, Color hue, char letter);

// The cells alone, with the mouse.
void draw_tinted_cells(StageStep& step, const CellGrid& grid, const Tint& tint);
// As draw_grid.
void draw_tinted_grid(StageStep& step, const CellGrid& grid, const Tint& tint);
// Below the operand's header; with a strip behind the cells where they decide which elements move.
CellGrid draw_tinted_operand(StageStep& step, const StageOperand& operand, const Rect& area, float least_width,
                             const Tint& tint, bool decides = false);
// The elements of a tile as they stand in memory, in lines of whole blocks of 32 bytes, with offsets from its first
// byte; boxes are told apart. Scrolls. Gives where the focus is, and its sources are, as far as they are in sight.
struct SeenElement {
  StageCell cell;
  Rect rect;
};
std::vector<SeenElement> draw_in_memory_order(StageStep& step, const StageOperand& operand, const Rect& area,
                                              const Tint& tint);

}  // namespace ts::ui
