// Recorded moves as places, and the search for who moved a byte.
#include "core/debug/origins/micro_links.h"

#include <algorithm>

namespace ts {
namespace {

MicroPlace place_of(const TracePlace& place, const std::vector<TraceAccess>& accesses) {
  if (!place.memory) return {.value = place.of, .bit = place.bit};
  const TraceAccess& access = accesses[place.of];
  return {.memory = true, .space = access.space, .bit = 8 * std::uint64_t{access.address} + place.bit};
}

bool goes_on(MicroPlace last, std::uint32_t bits, const MicroPlace& next) {
  last.bit += bits;
  return last == next;
}

}  // namespace

std::vector<MicroMove> moves_of(const Trace& trace, std::uint32_t micro) {
  const MicroStep& step = trace.steps[micro];
  std::vector<MicroMove> moves;
  for (const TraceMove& move : step.moves)
    for_pieces(move, [&](const TracePlace& from_piece, const TracePlace& to_piece) {
      const MicroPlace from = place_of(from_piece, step.reads), to = place_of(to_piece, step.writes);
      const bool joined = !moves.empty() && goes_on(moves.back().from, moves.back().bits, from) &&
                          goes_on(moves.back().to, moves.back().bits, to);
      if (joined) moves.back().bits += move.bits;
      else moves.push_back({from, to, move.bits});
    });
  return moves;
}

bool turns_blocks(const MicroStep& step) { return !step.repeats.empty() && step.made.empty() && !step.moves.empty(); }

std::optional<MicroPlace> origin_of(const std::vector<MicroMove>& moves, const MicroPlace& place) {
  for (const MicroMove& move : moves) {
    const bool same = move.to.memory == place.memory && move.to.value == place.value && move.to.space == place.space;
    if (!same || place.bit < move.to.bit || place.bit >= move.to.bit + move.bits) continue;
    MicroPlace from = move.from;
    from.bit += place.bit - move.to.bit;
    return from;
  }
  return {};
}

// --- who moved bytes ---

namespace {

bool holds(const TraceAccess& access, Space space, std::uint64_t address) {
  return access.space == space && address >= access.address && address < std::uint64_t{access.address} + access.size;
}

std::uint32_t repeat_of(const MicroStep& step, std::uint32_t write) {
  const auto next = std::ranges::upper_bound(step.repeats, write, {}, &TraceRepeat::writes);
  return next == step.repeats.begin() ? 0 : static_cast<std::uint32_t>(next - step.repeats.begin()) - 1;
}

// The micro-step that fetched or permuted what was stored, if the store put it where it stands in its register.
std::optional<MicroMover> mover_into_register(const Trace& trace, const MicroIndex& index, const MicroPlace& from) {
  if (from.memory) return {};
  const std::uint32_t maker = index.value(from.value).maker;
  const FlowKind flow = trace.steps[maker].op->flow;
  if (flow != FlowKind::Load && flow != FlowKind::Permutation) return {};
  return MicroMover{maker, 0, static_cast<std::uint32_t>(from.bit / 8)};
}

std::optional<MicroMover> mover_before(const Trace& trace, std::uint32_t micro, const MicroPlace& from) {
  if (!from.memory) return {};
  const std::optional<MicroWriter> before = writer_of(trace, micro, from.space, from.bit / 8);
  if (!before || !turns_blocks(trace.steps[before->micro])) return {};
  return MicroMover{before->micro, repeat_of(trace.steps[before->micro], before->access), {}};
}

}  // namespace

std::optional<MicroWriter> writer_of(const Trace& trace, std::size_t end, Space space, std::uint64_t address) {
  for (std::size_t micro = end; micro-- > 0;) {
    const std::vector<TraceAccess>& writes = trace.steps[micro].writes;
    for (std::uint32_t i = 0; i < writes.size(); ++i)
      if (holds(writes[i], space, address)) return MicroWriter{static_cast<std::uint32_t>(micro), i};
  }
  return {};
}

std::optional<MicroMover> mover_of(const Trace& trace, const MicroIndex& index, ByteRange place) {
  const std::optional<MicroWriter> writer = writer_of(trace, trace.steps.size(), place.space, place.address);
  if (!writer) return {};
  const MicroStep& step = trace.steps[writer->micro];
  const MicroPlace to{.memory = true, .space = place.space, .bit = 8 * std::uint64_t{place.address}};
  const std::optional<MicroPlace> from = origin_of(moves_of(trace, writer->micro), to);
  std::optional<MicroMover> mover;
  // One whose lanes say where they go says it itself.
  if (from && step.op->flow == FlowKind::Store && step.indices.empty())
    mover = mover_into_register(trace, index, *from);
  if (from && step.op->flow == FlowKind::Copy) mover = mover_before(trace, writer->micro, *from);
  return mover ? mover : MicroMover{writer->micro, repeat_of(step, writer->access), {}};
}

}  // namespace ts
