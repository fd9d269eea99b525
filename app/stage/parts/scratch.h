// The scratch tile of an instruction, where the step really uses it.
#pragma once

#include "app/stage/parts/parts.h"

namespace ts::ui {

// Whether the step writes a byte of an operand.
bool writes_to(const StageStep& step, const StageOperand& operand);
// Null where the target does without it. What the step left there is a result of it, and is shown as such.
const StageOperand* used_scratch(StageStep& step);
// "tmp is not used on A5": of a scratch tile that the text names for nothing; else empty.
std::string unused_scratch_text(const StageStep& step);
// Around the cells of a scratch tile.
void draw_scratch_frame(const CellGrid& grid);
// A row of a scratch tile, or its last one, with its title.
void draw_scratch_row(StageStep& step, const StageOperand& tmp, std::uint32_t row, const Rect& area);
float scratch_row_height();

}  // namespace ts::ui
