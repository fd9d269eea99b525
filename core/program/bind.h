// From an instruction of the program to one whose operands are bound.
#pragma once

#include <optional>

#include "core/program/walk_state.h"

namespace ts {

// Without its operands, and with its attributes as the text has them.
Bound bind_frame(const Program& program, std::size_t instruction);
// With its operands as they stand; nothing where one is unknown.
std::optional<Bound> bind(const WalkState& state, std::size_t instruction);
// Lets a step that ran change where tiles stand (tassign).
void apply_effect(WalkState& state, const Bound& bound);

}  // namespace ts
