// What drawings of the stage are put together from: headers, grids and rows of cells, links.
#pragma once

#include <string>
#include <vector>

#include "app/draw/text.h"
#include "app/stage/drawing.h"
#include "core/debug/picture/stage_window.h"

namespace ts::ui {

// --- operands ---
float header_height();
// The title of an operand: its colour with its letter, its name, and quietly its type. "src0 %re  4x16 f32, valid
// 4x12".
void draw_header(const StageOperand& operand, const Rect& line);
// The same on a ground of its own: links pass behind it.
void draw_header_over(const StageOperand& operand, const Rect& line);
std::string type_text(const StageOperand& operand);
// A scalar as a cell of its own.
void draw_scalar_cell(const StageStep& step, const StageOperand& operand, const Rect& rect);

// --- grids ---
// Where the elements of an operand stand on the screen; a row of cells is a grid of one row.
struct CellGrid {
  int operand = -1;
  Shown rows, cols;
  ImVec2 origin;  // of the first cell
  float width = 0, height = 0;
  Rect rect_of(std::uint32_t row, std::uint32_t col) const;
  bool shows(const StageCell& cell) const;
  Rect area() const;
  std::optional<StageCell> cell_at(ImVec2 point) const;
};

struct GridWish {
  float least_width = 50, most_width = 92, most_height = 28;  // of a cell, for a scale of 1
  bool numbers = true;                                        // of rows and columns
  std::optional<std::uint32_t> only_row = {};
  std::optional<StageCell> seen = {};  // what has to be in sight when the focus moves, instead of its first source
};
// Of those in sight the number that come before `meant`: what comes behind is padding.
std::uint32_t meant_in_sight(const Shown& shown, std::uint32_t meant);
// As much of an operand as fits, around what is in focus; cells grow where there is room.
CellGrid place_grid(StageStep& step, const StageOperand& operand, const Rect& area, const GridWish& wish = {});
// Cells, numbers and, where not all is shown, strips that say which part it is. Takes the mouse.
void draw_grid(StageStep& step, const CellGrid& grid, const GridWish& wish = {});
// What the numbers of that many rows take at the left of a grid.
float row_number_width(std::uint32_t rows);
float col_number_height();
void draw_grid_numbers(const StageStep& step, const CellGrid& grid, bool of_columns = true);
// The wheel over the grid moves the part of `moved_operand` that is in sight; with Shift sideways.
void scroll_grid(StageStep& step, const CellGrid& grid, int moved_operand);
// Cells of a grid alone.
void draw_cells(StageStep& step, const CellGrid& grid);
// A strip along one side of a grid that shows which part of the whole is in sight; pulling it moves the part.
void draw_overview(StageStep& step, const CellGrid& grid);
// Such a strip by itself: `first` becomes what it is pulled to.
void draw_overview_bar(const char* id, const Rect& bar, const Shown& part, std::uint32_t total, std::uint32_t& first);

// --- links ---
// A line from one place to another: dashed where the source decided and is no part of the value.
// `grown`: as far as it is gone by what moves along it; the rest is faint.
void draw_link(ImVec2 from, ImVec2 to, Color color, bool decided, float strength = 1, float grown = 1);
// A place on such a line: 0 is its beginning, 1 its end.
ImVec2 on_link(ImVec2 from, ImVec2 to, float at);
// The same between cells of grids that stand beside or above each other: along the borders of cells, so that no value
// is crossed out.
void draw_routed_link(const Rect& from, const Rect& from_area, const Rect& to, const Rect& to_area, Color color,
                      bool decided, float grown = 1);
// Links from the focus to its sources, as far as both are in sight.
void draw_focus_links(StageStep& step, const std::vector<CellGrid>& grids);
// What a drawing wants to say beside its cells, in small text; gives the height it took.
float draw_note(ImVec2 at, float room, const std::string& text);

}  // namespace ts::ui
