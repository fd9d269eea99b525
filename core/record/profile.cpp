// Running steps with a clock.
#include "core/record/profile.h"

#include <algorithm>

#include "core/isa/thread_time.h"
#include "core/record/step_runner.h"

namespace ts {

Profile profile(const Recording& recording, const std::function<bool()>& go_on) {
  constexpr std::uint32_t kAskEvery = 256;
  std::vector<ProfileRow> by_instruction(recording.program().instructions.size());
  Profile out;
  Memory memory(recording.map());
  recording.load_start(memory);
  StepRunner runner(memory, recording.options().limits.plans);
  for (; out.steps < recording.count(); ++out.steps) {
    if (go_on && out.steps % kAskEvery == 0 && !go_on()) break;
    ProfileRow& row = by_instruction[recording.step(out.steps).instruction];
    const Bound& bound = recording.bound(out.steps);
    // Of the processor: what else runs beside is nobody's cost.
    const double begin = thread_seconds();
    runner.run(bound, recording.step(out.steps).bound);
    row.seconds += thread_seconds() - begin;
    if (row.steps++ == 0) row.first = out.steps;
  }
  for (std::uint32_t i = 0; i < by_instruction.size(); ++i) {
    if (by_instruction[i].steps == 0) continue;
    out.rows.push_back(by_instruction[i]);
    out.rows.back().instruction = i;
    out.seconds += by_instruction[i].seconds;
  }
  std::ranges::stable_sort(out.rows, std::greater(), &ProfileRow::seconds);
  return out;
}

}  // namespace ts
