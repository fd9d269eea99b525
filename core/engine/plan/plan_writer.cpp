// From the operations of a run to its plan.
#include "core/engine/plan/plan_writer.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

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
  const auto same =
      std::ranges::find_if(constants_, [&](const Block& one) { return std::memcmp(one.bytes, value.bytes, VL) == 0; });
  own.place = static_cast<std::uint32_t>(same - constants_.begin());
  if (same == constants_.end()) constants_.push_back(value);
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
      if (ops_[i].kind == PlanOp::Kind::Call) registers_[at(value)].called = true;
    }
    for (const PlanValue value : ops_[i].out)
      if (value != kNoPlanValue) registers_[at(value)].made = registers_[at(value)].used = i;
    for (const PlanValue value : ops_[i].pred)
      if (value != kNoPlanValue) predicates_[at(value)].used = i;
    for (const PlanValue value : ops_[i].pred_out)
      if (value != kNoPlanValue) predicates_[at(value)].made = predicates_[at(value)].used = i;
  }
}

bool PlanWriter::touches(const PlanOp& op, FlatRange where) const {
  if (op.writes.overlaps(where) || op.reads.overlaps(where)) return true;
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
    if (ops_[i].writes.overlaps(where)) return false;
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
    if (maker.kind == PlanOp::Kind::Load || !is_aligned(store.writes, maker.kind == PlanOp::Kind::Call)) continue;
    if (!may_store_early(value.made, i)) continue;
    value.in_memory = true;
    value.where = store.writes;
    ops_[value.made].writes = store.writes;
    store.gone = true;
  }
}

bool PlanWriter::give_places() {
  const auto constants = static_cast<std::uint32_t>(constants_.size());
  std::vector<std::uint32_t> free;
  std::vector<std::vector<std::uint32_t>> ends(ops_.size());  // places whose value nobody needs behind an operation
  std::uint32_t count = constants;
  for (std::size_t i = 0; i < ops_.size(); ++i) {
    for (const PlanValue value : ops_[i].out) {
      if (value == kNoPlanValue) continue;
      Register& own = registers_[at(value)];
      if (own.in_memory) continue;
      if (free.empty()) free.push_back(count++);
      own.place = free.back();
      free.pop_back();
      ends[own.used].push_back(own.place);
    }
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
  const auto pred = [&](PlanValue value) { return value == kNoPlanValue ? nullptr : predicates_[at(value)].place; };
  if (op.kind == PlanOp::Kind::Lanes) {
    const bool whole = is_constant(op.pred[0]) && all_on(value_of(op.pred[0]), size_bytes(op.type));
    entry.kind = whole ? Kind::Lanes : Kind::LanesUnder;
    entry.lanes = op.lanes;
    entry.masked = best_zero_function(op.type);
    entry.pred = pred(op.pred[0]);
  } else if (op.kind == PlanOp::Kind::Masked) {
    entry.kind = Kind::Masked;
    entry.masked = op.masked;
    entry.pred = pred(op.pred[0]);
    if (op.out[0] == kNoPlanValue) entry.out = reinterpret_cast<std::uint8_t*>(pred(op.pred_out[0]));
  } else if (op.kind == PlanOp::Kind::LoadLanes) {
    entry.kind = Kind::Load;
    entry.load = op.load;
    entry.in[0] = host(op.reads.begin);
  } else if (op.kind == PlanOp::Kind::StorePredicate && !plan_->logs_itself_) {
    entry.kind = Kind::Masked;
    entry.masked = op.masked;
    entry.pred = pred(op.pred[0]);
    entry.out = host(op.writes.begin);
  } else if (op.kind == PlanOp::Kind::Load || (op.kind == PlanOp::Kind::Store && !plan_->logs_itself_)) {
    const bool loads = op.kind == PlanOp::Kind::Load;
    entry.kind = Kind::Bytes;
    entry.count = loads ? VL : op.bytes;
    if (loads) entry.in[0] = host(op.reads.begin);
    else entry.out = host(op.writes.begin);
  } else {
    entry.kind = Kind::Call;
    entry.call = static_cast<std::uint32_t>(plan_->calls_.size());
    plan_->needs_core_ = true;
    PlanOperands operands;
    for (std::size_t i = 0; i < 2; ++i) {
      operands.out[i] = reinterpret_cast<Block*>(place_of(op.out[i]));
      operands.pred_out[i] = pred(op.pred_out[i]);
    }
    for (std::size_t i = 0; i < 3; ++i) {
      operands.in[i] = reinterpret_cast<const Block*>(entry.in[i]);
      operands.pred[i] = pred(op.pred[i]);
    }
    plan_->calls_.push_back({op.call, operands});
  }
  if (plan_->entries_.empty() || !joins(plan_->entries_.back(), entry)) plan_->entries_.push_back(entry);
}

namespace {

// A step from one register to the next; nothing: nobody takes such steps.
std::optional<std::uint32_t> step_between(const std::uint8_t* from, const std::uint8_t* to) {
  const std::ptrdiff_t step = to - from;
  if (step < 0 || step > std::numeric_limits<std::int32_t>::max()) return {};
  return static_cast<std::uint32_t>(step);
}

}  // namespace

// Whether an entry is the next of a row of registers, and is in it now. What the row writes is apart from what it reads.
bool PlanWriter::joins(Plan::Entry& row, const Plan::Entry& next) const {
  if (row.kind != Plan::Entry::Kind::Lanes || next.kind != row.kind || next.lanes != row.lanes) return false;
  const std::uint8_t* last_out = row.out + std::size_t{row.count - 1} * row.steps.out;
  const auto out = step_between(last_out, next.out);
  if (!out || *out < VL || (row.count > 1 && *out != row.steps.out)) return false;
  LaneSteps steps{*out, {}};
  for (std::size_t i = 0; i < 3; ++i) {
    if (row.in[i] == nullptr) continue;
    const std::uint8_t* last = row.in[i] + std::size_t{row.count - 1} * row.steps.in[i];
    const auto step = step_between(last, next.in[i]);
    if (!step || (row.count > 1 && *step != row.steps.in[i])) return false;
    if (row.in[i] < next.out + VL && row.out < next.in[i] + VL) return false;
    steps.in[i] = *step;
  }
  row.steps = steps;
  ++row.count;
  return true;
}

std::unique_ptr<Plan> PlanWriter::finish(const WriteLog& log) {
  plan_->logs_itself_ = std::ranges::any_of(ops_, &PlanOp::logs);
  find_uses();
  drop_loads();
  if (!plan_->logs_itself_) drop_stores();
  if (!give_places()) return nullptr;
  for (const PlanOp& op : ops_)
    if (!op.gone) write(op);
  plan_->memory_ = memory_.base();
  plan_->entries_.shrink_to_fit();
  plan_->calls_.shrink_to_fit();
  if (!plan_->logs_itself_) plan_->writes_.assign(log.begin(), log.end());
  plan_->unspecified_ = std::move(unspecified_);
  return std::move(plan_);
}

}  // namespace ts
