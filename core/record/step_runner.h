// Executing one bound step on a memory: the recorder does it once, whoever looks back may do it again.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/catalogue/row.h"
#include "core/engine/step_context.h"
#include "core/record/timeline.h"

namespace ts {

// What a step did to a memory, so that it can be done to another one of the same contents.
struct StepTrail {
  std::vector<WritePattern> writes = {}, unspecified = {};
  std::vector<TouchedPage> pages = {};
  std::vector<std::byte> bytes = {};  // that were written, in the order of the patterns
  std::size_t held_bytes() const {
    return bytes.size() + (writes.size() + unspecified.size()) * sizeof(WritePattern) +
           pages.size() * sizeof(TouchedPage);
  }
};

class StepRunner {
 public:
  // Without plans every lowering is run as it is, each time.
  explicit StepRunner(Memory& memory, bool with_plans = true);
  ~StepRunner();

  // The step with all that it does to the memory. False when it faulted: `pages` then say what is to be put back.
  // `plan`: the number by which the instruction's plan is known, as long as nothing of it changes.
  bool run(const Bound& bound, std::uint32_t plan = kNoPlan);
  // The same in its two parts: the bytes, then their definedness.
  bool execute(const Bound& bound, std::uint32_t plan);
  void mark_definedness();
  // On one of the step's machines, as it is.
  bool execute_on(const Bound& bound, const LoweringTable& (*machine)());

  // What the last step did, into `trail`, whose room is used again; and a step that did this elsewhere, in the place of
  // `execute`.
  void leave(StepTrail& trail) const;
  void follow(const Bound& bound, const StepTrail& trail);

  // Of the last step.
  const Fault& fault() const { return context_.fault; }
  std::span<const WritePattern> writes() const { return writes_; }  // joined
  std::span<const TouchedPage> pages() const { return pages_; }     // each once

  StepContext& context() { return context_; }
  std::size_t held_bytes() const;  // of its plans

 private:
  void begin(const Bound& bound, std::uint32_t plan);
  bool execute_by(const Bound& bound, const LoweringTable& (*machine)());
  bool settle();
  void collect_pages();
  void forget_core(CoreId core);
  void touch(std::uint32_t page, std::uint32_t begin, std::uint32_t end);

  Memory& memory_;
  StepContext context_;
  std::unique_ptr<Plans> plans_;
  // Kept for their capacity.
  std::vector<WritePattern> writes_;
  std::vector<TouchedPage> pages_;
  std::vector<std::uint32_t> place_;  // by page: its place in `pages_`, where that is of this step
};

}  // namespace ts
