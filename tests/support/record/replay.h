// A recording done over by the oracles alone: what every step left is what the pages of its instructions say.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/program/program.h"
#include "core/record/recording.h"

namespace ts::test {

// Records the program with random bytes, which nobody promises, in the first 64 KiB of UB and of global memory, but for
// its inputs.
std::unique_ptr<Recording> record_on_noise(const Program& program, std::uint64_t seed = 1);

// "" when the memories after every step are what its oracle makes of the memories before it; else the first byte that
// differs, and in which step. Whatever the oracle does not name must not have changed.
std::string first_difference_by_oracle(const Recording& recording);

}  // namespace ts::test
