// Two memories that go through the same steps, one of them by plans.
#include "tests/support/record/by_plans.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/engine/plan/plan.h"
#include "core/record/step_runner.h"

namespace ts::test {
namespace {

bool same_page(const Memory& a, const Memory& b, std::uint32_t page) {
  const Flat begin = page * kPageBytes;
  if (std::memcmp(a.base() + begin, b.base() + begin, kPageBytes) != 0) return false;
  for (Flat at = begin; at < begin + kPageBytes; ++at)
    if (a.definedness(at) != b.definedness(at)) return false;
  return true;
}

}  // namespace

void check_by_plans(const Recording& recording) {
  Memory plain(recording.map()), planned(recording.map());
  recording.load_start(plain);
  recording.load_start(planned);
  StepRunner as_it_is(plain, false), by_plan(planned, false);
  for (std::uint32_t step = 0; step < recording.count(); ++step) {
    const Bound& bound = recording.bound(step);
    const auto machine = machines_for(bound).run;
    Plans plans(0);
    by_plan.context().plans = &plans;
    // Makes the plan; then everything is as before.
    REQUIRE(by_plan.execute(bound, machine, 0));
    const std::vector<TouchedPage> touched(by_plan.pages().begin(), by_plan.pages().end());
    for (const TouchedPage& one : touched)
      std::memcpy(planned.base() + one.page * kPageBytes, plain.base() + one.page * kPageBytes, kPageBytes);
    REQUIRE(by_plan.execute(bound, machine, 0));
    by_plan.mark_definedness();
    REQUIRE(as_it_is.run(bound));
    bool same = std::ranges::equal(by_plan.writes(), as_it_is.writes()) &&
                by_plan.context().odd_data == as_it_is.context().odd_data;
    for (const TouchedPage& one : touched) same = same && same_page(plain, planned, one.page);
    CHECK_MESSAGE(same, "step " << step << ": " << recording.program().text(recording.step(step).instruction));
    if (!same) return;
  }
}

}  // namespace ts::test
