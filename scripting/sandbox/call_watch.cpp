// Looking at the clock during a call.
#include "scripting/sandbox/call_watch.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <chrono>

#include "scripting/sandbox/budget.h"

namespace ts::scripting {
namespace {

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Of this thread.
double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

CallWatch::CallWatch(lua_State* L) : L_(L) {
  const double seconds = std::min(budget_of(L).call_seconds(), budget_of(L).total_left_seconds());
  end_ = now_seconds() + seconds;
  processor_end_ = processor_seconds() + seconds;
}
CallWatch::~CallWatch() { budget_of(L_).excuse_time(); }

bool CallWatch::is_late() {
  // The processor's time comes later, and is asked for when it may have come: that is slower.
  late_ = late_ || (now_seconds() > end_ && processor_seconds() > processor_end_) || budget_of(L_).is_stopped();
  return late_;
}

void CallWatch::raise(std::string_view what) {
  budget_of(L_).check_end(L_);
  budget_of(L_).raise_limit(
      L_, fmt::format("{} took longer than {:g} s, the limit for one call; --script-seconds N allows more", what,
                      budget_of(L_).call_seconds()));
}

}  // namespace ts::scripting
