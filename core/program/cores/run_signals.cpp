// Flags from core to core, and meetings, while a program runs.
#include <fmt/format.h>

#include "core/program/bind.h"
#include "core/program/cores/together.h"
#include "core/program/sync.h"

namespace ts {
namespace {

bool set_flag(WalkState& state, const Bound& bound) {
  for (const Signal& signal : signals_of(state.program, bound)) {
    if (!state.together->signals.set(signal, state.core)) continue;
    for (const CoreId core : signal.to)
      if (state.together->signals.count(core, signal.counter) > Signals::kMostCount)
        return state.fail_about(
            FindingKind::Flags, bound.pos, "SYNC-R4",
            fmt::format("flag {} of {} is set {} times more than it is waited for; its counter holds {}",
                        signal.counter, name_of_core(state.program, core), Signals::kMostCount + 1,
                        Signals::kMostCount),
            "wait for it between the sets");
  }
  return true;
}

bool wait_flag(WalkState& state, const Bound& bound, const CodeOp* code) {
  if (state.program.cores[state.core_of_block].kind == CoreKind::Joint) return true;  // it is all cores at once
  const std::uint32_t counter = counter_of(bound);
  if (state.together->signals.count(state.core, counter) == 0) return state.waits = code, false;
  state.together->signals.take(state.core, counter);
  return true;
}

std::uint32_t cores_at(const WalkState& state, MeetingOf who) {
  std::uint32_t cores = 0;
  for (const CoreDecl& core : state.program.cores) cores += takes_part(core.kind, who) ? 1 : 0;
  return cores * state.program.blocks;
}

bool meet(WalkState& state, const Bound& bound, const CodeOp* code) {
  const MeetingOf who = meeting_of(bound);
  const CoreKind kind = state.program.cores[state.core_of_block].kind;
  if (!takes_part(kind, who))
    return state.fail_about(FindingKind::Flags, bound.pos, "MK-21",
                            fmt::format("{} comes to a meeting of {} cores", name_of_core(state.program, state.core),
                                        who == MeetingOf::Vector ? "vector" : "cube"),
                            "core_type = #pto.sync_core_type<mix> is for both kinds");
  std::uint32_t needed = cores_at(state, who);
  if (!bound.operands.empty()) needed = static_cast<std::uint32_t>(bound.operands[0].scalar.bits);
  if (needed != 0 && !state.together->meetings.come(state.core, who, needed)) return state.waits = code, false;
  return true;
}

}  // namespace

bool step_with_others(WalkState& state, std::uint32_t instruction, const CodeOp* code) {
  const InstructionRow* row = state.program.instructions[instruction].row;
  if (state.together == nullptr || (row != &kSetCoreFlag && row != &kWaitCoreFlag && row != &kMeet)) return true;
  const std::optional<Bound> bound = bind(state, instruction);
  if (!bound) return true;  // the recorder tells of it
  if (row == &kSetCoreFlag) return set_flag(state, *bound);
  return row == &kMeet ? meet(state, *bound, code) : wait_flag(state, *bound, code);
}

}  // namespace ts
