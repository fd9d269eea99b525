// Rows of the folded list, found from what is unfolded.
#include "core/debug/session/step_rows.h"

#include <algorithm>
#include <tuple>

namespace ts {
namespace {

// The order of what is unfolded: the outer before the inner, a loop before its turns.
auto order(std::uint32_t first, std::uint32_t level, bool is_turn) { return std::tuple(first, level, is_turn); }

}  // namespace

StepRows::StepRows(std::shared_ptr<const LoopIndex> index)
    : index_(std::move(index)), top_(index_->items(index_->all())) {}

// --- what is unfolded ----------------------------------------------------------------------------------------------

LoopIndex::Container StepRows::container(const Opened* one) const {
  return one == nullptr ? index_->all() : index_->turn(one->level, one->index);
}

std::uint32_t StepRows::children(const Opened& one) const {
  return one.is_turn ? index_->items(container(&one)) : index_->turn_count(one.level, one.index);
}

std::uint32_t StepRows::child_of(const Opened* one, std::uint32_t step) const {
  if (one == nullptr || one->is_turn) return index_->item_of(container(one), step);
  const std::size_t turn = index_->turn_at(one->level, one->index, step);
  return static_cast<std::uint32_t>(turn) - index_->level(one->level).loops[one->index].first_turn;
}

void StepRows::open(Opened one) {
  const auto key = [](const Opened& other) { return order(other.first, other.level, other.is_turn); };
  const auto at = std::ranges::lower_bound(opened_, key(one), {}, key);
  if (at != opened_.end() && key(*at) == key(one)) {
    at->by_hand = at->by_hand || one.by_hand;
  } else {
    opened_.insert(at, one);
  }
}

// Rows of all that is unfolded: first how many are under each, from the last to the first, then where they stand.
void StepRows::settle() {
  std::vector<std::int32_t> around;
  for (std::size_t i = 0; i < opened_.size(); ++i) {
    Opened& one = opened_[i];
    while (!around.empty() && opened_[static_cast<std::size_t>(around.back())].end <= one.first) around.pop_back();
    one.parent = around.empty() ? -1 : around.back();
    one.rows = children(one);
    around.push_back(static_cast<std::int32_t>(i));
  }
  extra_ = 0;
  for (std::size_t i = opened_.size(); i-- > 0;) {
    const Opened& one = opened_[i];
    (one.parent < 0 ? extra_ : opened_[static_cast<std::size_t>(one.parent)].rows) += one.rows;
  }
  std::vector<std::uint32_t> so_far(opened_.size() + 1);  // rows under the children seen, by parent + 1
  for (Opened& one : opened_) {
    const Opened* parent = one.parent < 0 ? nullptr : &opened_[static_cast<std::size_t>(one.parent)];
    std::uint32_t& before = so_far[static_cast<std::size_t>(one.parent + 1)];
    one.row = (parent == nullptr ? 0 : parent->row + 1) + child_of(parent, one.first) + before;
    one.brothers = before += one.rows;
  }
}

void StepRows::set_open(std::uint32_t row, bool open_it) {
  const StepRow what = at(row);
  if (what.kind == StepRow::Kind::Step) return;
  Opened one = as_opened(what);
  one.by_hand = true;
  std::erase_if(folded_, [&](const Opened& other) { return same(one, other); });
  if (open_it) {
    open(one);
  } else {
    folded_.push_back(one);
    std::erase_if(opened_, [&](const Opened& other) {
      const bool inside = one.first <= other.first && other.end <= one.end;
      return inside && std::pair(other.level, other.is_turn) >= std::pair(one.level, one.is_turn);
    });
  }
  settle();
}

void StepRows::follow(std::uint32_t step) {
  // What the user unfolded stays, and what is around it.
  std::vector<Opened> kept;
  for (std::size_t i = opened_.size(); i-- > 0;) {
    const Opened& one = opened_[i];
    const bool holds_kept = !kept.empty() && kept.back().first < one.end;
    if (one.by_hand || holds_kept) kept.push_back(one);
  }
  std::ranges::reverse(kept);
  opened_ = std::move(kept);
  // And what the user folded stays folded until one has left it.
  std::erase_if(folded_, [&](const Opened& one) { return step < one.first || step >= one.end; });
  for (const Opened& one : around(step)) {
    if (std::ranges::any_of(folded_, [&](const Opened& other) { return same(one, other); })) break;
    open(one);
  }
  settle();
}

// The loops and turns that hold a step, from the outermost.
std::vector<StepRows::Opened> StepRows::around(std::uint32_t step) const {
  std::vector<Opened> all;
  LoopIndex::Container in = index_->all();
  for (std::ptrdiff_t loop = index_->loop_at(in, step); loop >= 0; loop = index_->loop_at(in, step)) {
    const auto level = static_cast<std::uint32_t>(in.inner), index = static_cast<std::uint32_t>(loop);
    const LoopIndex::Loop& entry = index_->level(level).loops[index];
    all.push_back({.level = level, .index = index, .first = entry.first, .end = entry.end});
    const auto turn = static_cast<std::uint32_t>(index_->turn_at(level, index, step));
    in = index_->turn(level, turn);
    all.push_back({.is_turn = true, .level = level, .index = turn, .first = in.first, .end = in.end});
  }
  return all;
}

void StepRows::fold_all() {
  opened_.clear();
  folded_.clear();
  settle();
}

// --- rows and steps ------------------------------------------------------------------------------------------------

StepRows::Spot StepRows::spot_of_step(std::uint32_t step) const {
  const auto after = std::ranges::upper_bound(opened_, step, {}, &Opened::first);
  Spot spot{static_cast<std::int32_t>(after - opened_.begin()) - 1, -1};
  while (spot.in >= 0 && opened_[static_cast<std::size_t>(spot.in)].end <= step) {
    spot.after = spot.in;
    spot.in = opened_[static_cast<std::size_t>(spot.in)].parent;
  }
  return spot;
}

// Of a row that is not itself the header of something unfolded.
StepRows::Spot StepRows::spot_of_row(std::uint32_t row) const {
  const auto after = std::ranges::upper_bound(opened_, row, {}, &Opened::row);
  Spot spot{static_cast<std::int32_t>(after - opened_.begin()) - 1, -1};
  while (spot.in >= 0) {
    const Opened& one = opened_[static_cast<std::size_t>(spot.in)];
    if (row <= one.row + one.rows) break;
    spot.after = spot.in;
    spot.in = one.parent;
  }
  return spot;
}

// Rows before the first child of where the spot is in, and under the unfolded ones between it and the spot.
std::uint32_t StepRows::before(const Spot& spot) const {
  const std::uint32_t header = spot.in < 0 ? 0 : opened_[static_cast<std::size_t>(spot.in)].row + 1;
  return header + (spot.after < 0 ? 0 : opened_[static_cast<std::size_t>(spot.after)].brothers);
}

std::uint32_t StepRows::row_of(std::uint32_t step) const {
  const Spot spot = spot_of_step(step);
  const Opened* in = spot.in < 0 ? nullptr : &opened_[static_cast<std::size_t>(spot.in)];
  return before(spot) + child_of(in, step);
}

std::uint16_t StepRows::indent_in(std::int32_t in) const {
  std::uint16_t indent = 0;
  for (; in >= 0; in = opened_[static_cast<std::size_t>(in)].parent) ++indent;
  return indent;
}

StepRow StepRows::loop_row(std::size_t level, std::size_t loop) const {
  const LoopIndex::Loop& entry = index_->level(level).loops[loop];
  return {.kind = StepRow::Kind::Loop,
          .level = static_cast<std::uint16_t>(level),
          .first = entry.first,
          .end = entry.end,
          .turns = index_->turn_count(level, loop)};
}

StepRow StepRows::child(const Opened* one, std::uint32_t number) const {
  if (one != nullptr && !one->is_turn) {
    const LoopIndex::Level& level = index_->level(one->level);
    const std::size_t turn = level.loops[one->index].first_turn + number;
    return {.kind = StepRow::Kind::Turn,
            .level = static_cast<std::uint16_t>(one->level),
            .first = level.turns[turn],
            .end = index_->end_of_turn(one->level, turn)};
  }
  const LoopIndex::Container in = container(one);
  const LoopIndex::Item item = index_->item(in, number);
  if (item.is_loop) return loop_row(in.inner, item.loop);
  return {.kind = StepRow::Kind::Step, .first = item.step, .end = item.step + 1};
}

StepRow StepRows::at(std::uint32_t row) const {
  const auto header = std::ranges::lower_bound(opened_, row, {}, &Opened::row);
  if (header != opened_.end() && header->row == row) {
    const Opened* parent = header->parent < 0 ? nullptr : &opened_[static_cast<std::size_t>(header->parent)];
    StepRow found = child(parent, child_of(parent, header->first));
    found.indent = indent_in(header->parent);
    found.open = true;
    return found;
  }
  const Spot spot = spot_of_row(row);
  const Opened* in = spot.in < 0 ? nullptr : &opened_[static_cast<std::size_t>(spot.in)];
  StepRow found = child(in, row - before(spot));
  found.indent = indent_in(spot.in);
  return found;
}

StepRows::Opened StepRows::as_opened(const StepRow& row) const {
  const auto& level = index_->level(row.level);
  const auto after = std::ranges::upper_bound(level.loops, row.first, {}, &LoopIndex::Loop::first);
  const auto loop = static_cast<std::size_t>(after - level.loops.begin()) - 1;
  const bool is_turn = row.kind == StepRow::Kind::Turn;
  const std::size_t index = is_turn ? index_->turn_at(row.level, loop, row.first) : loop;
  return {.is_turn = is_turn,
          .level = row.level,
          .index = static_cast<std::uint32_t>(index),
          .first = row.first,
          .end = row.end};
}

}  // namespace ts
