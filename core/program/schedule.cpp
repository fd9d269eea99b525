// Turns of the cores, and what is told where nobody has one.
#include "core/program/schedule.h"

#include <fmt/format.h>

#include <algorithm>

namespace ts {

Schedule::Schedule(const Program& program, const Memory* memory, const WalkLimits& limits)
    : program_(program), memory_(memory), limits_(limits), queues_(program), walks_(program.cores_at_once()) {
  begin(0);
}

Execution& Schedule::begin(std::size_t core) {
  if (walks_[core] == nullptr)
    walks_[core] = std::make_unique<Execution>(program_, memory_, Execution::Kind::Run, limits_,
                                               static_cast<CoreId>(core), &queues_);
  return *walks_[core];
}

Schedule::Turn Schedule::turn(std::size_t core) {
  Execution& walk = begin(core);
  if (walk.next()) return Turn::Step;
  return walk.stop() == WalkStop::None || walk.stop() == WalkStop::End ? Turn::Over : Turn::Stopped;
}

bool Schedule::next() {
  if (stop_ != WalkStop::None) return false;
  for (std::size_t tried = 0; tried < walks_.size(); ++tried) {
    const std::size_t core = (current_ + tried) % walks_.size();
    if (is_over(core)) continue;
    const Turn turn = this->turn(core);
    if (turn == Turn::Over) continue;
    current_ = core;
    if (turn == Turn::Stopped) return stop_ = walks_[core]->stop(), false;
    if (++steps_ <= limits_.most_steps) return true;
    stop_ = WalkStop::Limit;
    return false;
  }
  return ends();
}

// Everybody is at the end, or nobody can go on.
bool Schedule::ends() {
  stop_ = WalkStop::End;
  for (std::size_t core = 0; core < walks_.size(); ++core) {
    if (is_over(core)) continue;
    current_ = core;
    stop_ = WalkStop::Error;
    problem_ = deadlock();
    break;
  }
  return false;
}

// --- nobody can go on ------------------------------------------------------------------------------------------------

namespace {

constexpr const char* act_text(QueueAct act, bool to_vector) {
  switch (act) {
    case QueueAct::Push: return to_vector ? "tpush_to_aiv" : "tpush_to_aic";
    case QueueAct::Pop: return to_vector ? "tpop_from_aic" : "tpop_from_aiv";
    case QueueAct::Free: break;
  }
  return to_vector ? "tfree_from_aic" : "tfree_from_aiv";
}

}  // namespace

// What a core waits for, and how far those are that should bring it.
std::string Schedule::wait_text(std::size_t number) const {
  const Execution& walk = *walks_[number];
  if (walk.waits() == nullptr) return fmt::format("{} has ended", name_of_core(program_, static_cast<CoreId>(number)));
  const QueueUse& use = program_.queue_uses[walk.waits()->data];
  const QueueDecl& queue = program_.queues[use.queue];
  const std::uint32_t in_block = static_cast<std::uint32_t>(number % program_.cores.size());
  const QueueState& state = queues_.of(walk.block(), use.queue);
  const bool pushes = use.act == QueueAct::Push;
  std::string text = fmt::format("{}, line {}: {}, pipe {}: ", name_of_core(program_, static_cast<CoreId>(number)),
                                 walk.waits()->pos.line, act_text(use.act, queue.to_vector), queue.id);
  if (pushes) text += fmt::format("all {} slots are in use", queue.slots);
  else text += fmt::format("entry {} was not pushed", state.of[in_block].popped);
  for (std::uint32_t other = 0; other < program_.cores.size(); ++other) {
    const bool concerns =
        pushes ? queues_.takes(use.queue, use.split, other) : queues_.puts(use.queue, use.split, other);
    if (!concerns || other == in_block) continue;
    const std::size_t its = number - in_block + other;
    const QueueCounts& counts = state.of[other];
    const std::string name = name_of_core(program_, static_cast<CoreId>(its));
    // Who did its part is not waited for.
    const bool did = pushes ? state.of[in_block].pushed - queues_.released(counts) < queue.slots
                            : counts.pushed > state.of[in_block].popped;
    if (did) continue;
    if (pushes)
      text += fmt::format("; waits for {} on {} (popped {}, freed {}",
                          act_text(program_.target == Target::A2A3 ? QueueAct::Pop : QueueAct::Free, queue.to_vector),
                          name, counts.popped, counts.freed);
    else
      text += fmt::format("; waits for {} on {} (pushed {}", act_text(QueueAct::Push, queue.to_vector), name,
                          counts.pushed);
    const Execution* peer = walks_[its].get();
    if (peer != nullptr && peer->waits() != nullptr)
      text += fmt::format("; blocked at line {})", peer->waits()->pos.line);
    else text += "; it has ended)";
  }
  return text;
}

std::string Schedule::hint_for(std::size_t number) const {
  const Execution& walk = *walks_[number];
  const QueueUse& use = program_.queue_uses[walk.waits()->data];
  const QueueDecl& queue = program_.queues[use.queue];
  const std::size_t first = number - number % program_.cores.size();
  const QueueState& state = queues_.of(walk.block(), use.queue);
  for (std::uint32_t other = 0; other < program_.cores.size(); ++other) {
    const QueueCounts& counts = state.of[other];
    const std::string name = name_of_core(program_, static_cast<CoreId>(first + other));
    if (use.act == QueueAct::Push && queues_.takes(use.queue, use.split, other)) {
      if (program_.target == Target::A5 && counts.popped > 0 && counts.freed == 0)
        return fmt::format("{} never frees what it takes from pipe {}: add {} behind its last use", name, queue.id,
                           act_text(QueueAct::Free, queue.to_vector));
      if (program_.target == Target::A5 && counts.freed < counts.popped)
        return fmt::format("{} took {} entries of pipe {} and freed {}", name, counts.popped, queue.id, counts.freed);
      if (is_over(first + other))
        return fmt::format("{} has ended after {} pops: are there as many pops as pushes?", name, counts.popped);
    }
    if (use.act == QueueAct::Pop && queues_.puts(use.queue, use.split, other) && is_over(first + other))
      return fmt::format("{} has ended after {} pushes: are there as many pushes as pops?", name, counts.pushed);
  }
  return "each waits for another one: change the order of pushes and pops, or have more slots";
}

Diagnostic Schedule::deadlock() const {
  const CodeOp& at = *walks_[current_]->waits();
  Diagnostic told;
  told.rule = program_.queue_uses[at.data].act == QueueAct::Push ? "MK-11" : "MK-10";
  told.severity = Severity::Error;
  told.pos = at.pos;
  told.kind = FindingKind::Flags;
  told.text = "deadlock: no core can go on. " + wait_text(current_);
  told.hint = hint_for(current_);
  for (std::size_t core = 0; core < walks_.size(); ++core) {
    if (core == current_ || walks_[core] == nullptr || walks_[core]->waits() == nullptr) continue;
    told.notes.push_back({walks_[core]->waits()->pos, wait_text(core)});
    constexpr std::size_t kMostNotes = 12;
    if (told.notes.size() == kMostNotes) break;
  }
  return told;
}

// --- the end -----------------------------------------------------------------------------------------------------------

Diagnostics Schedule::leftovers() const {
  Diagnostics out;
  for (const auto& walk : walks_)
    if (walk != nullptr)
      for (Diagnostic& one : walk->leftovers()) out.push_back(std::move(one));
  for (std::uint32_t block = 0; program_.together() && block < program_.blocks; ++block)
    for (std::uint32_t number = 0; number < program_.queues.size(); ++number) {
      const QueueDecl& queue = program_.queues[number];
      const QueueState& state = queues_.of(block, number);
      std::uint32_t pushed = 0, popped = 0;
      for (const QueueCounts& counts : state.of) {
        pushed = std::max(pushed, counts.pushed);
        popped = std::max(popped, counts.popped);
      }
      if (pushed <= popped) continue;
      const std::size_t taker = block * program_.cores.size() + (queue.to_vector ? 1 : 0);
      Diagnostic left{"MK-16",
                      Severity::Warning,
                      queue.pos,
                      "",
                      fmt::format("pipe {}: {} pushed, {} popped {}", queue.id, pushed,
                                  name_of_core(program_, static_cast<CoreId>(taker)), popped),
                      "what is left in a queue is what the next launch finds"};
      left.kind = FindingKind::Flags;
      out.push_back(std::move(left));
    }
  return out;
}

Environment::TileState Schedule::place_of(std::uint32_t tile) const {
  const CoreKind kind = program_.tiles[tile].kind;
  for (std::size_t core = 0; core < program_.cores.size(); ++core)
    if (program_.cores[core].kind == kind && walks_[core] != nullptr) return walks_[core]->environment().tiles[tile];
  return walk().environment().tiles[tile];
}

}  // namespace ts
