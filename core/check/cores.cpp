// Cores at the same bytes with nothing that puts one before the other.
//
// A core does its steps in order, and runs beside all others. What it knows of them is a clock: by core, up to which step
// of the recording that one is known to be done. An entry of a queue carries the clock of who pushes it to who pops it, a
// slot that is given back carries one the other way, and so do flags; at a meeting everybody learns what everybody knows.
// Two accesses of different cores, one of them a write, are ordered when the later one's core knew that the earlier one
// was done.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/check/sharing_operands.h"
#include "core/check/sharing_runs.h"
#include "core/check/walk.h"
#include "core/debug/origins/lifetimes.h"
#include "core/program/cores/queues.h"
#include "core/program/cores/signals.h"
#include "core/program/sync.h"

namespace ts {
namespace {

// Steps are numbered from 1 here; 0: none.
using Steps = std::vector<std::uint32_t>;  // by core

void join_steps(Steps& into, const Steps& other) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], other[i]);
}

class CoreClock {
 public:
  explicit CoreClock(CoreId first = 0) : first_(first) {}
  std::uint32_t of(CoreId core) const {
    const std::uint32_t far = far_ == nullptr ? 0 : (*far_)[core];
    return core >= first_ && core < first_ + kMostCores ? std::max(far, near_[core - first_]) : far;
  }
  void set(CoreId core, std::uint32_t step) { near_[core - first_] = step; }
  // Of a core of the same block.
  void join(const CoreClock& other) {
    for (std::size_t i = 0; i < near_.size(); ++i) near_[i] = std::max(near_[i], other.near_[i]);
    learn(other.far_);
  }
  void learn(const std::shared_ptr<const Steps>& all) {
    if (all == nullptr || all == far_) return;
    if (far_ == nullptr) return void(far_ = all);
    auto both = std::make_shared<Steps>(*all);
    join_steps(*both, *far_);
    far_ = std::move(both);
  }
  void add_to(Steps& all) const {
    for (CoreId core = 0; core < all.size(); ++core) all[core] = std::max(all[core], of(core));
  }

 private:
  CoreId first_;                                  // of its block
  std::array<std::uint32_t, kMostCores> near_{};  // of the cores of its block
  std::shared_ptr<const Steps> far_;              // of all, where blocks met
};

// Of one queue of one block, as far as its steps were looked at.
struct QueueClocks {
  BlockCounts counts{};
  std::array<std::vector<CoreClock>, kMostCores> pushed, released;  // by slot
  std::array<std::vector<std::uint32_t>, kMostCores> frees;         // steps, by entry
};

struct Touch {
  CoreId core = 0;
  std::uint32_t step = 0;
  bool operator==(const Touch&) const = default;
};

// Who touched some bytes, as far as it still matters.
struct SharedBytes {
  Touch write;
  std::vector<Touch> adds, reads;  // one of a core
  bool operator==(const SharedBytes&) const = default;
};

class CoresExaminer : public Examiner {
 public:
  explicit CoresExaminer(const Recording& recording)
      : recording_(recording),
        program_(recording.program()),
        map_(recording.map()),
        cores_(static_cast<CoreId>(program_.cores.size())),
        rules_(program_),
        roots_(alias_roots(program_)) {
    for (CoreId core = 0; core < program_.cores_at_once(); ++core)
      clocks_.emplace_back(static_cast<CoreId>(core - core % cores_));
    queues_.resize(program_.blocks * program_.queues.size());
    find_shared();
  }

  void look(CheckedStep& step, FindingSink& sink) override {
    const Bound& bound = step.bound();
    core_ = bound.core;
    const QueueUse* use = use_of(step.number());
    if (use != nullptr) arrive(*use);
    else if (bound.row == &kWaitCoreFlag) hear(bound);
    else if (bound.row == &kMeet) meet(bound);
    else if (bound.row == &kWaitForDevice) each_cell(bound, [&](auto& brought) { clocks_[core_].learn(brought); });
    if (use == nullptr) look_at_popped(step, sink);
    touch_all(step);
    clocks_[core_].set(core_, step.number() + 1);
    if (use != nullptr) leave(*use, step);
    else if (bound.row == &kSetCoreFlag) signal(bound);
    else if (gives_signal(bound)) each_cell(bound, [&](auto& brought) { bring(brought); });
    report(step, sink);
    note_order(step, sink);
    if (shared_.size() > kMostRuns) shared_.clear();
  }

 private:
  // Some hundred megabytes: past it everything is forgotten.
  static constexpr std::size_t kMostRuns = 2'000'000;

  // --- which bytes cores share ---

  // What nobody writes, and what only its own core can reach, need not be looked at.
  void find_shared() {
    const auto add = [&](Flat begin, Flat end) {
      written_.set(begin / kPage * kPage, (end + kPage - 1) / kPage * kPage, {});
    };
    const Flat gm = map_.origin(Space::Gm);
    for (std::uint32_t step = 0; step < recording_.count(); ++step) {
      const CoreId core = recording_.bound(step).core;
      for (const WritePattern& pattern : recording_.writes(step)) {
        const Flat end = pattern.base + (pattern.count - 1) * pattern.stride + pattern.size;
        if (pattern.base >= gm || pattern.base < map_.begin_of(core) || pattern.base >= map_.end_of(core))
          add(pattern.base, end);
      }
    }
  }
  static constexpr Flat kPage = 4096;

  bool may_be_shared(Flat begin, Flat end) const {
    bool found = false;
    written_.visit(begin, end, [&](Flat, Flat, const Nothing&) { found = true; });
    return found;
  }

  // --- what orders cores ---

  QueueClocks& clocks_of(const QueueUse& use) { return queues_[core_ / cores_ * program_.queues.size() + use.queue]; }

  void arrive(const QueueUse& use) {
    QueueClocks& queue = clocks_of(use);
    const std::uint32_t me = core_ % cores_, slots = rules_.slots(use.queue);
    const bool pushes = use.act != QueueAct::Pop;
    if (use.act == QueueAct::Free) return;
    const std::uint32_t entry = queue.counts[me].of(use.act);
    for (std::uint32_t other = 0; other < cores_; ++other) {
      if (pushes && entry >= slots && rules_.takes(use.queue, use.split, other))
        join(queue.released[other], entry % slots);
      if (!pushes && rules_.puts(use.queue, use.split, other)) join(queue.pushed[other], entry % slots);
    }
  }
  void join(const std::vector<CoreClock>& ring, std::uint32_t slot) {
    if (slot < ring.size()) clocks_[core_].join(ring[slot]);
  }
  void keep(std::vector<CoreClock>& ring, std::uint32_t slot) const {
    if (slot >= ring.size()) ring.resize(slot + 1);
    ring[slot] = clocks_[core_];
  }

  void leave(const QueueUse& use, const CheckedStep& step) {
    QueueClocks& queue = clocks_of(use);
    const std::uint32_t me = core_ % cores_, slots = rules_.slots(use.queue);
    QueueCounts& counts = queue.counts[me];
    const std::uint32_t entry = counts.of(use.act)++;
    if (use.act == QueueAct::Push) keep(queue.pushed[me], entry % slots);
    if (use.act == (rules_.copies(use.queue) ? QueueAct::Pop : QueueAct::Free)) keep(queue.released[me], entry % slots);
    if (use.act == QueueAct::Pop && use.tile != kNoTile) popped_[{core_, roots_[use.tile]}] = {use.queue, entry};
    if (use.act == QueueAct::Free) queue.frees[me].push_back(step.number());
  }

  std::shared_ptr<const Steps> all_known(const std::vector<CoreId>& cores) const {
    auto all = std::make_shared<Steps>(clocks_.size(), 0);
    for (const CoreId core : cores) clocks_[core].add_to(*all);
    return all;
  }

  void signal(const Bound& bound) {
    for (const Signal& signal : signals_of(program_, bound)) {
      // Each brings what it knows when it sets, however late the last one is.
      const auto key = std::tuple{signal.from.front(), signal.to.front(), signal.counter};
      brought_[key][core_].push_back(all_known({core_}));
      if (!signals_.set(signal, core_)) continue;
      auto all = std::make_shared<Steps>(clocks_.size(), 0);
      for (const CoreId from : signal.from) {
        auto& brought = brought_[key][from];
        join_steps(*all, *brought.front());
        brought.pop_front();
      }
      for (const CoreId to : signal.to) heard_[{to, signal.counter}].push_back(all);
    }
  }
  void hear(const Bound& bound) {
    auto& heard = heard_[{core_, counter_of(bound)}];
    if (heard.empty()) return;  // a core that does both sides' work waits for nobody
    clocks_[core_].learn(heard.front());
    heard.pop_front();
  }

  // Whoever leaves first, the others are there: what they know now is what they brought.
  void meet(const Bound& bound) {
    const auto who = static_cast<std::size_t>(meeting_of(bound));
    std::vector<std::shared_ptr<const Steps>>& meetings = meetings_[who];
    std::uint32_t& round = left_[{core_, who}];
    if (round == meetings.size()) {
      std::vector<CoreId> there;
      for (CoreId core = 0; core < clocks_.size(); ++core)
        if (takes_part(program_.cores[core % cores_].kind, meeting_of(bound))) there.push_back(core);
      meetings.push_back(all_known(there));
    }
    clocks_[core_].learn(meetings[round++]);
  }

  // A signal in global memory: who waits for it knows what those know that gave it before.
  static bool gives_signal(const Bound& bound) { return bound.has("signal") && bound.row != &kWaitForDevice; }
  template <class F>
  void each_cell(const Bound& bound, F f) {
    const GlobalRef& cells = bound.global("signal");
    for (std::uint32_t row = 0; row < cells.rows(); ++row)
      for (std::uint32_t col = 0; col < cells.cols(); ++col) f(given_[cells.at(row, col)]);
  }
  void bring(std::shared_ptr<const Steps>& brought) const {
    auto all = std::make_shared<Steps>(brought == nullptr ? Steps(clocks_.size(), 0) : *brought);
    clocks_[core_].add_to(*all);
    brought = std::move(all);
  }

  // --- who touches what ---

  struct Conflict {
    Touch earlier;
    bool earlier_writes;
    Flat at;
    int operand;
    bool writes;
  };

  void touch_all(CheckedStep& step) {
    const Bound& bound = step.bound();
    first_.reset();
    added_.reset();
    earlier_.clear();
    if (machines_for(bound).run == nullptr || gives_signal(bound)) return;
    for (std::size_t i = 0; i < bound.operands.size(); ++i) {
      if (!is_read(bound.operands[i]) || bound.operands[i].spec->kind == OperandKind::Scalar) continue;
      runs_.clear();
      add_meant_reads(map_, bound, bound.operands[i], runs_);
      for (const FlatRange& run : runs_) touch(step, run.begin, run.end, false, static_cast<int>(i));
    }
    for (const WritePattern& pattern : step.writes())
      for_runs(pattern, [&](Flat begin, std::uint32_t size) { touch(step, begin, begin + size, true, -1); });
  }

  bool knows(const Touch& touch) const {
    return touch.step == 0 || touch.core == core_ || touch.step <= clocks_[core_].of(touch.core);
  }

  void touch(CheckedStep& step, Flat begin, Flat end, bool writes, int operand) {
    if (!may_be_shared(begin, end)) return;
    const Touch now{core_, step.number() + 1};
    const bool adds = writes && is_adding(step.bound());
    shared_.update(begin, end, [&](Flat at, Flat, SharedBytes& bytes) {
      const auto look = [&](const Touch& earlier, bool earlier_writes) {
        if (knows(earlier)) return;
        if (!first_) first_ = Conflict{earlier, earlier_writes, at, operand, writes};
        if (earlier_.empty() || earlier_.back() != earlier.step) earlier_.push_back(earlier.step);
      };
      look(bytes.write, true);
      if (!adds)
        for (const Touch& add : bytes.adds) look(add, true);
      if (writes)
        for (const Touch& read : bytes.reads) look(read, false);
      if (adds) {
        for (const Touch& add : bytes.adds)
          if (!knows(add) && !added_) added_ = Conflict{add, true, at, -1, true};
        return note_of(bytes.adds, now);
      }
      if (!writes) return note_of(bytes.reads, now);
      bytes = {.write = now, .adds = {}, .reads = {}};
    });
  }
  static void note_of(std::vector<Touch>& touches, const Touch& now) {
    const auto own = std::ranges::find(touches, now.core, &Touch::core);
    if (own != touches.end()) own->step = now.step;
    else touches.push_back(now);
  }

  // --- what is told ---

  std::string core_name(CoreId core) const { return name_of_core(program_, core); }
  const QueueUse* use_of(std::uint32_t step) const { return queue_use_of(program_, recording_.step(step).instruction); }

  std::string hint_for(const CheckedStep& step, std::uint32_t earlier) const {
    const CoreId other = recording_.bound(earlier).core;
    const bool blocks = other / cores_ != core_ / cores_;
    if (blocks && use_of(step.number()) != nullptr && use_of(earlier) != nullptr)
      return "each block needs slots of its own: move gm_slot_buffer on by pto.get_block_idx, or run with --private-slots";
    if (blocks) return "give each block bytes of its own, by pto.get_block_idx, or let the blocks meet: pto.syncall";
    if (core_ % cores_ != 0 && other % cores_ != 0)
      return "give each vector core rows of its own: pto.get_subblock_idx tells which one it is";
    return "let the earlier one come first: an entry of a queue, or pto.sync.set and pto.sync.wait";
  }

  void report(CheckedStep& step, FindingSink& sink) {
    if (!first_ || !sink.takes(FindingKind::Cores, step.number())) return;
    const Bound& bound = step.bound();
    const std::uint32_t before = first_->earlier.step - 1;
    const Bound& earlier = recording_.bound(before);
    const FoundElement element =
        found_at(map_, bound, first_->writes ? written_operand(map_, bound, first_->at) : first_->operand, first_->at);
    std::ranges::sort(earlier_);
    const auto others = std::unique(earlier_.begin(), earlier_.end()) - earlier_.begin() - 1;
    const std::string which = fmt::format("{} (step {}) of {}", earlier.row->name, before, core_name(earlier.core));
    std::string text =
        fmt::format("{} of {} {} {}, which {} {}: nothing orders the two{}", bound.row->name, core_name(core_),
                    first_->writes ? "writes" : "reads", element_name(program_, bound, element), which,
                    first_->earlier_writes ? "writes" : "reads",
                    others == 0 ? "" : fmt::format("; so with {} more earlier step{}", others, others == 1 ? "" : "s"));
    sink.add(FindingKind::Cores, step.number(), std::move(text), hint_for(step, before), element,
             {{earlier.pos, which + " is this one"}});
  }

  // Once for two places in the program.
  void note_order(CheckedStep& step, FindingSink& sink) {
    if (!added_ || !sink.takes(FindingKind::Cores, step.number())) return;
    const Bound& bound = step.bound();
    const Operand* out = bound.find("dst");
    if (out == nullptr || out->spec->kind != OperandKind::Global || !is_float(out->global.dtype)) return;
    const std::uint32_t before = added_->earlier.step - 1;
    const Bound& earlier = recording_.bound(before);
    const std::uint32_t here = recording_.step(step.number()).instruction, there = recording_.step(before).instruction;
    if (!told_orders_.insert(std::minmax(here, there)).second) return;
    const FoundElement element = found_at(map_, bound, written_operand(map_, bound, added_->at), added_->at);
    Diagnostic* told = sink.add(
        FindingKind::Cores, step.number(),
        fmt::format("{} and {} (step {}) both add to {}, in whichever order they come: sums of {} may differ in their "
                    "last bits from run to run",
                    core_name(core_), core_name(earlier.core), before, element_name(program_, bound, element),
                    name(out->global.dtype)),
        "nothing is wrong where that may be so; else let one come first, or add integers", element,
        {{earlier.pos,
          fmt::format("{} (step {}) of {} is this one", earlier.row->name, before, core_name(earlier.core))}});
    if (told != nullptr) told->severity = Severity::Note;
  }

  // MK-17: what was popped is read when its slot may be filled again, or is.
  struct Popped {
    std::uint32_t queue, entry;
  };
  void look_at_popped(CheckedStep& step, FindingSink& sink) {
    const Bound& bound = step.bound();
    for (std::size_t i = 0; i < bound.operands.size(); ++i) {
      const Operand& operand = bound.operands[i];
      if (operand.spec->kind != OperandKind::Tile || !is_read(operand)) continue;
      const auto found = popped_.find({core_, roots_[operand.id]});
      if (found != popped_.end()) look_at_entry(step, static_cast<int>(i), found->second, sink);
    }
  }
  void look_at_entry(CheckedStep& step, int operand, const Popped& popped, FindingSink& sink) {
    const QueueDecl& queue = program_.queues[popped.queue];
    const QueueClocks& clocks = queues_[core_ / cores_ * program_.queues.size() + popped.queue];
    const std::uint32_t me = core_ % cores_;
    const bool copies = program_.target == Target::A2A3;
    const std::uint32_t slots = copies ? queue.local_slots : queue.slots, next = popped.entry + slots;
    const bool freed = !copies && clocks.counts[me].freed > popped.entry;
    const bool refilled = copies ? clocks.counts[me].popped > next : is_pushed(clocks, next);
    if ((!freed && !(copies && refilled)) || !sink.takes(FindingKind::Cores, step.number())) return;
    const Bound& bound = step.bound();
    const Operand& used = bound.operands[static_cast<std::size_t>(operand)];
    const FoundElement element = found_at(map_, bound, operand, map_.flat(used.tile.range()));
    std::vector<DiagnosticNote> notes;
    std::string text = fmt::format("{} reads {}, entry {} of pipe {}, ", bound.row->name, program_.operand_name(used),
                                   popped.entry, queue.id);
    if (freed) {
      const SourcePos& pos = recording_.bound(clocks.frees[me][popped.entry]).pos;
      text += fmt::format("which was freed at line {}", pos.line);
      notes.push_back({pos, "it was freed here"});
    } else {
      text += fmt::format("whose slot of the local ring was given to entry {}", next);
    }
    if (freed) text += refilled ? fmt::format("; entry {} overwrote it", next) : "; the next entry may overwrite it";
    Diagnostic* told = sink.add(FindingKind::Cores, step.number(), std::move(text),
                                freed ? "free it after its last use" : "use it before, or have more local slots",
                                element, std::move(notes));
    if (told != nullptr) told->rule = "MK-17";
  }
  bool is_pushed(const QueueClocks& clocks, std::uint32_t entry) const {
    return std::ranges::any_of(clocks.counts, [&](const QueueCounts& counts) { return counts.pushed > entry; });
  }

  const Recording& recording_;
  const Program& program_;
  const MemoryMap& map_;
  CoreId cores_, core_ = 0;  // of a block; that of the step
  Queues rules_;
  std::vector<std::uint32_t> roots_;  // by tile
  std::vector<CoreClock> clocks_;     // by core
  std::vector<QueueClocks> queues_;   // by block and queue
  Signals signals_{recording_.program()};
  using Brought = std::deque<std::shared_ptr<const Steps>>;
  std::map<std::tuple<CoreId, CoreId, std::uint32_t>, std::map<CoreId, Brought>> brought_;  // by signal and who set it
  std::map<std::pair<CoreId, std::uint32_t>, Brought> heard_;                               // by core and flag
  std::array<std::vector<std::shared_ptr<const Steps>>, 3> meetings_;
  std::unordered_map<std::uint64_t, std::shared_ptr<const Steps>> given_;  // by the cell of a signal
  std::map<std::pair<CoreId, std::size_t>, std::uint32_t> left_;           // meetings that a core left
  std::map<std::pair<CoreId, std::uint32_t>, Popped> popped_;              // by core and tile: the newest entry in it
  struct Nothing {
    bool operator==(const Nothing&) const = default;
  };
  ByteRuns<Nothing> written_;  // whole pages with bytes that a core writes and another one can reach
  ByteRuns<SharedBytes> shared_;
  std::optional<Conflict> first_;  // of the step that is looked at
  std::optional<Conflict> added_;  // two additions: no conflict, but floats depend on which comes first
  std::set<std::pair<std::uint32_t, std::uint32_t>> told_orders_;  // by instruction
  std::vector<std::uint32_t> earlier_;
  std::vector<FlatRange> runs_;
};

}  // namespace

std::unique_ptr<Examiner> examine_cores(const Recording& recording, const CheckOptions& options) {
  if (options.of(FindingKind::Cores) == Level::Off || !recording.program().together()) return nullptr;
  return std::make_unique<CoresExaminer>(recording);
}

}  // namespace ts
