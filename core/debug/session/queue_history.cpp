// Counting the steps of queues.
#include "core/debug/session/queue_history.h"

#include <fmt/format.h>

#include <algorithm>

namespace ts {

const char* name(SlotState state) {
  constexpr const char* kNames[] = {"free", "being filled", "full", "popped"};
  return kNames[static_cast<int>(state)];
}
const char* name(CoreState state) {
  constexpr const char* kNames[] = {"not begun", "goes on", "waits", "ended"};
  return kNames[static_cast<int>(state)];
}

namespace {

std::uint32_t count_before(const std::vector<std::uint32_t>& steps, std::uint32_t position) {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(steps, position) - steps.begin());
}

}  // namespace

QueueHistory::QueueHistory(const Recording& recording) : recording_(recording), rules_(recording.program()) {
  const Program& program = recording.program();
  if (empty()) return;
  steps_.resize(program.blocks * program.queues.size() * cores());
  for (std::uint32_t step = 0; step < recording.count(); ++step) {
    const QueueUse* use = use_of(step);
    if (use == nullptr) continue;
    const CoreId core = recording.bound(step).core;
    Steps& its = steps_[(core / cores() * program.queues.size() + use->queue) * cores() + core % cores()];
    its.of(use->act).push_back(step);
  }
}

const QueueUse* QueueHistory::use_of(std::uint32_t step) const {
  return queue_use_of(recording_.program(), recording_.step(step).instruction);
}

BlockCounts QueueHistory::counts_at(std::uint32_t queue, std::uint32_t block, std::uint32_t position) const {
  BlockCounts counts{};
  for (std::size_t core = 0; core < cores(); ++core)
    for (const QueueAct act : {QueueAct::Push, QueueAct::Pop, QueueAct::Free, QueueAct::Alloc})
      counts[core].of(act) = count_before(steps_of(queue, block, core).of(act), position);
  return counts;
}

QueueAtPosition QueueHistory::at(std::uint32_t queue, std::uint32_t block, std::uint32_t position) const {
  QueueAtPosition out{.queue = queue, .block = block, .counts = counts_at(queue, block, position), .slots = {}};
  const std::uint32_t slots = rules_.slots(queue);
  out.slots.resize(std::min(slots, kMostSlots));
  std::uint32_t newest = 0;  // entries that somebody began to push
  std::uint8_t split = 0;
  for (std::size_t core = 0; core < cores(); ++core) {
    const std::vector<std::uint32_t>& pushes = steps_of(queue, block, core).of(QueueAct::Push);
    newest = std::max(newest, out.counts[core].pushed);
    if (!pushes.empty()) split = use_of(pushes.front())->split;
  }
  for (std::uint32_t slot = 0; slot < out.slots.size(); ++slot) {
    if (newest <= slot) continue;
    QueueSlot& its = out.slots[slot];
    const std::uint32_t entry = slot + (newest - 1 - slot) / slots * slots;
    its.entry = entry;
    bool whole = true, taken = false, released = true;
    for (std::uint32_t core = 0; core < cores(); ++core) {
      const Steps& steps = steps_of(queue, block, core);
      const QueueCounts& counts = out.counts[core];
      if (counts.pushed > entry) its.pushed[core] = steps.of(QueueAct::Push)[entry];
      if (counts.popped > entry) its.popped[core] = steps.of(QueueAct::Pop)[entry];
      if (counts.freed > entry) its.freed[core] = steps.of(QueueAct::Free)[entry];
      if (rules_.puts(queue, split, core)) whole = whole && counts.pushed > entry;
      if (!rules_.takes(queue, split, core)) continue;
      taken = taken || counts.popped > entry;
      released = released && rules_.released(queue, counts) > entry;
    }
    its.state = released ? SlotState::Free : taken ? SlotState::Taken : whole ? SlotState::Full : SlotState::Filling;
  }
  return out;
}

std::optional<std::uint32_t> QueueHistory::entry_of(std::uint32_t step) const {
  if (step >= recording_.count()) return {};
  const QueueUse* use = use_of(step);
  if (use == nullptr) return {};
  const CoreId core = recording_.bound(step).core;
  return count_before(steps_of(use->queue, static_cast<std::uint32_t>(core / cores()), core % cores()).of(use->act),
                      step);
}

std::vector<std::uint32_t> QueueHistory::partners_of(std::uint32_t step) const {
  std::vector<std::uint32_t> out;
  const std::optional<std::uint32_t> entry = entry_of(step);
  if (!entry) return out;
  const QueueUse& use = *use_of(step);
  const auto block = static_cast<std::uint32_t>(recording_.bound(step).core / cores());
  for (std::size_t core = 0; core < cores(); ++core) {
    const std::vector<std::uint32_t>& theirs =
        steps_of(use.queue, block, core).of(use.act == QueueAct::Push ? QueueAct::Pop : QueueAct::Push);
    if (*entry < theirs.size()) out.push_back(theirs[*entry]);
  }
  return out;
}

const Operand* QueueHistory::entry_operand(std::uint32_t step) const {
  const Bound& bound = recording_.bound(step);
  const QueueUse* use = use_of(step);
  if (use == nullptr || bound.operands.empty()) return nullptr;
  for (const Operand& operand : bound.operands)
    if (operand.spec->kind == OperandKind::Global) return &operand;
  // a5: of a push the slot stands behind what is pushed; what is popped is the slot.
  return &bound.operands[use->act == QueueAct::Push ? 1 : 0];
}

std::string QueueHistory::part_of(std::uint32_t step) const {
  const QueueUse* use = use_of(step);
  if (use == nullptr) return "";
  const CoreId core = recording_.bound(step).core % static_cast<CoreId>(cores());
  if (use->split == 0 || core == 0) return "whole";
  const bool rows = use->split == 1 || use->split == 3, second = core > 1;
  return fmt::format("{} {}", second ? (rows ? "lower" : "right") : (rows ? "upper" : "left"), "half");
}

// --- cores ---

std::uint32_t core_of(const Recording& recording, std::uint32_t step) {
  return recording.program().together() ? recording.bound(step).core : recording.step(step).block;
}

std::string core_name(const Recording& recording, std::uint32_t core) {
  if (!recording.program().together()) return "core " + std::to_string(core);
  return name_of_core(recording.program(), static_cast<CoreId>(core));
}

CoreHistory::CoreHistory(const Recording& recording, const QueueHistory& queues)
    : recording_(recording), queues_(queues), signals_(recording), rules_(recording.program()) {
  const Program& program = recording.program();
  steps_.resize(program.together() ? program.cores_at_once() : program.blocks);
  for (std::uint32_t step = 0; step < recording.count(); ++step) steps_[core_of(recording, step)].push_back(step);
}

// What a step waited for at a position before it, unless it could have been made then.
void CoreHistory::add_wait(CoreId core, std::uint32_t step, std::uint32_t position, CoreAtPosition& out) const {
  const QueueUse* use = queues_.use_of(step);
  if (use == nullptr) return void(out.waits_for = signals_.waits_for(step, position, out.on));
  const auto cores = static_cast<CoreId>(recording_.program().cores.size());
  const auto first = static_cast<CoreId>(core / cores * cores);
  const BlockCounts counts = queues_.counts_at(use->queue, core / cores, position);
  for (CoreId other = 0; other < cores; ++other)
    if (rules_.waits_for(*use, counts, core - first, other)) out.on.push_back(static_cast<CoreId>(first + other));
  if (out.on.empty()) return;
  const std::uint32_t id = recording_.program().queues[use->queue].id;
  out.waits_for = use->act == QueueAct::Pop ? fmt::format("entry {} of pipe {}", counts[core - first].popped, id)
                                            : fmt::format("a free slot of pipe {}", id);
}

// What others did for it stays done.
std::uint32_t CoreHistory::waits_until(CoreId core, std::uint32_t from, std::uint32_t to) const {
  while (from < to) {
    const std::uint32_t middle = from + (to - from) / 2;
    if (at(core, middle).waits_for.empty()) to = middle;
    else from = middle + 1;
  }
  return to;
}

CoreAtPosition CoreHistory::at(CoreId core, std::uint32_t position) const {
  CoreAtPosition out;
  const std::vector<std::uint32_t>& steps = steps_[core];
  const std::uint32_t before = count_before(steps, position);
  if (before != 0) out.last = steps[before - 1];
  if (before < steps.size()) {
    out.next = steps[before];
    add_wait(core, steps[before], position, out);
    out.state = !out.waits_for.empty() ? CoreState::Waits : before == 0 ? CoreState::NotBegun : CoreState::Goes;
    return out;
  }
  const auto& waits = recording_.waits();
  const auto wait = std::ranges::find(waits, core, &CoreWait::core);
  out.state = wait == waits.end() ? CoreState::Ended : CoreState::Waits;
  if (wait == waits.end()) return out;
  out.waits_for = wait->text;
  for (const AwaitedCore& other : wait->on) out.on.push_back(other.core);
  return out;
}

}  // namespace ts
