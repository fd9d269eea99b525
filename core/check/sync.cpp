// Pipes at the same bytes with nothing between them that orders them.
//
// A core's pipes each do their steps in order, and run beside each other. What one of them knows of the others is a
// clock: by pipe, how far that one is known to be done. A flag carries the clock of the pipe that raises it to the one
// that waits. Two accesses of different pipes, one of them a write, are ordered when the later one's pipe knew that the
// earlier one was done.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>

#include "core/check/sharing_operands.h"
#include "core/check/sharing_runs.h"
#include "core/check/walk.h"
#include "core/debug/origins/lifetimes.h"
#include "core/debug/origins/step_index.h"
#include "core/program/sync.h"

namespace ts {
namespace {

constexpr std::size_t kPipes = static_cast<std::size_t>(Pipe::None);

// By pipe: a number of steps. Those of the pipe among the first so many of the recording are meant.
using Clock = std::array<std::uint32_t, kPipes>;

void join(Clock& into, const Clock& other) {
  for (std::size_t pipe = 0; pipe < kPipes; ++pipe) into[pipe] = std::max(into[pipe], other[pipe]);
}

bool is_flag(const InstructionRow* row) {
  return row == &kSetFlag || row == &kWaitFlag || row == &kRecordEvent || row == &kWaitEvent;
}

// Whether the author orders the pipes. A program without flags leaves that to the assembler, which puts them in; so
// does one with barriers only behind its last data step, the usual end of a kernel: nothing is left that they could
// order.
bool orders_pipes(const Recording& recording) {
  for (const Instruction& instruction : recording.program().instructions)
    if (is_flag(instruction.row) || is_of_buffer(instruction.row)) return true;
  bool barrier = false;
  for (std::uint32_t step = 0; step < recording.count(); ++step) {
    const InstructionRow* row = recording.bound(step).row;
    if (row->effect == Effect::StartsBlock) barrier = false;
    if (row == &kBarrier) barrier = true;
    if (barrier && row->machines.run != nullptr) return true;
  }
  return false;
}

// Who touched some bytes, as far as it still matters.
struct Accesses {
  // By pipe: the number of the newest step + 1; 0: none.
  Clock writes{}, reads{};
  std::uint32_t block = 0;  // theirs
  // The same of blocks before that one.
  std::uint32_t other_writes = 0, other_adds = 0, other_reads = 0;
  bool operator==(const Accesses&) const = default;
};

// What a step has in common with earlier ones that nothing puts before it.
struct Conflicts {
  struct First {
    std::uint32_t earlier;  // step
    bool earlier_writes;
    Flat at;
    int operand;  // of this step
    bool writes;
  };
  std::optional<First> first;
  std::vector<std::uint32_t> earlier;

  void clear() { first.reset(), earlier.clear(); }
  void add(const First& conflict) {
    if (!first) first = conflict;
    if (earlier.empty() || earlier.back() != conflict.earlier) earlier.push_back(conflict.earlier);
  }
  std::string others() {
    std::ranges::sort(earlier);
    const auto count = std::unique(earlier.begin(), earlier.end()) - earlier.begin() - 1;
    if (count == 0) return "";
    return fmt::format("; so with {} more earlier step{}", count, count == 1 ? "" : "s");
  }
};

class SyncExaminer : public Examiner {
 public:
  SyncExaminer(const Recording& recording, bool pipes)
      : recording_(recording),
        map_(recording.map()),
        pipes_(pipes),
        gm_begin_(map_.origin(Space::Gm)),
        roots_(alias_roots(recording.program())) {
    if (pipes_) find_events();
  }

  void look(CheckedStep& step, FindingSink& sink) override {
    const Bound& bound = step.bound();
    if (recording_.program().together()) go_to_core(bound.core);
    if (bound.row->effect == Effect::StartsBlock) return start_block(step.number());
    if (is_flag(bound.row)) return follow_flag(bound);
    if (bound.row == &kBarrier) return follow_barrier(bound);
    if (is_of_buffer(bound.row)) return follow_buffer(bound);
    if (bound.pipe == Pipe::None || machines_for(bound).run == nullptr) return;
    touch_all(step);
    clocks_[pipe_of(bound)][pipe_of(bound)] = step.number() + 1;
    report(step, sink);
    if (accesses_.size() > kMostRuns) forget();
  }

 private:
  // Some hundred megabytes: past it, first what can no longer matter is forgotten, then everything.
  static constexpr std::size_t kMostRuns = 2'000'000;

  static std::size_t pipe_of(const Bound& bound) { return static_cast<std::size_t>(bound.pipe); }

  // --- what orders pipes ---

  // Each core has pipes and flags of its own. Whether cores get at each other's bytes is looked at elsewhere.
  void go_to_core(CoreId core) {
    if (core == block_) return;
    CoreState& left = cores_[static_cast<CoreId>(block_)];
    left.clocks = clocks_;
    left.flags = std::move(flags_);
    left.buffers = buffers_;
    CoreState& now = cores_[core];
    clocks_ = now.clocks;
    flags_ = std::move(now.flags);
    buffers_ = now.buffers;
    block_ = core;
  }

  void start_block(std::uint32_t step) {
    block_ = recording_.step(step).block;
    clocks_ = {};
    flags_.clear();
    buffers_ = {};
    accesses_.erase(0, map_.origin(Space::Spr));
  }

  Clock of_all_pipes() const {
    Clock all{};
    for (const Clock& clock : clocks_) join(all, clock);
    return all;
  }

  void follow_flag(const Bound& bound) {
    const bool event = bound.row == &kRecordEvent || bound.row == &kWaitEvent;
    const std::array key{std::uint8_t{event}, bound.attributes[0], bound.attributes[1], bound.attributes[2]};
    std::deque<Clock>& raised = flags_[key];
    if (bound.row == &kSetFlag || bound.row == &kRecordEvent) {
      Clock clock{};
      if (bound.pipe != Pipe::None) clock = clocks_[pipe_of(bound)];
      if (means_all_pipes(bound, 0)) clock = of_all_pipes();
      raised.push_back(clock);
      return;
    }
    if (raised.empty()) return;  // the walk tells of it
    const Clock clock = raised.front();
    raised.pop_front();
    // The scalar unit hands out the steps of all pipes: while it is held, none begins.
    const bool all = bound.pipe == Pipe::S || means_all_pipes(bound, 1);
    for (std::size_t pipe = 0; pipe < kPipes; ++pipe)
      if (all || static_cast<Pipe>(pipe) == bound.pipe) join(clocks_[pipe], clock);
  }

  // In mode 0 whoever takes a number knows that all who gave it back before are done; in mode 1 whoever gives it back waits
  // for the others.
  void follow_buffer(const Bound& bound) {
    if (bound.pipe == Pipe::None) return;
    Clock& mine = clocks_[pipe_of(bound)];
    Clock& given_back = buffers_[bound.attributes[kBufferNumber]];
    const bool gives = bound.row == &kReleaseBuffer, others_wait = bound.attributes[kBufferMode] == 0;
    if (gives != others_wait) join(mine, given_back);
    if (gives) join(given_back, mine);
  }

  // One of a single pipe orders what is in order anyway.
  void follow_barrier(const Bound& bound) {
    if (!means_all_pipes(bound, 0)) return;
    clocks_.fill(of_all_pipes());
  }

  // --- who touches what ---

  void touch_all(CheckedStep& step) {
    const Bound& bound = step.bound();
    in_core_.clear();
    of_blocks_.clear();
    for (std::size_t i = 0; i < bound.operands.size(); ++i) {
      const Operand& operand = bound.operands[i];
      if (!is_read(operand) || (!pipes_ && operand.spec->kind != OperandKind::Global)) continue;
      runs_.clear();
      add_meant_reads(map_, bound, operand, runs_);
      for (const FlatRange& run : runs_) touch(step, run.begin, run.end, false, static_cast<int>(i));
    }
    const Flat core_end = map_.origin(Space::Spr);
    for (const WritePattern& pattern : step.writes()) {
      if (pattern.base < core_end ? !pipes_ : pattern.base < gm_begin_) continue;
      for_runs(pattern, [&](Flat begin, std::uint32_t size) { touch(step, begin, begin + size, true, -1); });
    }
  }

  void touch(CheckedStep& step, Flat begin, Flat end, bool writes, int operand) {
    const std::size_t mine = pipe_of(step.bound());
    const Clock& done = clocks_[mine];
    const std::uint32_t now = step.number() + 1;
    accesses_.update(begin, end, [&](Flat at, Flat, Accesses& accesses) {
      const auto conflict = [&](Conflicts& conflicts, std::uint32_t earlier, bool earlier_writes) {
        conflicts.add({earlier - 1, earlier_writes, at, operand, writes});
      };
      if (accesses.block != block_) leave_block(accesses);
      if (begin >= gm_begin_ && !recording_.program().together())
        look_at_blocks(step.bound(), accesses, writes, conflict);
      for (std::size_t pipe = 0; pipe < kPipes; ++pipe) {
        if (pipe == mine) continue;
        if (accesses.writes[pipe] > done[pipe] && meet(step.bound(), accesses.writes[pipe], at))
          conflict(in_core_, accesses.writes[pipe], true);
        if (writes && accesses.reads[pipe] > done[pipe] && meet(step.bound(), accesses.reads[pipe], at))
          conflict(in_core_, accesses.reads[pipe], false);
        // What is ordered before this write is ordered before all that is behind it.
        if (writes && accesses.writes[pipe] <= done[pipe]) accesses.writes[pipe] = 0;
        if (writes && accesses.reads[pipe] <= done[pipe]) accesses.reads[pipe] = 0;
      }
      (writes ? accesses.writes : accesses.reads)[mine] = now;
      if (writes) accesses.reads[mine] = 0;
    });
  }

  // Whether the author can have meant that the two get at each other. Tiles that were placed by themselves share bytes by
  // chance, and whoever places them orders that too.
  bool meet(const Bound& bound, std::uint32_t earlier, Flat at) {
    const std::uint32_t now = tile_at(bound, at), before = tile_at(recording_.bound(earlier - 1), at);
    if (now == before || now == kNoTile || before == kNoTile) return true;
    const std::vector<TileDecl>& tiles = recording_.program().tiles;
    return tiles[now].placed || tiles[before].placed;
  }
  std::uint32_t tile_at(const Bound& bound, Flat at) const {
    for (const Operand& operand : bound.operands) {
      if (operand.spec->kind != OperandKind::Tile) continue;
      const ByteRange all = operand.tile.range();
      const Flat begin = map_.flat(all);
      if (begin <= at && at < begin + all.size) return roots_[operand.id];
    }
    return kNoTile;
  }

  // The bytes were touched by a block before this one.
  void leave_block(Accesses& accesses) const {
    for (std::size_t pipe = 0; pipe < kPipes; ++pipe) {
      const std::uint32_t write = accesses.writes[pipe];
      if (write != 0) (is_adding(recording_.bound(write - 1)) ? accesses.other_adds : accesses.other_writes) = write;
      accesses.other_reads = std::max(accesses.other_reads, accesses.reads[pipe]);
    }
    accesses.writes = accesses.reads = {};
    accesses.block = block_;
  }

  template <class F>
  void look_at_blocks(const Bound& bound, const Accesses& accesses, bool writes, F conflict) {
    if (accesses.other_writes != 0) conflict(of_blocks_, accesses.other_writes, true);
    if (accesses.other_adds != 0 && !(writes && is_adding(bound))) conflict(of_blocks_, accesses.other_adds, true);
    if (accesses.other_reads != 0 && writes) conflict(of_blocks_, accesses.other_reads, false);
  }

  void forget() {
    Clock everybody_knows;
    everybody_knows.fill(~0u);
    for (std::size_t pipe = 0; pipe < kPipes; ++pipe)
      if (clocks_[pipe][pipe] != 0)
        for (std::size_t of = 0; of < kPipes; ++of)
          if (of != pipe) everybody_knows[of] = std::min(everybody_knows[of], clocks_[pipe][of]);
    if (recording_.program().blocks == 1)
      accesses_.erase_if([&](const Accesses& accesses) {
        for (std::size_t pipe = 0; pipe < kPipes; ++pipe)
          if (std::max(accesses.writes[pipe], accesses.reads[pipe]) > everybody_knows[pipe]) return false;
        return true;
      });
    if (accesses_.size() > kMostRuns / 2) accesses_.clear();
  }

  // --- what is told ---

  void report(CheckedStep& step, FindingSink& sink) {
    if (!sink.takes(FindingKind::Sync, step.number())) return;
    if (in_core_.first && pipes_) tell_pipes(step, sink);
    if (of_blocks_.first) tell_blocks(step, sink);
  }

  FoundElement element_of_conflict(const Bound& bound, const Conflicts::First& first) const {
    return found_at(map_, bound, first.writes ? written_operand(map_, bound, first.at) : first.operand, first.at);
  }

  void tell_pipes(CheckedStep& step, FindingSink& sink) {
    const Conflicts::First& first = *in_core_.first;
    const Bound &bound = step.bound(), &earlier = recording_.bound(first.earlier);
    const FoundElement element = element_of_conflict(bound, first);
    const std::string before = fmt::format("{} (step {}, {})", earlier.row->name, first.earlier, name(earlier.pipe));
    std::string text = fmt::format("{} in {} {} {} while {} may still {} it: nothing orders the two{}", bound.row->name,
                                   name(bound.pipe), first.writes ? "writes" : "reads",
                                   element_name(recording_.program(), bound, element), before,
                                   first.earlier_writes ? "write" : "read", in_core_.others());
    std::string hint = fmt::format(
        "set_flag [PIPE_{0}, PIPE_{1}, EVENT_ID{2}] after step {3}, and wait_flag with the same before step {4}",
        name(earlier.pipe), name(bound.pipe), free_event(earlier.pipe, bound.pipe), first.earlier, step.number());
    sink.add(FindingKind::Sync, step.number(), std::move(text), std::move(hint), element,
             {{earlier.pos, before + " is this one"}});
  }

  void tell_blocks(CheckedStep& step, FindingSink& sink) {
    const Conflicts::First& first = *of_blocks_.first;
    const Bound &bound = step.bound(), &earlier = recording_.bound(first.earlier);
    const FoundElement element = element_of_conflict(bound, first);
    const std::string before =
        fmt::format("{} (step {}) of block {}", earlier.row->name, first.earlier, recording_.step(first.earlier).block);
    std::string text =
        fmt::format("{} of block {} {} {}, which {} {}: nothing orders blocks{}", bound.row->name, block_,
                    first.writes ? "writes" : "reads", element_name(recording_.program(), bound, element), before,
                    first.earlier_writes ? "writes" : "reads", of_blocks_.others());
    sink.add(FindingKind::Sync, step.number(), std::move(text),
             "give each block bytes of its own, by pto.get_block_idx; or let the blocks meet: pto.syncall", element,
             {{earlier.pos, before + " is this one"}});
  }

  // --- events that nobody uses ---

  // Events share their numbers with flags.
  void find_events() {
    for (std::uint32_t step = 0; step < recording_.count(); ++step) {
      const Bound& bound = recording_.bound(step);
      if (!is_flag(bound.row)) continue;
      const bool event = bound.row == &kRecordEvent || bound.row == &kWaitEvent;
      const Pipe from = sync_pipe(event ? kRecordEvent : kSetFlag, bound.attributes),
                 to = sync_pipe(event ? kWaitEvent : kWaitFlag, bound.attributes);
      used_events_[{from, to}] |= 1u << bound.attributes[2];
    }
  }

  // The first that the program never uses between the two pipes; when it uses all of them, one that is not raised now.
  std::uint32_t free_event(Pipe from, Pipe to) const {
    const auto used = used_events_.find({from, to});
    for (std::uint32_t event = 0; event < 8; ++event)
      if (used == used_events_.end() || (used->second >> event & 1) == 0) return event;
    for (std::uint32_t event = 0; event < 8; ++event)
      if (!is_raised(from, to, event)) return event;
    return 0;
  }

  bool is_raised(Pipe from, Pipe to, std::uint32_t event) const {
    return std::ranges::any_of(flags_, [&](const auto& flag) {
      const auto& [is_event, source, target, id] = flag.first;
      const std::vector<std::uint8_t> attributes{source, target, id};
      return id == event && !flag.second.empty() &&
             sync_pipe(is_event != 0 ? kRecordEvent : kSetFlag, attributes) == from &&
             sync_pipe(is_event != 0 ? kWaitEvent : kWaitFlag, attributes) == to;
    });
  }

  const Recording& recording_;
  const MemoryMap& map_;
  bool pipes_;  // false: only blocks are looked at
  Flat gm_begin_;
  static constexpr std::uint32_t kNoTile = ~0u;
  std::vector<std::uint32_t> roots_;    // by tile
  std::uint32_t block_ = 0;             // of cores that are there at once: the core
  std::array<Clock, kPipes> clocks_{};  // what each pipe knows; of itself its newest step
  // Raised and not waited for, oldest first: whether it is an event, and the attributes.
  using RaisedFlags = std::map<std::array<std::uint8_t, 4>, std::deque<Clock>>;
  RaisedFlags flags_;
  // By number of a buffer: what all know that gave it back.
  using Buffers = std::array<Clock, 32>;
  Buffers buffers_{};
  struct CoreState {
    std::array<Clock, kPipes> clocks{};
    RaisedFlags flags;
    Buffers buffers{};
  };
  std::map<CoreId, CoreState> cores_;                           // of those whose turn it is not
  std::map<std::pair<Pipe, Pipe>, std::uint32_t> used_events_;  // bits
  ByteRuns<Accesses> accesses_;
  Conflicts in_core_, of_blocks_;  // of the step that is looked at
  std::vector<FlatRange> runs_;
};

// Of a program that leaves its waits to the assembler: said once, where a second pipe begins to work.
class WaitsExaminer : public Examiner {
 public:
  void look(CheckedStep& step, FindingSink& sink) override {
    const Bound& bound = step.bound();
    if (told_ || bound.row->machines.run == nullptr || bound.pipe == Pipe::S) return;
    if (!first_) first_ = bound.pipe;
    if (bound.pipe == *first_) return;
    told_ = true;
    Diagnostic* told = sink.add(FindingKind::Flags, step.number(),
                                fmt::format("no flags: synchronous form assumed; {} waits for what {} did before it",
                                            name(bound.pipe), name(*first_)),
                                "the assembler puts the waits in; who writes them uses pto.set_flag and pto.wait_flag");
    if (told != nullptr) told->rule = "CHK-SYNCHRONOUS";
  }

 private:
  std::optional<Pipe> first_;
  bool told_ = false;
};

}  // namespace

bool means_all_pipes(const Bound& bound, std::size_t attribute) {
  return std::string_view(value_name(bound.row->attributes[attribute].values, bound.attributes[attribute])) ==
         "PIPE_ALL";
}

std::unique_ptr<Examiner> examine_waits(const Recording& recording, const CheckOptions& options) {
  if (options.of(FindingKind::Flags) == Level::Off || recording.program().together() || orders_pipes(recording))
    return nullptr;
  return std::make_unique<WaitsExaminer>();
}

std::unique_ptr<Examiner> examine_sync(const Recording& recording, const CheckOptions& options) {
  if (options.of(FindingKind::Sync) == Level::Off) return nullptr;
  const bool pipes = !options.sync_only_with_waits || orders_pipes(recording);
  if (!pipes && (recording.program().blocks == 1 || recording.program().together())) return nullptr;
  return std::make_unique<SyncExaminer>(recording, pipes);
}

}  // namespace ts
