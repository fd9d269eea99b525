// The rules, asked before a program runs.
#pragma once

#include <functional>

#include "core/program/program.h"

namespace ts {

// Walks the program without running it, and asks every rule that the known values allow. Buffers must have their sizes.
// Looks at no more than the first `most_steps` steps, and stops where it is told to: then not all is known.
inline constexpr std::uint64_t kMostCheckedSteps = 100'000;
void check_program(const Program& program, Diagnostics& out, std::uint64_t most_steps = kMostCheckedSteps,
                   std::function<bool(std::uint64_t)> go_on = {});

}  // namespace ts
