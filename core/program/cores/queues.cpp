// Who may go on.
#include "core/program/cores/queues.h"

#include <algorithm>

namespace ts {

QueueState& Queues::of(std::uint32_t block, std::uint32_t queue) {
  if (queue >= states_.size()) states_.resize(program_.queues.size());
  if (states_[queue].empty()) states_[queue].resize(program_.blocks);
  return states_[queue][block];
}

const QueueState& Queues::of(std::uint32_t block, std::uint32_t queue) const {
  static const QueueState untouched;
  return queue < states_.size() && block < states_[queue].size() ? states_[queue][block] : untouched;
}

std::uint32_t Queues::slots(std::uint32_t queue) const { return std::max(1u, program_.queues[queue].slots); }

// A text may ask for billions of slots; those that are used cost something.
QueueEntry& Queues::entry(std::uint32_t block, std::uint32_t queue, std::uint32_t number) {
  std::vector<QueueEntry>& ring = of(block, queue).ring;
  const std::uint32_t slot = number % slots(queue);
  if (slot >= ring.size()) ring.resize(slot + 1);
  return ring[slot];
}

const QueueEntry* Queues::entry(std::uint32_t block, std::uint32_t queue, std::uint32_t number) const {
  const std::vector<QueueEntry>& ring = of(block, queue).ring;
  const std::uint32_t slot = number % slots(queue);
  return slot < ring.size() ? &ring[slot] : nullptr;
}

namespace {

// On a2a3 both vector cores take part in everything, on a5 the second one only in what is split.
bool is_at_end(const Program& program, bool at_cube, std::uint8_t split, std::uint32_t core) {
  if (at_cube) return core == 0;
  return core == 1 || (core > 1 && (program.target == Target::A2A3 || split != 0));
}

}  // namespace

bool Queues::takes(std::uint32_t queue, std::uint8_t split, std::uint32_t core) const {
  return is_at_end(program_, !program_.queues[queue].to_vector, split, core);
}
bool Queues::puts(std::uint32_t queue, std::uint8_t split, std::uint32_t core) const {
  return is_at_end(program_, program_.queues[queue].to_vector, split, core);
}

// On a2a3 an entry is copied out, so that taking it is enough.
bool Queues::copies(std::uint32_t queue) const {
  return program_.target == Target::A2A3 && !program_.queues[queue].by_views;
}
std::uint32_t Queues::released(std::uint32_t queue, const QueueCounts& counts) const {
  return copies(queue) ? counts.popped : counts.freed;
}

bool Queues::waits_for(const QueueUse& use, const BlockCounts& counts, std::uint32_t core, std::uint32_t other) const {
  const std::uint32_t entry = counts[core].of(use.act);
  switch (use.act) {
    case QueueAct::Push:
      if (program_.queues[use.queue].by_views) return false;  // its slot was waited for
      [[fallthrough]];
    case QueueAct::Alloc:
      return takes(use.queue, use.split, other) && entry - released(use.queue, counts[other]) >= slots(use.queue);
    case QueueAct::Pop: return puts(use.queue, use.split, other) && counts[other].pushed <= entry;
    case QueueAct::Free: break;
  }
  return false;
}

bool Queues::may_use(std::uint32_t block, const QueueUse& use, std::uint32_t core) const {
  // Who takes no part would wait for ever.
  if (use.act == QueueAct::Pop && !takes(use.queue, use.split, core)) return false;
  const BlockCounts& counts = of(block, use.queue).of;
  for (std::uint32_t other = 0; other < program_.cores.size(); ++other)
    if (waits_for(use, counts, core, other)) return false;
  return true;
}

const QueueUse* queue_use_of(const Program& program, std::size_t instruction) {
  const std::uint32_t use = program.instructions[instruction].queue_use;
  return use == kNoQueueUse ? nullptr : &program.queue_uses[use];
}

}  // namespace ts
