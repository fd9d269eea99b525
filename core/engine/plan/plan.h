// A lowering, written down: the operations of one bound instruction on one memory, with their functions found, their
// registers in places of their own and their predicates known. Running it is walking the list; what it writes and leaves
// behind is what the lowering would.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/engine/best_functions.h"
#include "core/engine/block_core.h"

namespace ts {

// What an operation of a plan works on.
struct PlanOperands {
  std::array<Block*, 2> out{};
  std::array<const Block*, 3> in{};
  std::array<VPred*, 2> pred_out{};
  std::array<const VPred*, 3> pred{};
};
using PlanCall = std::function<void(BlockCore&, const PlanOperands&)>;

class Plan {
 public:
  // False, and nothing is done: what the lowering looked at when the plan was made has changed.
  bool run(StepContext& context) const;
  std::size_t held_bytes() const;
  // Whether it may run for certain masks only.
  bool assumes() const { return assumes_; }

 private:
  friend class PlanWriter;

  struct Entry {
    enum class Kind : std::uint8_t { Lanes, LanesUnder, Masked, Pair, Load, Bytes, Call };
    Kind kind = Kind::Call;
    std::uint32_t count = 1;  // of registers, and of bytes that are moved
    LaneFunction lanes = nullptr;
    union {
      MaskedFunction masked = nullptr;  // of lanes under a predicate: what turns the others off
      LoadFunction load;
      PairFunction pair;
    };
    std::uint8_t* out = nullptr;
    const std::uint8_t* in[3] = {};
    union {
      const VPred* pred;
      std::uint8_t* second;  // of a pair
      std::uint32_t call;
    };
    LaneSteps steps = {};  // of lanes and pairs
    Entry() : pred(nullptr) {}
  };
  struct Call {
    PlanCall run;
    PlanOperands operands;
  };
  // Control registers that the lowering looked at.
  struct Looked {
    const std::byte* at;
    std::uint64_t bits;
  };

  const std::byte* memory_ = nullptr;  // whose bytes the operands are
  std::vector<Entry> entries_;
  std::vector<Call> calls_;
  std::vector<Looked> looked_;
  std::vector<WatchesData> watches_;    // before anything else
  std::unique_ptr<Block[]> registers_;  // those that are in no memory, and constants
  std::deque<VPred> predicates_;
  std::size_t registers_count_ = 0;
  bool assumes_ = false;
  bool needs_core_ = false;   // for operations that are no functions of lanes
  bool logs_itself_ = false;  // some operation only knows what it writes when it runs
  std::vector<WritePattern> writes_, unspecified_;
};

// The plans of the instructions that run on one memory, made when an instruction runs once more after so many times.
class Plans {
 public:
  static constexpr std::uint8_t kUsualRuns = 2;
  explicit Plans(std::uint8_t runs = kUsualRuns, std::size_t most_bytes = std::size_t{16} << 20, bool assumes = true)
      : runs_(runs), assumes_(assumes), most_bytes_(most_bytes) {}
  // Whose plan it is; an instruction by another number is another one, whatever it works on.
  using Key = std::uint32_t;

  // Whether the context's instruction has a plan that may run, which ran then.
  bool run(StepContext& context);
  // One without a plan runs. Whether it is to be written down.
  bool is_due(Key key);
  // Whether its next plan may take the masks that it finds for those that will be there.
  bool may_assume(Key key) const { return assumes_ && !known_[key].varies; }
  void keep(Key key, std::unique_ptr<Plan> plan);  // null: there is none for it
  bool empty() const { return held_ == 0; }
  std::size_t held_bytes() const { return held_ + known_.capacity() * sizeof(Known); }

 private:
  struct Known {
    std::uint8_t runs = 0;
    std::uint8_t missed = 0;  // how often other masks were there, lately
    bool varies = false;
    std::unique_ptr<Plan> plan = nullptr;
  };
  std::uint8_t runs_;
  bool assumes_;
  std::vector<Known> known_;  // by key
  std::size_t held_ = 0, most_bytes_;
};

// Whether the context's instruction ran, by its plan.
inline bool ran_by_plan(StepContext& context) { return context.plans != nullptr && context.plans->run(context); }

// Whether it is to be written down as it runs.
inline bool is_plan_due(StepContext& context) {
  return context.plans != nullptr && context.plans->is_due(context.plan);
}

}  // namespace ts
