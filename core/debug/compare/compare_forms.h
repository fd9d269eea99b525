// Two programs that compute the same thing in different words: in tile instructions, and in vector micro-instructions. No
// step of one does what a step of the other does; bytes that both stored correspond.
#pragma once

#include <functional>

#include "core/debug/compare/run_differences.h"

namespace ts {

// One of them has vector micro-instructions, and the other has none.
bool are_two_forms(const Program& a, const Program& b);

// Bytes of a buffer of the same name correspond, and bytes of UB at the same address. A region of vector instructions
// counts as one: what it left in a byte is compared, and its last store there is named. Where both stored a byte equally
// often, each time is compared, else the last one. Global memory decides; of UB what made it different there is told, if
// both forms loaded the same bytes to the same places.
RunDifferences compare_forms(const Recording& a, const Recording& b, const CompareRunsOptions& options,
                             const std::function<bool(std::uint32_t)>& go_on = {});

}  // namespace ts
