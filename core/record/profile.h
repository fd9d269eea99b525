// Where the time of the emulation goes: the steps of a recording once more, each with a clock.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/record/recording.h"

namespace ts {

struct ProfileRow {
  std::uint32_t instruction = 0;       // of the program
  std::uint32_t steps = 0, first = 0;  // how many, and which of them came first
  double seconds = 0;
};

struct Profile {
  std::vector<ProfileRow> rows;  // of instructions that ran, the slowest first
  double seconds = 0;            // of all of them
  std::uint32_t steps = 0;       // that were run; fewer than the recording has where `go_on` said no
};

// What the program's own work takes, without recording, checks and whatever stands between its steps. Changes that somebody
// made by hand are not among them.
Profile profile(const Recording& recording, const std::function<bool()>& go_on = {});

}  // namespace ts
