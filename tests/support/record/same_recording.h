// Whether two recordings are the same to everybody who looks into them.
#pragma once

#include <vector>

#include "core/record/recording.h"

namespace ts::test {

// Every byte of all memories, and what each is worth.
bool same_state(const Memory& a, const Memory& b);
bool same_findings(const std::vector<Finding>& a, const std::vector<Finding>& b);

// Checks steps, operands, writes, loops, findings, why it stopped, where tiles end, and what else a recording says.
void check_same_steps(const Recording& a, const Recording& b);
// Checks the memories at every `every`-th position, forwards and, from place to place, at random; then trace and flow of
// some steps.
void check_same_states(const Recording& a, const Recording& b, std::uint64_t seed, std::uint32_t every = 1);

}  // namespace ts::test
