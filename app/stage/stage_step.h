// Makes what drawings are given out of what the window looks at.
#pragma once

#include "app/stage/drawing.h"

namespace ts::ui {

// The shown step, ready to be drawn in this frame; nothing when no step is shown.
std::optional<StageStep> stage_step(DebugView& view, CommandQueue& out, StageMemory& memory);

// The elements of the results, in the order of memory and of the operands: how many there are, and the nth.
std::uint32_t elements_of_results(const StageStep& step);
std::optional<StageCell> nth_element(const StageStep& step, std::uint32_t nth);
// The number of an element of a result among them.
std::uint32_t number_of(const StageStep& step, const StageCell& cell);

}  // namespace ts::ui
