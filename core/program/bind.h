// From an instruction of the program to one whose operands are bound.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/program/walk_state.h"

namespace ts {

// Without its operands, and with its attributes as the text has them.
Bound bind_frame(const Program& program, std::size_t instruction);
// Whose memory a tile of a step on `core` stands in.
CoreId core_of_tile(const Program& program, const TileDecl& tile, CoreId core);
// Of operands that are bound: the pipe, where their memories decide it.
void settle_pipe(Bound& bound);
// What follows from operands that came together without a walk: the pipe, what a view of one column is to its tile, where
// a result stands that the instruction places.
void settle_bound(Bound& bound);
// With its operands as they stand; nothing where one is unknown.
std::optional<Bound> bind(const WalkState& state, std::size_t instruction);
// The same in words (step_source.h).
bool operand_words(const WalkState& state, std::size_t instruction, std::vector<std::uint64_t>& words);
// With something in the place of what is unknown, another thing for each guess: what a rule says whatever the guess, it says
// of the program. Nothing where not even the kind of an operand is known.
inline constexpr int kGuesses = 3;
std::optional<Bound> bind_guessing(const WalkState& state, std::size_t instruction, int guess);
// Lets a step that ran change where tiles stand (tassign).
void apply_effect(WalkState& state, const Bound& bound);

}  // namespace ts
