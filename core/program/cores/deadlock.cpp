// Counters of queues, flags and meetings, put into words.
#include "core/program/cores/deadlock.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/program/bind.h"
#include "core/program/sync.h"

namespace ts {
namespace {

constexpr const char* act_text(QueueAct act, bool to_vector) {
  switch (act) {
    case QueueAct::Push: return to_vector ? "tpush_to_aiv" : "tpush_to_aic";
    case QueueAct::Pop: return to_vector ? "tpop_from_aic" : "tpop_from_aiv";
    case QueueAct::Alloc: return to_vector ? "talloc_to_aiv" : "talloc_to_aic";
    case QueueAct::Free: break;
  }
  return to_vector ? "tfree_from_aic" : "tfree_from_aiv";
}

class Waiting {
 public:
  Waiting(const Program& program, const Together& together, CoreWalks walks, CoreId core)
      : program_(program),
        together_(together),
        walks_(walks),
        core_(core),
        cores_(static_cast<CoreId>(program.cores.size())),
        in_block_(core % cores_),
        first_(core - in_block_) {}

  std::optional<CoreWait> tell() {
    const CoreWalk* walk = walks_[core_].get();
    if (walk == nullptr || walk->waits() == nullptr || walk->is_through()) return {};
    const CodeOp& at = *walk->waits();
    out_.core = core_;
    out_.pos = at.pos;
    out_.line = walk->line_text(at.pos);
    if (walk->polls()) of_poll();
    else if (at.kind == CodeKind::UseQueue) of_queue(program_.queue_uses[at.data]);
    else if (const auto bound = walk->bind(at.data)) of_step(*bound);
    return std::move(out_);
  }

 private:
  std::string name_of(CoreId core) const { return name_of_core(program_, core); }
  bool is_over(CoreId core) const {
    const CoreWalk* walk = walks_[core].get();
    return walk != nullptr && (walk->stop() == WalkStop::End || walk->is_through());
  }
  std::string where(CoreId core) const {
    const CoreWalk* walk = walks_[core].get();
    if (is_over(core)) return "it has ended";
    return walk != nullptr && walk->waits() != nullptr ? "blocked at " + walk->line_text(walk->waits()->pos)
                                                       : "it can go on";
  }
  void await(CoreId core, std::string act, const std::string& counts) {
    out_.on.push_back({core, std::move(act), counts.empty() ? where(core) : counts + "; " + where(core)});
  }
  void hint(std::string text) {
    if (out_.hint.empty()) out_.hint = std::move(text);
  }

  // --- queues ---

  void of_queue(const QueueUse& use) {
    const QueueDecl& queue = program_.queues[use.queue];
    const QueueState& state = together_.queues.of(core_ / cores_, use.queue);
    out_.text = fmt::format("{}, pipe {}: ", act_text(use.act, queue.to_vector), queue.id);
    use.act == QueueAct::Pop ? of_pop(use, queue, state) : of_push(use, queue, state);
  }

  void of_push(const QueueUse& use, const QueueDecl& queue, const QueueState& state) {
    const std::uint32_t entry = state.of[in_block_].of(use.act), oldest = entry - std::min(entry, queue.slots);
    out_.rule = "MK-11";
    out_.text += queue.slots == 1 ? fmt::format("its only slot is in use (entry {})", oldest)
                                  : fmt::format("all {} slots are in use (entries {} to {})", queue.slots, oldest,
                                                entry == 0 ? 0 : entry - 1);
    const bool copies = together_.queues.copies(use.queue);
    for (CoreId other = 0; other < cores_; ++other) {
      const QueueCounts& counts = state.of[other];
      if (!together_.queues.waits_for(use, state.of, in_block_, other)) continue;
      await(first_ + other, act_text(copies ? QueueAct::Pop : QueueAct::Free, queue.to_vector),
            copies ? fmt::format("popped {}", counts.popped)
                   : fmt::format("popped {}, freed {}", counts.popped, counts.freed));
      if (!copies && counts.popped > counts.freed) tell_unfreed(use, counts, other, oldest);
      else if (is_over(first_ + other))
        hint(fmt::format("{} has ended after {} pops: are there as many pops as pushes?", name_of(first_ + other),
                         counts.popped));
    }
  }

  void tell_unfreed(const QueueUse& use, const QueueCounts& counts, CoreId other, std::uint32_t oldest) {
    const QueueDecl& queue = program_.queues[use.queue];
    const QueueEntry* entry = together_.queues.entry(core_ / cores_, use.queue, oldest);
    const SourcePos popped = entry == nullptr ? SourcePos{} : entry->popped[other];
    if (popped.line != 0 && oldest == counts.freed)
      out_.text += fmt::format("; the oldest, entry {}, was popped by {} at {} and never freed", oldest,
                               name_of(first_ + other), walks_[core_]->line_text(popped));
    const char* free = act_text(QueueAct::Free, queue.to_vector);
    hint(counts.freed == 0
             ? fmt::format("{} never frees what it takes from pipe {}: add {} behind the last use of what {} pops",
                           name_of(first_ + other), queue.id, free, walks_[core_]->line_text(popped))
             : fmt::format("{} took {} entries of pipe {} and freed {}: each needs a {} behind its last use",
                           name_of(first_ + other), counts.popped, queue.id, counts.freed, free));
  }

  void of_pop(const QueueUse& use, const QueueDecl& queue, const QueueState& state) {
    const std::uint32_t entry = state.of[in_block_].popped;
    out_.rule = "MK-10";
    out_.text += fmt::format("entry {} was not pushed", entry);
    if (!together_.queues.takes(use.queue, use.split, in_block_)) {
      out_.text += fmt::format(" for {}", name_of(core_));
      return hint(
          fmt::format("on a5 an entry with split = {} is for AIV0 alone: split it, or let only the first vector "
                      "core pop",
                      use.split));
    }
    for (CoreId other = 0; other < cores_; ++other) {
      const QueueCounts& counts = state.of[other];
      if (!together_.queues.waits_for(use, state.of, in_block_, other)) continue;
      await(first_ + other, act_text(QueueAct::Push, queue.to_vector), fmt::format("pushed {}", counts.pushed));
      if (is_over(first_ + other))
        hint(fmt::format("{} has ended after {} pushes: are there as many pushes as pops?", name_of(first_ + other),
                         counts.pushed));
    }
  }

  // --- flags, meetings, signals ---

  void of_poll() {
    out_.rule = "MK-31";
    out_.text = "it looks at memory again and again, and nobody writes there";
    hint("the core that should write there has ended, or waits itself");
  }

  void of_step(const Bound& bound) {
    if (bound.row == &kWaitForDevice) return of_device(bound);
    bound.row == &kMeet ? of_meeting(bound) : of_flag(bound);
  }

  void of_device(const Bound& bound) {
    const Operand& signal = bound.operands[0];
    out_.rule = "MK-31";
    out_.text =
        fmt::format("comm.twait: {} is not {} {}", program_.operand_name(signal), comparison_sign(bound.attributes),
                    static_cast<std::int32_t>(bound.operands[1].scalar.bits));
    hint(fmt::format("no core of this device gives it: comm.tnotify on {}; without --comm strict it is taken for given",
                     program_.operand_name(signal)));
  }

  void of_flag(const Bound& bound) {
    const std::uint32_t counter = counter_of(bound);
    out_.rule = "MK-31";
    out_.text = fmt::format("sync.wait of flag {}: nobody has set it", counter);
    const CoreKind kind = program_.cores[in_block_].kind;
    for (CoreId other = 0; other < cores_; ++other) {
      const bool is_peer = (program_.cores[other].kind == CoreKind::Cube) != (kind == CoreKind::Cube);
      const bool is_meant = program_.target == Target::A2A3 || kind == CoreKind::Vector || other == 1 + counter / 16;
      if (!is_peer || !is_meant) continue;
      await(first_ + other, "sync.set", "");
      if (is_over(first_ + other))
        hint(fmt::format("{} has ended: does it set flag {} as often as it is waited for?", name_of(first_ + other),
                         counter));
    }
  }

  void of_meeting(const Bound& bound) {
    const MeetingOf who = meeting_of(bound);
    std::uint32_t there = 0, all = 0;
    const std::uint32_t mine = together_.meetings.came(core_, who);
    constexpr std::size_t kMostNamed = 4;
    for (CoreId other = 0; other < program_.cores_at_once(); ++other) {
      if (!takes_part(program_.cores[other % cores_].kind, who)) continue;
      ++all;
      if (together_.meetings.came(other, who) >= mine) {
        ++there;
        continue;
      }
      if (out_.on.size() < kMostNamed) await(other, "syncall", "");
      if (is_over(other))
        hint(fmt::format("{} has ended after {} meetings, others come to {}: each core has to come as often",
                         name_of(other), together_.meetings.came(other, who), mine));
    }
    out_.rule = "MK-31";
    out_.text = fmt::format("syncall: {} of {} cores are there", there, all);
  }

  const Program& program_;
  const Together& together_;
  CoreWalks walks_;
  CoreId core_, cores_, in_block_, first_;
  CoreWait out_;
};

// "AIC waits for AIV0, which waits for AIC"; empty: they are no circle.
std::string circle_of(const Program& program, std::span<const CoreWait> waits) {
  std::map<CoreId, CoreId> waits_for;
  for (const CoreWait& wait : waits)
    if (!wait.on.empty()) waits_for[wait.core] = wait.on.front().core;
  std::vector<CoreId> way;
  for (CoreId at = waits.front().core; waits_for.contains(at); at = waits_for[at]) {
    const auto before = std::ranges::find(way, at);
    if (before != way.end()) {
      std::string text = name_of_core(program, *before);
      for (auto next = before + 1; next != way.end(); ++next)
        text += fmt::format("{} waits for {}", next == before + 1 ? "" : ", which", name_of_core(program, *next));
      return text + fmt::format("{} waits for {}", way.end() - before > 1 ? ", which" : "", name_of_core(program, at));
    }
    way.push_back(at);
  }
  return "";
}

}  // namespace

std::string CoreWait::whole(const Program& program) const {
  std::string out = text;
  for (const AwaitedCore& other : on)
    out += fmt::format("; waits for {} on {} ({})", other.act, name_of_core(program, other.core), other.state);
  return out;
}

std::optional<CoreWait> wait_of(const Program& program, const Together& together, CoreWalks walks, CoreId core) {
  return Waiting(program, together, walks, core).tell();
}

Diagnostic deadlock_of(const Program& program, std::span<const CoreWait> waits) {
  const CoreWait& first = waits.front();
  Diagnostic told;
  told.rule = first.rule;
  told.severity = Severity::Error;
  told.pos = first.pos;
  told.kind = FindingKind::Flags;
  const auto line = [&](const CoreWait& wait) {
    return fmt::format("{}, {}: {}", name_of_core(program, wait.core), wait.line, wait.whole(program));
  };
  told.text = "deadlock: no core can go on. " + line(first);
  const auto plain = std::ranges::find_if(waits, [](const CoreWait& wait) { return !wait.hint.empty(); });
  if (plain != waits.end()) told.hint = plain->hint;
  else if (const std::string circle = circle_of(program, waits); !circle.empty())
    told.hint = circle + ": each waits for another one. Change the order of pushes and pops, or have more slots";
  else told.hint = "each waits for another one: change the order of pushes and pops, or have more slots";
  constexpr std::size_t kMostNotes = 12;
  for (const CoreWait& wait : waits.subspan(1, std::min(waits.size() - 1, kMostNotes)))
    told.notes.push_back({wait.pos, line(wait)});
  return told;
}

}  // namespace ts
