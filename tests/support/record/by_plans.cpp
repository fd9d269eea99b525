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

// A memory on which each step runs by a plan that was made for it; `assumes`: which takes masks for known.
class Planned {
 public:
  Planned(const Recording& recording, bool assumes) : assumes_(assumes), memory_(recording.map()) {
    recording.load_start(memory_);
  }
  // `before`: as it is now.
  void run(const Bound& bound, const Memory& before) {
    Plans plans(0, std::size_t{1} << 20, assumes_);
    runner_.context().plans = &plans;
    REQUIRE(runner_.execute(bound, 0));  // makes the plan; then everything is as before
    touched_.assign(runner_.pages().begin(), runner_.pages().end());
    for (const TouchedPage& one : touched_)
      std::memcpy(memory_.base() + one.page * kPageBytes, before.base() + one.page * kPageBytes, kPageBytes);
    REQUIRE(runner_.execute(bound, 0));
    runner_.mark_definedness();
    runner_.context().plans = nullptr;
  }
  bool is_like(const StepRunner& other, const Memory& memory) const {
    return std::ranges::equal(runner_.writes(), other.writes()) &&
           std::ranges::all_of(touched_, [&](const TouchedPage& one) { return same_page(memory, memory_, one.page); });
  }
  bool found_odd_data() { return runner_.context().odd_data; }

 private:
  bool assumes_;
  Memory memory_;
  StepRunner runner_{memory_, false};
  std::vector<TouchedPage> touched_;
};

}  // namespace

void check_by_plans(const Recording& recording) {
  Memory plain(recording.map());
  recording.load_start(plain);
  StepRunner as_it_is(plain, false);
  Planned for_any_mask(recording, false), for_these_masks(recording, true);
  for (std::uint32_t step = 0; step < recording.count(); ++step) {
    const Bound& bound = recording.bound(step);
    for (Planned* planned : {&for_any_mask, &for_these_masks}) planned->run(bound, plain);
    REQUIRE(as_it_is.run(bound));
    for (Planned* planned : {&for_any_mask, &for_these_masks}) {
      const bool same = planned->is_like(as_it_is, plain) && planned->found_odd_data() == as_it_is.context().odd_data;
      CHECK_MESSAGE(same, "step " << step << ": " << recording.program().text(recording.step(step).instruction));
      if (!same) return;
    }
  }
}

}  // namespace ts::test
