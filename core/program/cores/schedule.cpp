// Turns of the cores, and what is left when all are at their end.
#include "core/program/cores/schedule.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/program/sync.h"
#include "core/text/count.h"

namespace ts {

std::string name(const RunOrder& order) {
  switch (order.kind) {
    case RunOrder::Kind::Usual: return "usual";
    case RunOrder::Kind::Reverse: return "reverse";
    case RunOrder::Kind::Random: break;
  }
  return fmt::format("seed:{}", order.seed);
}

std::optional<RunOrder> find_order(std::string_view name) {
  constexpr std::string_view kSeed = "seed:";
  if (name == "usual") return RunOrder{};
  if (name == "reverse") return RunOrder{RunOrder::Kind::Reverse};
  RunOrder order{RunOrder::Kind::Random};
  if (!name.starts_with(kSeed) || !text::parse_count(name.substr(kSeed.size()), order.seed)) return {};
  return order;
}

Schedule::Schedule(const Program& program, const Memory* memory, const WalkLimits& limits)
    : Schedule(program, limits, [&program, memory, limits](CoreId core, Together& together) {
        return std::make_unique<Execution>(program, memory, Execution::Kind::Run, limits, core, &together);
      }) {}

Schedule::Schedule(const Program& program, const WalkLimits& limits, BeginsWalk begins)
    : program_(program),
      limits_(limits),
      begins_(std::move(begins)),
      random_(limits.order.seed),
      together_(program),
      walks_(program.cores_at_once()) {
  current_ = first_core();
  begin(current_);
}

CoreWalk& Schedule::begin(std::size_t core) {
  if (walks_[core] == nullptr) walks_[core] = begins_(static_cast<CoreId>(core), together_);
  return *walks_[core];
}

Schedule::Turn Schedule::turn(std::size_t core) {
  CoreWalk& walk = begin(core);
  if (walk.next()) return Turn::Step;
  return walk.stop() == WalkStop::None || walk.stop() == WalkStop::End ? Turn::Over : Turn::Stopped;
}

std::size_t Schedule::first_core() const {
  return limits_.order.kind == RunOrder::Kind::Reverse ? walks_.size() - 1 : 0;
}

// Random: now and then somebody else goes on, after a few steps.
std::size_t Schedule::first_asked() {
  if (limits_.order.kind != RunOrder::Kind::Random) return current_;
  constexpr std::uint64_t kStepsInARow = 4;
  // splitmix64: every seed gives another order, and the same one on every machine.
  std::uint64_t bits = random_ += 0x9E3779B97F4A7C15;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
  bits ^= bits >> 31;
  return bits % kStepsInARow != 0 ? current_ : (bits >> 32) % walks_.size();
}

std::size_t Schedule::next_asked(std::size_t core) const {
  const std::size_t all = walks_.size();
  return limits_.order.kind == RunOrder::Kind::Reverse ? (core + all - 1) % all : (core + 1) % all;
}

bool Schedule::next() {
  constexpr std::uint32_t kMostPolls = 1000;
  if (stop_ != WalkStop::None) return false;
  do {
    if (std::exchange(together_.go_on_together, false)) current_ = first_core();
    if (const auto made = ask_all()) return *made;
  } while (together_.go_on_together || (someone_polls() && ++polled_ < kMostPolls));
  return ends();
}

// Whether there is a step; nothing: nobody could go on.
std::optional<bool> Schedule::ask_all() {
  std::size_t core = first_asked();
  for (std::size_t tried = 0; tried < walks_.size(); ++tried, core = next_asked(core)) {
    if (is_over(core) || !takes(core)) continue;
    const Turn turn = this->turn(core);
    if (turn == Turn::Over) continue;
    current_ = core;
    polled_ = 0;
    if (turn == Turn::Stopped) return stop_ = walks_[core]->stop(), false;
    if (++steps_ <= limits_.most_steps) return true;
    stop_ = WalkStop::Limit;
    return false;
  }
  return {};
}

// What it looks at may have been written in this round, after it looked.
bool Schedule::someone_polls() const {
  return std::ranges::any_of(walks_, [](const auto& walk) { return walk != nullptr && walk->polls(); });
}

// The first core that waits for a signal goes on as if another device had given it. False: nobody does.
bool Schedule::assumes_a_signal() {
  for (std::size_t core = 0; core < walks_.size() && !limits_.strict_signals; ++core) {
    const CodeOp* at = walks_[core] == nullptr ? nullptr : walks_[core]->waits();
    if (at == nullptr || at->kind != CodeKind::Step || program_.instructions[at->data].row != &kWaitForDevice) continue;
    together_.assumes = static_cast<CoreId>(core);
    current_ = core;
    return true;
  }
  return false;
}

// Everybody is at the end, or nobody can go on.
bool Schedule::ends() {
  if (assumes_a_signal()) return next();
  for (CoreId core = 0; core < walks_.size(); ++core)
    if (auto wait = wait_of(program_, together_, walks_, core)) waits_.push_back(*std::move(wait));
  stop_ = waits_.empty() ? WalkStop::End : WalkStop::Error;
  if (waits_.empty()) return false;
  current_ = waits_.front().core;
  problem_ = deadlock_of(program_, waits_);
  return false;
}

// --- the end -----------------------------------------------------------------------------------------------------------

void Schedule::add_left(std::uint32_t block, std::uint32_t number, Diagnostics& out) const {
  const QueueDecl& queue = program_.queues[number];
  const QueueState& state = together_.queues.of(block, number);
  const std::size_t first = block * program_.cores.size();
  const auto tell = [&](const char* rule, std::string text, std::string hint) {
    Diagnostic left{rule, Severity::Warning, queue.pos, "", std::move(text), std::move(hint)};
    left.kind = FindingKind::Flags;
    out.push_back(std::move(left));
  };
  std::uint32_t pushed = 0;
  for (const QueueCounts& counts : state.of) pushed = std::max(pushed, counts.pushed);
  std::string popped, freed;
  bool left = false, kept = false;
  for (std::uint32_t core = 0; core < program_.cores.size(); ++core) {
    const QueueCounts& counts = state.of[core];
    if ((program_.cores[core].kind == CoreKind::Vector) != queue.to_vector || (core > 1 && counts.popped == 0))
      continue;
    const std::string name = name_of_core(program_, static_cast<CoreId>(first + core));
    popped += fmt::format(", {} popped {}", name, counts.popped);
    freed += fmt::format("{}{} popped {} and freed {}", freed.empty() ? "" : ", ", name, counts.popped, counts.freed);
    left = left || counts.popped < pushed;
    kept = kept || counts.freed < counts.popped;
  }
  if (left)
    tell("MK-16", fmt::format("pipe {}: {} pushed{}", queue.id, pushed, popped),
         "what is left in a queue is what the next launch finds");
  else if (kept)
    tell("MK-16", fmt::format("pipe {}: {}", queue.id, freed),
         program_.target == Target::A2A3
             ? "harmless here, since taking an entry copies it; on a5 its slot would stay taken"
             : "slots that are not freed stay taken for the next launch");
}

// MK-18. One that waits may still come; one that ended will not.
Diagnostics Schedule::uneven() const {
  constexpr std::size_t kFirst = 1, kSecond = 2;
  Diagnostics out;
  for (std::uint32_t block = 0; program_.cores.size() > kSecond && block < program_.blocks; ++block)
    for (std::uint32_t number = 0; number < program_.queues.size(); ++number) {
      const QueueDecl& queue = program_.queues[number];
      const bool splits = std::ranges::any_of(
          program_.queue_uses, [&](const QueueUse& use) { return use.queue == number && use.split != 0; });
      if (program_.target != Target::A2A3 && !splits) continue;
      const QueueState& state = together_.queues.of(block, number);
      const auto times = [&](std::size_t core) {
        return queue.to_vector ? state.of[core].popped : state.of[core].pushed;
      };
      const std::size_t first = block * program_.cores.size(),
                        fewer = times(kFirst) < times(kSecond) ? kFirst : kSecond;
      if (times(kFirst) == times(kSecond) || !is_over(first + fewer)) continue;
      const char* act = queue.to_vector ? "popped" : "pushed";
      Diagnostic told{"MK-18",
                      Severity::Warning,
                      queue.pos,
                      "",
                      fmt::format("pipe {}: {} {} {}, {} {} {}", queue.id,
                                  name_of_core(program_, static_cast<CoreId>(first + kFirst)), act, times(kFirst),
                                  name_of_core(program_, static_cast<CoreId>(first + kSecond)), act, times(kSecond)),
                      "both vector cores take part in every entry"};
      told.kind = FindingKind::Flags;
      out.push_back(std::move(told));
    }
  return out;
}

Diagnostics Schedule::leftovers() const {
  Diagnostics out;
  for (const auto& walk : walks_)
    if (walk != nullptr)
      for (Diagnostic& one : walk->leftovers()) out.push_back(std::move(one));
  for (std::uint32_t block = 0; program_.together() && block < program_.blocks; ++block)
    for (std::uint32_t queue = 0; queue < program_.queues.size(); ++queue) add_left(block, queue, out);
  return out;
}

Environment::TileState Schedule::place_of(std::uint32_t tile) const {
  const CoreKind kind = program_.tiles[tile].kind;
  for (std::size_t core = 0; core < program_.cores.size(); ++core)
    if (program_.cores[core].kind == kind && walks_[core] != nullptr) return walks_[core]->environment().tiles[tile];
  return walk().environment().tiles[tile];
}

}  // namespace ts
