// Gathers of a plan that take the columns of a matrix, joined: as many as are turned over at once.
#include <algorithm>

#include "core/engine/plan/column_functions.h"
#include "core/engine/plan/plan_writer.h"

namespace ts {
namespace {

// How far behind the first column the others are looked for: between them stand what stores them, and those of other rows.
constexpr std::size_t kFarColumns = 256;

// Which column of the matrix of `first` a gather takes; 0: none, or the first itself.
std::size_t column_of(const PlanOp& first, const PlanOp& other) {
  const std::uint32_t size = size_bytes(first.type);
  if (other.type != first.type || other.places.size() != first.places.size()) return 0;
  const Flat away = other.places[0] - first.places[0];
  if (away % size != 0 || away / size >= columns_at_once(size)) return 0;
  const auto is_away = [&](Flat from, Flat to) { return to - from == away; };
  return std::ranges::equal(first.places, other.places, is_away) ? away / size : 0;
}

}  // namespace

void PlanWriter::join_columns() {
  std::size_t rest = 0;  // gathers that are looked at without any being joined
  constexpr std::size_t kEnough = 32;
  for (std::size_t i = 0; i < ops_.size() && rest < kEnough; ++i)
    if (ops_[i].kind == PlanOp::Kind::Gather && !ops_[i].gone) rest = join_columns(i) ? 0 : rest + 1;
}

// The columns from this one on are taken where it stands: what is written up to the last of them is apart from them.
bool PlanWriter::join_columns(std::size_t first) {
  PlanOp& op = ops_[first];
  const std::uint32_t size = size_bytes(op.type);
  const auto [least, most] = std::ranges::minmax(op.places);
  const FlatRange all{least, most + BLK};
  std::vector<std::size_t> found(columns_at_once(size), 0);
  found[0] = first;
  std::size_t count = 1;
  for (std::size_t i = first + 1; i < ops_.size() && i - first < kFarColumns && count < found.size(); ++i) {
    const PlanOp& other = ops_[i];
    if (other.gone) continue;
    if (other.kind == PlanOp::Kind::Gather) {
      const std::size_t column = column_of(op, other);
      if (column == 0 || found[column] != 0) continue;
      found[column] = i;
      ++count;
    } else if (other.kind != PlanOp::Kind::Store || other.writes.overlaps(all)) {
      return false;
    }
  }
  if (count < found.size()) return false;
  PlanOp joined;
  joined.kind = PlanOp::Kind::Columns;
  joined.type = op.type;
  joined.places = std::move(op.places);
  joined.reads = all;
  for (const std::size_t i : found) {
    joined.columns.push_back(ops_[i].out[0]);
    ops_[i] = {};
    ops_[i].gone = true;
  }
  op = std::move(joined);
  return true;
}

}  // namespace ts
