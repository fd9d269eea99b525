// Who may go on.
#include "core/program/queues.h"

#include <algorithm>

namespace ts {

Queues::Queues(const Program& program) : program_(program), states_(program.blocks * program.queues.size()) {
  for (std::size_t i = 0; i < states_.size(); ++i)
    states_[i].ring.resize(std::max(1u, program.queues[i % program.queues.size()].slots));
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
std::uint32_t Queues::released(const QueueCounts& counts) const {
  return program_.target == Target::A2A3 ? counts.popped : counts.freed;
}

bool Queues::may_push(std::uint32_t block, const QueueUse& use, std::uint32_t core) const {
  const QueueState& state = of(block, use.queue);
  for (std::uint32_t other = 0; other < program_.cores.size(); ++other)
    if (takes(use.queue, use.split, other) &&
        state.of[core].pushed - released(state.of[other]) >= program_.queues[use.queue].slots)
      return false;
  return true;
}

bool Queues::may_pop(std::uint32_t block, const QueueUse& use, std::uint32_t core) const {
  if (!takes(use.queue, use.split, core)) return false;  // it would wait for ever
  const QueueState& state = of(block, use.queue);
  for (std::uint32_t other = 0; other < program_.cores.size(); ++other)
    if (puts(use.queue, use.split, other) && state.of[other].pushed <= state.of[core].popped) return false;
  return true;
}

}  // namespace ts
