// A value that rains into a grid, and regions of a grid.
#pragma once

#include <vector>

#include "app/stage/parts/parts.h"

namespace ts::ui {

// An arrow straight down; strong for the lane that is looked at.
void draw_jet(float x, float from, float to, Color color, bool strong);
// From a pipe that begins at `from` a jet into each of these columns; they end above the numbers of the columns.
void draw_shower(const StageStep& step, const CellGrid& grid, const std::vector<std::uint32_t>& cols, ImVec2 from,
                 Color color);
// Around the first so many rows and columns, as far as they are in sight.
void frame_region(const CellGrid& grid, std::uint32_t rows, std::uint32_t cols, Color color, bool dashed);

}  // namespace ts::ui
