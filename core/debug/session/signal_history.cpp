// Counters of flags and rounds of meetings, followed from the first step to the last.
#include "core/debug/session/signal_history.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <utility>

#include "core/program/cores/signals.h"
#include "core/program/sync.h"

namespace ts {

class SignalHistory::Reader {
 public:
  Reader(const Recording& recording, SignalHistory& into)
      : recording_(recording),
        program_(recording.program()),
        into_(into),
        signals_(program_),
        behind_(program_.cores_at_once(), 0) {}

  void read() {
    for (std::uint32_t step = 0; step < recording_.count(); ++step) {
      const Bound& bound = recording_.bound(step);
      if (bound.row == &kSetCoreFlag) set(step, bound);
      else if (bound.row == &kWaitCoreFlag) hear(step, bound);
      else if (bound.row == &kMeet) meet(step, bound);
      else if (bound.has("signal")) give_or_await(step, bound);
      behind_[bound.core] = step + 1;
    }
  }

 private:
  std::size_t bringers(std::vector<Bringer> who) {
    into_.brought_.push_back(std::move(who));
    return into_.brought_.size() - 1;
  }
  void wait(std::uint32_t step, std::string what, std::size_t who) {
    into_.waits_.emplace(step, Wait{std::move(what), who});
  }

  void set(std::uint32_t step, const Bound& bound) {
    for (const Signal& signal : signals_of(program_, bound)) {
      sets_[{signal.from.front(), signal.to.front(), signal.counter}].push_back({bound.core, step + 1});
      if (!signals_.set(signal, bound.core)) continue;
      const std::size_t who =
          bringers(std::exchange(sets_[{signal.from.front(), signal.to.front(), signal.counter}], {}));
      for (const CoreId to : signal.to) raised_[{to, signal.counter}].push_back(who);
    }
  }
  void hear(std::uint32_t step, const Bound& bound) {
    const std::pair key{bound.core, counter_of(bound)};
    const std::vector<std::size_t>& raised = raised_[key];
    const std::uint32_t number = heard_[key]++;
    if (number < raised.size()) wait(step, fmt::format("flag {}", key.second), raised[number]);
  }

  // A core comes when its step before is done; what is recorded is when it leaves.
  void meet(std::uint32_t step, const Bound& bound) {
    const auto who = static_cast<std::size_t>(meeting_of(bound));
    std::vector<std::size_t>& rounds = rounds_[who];
    const std::uint32_t round = met_[{bound.core, who}]++;
    if (round == rounds.size()) rounds.push_back(bringers({}));
    into_.brought_[rounds[round]].push_back({bound.core, behind_[bound.core]});
    wait(step, "a meeting", rounds[round]);
  }

  // Who waits for a signal could go on behind the last one that was given, or at once: one of another device.
  void give_or_await(std::uint32_t step, const Bound& bound) {
    const GlobalRef& cells = bound.global("signal");
    if (bound.row != &kWaitForDevice) {
      given_[cells.address] = {bound.core, step + 1};
      return;
    }
    const auto given = given_.find(cells.address);
    if (given != given_.end()) wait(step, "a signal", bringers({given->second}));
  }

  const Recording& recording_;
  const Program& program_;
  SignalHistory& into_;
  Signals signals_;
  std::vector<std::uint32_t> behind_;  // by core: the position behind its last step
  std::map<std::tuple<CoreId, CoreId, std::uint32_t>, std::vector<Bringer>> sets_;  // that raised nothing yet
  std::map<std::pair<CoreId, std::uint32_t>, std::vector<std::size_t>> raised_;     // by core and counter
  std::map<std::pair<CoreId, std::uint32_t>, std::uint32_t> heard_;
  std::array<std::vector<std::size_t>, 3> rounds_;
  std::map<std::pair<CoreId, std::size_t>, std::uint32_t> met_;
  std::map<std::uint32_t, Bringer> given_;  // by the signal's address
};

SignalHistory::SignalHistory(const Recording& recording) {
  if (recording.program().together()) Reader(recording, *this).read();
}

std::string SignalHistory::waits_for(std::uint32_t step, std::uint32_t position, std::vector<CoreId>& on) const {
  constexpr std::size_t kMostNamed = 8;
  const auto wait = waits_.find(step);
  if (wait == waits_.end()) return "";
  bool waits = false;
  for (const Bringer& bringer : brought_[wait->second.bringers]) {
    if (bringer.position <= position) continue;
    waits = true;
    if (on.size() < kMostNamed) on.push_back(bringer.core);
  }
  return waits ? wait->second.what : "";
}

}  // namespace ts
