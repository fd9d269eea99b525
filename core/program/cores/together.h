// What the cores of a launch share beside memory while they run, and when a core may go on.
#pragma once

#include "core/program/cores/queues.h"
#include "core/program/cores/signals.h"
#include "core/program/walk_state.h"

namespace ts {

struct Together {
  explicit Together(const Program& program) : queues(program), signals(program), meetings(program) {}
  Queues queues;
  Signals signals;
  Meetings meetings;
  bool met = false;               // somebody came to a meeting
  bool go_on_together = false;    // all came to where they wait for each other between launches
  std::optional<CoreId> assumes;  // the signal that this core waits for comes from another device
};

// The part of a step that other cores see: a flag that is set or waited for, a meeting. False: it waits (state.waits), or
// the walk ends.
bool step_with_others(WalkState& state, std::uint32_t instruction, const CodeOp* code);
// The same of one that is bound, and is no wait for another device.
bool step_with_others(WalkState& state, const Bound& bound, const CodeOp* code);

}  // namespace ts
