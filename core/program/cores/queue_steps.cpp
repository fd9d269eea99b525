// Forms of pushes and pops: a2a3's by way of global memory, a5's straight.
#include "core/program/cores/queue_steps.h"

#include <fmt/format.h>

#include "core/catalogue/beside.h"

namespace ts {
namespace {

constexpr std::uint8_t kStored = 0, kWhole = 1, kSplit = 2, kStoredByFactor = 3, kStoredByColumns = 4,
                       kWholeByFactor = 5, kWholeByColumns = 6, kLoaded = 0, kBound = 1;

}  // namespace

std::vector<SlotTile> slots_of_push(const QueueDecl& queue, const TileType& from, QueueUse& use) {
  const auto called = [&](const char* of) { return fmt::format("pipe{}_slot{}", queue.id, of); };
  if (queue.to_vector) {
    const TileType to = vec_tile(use.dtype, use.split == kSplitRows ? from.rows / 2 : from.rows,
                                 use.split == kSplitColumns ? from.cols / 2 : from.cols, kDynamic, kDynamic);
    std::vector<SlotTile> out{{called("_of_AIV0"), to, CoreOfBlock::Vector0}};
    if (use.split != 0) out.push_back({called("_of_AIV1"), to, CoreOfBlock::Vector1});
    return out;
  }
  TileType whole{.loc = TileLoc::Mat,
                 .dtype = from.dtype,
                 .rows = from.rows * (use.split == kSplitRows ? 2 : 1),
                 .cols = from.cols * (use.split == kSplitColumns ? 2 : 1)};
  whole.blayout = BoxOrder::ColMajor;
  whole.slayout = InnerOrder::RowMajor;
  use.whole = whole;
  return {{called(""), part_of(whole, from.rows, from.cols), CoreOfBlock::Cube}};
}

std::uint8_t form_of_push(Target target, std::size_t slots, SumFactor factor) {
  const bool a5 = target == Target::A5;
  if (slots > 1) return kSplit;
  switch (factor) {
    case SumFactor::One: return a5 ? kWholeByFactor : kStoredByFactor;
    case SumFactor::Columns: return a5 ? kWholeByColumns : kStoredByColumns;
    case SumFactor::None: break;
  }
  return a5 ? kWhole : kStored;
}

std::uint8_t form_of_pop(Target target) { return target == Target::A5 ? kBound : kLoaded; }

const InstructionRow* row_of_queue(QueueAct act, bool to_vector, bool by_views) {
  const auto row = [&](const char* one, const char* other) { return std::string(to_vector ? one : other); };
  std::string name;
  switch (act) {
    case QueueAct::Push: name = row("tpush_to_aiv", "tpush_to_aic"); break;
    case QueueAct::Pop: name = row("tpop_from_aic", "tpop_from_aiv"); break;
    case QueueAct::Alloc: return find_beside(row("talloc_to_aiv", "talloc_to_aic"));
    case QueueAct::Free: return find_beside(row("tfree_from_aic", "tfree_from_aiv"));
  }
  return find_beside(by_views ? name + " of a view" : name);
}

}  // namespace ts
