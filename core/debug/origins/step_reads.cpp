// The reads of steps.
#include "core/debug/origins/step_reads.h"

#include <algorithm>

#include "core/record/operand_place.h"

namespace ts {
namespace {

// Rows of a tile, say: one run is enough to know that a step is worth a look.
constexpr Flat kClose = 512;

// Only with offsets do other bytes lead to other addresses.
bool reads_where_data_says(const Bound& bound) {
  return std::ranges::any_of(bound.operands,
                             [](const Operand& operand) { return operand.spec->role == Role::Offsets; });
}

bool works_in(const Bound& bound, Space space) {
  return std::ranges::any_of(bound.operands, [&](const Operand& operand) {
    return operand.spec->kind != OperandKind::Scalar && bytes_of(operand).space == space;
  });
}

}  // namespace

bool StepReads::may_read(std::uint32_t step, ByteRange place) {
  const Bound& bound = recording_.bound(step);
  if (machines_for(bound).run == nullptr) return false;
  // Special registers are no operands.
  if (place.space != Space::Spr && !works_in(bound, place.space)) return false;
  if (reads_where_data_says(bound)) return true;
  const Flat begin = recording_.map().flat(place);
  const FlatRange range{begin, begin + place.size};
  return std::ranges::any_of(runs_of(step), [&](const FlatRange& run) { return run.overlaps(range); });
}

const std::vector<FlatRange>& StepReads::runs_of(std::uint32_t step) {
  const auto [at, is_new] = runs_.try_emplace(recording_.step(step).bound);
  std::vector<FlatRange>& runs = at->second;
  if (!is_new) return runs;
  const Trace trace = inspector_.trace(step);
  for (const MicroStep& micro : trace.steps) {
    for (const TraceAccess& read : micro.reads) {
      const Flat begin = recording_.map().flat(read.place());
      if (read.size > 0) runs.push_back({begin, begin + read.size});
    }
  }
  std::ranges::sort(runs, {}, &FlatRange::begin);
  std::vector<FlatRange> joined;
  for (const FlatRange& run : runs) {
    if (joined.empty() || run.begin > joined.back().end + kClose) joined.push_back(run);
    else joined.back().end = std::max(joined.back().end, run.end);
  }
  joined.shrink_to_fit();
  run_count_ += joined.size();
  return runs = std::move(joined);
}

}  // namespace ts
