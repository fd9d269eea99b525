// Flags and events while a program runs: a wait that no raised flag answers would hold the core for ever.
#pragma once

#include <unordered_map>

#include "core/program/walk_state.h"

namespace ts {

class Flags {
 public:
  // False: the step at `code` waits for what nobody raised, and the walk ends.
  bool step(WalkState& state, std::uint32_t instruction, const CodeOp* code);
  // The same of one that is bound: of a flag or an event.
  bool step(WalkState& state, const Bound& bound, const CodeOp& code);
  // Flags are a core's own.
  void start_block(const WalkState& state);
  // Flags that are raised and nobody waited for, as warnings.
  Diagnostics leftovers(const WalkState& state) const;

 private:
  void raise(WalkState& state, const Bound& bound, std::uint32_t key, const CodeOp* code);
  bool wait(WalkState& state, const Bound& bound, std::uint32_t key);
  void use_buffer(WalkState& state, const Bound& bound, const CodeOp& code);

  std::unordered_map<std::uint32_t, std::int64_t> raised_;  // and not waited for, by pipes and event
  std::unordered_map<std::uint32_t, SourcePos> raised_at_;
  std::unordered_map<std::uint32_t, SourcePos> held_;  // numbers of buffers, by pipe and number: where they were taken
  Diagnostics left_raised_;                            // by the blocks before
};

}  // namespace ts
