// From the operations of a run to its plan.
#include "core/engine/plan/plan_writer.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "core/engine/plan/column_functions.h"

namespace ts {
namespace {

// How far the way of a value is looked at: most live for a few operations.
constexpr std::size_t kFar = 64;
constexpr std::uint32_t kMostRegisters = 256;  // at once

// What is called takes registers as they are made; functions of lanes take any blocks.
bool is_aligned(FlatRange where, bool called) { return where.begin % (called ? alignof(Block) : BLK) == 0; }

}  // namespace

PlanValue PlanWriter::constant(const Block& value) {
  const PlanValue made = new_register();
  Register& own = registers_.back();
  own.constant = true;
  const std::size_t hash = std::hash<std::string_view>()({reinterpret_cast<const char*>(value.bytes), VL});
  const auto [first, last] = constants_by_hash_.equal_range(hash);
  const auto same = std::find_if(
      first, last, [&](const auto& one) { return std::memcmp(constants_[one.second].bytes, value.bytes, VL) == 0; });
  if (same != last) {
    own.place = same->second;
  } else {
    own.place = static_cast<std::uint32_t>(constants_.size());
    constants_by_hash_.emplace(hash, own.place);
    constants_.push_back(value);
  }
  return made;
}

PlanValue PlanWriter::constant(const VPred& value) {
  const PlanValue made = new_predicate();
  predicates_.back() = {true, value, nullptr};
  return made;
}

void PlanWriter::look(Flat at, std::uint64_t bits) {
  plan_->looked_.push_back({reinterpret_cast<const std::byte*>(host(at)), bits});
}

void PlanWriter::assume(Flat at, const VPred& predicate) {
  for (std::uint32_t i = 0; i < 4; ++i) look(at + i * 8, predicate.word[i]);
  plan_->assumes_ = true;
}

bool PlanWriter::wrote(FlatRange where) const {
  return std::ranges::any_of(ops_, [&](const PlanOp& op) { return op.writes.overlaps(where); });
}

void PlanWriter::find_uses() {
  for (std::size_t i = 0; i < ops_.size(); ++i) {
    for (const PlanValue value : ops_[i].in) {
      if (value == kNoPlanValue) continue;
      registers_[at(value)].used = i;
      ++registers_[at(value)].uses;
      if (ops_[i].is_called()) registers_[at(value)].called = true;
    }
    for (const PlanValue value : ops_[i].columns) registers_[at(value)].made = registers_[at(value)].used = i;
    for (const PlanValue value : ops_[i].out)
      if (value != kNoPlanValue) registers_[at(value)].made = registers_[at(value)].used = i;
    for (const PlanValue value : ops_[i].pred)
      if (value != kNoPlanValue) predicates_[at(value)].used = i;
    for (const PlanValue value : ops_[i].pred_out)
      if (value != kNoPlanValue) predicates_[at(value)].made = predicates_[at(value)].used = i;
  }
}

bool PlanWriter::writes(const PlanOp& op, FlatRange where) const {
  return op.writes.overlaps(where) || std::ranges::any_of(op.columns, [&](PlanValue value) {
           return registers_[at(value)].in_memory && registers_[at(value)].where.overlaps(where);
         });
}

bool PlanWriter::touches(const PlanOp& op, FlatRange where) const {
  if (writes(op, where) || op.reads.overlaps(where)) return true;
  const auto in_register = [&](PlanValue value) {
    return value != kNoPlanValue && registers_[at(value)].in_memory && registers_[at(value)].where.overlaps(where);
  };
  const auto in_predicate = [&](PlanValue value) {
    return value != kNoPlanValue && predicates_[at(value)].where.overlaps(where);
  };
  return std::ranges::any_of(op.in, in_register) || std::ranges::any_of(op.pred, in_predicate);
}

// Whether nobody writes to these bytes as long as the value is needed.
template <class Value>
bool PlanWriter::stays(const Value& value, FlatRange where) const {
  if (value.used - value.made > kFar) return false;
  for (std::size_t i = value.made + 1; i <= value.used; ++i)
    if (writes(ops_[i], where)) return false;
  return true;
}

void PlanWriter::drop_predicate(PlanOp& op) {
  Predicate& value = predicates_[at(op.pred_out[0])];
  if (op.reads.begin % alignof(VPred) != 0 || !stays(value, op.reads)) return;
  value.place = reinterpret_cast<VPred*>(host(op.reads.begin));
  value.where = op.reads;
  op.gone = true;
}

void PlanWriter::drop_loads() {
  for (PlanOp& op : ops_) {
    if (op.kind == PlanOp::Kind::LoadPredicate) drop_predicate(op);
    if (op.kind != PlanOp::Kind::Load) continue;
    Register& value = registers_[at(op.out[0])];
    if (value.uses != 0 && (!is_aligned(op.reads, value.called) || !stays(value, op.reads))) continue;
    value.in_memory = true;
    value.where = op.reads;
    op.gone = true;
  }
}

// Whether the register may be made where it is stored: nobody looks at these bytes in between, and its operation does not
// take its operands from there.
bool PlanWriter::may_store_early(std::size_t maker, std::size_t store) const {
  if (store - maker > kFar) return false;
  for (std::size_t i = maker; i < store; ++i)
    if (!ops_[i].gone && touches(ops_[i], ops_[store].writes)) return false;
  return true;
}

void PlanWriter::drop_stores() {
  for (std::size_t i = 0; i < ops_.size(); ++i) {
    PlanOp& store = ops_[i];
    if (store.kind != PlanOp::Kind::Store || store.bytes != VL) continue;
    Register& value = registers_[at(store.in[0])];
    if (value.constant || value.in_memory || value.uses != 1 || ops_[value.made].gone) continue;
    const PlanOp& maker = ops_[value.made];
    if (maker.kind == PlanOp::Kind::Load || !is_aligned(store.writes, maker.is_called())) continue;
    if (!may_store_early(value.made, i)) continue;
    value.in_memory = true;
    value.where = store.writes;
    if (maker.kind != PlanOp::Kind::Columns) ops_[value.made].writes = store.writes;
    store.gone = true;
  }
}

// Those that something still needs, first of all registers. Says how many there are.
std::uint32_t PlanWriter::place_constants() {
  constexpr std::uint32_t kNowhere = ~0u;
  std::vector<std::uint32_t> place(constants_.size(), kNowhere);
  std::vector<Block> needed;
  for (Register& own : registers_) {
    if (!own.constant || own.uses == 0) continue;
    if (place[own.place] == kNowhere) {
      place[own.place] = static_cast<std::uint32_t>(needed.size());
      needed.push_back(constants_[own.place]);
    }
    own.place = place[own.place];
  }
  constants_ = std::move(needed);
  return static_cast<std::uint32_t>(constants_.size());
}

bool PlanWriter::give_places() {
  const std::uint32_t constants = place_constants();
  std::vector<std::uint32_t> free;
  std::vector<std::vector<std::uint32_t>> ends(ops_.size());  // places whose value nobody needs behind an operation
  std::uint32_t count = constants;
  for (std::size_t i = 0; i < ops_.size(); ++i) {
    const auto place = [&](PlanValue value) {
      if (value == kNoPlanValue) return;
      Register& own = registers_[at(value)];
      if (own.in_memory) return;
      if (free.empty()) free.push_back(count++);
      own.place = free.back();
      free.pop_back();
      ends[own.used].push_back(own.place);
    };
    std::ranges::for_each(ops_[i].out, place);
    std::ranges::for_each(ops_[i].columns, place);
    free.insert(free.end(), ends[i].begin(), ends[i].end());
  }
  if (count - constants > kMostRegisters) return false;
  plan_->registers_ = std::make_unique<Block[]>(count);
  plan_->registers_count_ = count;
  std::ranges::copy(constants_, plan_->registers_.get());
  for (Predicate& predicate : predicates_)
    if (predicate.place == nullptr) predicate.place = &plan_->predicates_.emplace_back(predicate.value);
  return true;
}

VPred* PlanWriter::predicate_of(PlanValue value) const {
  return value == kNoPlanValue ? nullptr : predicates_[at(value)].place;
}

std::uint8_t* PlanWriter::place_of(PlanValue value) const {
  if (value == kNoPlanValue) return nullptr;
  const Register& own = registers_[at(value)];
  return own.in_memory ? host(own.where.begin) : plan_->registers_[own.place].bytes;
}

void PlanWriter::write(const PlanOp& op) {
  using Kind = Plan::Entry::Kind;
  Plan::Entry entry;
  entry.out = place_of(op.out[0]);
  for (std::size_t i = 0; i < op.in.size(); ++i) entry.in[i] = place_of(op.in[i]);
  if (op.kind == PlanOp::Kind::Lanes) {
    const bool whole = is_constant(op.pred[0]) && all_on(value_of(op.pred[0]), size_bytes(op.type));
    entry.kind = whole ? Kind::Lanes : Kind::LanesUnder;
    entry.lanes = op.lanes;
    entry.masked = best_zero_function(op.type);
    entry.pred = predicate_of(op.pred[0]);
  } else if (op.kind == PlanOp::Kind::Masked) {
    entry.kind = Kind::Masked;
    entry.masked = op.masked;
    entry.pred = predicate_of(op.pred[0]);
    if (op.out[0] == kNoPlanValue) entry.out = reinterpret_cast<std::uint8_t*>(predicate_of(op.pred_out[0]));
  } else if (op.kind == PlanOp::Kind::LoadLanes) {
    entry.kind = Kind::Load;
    entry.load = op.load;
    entry.in[0] = host(op.reads.begin);
    if (op.out[0] == kNoPlanValue) entry.out = reinterpret_cast<std::uint8_t*>(predicate_of(op.pred_out[0]));
  } else if (op.kind == PlanOp::Kind::Pair) {
    entry.kind = Kind::Pair;
    entry.pair = op.pair;
    entry.second = place_of(op.out[1]);
  } else if (op.kind == PlanOp::Kind::StorePredicate && !plan_->logs_itself_) {
    entry.kind = Kind::Masked;
    entry.masked = op.masked;
    entry.pred = predicate_of(op.pred[0]);
    entry.out = host(op.writes.begin);
  } else if (op.kind == PlanOp::Kind::Load || (op.kind == PlanOp::Kind::Store && !plan_->logs_itself_)) {
    const bool loads = op.kind == PlanOp::Kind::Load;
    entry.kind = Kind::Bytes;
    entry.count = loads ? VL : op.bytes;
    if (loads) entry.in[0] = host(op.reads.begin);
    else entry.out = host(op.writes.begin);
  } else {
    write_call(op, entry);
  }
  if (!joins_a_row(entry)) plan_->entries_.push_back(entry);
}

void PlanWriter::write_call(const PlanOp& op, Plan::Entry& entry) {
  entry.kind = Plan::Entry::Kind::Call;
  entry.call = static_cast<std::uint32_t>(plan_->calls_.size());
  plan_->needs_core_ = true;
  PlanOperands operands;
  for (std::size_t i = 0; i < 2; ++i) {
    operands.out[i] = reinterpret_cast<Block*>(place_of(op.out[i]));
    operands.pred_out[i] = predicate_of(op.pred_out[i]);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    operands.in[i] = reinterpret_cast<const Block*>(entry.in[i]);
    operands.pred[i] = predicate_of(op.pred[i]);
  }
  plan_->calls_.push_back({call_of(op), operands});
}

PlanCall PlanWriter::call_of(const PlanOp& op) const {
  if (op.kind != PlanOp::Kind::Columns) return op.call;
  std::vector<std::uint8_t*> out;
  for (const PlanValue value : op.columns) out.push_back(place_of(value));
  std::vector<const std::uint8_t*> from;
  for (const Flat place : op.places) from.push_back(host(place));
  const ColumnsFunction columns = best_columns_function(size_bytes(op.type));
  return [=](BlockCore&, const PlanOperands&) {
    columns(out.data(), from.data(), static_cast<std::uint32_t>(from.size()));
  };
}

namespace {

// A step from one register to the next; nothing: nobody takes such steps.
std::optional<std::uint32_t> step_between(const std::uint8_t* from, const std::uint8_t* to) {
  const std::ptrdiff_t step = to - from;
  if (step < 0 || step > std::numeric_limits<std::int32_t>::max()) return {};
  return static_cast<std::uint32_t>(step);
}

// Where the registers of a row stand, from the first to the last.
struct RowPlaces {
  const std::uint8_t* first;
  const std::uint8_t* last;
  std::uint32_t* step;
  bool overlaps(const RowPlaces& other) const { return first < other.last + VL && other.first < last + VL; }
};

// Bytes from the first to the last register of a row, for each of its operands.
struct RowBytes {
  std::array<std::pair<const std::uint8_t*, const std::uint8_t*>, 2> made{};
  std::array<std::pair<const std::uint8_t*, const std::uint8_t*>, 3> taken{};
};
template <class Entry>
RowBytes bytes_of(const Entry& row) {
  const auto all = [&](const std::uint8_t* first, std::uint32_t step) {
    return std::pair(first, first == nullptr ? first : first + std::size_t{row.count - 1} * step + VL);
  };
  RowBytes bytes;
  const bool pairs = row.kind == Entry::Kind::Pair;
  bytes.made[0] = all(row.out, row.steps.out);
  if (pairs) bytes.made[1] = all(row.second, row.steps.in[2]);
  for (std::size_t i = 0; i < 3; ++i) bytes.taken[i] = all(row.in[i], row.steps.in[i]);
  return bytes;
}
// Whether it makes no difference which of two comes first.
template <class Entry>
bool are_independent(const Entry& a, const Entry& b) {
  const auto is_row = [](const Entry& one) { return one.kind == Entry::Kind::Pair || one.kind == Entry::Kind::Lanes; };
  if (!is_row(a) || !is_row(b)) return false;
  const RowBytes x = bytes_of(a), y = bytes_of(b);
  const auto meets = [](const auto& all, const auto& others) {
    for (const auto& [begin, end] : all)
      for (const auto& [other_begin, other_end] : others)
        if (begin < other_end && other_begin < end) return true;
    return false;
  };
  return !meets(x.made, y.made) && !meets(x.made, y.taken) && !meets(x.taken, y.made);
}

}  // namespace

// Whether an entry is the next of a row of registers, and is in it now. What the row writes is apart from what it reads.
bool PlanWriter::joins(Plan::Entry& row, const Plan::Entry& next) {
  using Kind = Plan::Entry::Kind;
  const bool pairs = row.kind == Kind::Pair;
  if (next.kind != row.kind || (!pairs && row.kind != Kind::Lanes)) return false;
  if (pairs ? next.pair != row.pair : next.lanes != row.lanes) return false;
  LaneSteps steps = row.steps;
  std::array<RowPlaces, 2> all_made{{{row.out, next.out, &steps.out}}};
  if (pairs) all_made[1] = {row.second, next.second, &steps.in[2]};
  std::array<RowPlaces, 3> all_taken;
  std::size_t count = 0;
  for (std::size_t i = 0; i < 3; ++i)
    if (row.in[i] != nullptr) all_taken[count++] = {row.in[i], next.in[i], &steps.in[i]};
  const std::span made(all_made.data(), pairs ? 2 : 1), taken(all_taken.data(), count);
  const auto goes_on = [&](const RowPlaces& places) {
    const auto step = step_between(places.first + std::size_t{row.count - 1} * *places.step, places.last);
    if (!step || (row.count > 1 && *step != *places.step)) return false;
    *places.step = *step;
    return true;
  };
  if (!std::ranges::all_of(made, goes_on) || !std::ranges::all_of(taken, goes_on)) return false;
  for (const RowPlaces& places : made)
    if (*places.step < VL || std::ranges::any_of(taken, [&](const RowPlaces& one) { return one.overlaps(places); }))
      return false;
  row.steps = steps;
  ++row.count;
  return true;
}

// The last row, or the one before it: results often alternate between two tiles.
bool PlanWriter::joins_a_row(const Plan::Entry& next) {
  std::vector<Plan::Entry>& rows = plan_->entries_;
  if (rows.empty()) return false;
  if (joins(rows.back(), next)) return true;
  return rows.size() > 1 && are_independent(rows.back(), next) && joins(rows[rows.size() - 2], next);
}

std::unique_ptr<Plan> PlanWriter::finish(const WriteLog& log) {
  plan_->logs_itself_ = std::ranges::any_of(ops_, &PlanOp::logs);
  join_columns();
  find_uses();
  drop_loads();
  if (!plan_->logs_itself_) drop_stores();
  if (!give_places()) return nullptr;
  for (const PlanOp& op : ops_)
    if (!op.gone) write(op);
  plan_->memory_ = memory_.base();
  plan_->entries_.shrink_to_fit();
  plan_->calls_.shrink_to_fit();
  // Joined once, they are joined for every run.
  if (!plan_->logs_itself_) join(log.begin(), log.end(), plan_->writes_);
  plan_->writes_.shrink_to_fit();
  plan_->unspecified_ = std::move(unspecified_);
  return std::move(plan_);
}

}  // namespace ts
