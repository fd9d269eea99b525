// MK-22: what the scalar unit stores stands in its cache. Who else reads those bytes in global memory needs the line written
// back, cmo.cacheinvalid and then a fence of the core that stored. There are no caches here, so that what is read is right;
// on a device it may be old.
#include <fmt/format.h>

#include <vector>

#include "core/check/sharing_operands.h"
#include "core/check/sharing_runs.h"
#include "core/check/walk.h"
#include "core/program/sync.h"

namespace ts {
namespace {

// Steps are numbered from 1 here; 0: none.
struct InCache {
  std::uint32_t core = 0, step = 0;
  bool operator==(const InCache&) const = default;
};

struct CoreCache {
  std::uint32_t invalidated = 0;   // the newest cacheinvalid, of whichever line
  std::uint32_t written_back = 0;  // stores before this step are out: a fence came behind the cacheinvalid there
};

class CachesExaminer : public Examiner {
 public:
  explicit CachesExaminer(const Recording& recording)
      : recording_(recording),
        map_(recording.map()),
        caches_(recording.program().together() ? recording.program().cores_at_once() : recording.program().blocks) {}

  void look(CheckedStep& step, FindingSink& sink) override {
    const Bound& bound = step.bound();
    const std::uint32_t core = core_of(step.number()), now = step.number() + 1;
    if (bound.row == &kCacheInvalid) caches_[core].invalidated = now;
    if (waits_for_all(bound)) caches_[core].written_back = caches_[core].invalidated;
    const bool scalar = is_scalar_store(bound);
    if (!scalar && !stored_.empty()) look_at_reads(step, core, sink);
    for (const WritePattern& pattern : step.writes()) {
      if (pattern.base < map_.origin(Space::Gm)) continue;
      for_runs(pattern, [&](Flat begin, std::uint32_t size) {
        if (scalar) stored_.set(begin, begin + size, {core, now});
        else stored_.erase(begin, begin + size);
      });
    }
  }

 private:
  static bool waits_for_all(const Bound& bound) { return bound.row == &kBarrier && means_all_pipes(bound, 0); }
  static bool is_scalar_store(const Bound& bound) { return std::string_view(bound.row->name) == "store_scalar"; }
  std::uint32_t core_of(std::uint32_t step) const {
    return recording_.program().together() ? recording_.bound(step).core : recording_.step(step).block;
  }

  void look_at_reads(CheckedStep& step, std::uint32_t core, FindingSink& sink) {
    const Bound& bound = step.bound();
    for (std::size_t i = 0; i < bound.operands.size(); ++i) {
      if (!is_read(bound.operands[i]) || bound.operands[i].spec->kind != OperandKind::Global) continue;
      runs_.clear();
      add_meant_reads(map_, bound, bound.operands[i], runs_);
      for (const FlatRange& run : runs_)
        stored_.visit(run.begin, run.end, [&](Flat at, Flat, const InCache& stored) {
          if (caches_[stored.core].written_back < stored.step) tell(step, core, static_cast<int>(i), at, stored, sink);
        });
    }
  }

  void tell(CheckedStep& step, std::uint32_t core, int operand, Flat at, const InCache& stored, FindingSink& sink) {
    if (!sink.takes(FindingKind::Cores, step.number())) return;
    const Bound& bound = step.bound();
    const Bound& store = recording_.bound(stored.step - 1);
    const FoundElement element = found_at(map_, bound, operand, at);
    const std::string whose = stored.core == core ? "this core" : name_of_core(recording_.program(), store.core);
    Diagnostic* told = sink.add(
        FindingKind::Cores, step.number(),
        fmt::format("{} reads {}, which {} stored as a scalar (step {}): on a device it may still stand in a cache",
                    bound.row->name, element_name(recording_.program(), bound, element), whose, stored.step - 1),
        "behind the store: pto.cmo.cacheinvalid of its line, then pto.fence.barrier_all", element,
        {{store.pos, "it was stored here"}});
    if (told != nullptr) told->rule = "MK-22";
  }

  const Recording& recording_;
  const MemoryMap& map_;
  std::vector<CoreCache> caches_;  // by core
  ByteRuns<InCache> stored_;       // of global memory: what scalar units stored
  std::vector<FlatRange> runs_;
};

}  // namespace

std::unique_ptr<Examiner> examine_caches(const Recording& recording, const CheckOptions& options) {
  if (!options.caches || options.of(FindingKind::Cores) == Level::Off) return nullptr;
  return std::make_unique<CachesExaminer>(recording);
}

}  // namespace ts
