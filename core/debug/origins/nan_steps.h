// Which steps left a NaN in their results, wherever it came from: found piece by piece, so that nobody waits for all.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

namespace ts {

class Questions;

struct NanSteps {
  std::uint32_t first = 0, end = 0;  // the steps that were looked at
  std::vector<std::uint32_t> steps;  // those of them, ascending
};

// From `first` on, until so much time has passed, or `go_on` says no, or at the end. Looks at one step at least.
NanSteps nan_steps(Questions& questions, std::uint32_t first, std::chrono::milliseconds at_most,
                   const std::function<bool()>& go_on = {});

}  // namespace ts
