// Looking for NaN step by step.
#include "core/debug/origins/nan_steps.h"

#include "core/debug/origins/questions.h"

namespace ts {

NanSteps nan_steps(Questions& questions, std::uint32_t first, std::chrono::milliseconds at_most,
                   const std::function<bool()>& go_on) {
  // The clock takes as long as a small step does.
  constexpr std::uint32_t kAskEvery = 16;
  const auto end = std::chrono::steady_clock::now() + at_most;
  NanSteps found{first, first, {}};
  while (found.end < questions.count()) {
    const std::uint32_t step = found.end++;
    if (questions.writes_wanted(step, true, false)) found.steps.push_back(step);
    if (step % kAskEvery != 0) continue;
    if (std::chrono::steady_clock::now() >= end || (go_on && !go_on())) break;
  }
  return found;
}

}  // namespace ts
