// The rules, asked before a program runs.
#pragma once

#include "core/program/program.h"

namespace ts {

// Walks the program without running it, and asks every rule that the known values allow. Buffers must have their sizes.
// Looks at no more than the first `most_steps` steps.
void check_program(const Program& program, Diagnostics& out, std::uint64_t most_steps = 100'000);

}  // namespace ts
