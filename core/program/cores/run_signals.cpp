// Flags from core to core, and meetings, while a program runs.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/program/bind.h"
#include "core/program/cores/together.h"
#include "core/program/run_code.h"
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

// MK-20, once: whoever comes first finds zeros there.
void check_workspace(WalkState& state, const Bound& bound) {
  if (std::exchange(state.together->met, true)) return;
  const GlobalRef& cells = bound.global("workspace");
  const auto tell = [&](std::string text) {
    state.warnings.push_back(
        {"MK-20", Severity::Warning, bound.pos, "", std::move(text),
         fmt::format("cores count in its first bytes: {} of them, all 0 at the start", kWorkspaceBytes)});
    state.warnings.back().kind = FindingKind::Flags;
  };
  const std::uint32_t left = cells.buffer_end - std::min(cells.buffer_end, cells.address);
  if (left < kWorkspaceBytes) return tell(fmt::format("the workspace of this meeting has {} bytes", left));
  for (std::uint32_t at = cells.address; state.memory != nullptr && at < cells.address + kWorkspaceBytes; ++at)
    if (const std::uint64_t byte = state.memory->element(Space::Gm, at, 1); byte != 0)
      return tell(fmt::format("byte {} of the workspace of this meeting is {}", at - cells.address, byte));
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
  if (bound.has("cores")) needed = static_cast<std::uint32_t>(bound.scalar("cores").bits);
  if (bound.has("workspace")) check_workspace(state, bound);
  if (needed != 0 && !state.together->meetings.come(state.core, who, needed)) return state.waits = code, false;
  return true;
}

// In a program that runs on one device.
void note_assumed(WalkState& state, const Instruction& wait) {
  const ViewValue& view = state.views[state.slots[wait.operands[0].slot].bits];
  state.warnings.push_back(
      {"COMM-N1", Severity::Note, wait.pos, "",
       fmt::format("comm.twait {} {} on %{}[{}] assumed: there is no other device", comparison_sign(wait.attributes),
                   static_cast<std::int32_t>(state.slots[wait.operands[1].slot].bits),
                   state.program.buffers[view.buffer].name, view.offset / 4),
       "--comm strict waits for it all the same"});
}

bool wait_for_device(WalkState& state, const Instruction& wait, const CodeOp* code) {
  const auto holds = signal_holds(state, wait.pos, state.slots[wait.operands[0].slot], wait.attributes[0],
                                  state.slots[wait.operands[1].slot]);
  if (!holds || *holds) return state.stop == WalkStop::None;
  if (state.together->assumes != state.core) return state.waits = code, false;
  state.together->assumes.reset();
  note_assumed(state, wait);
  return true;
}

}  // namespace

bool step_with_others(WalkState& state, std::uint32_t instruction, const CodeOp* code) {
  const InstructionRow* row = state.program.instructions[instruction].row;
  if (row == &kWaitForDevice && state.together != nullptr)
    return wait_for_device(state, state.program.instructions[instruction], code);
  if (state.together == nullptr || (row != &kSetCoreFlag && row != &kWaitCoreFlag && row != &kMeet)) return true;
  const std::optional<Bound> bound = bind(state, instruction);
  return !bound || step_with_others(state, *bound, code);  // where it is not, the recorder tells of it
}

bool step_with_others(WalkState& state, const Bound& bound, const CodeOp* code) {
  if (state.together == nullptr) return true;
  if (bound.row == &kSetCoreFlag) return set_flag(state, bound);
  if (bound.row == &kWaitCoreFlag) return wait_flag(state, bound, code);
  return bound.row != &kMeet || meet(state, bound, code);
}

}  // namespace ts
