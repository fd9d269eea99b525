// Work that somebody may want to end, and that has no time to ask at each of its steps.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

namespace ts {

class StopQuestion {
 public:
  // False from `go_on` stops the work; null: nobody will.
  explicit StopQuestion(std::function<bool()> go_on = {}) : go_on_(std::move(go_on)) {}

  // At each step: asks at the first and at some of the others.
  bool stops() {
    constexpr std::uint32_t kAskEvery = 256;
    if (!stopped_ && go_on_ && steps_++ % kAskEvery == 0) stopped_ = !go_on_();
    return stopped_;
  }
  bool stopped() const { return stopped_; }

 private:
  std::function<bool()> go_on_;
  std::uint32_t steps_ = 0;
  bool stopped_ = false;
};

}  // namespace ts
