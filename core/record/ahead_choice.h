// Whether it pays to run blocks ahead: not in short runs, and not where snapshots take most of the time, which a second
// thread already makes room for.
#pragma once

#include <chrono>
#include <cstdint>

namespace ts {

class AheadChoice {
 public:
  explicit AheadChoice(bool at_once) : at_once_(at_once) {}

  // Some steps are timed: enough to know, few enough to cost nothing.
  bool times(std::uint32_t step) const { return step % kTimedEvery == 0; }
  void begin_run() { run_began_ = Clock::now(); }
  void end_run() { running_ += Clock::now() - run_began_; }

  // Asked once in so many steps. True: now.
  bool pays() {
    if (at_once_) return true;
    const auto passed = Clock::now() - began_;
    if (passed < asks_at_) return false;
    asks_at_ *= 2;
    return running_ * kTimedEvery >= passed * 6 / 10;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint32_t kTimedEvery = 17;  // no loop has so many steps by chance

  bool at_once_;
  Clock::time_point began_ = Clock::now(), run_began_ = {};
  Clock::duration running_{}, asks_at_ = std::chrono::milliseconds(10);
};

}  // namespace ts
