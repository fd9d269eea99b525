// Runs in which nothing is computed: how far a kernel's views reach, and what a main allocates.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/cpp/live/run.h"
#include "core/program/kernel.h"

namespace ts::cpp {

// Of a kernel's buffers: large and untouched, and what is asked for is 0.
Kernel::Survey size_buffers(const ProgramFiles& files, const Program& program, Launch launch, const WalkLimits& limits);

// Memory that a main allocates on the device, in its order; its bytes are those that were asked for.
struct Allocation {
  std::string name;
  Kernel::Use use;
};
struct MainSurvey {
  std::vector<Allocation> allocations;
  std::uint32_t blocks = 1;  // of its largest launch
};
MainSurvey survey_main(const Program& program, const ProgramFiles& files, Launch launch,
                       const std::function<bool()>& go_on);

}  // namespace ts::cpp
