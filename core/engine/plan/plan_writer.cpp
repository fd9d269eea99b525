// From the operations of a run to its plan.
#include "core/engine/plan/plan_writer.h"

#include <algorithm>
#include <cstring>

namespace ts {
namespace {

// How far the way of a value is looked at: most live for a few operations.
constexpr std::size_t kFar = 64;
constexpr std::uint32_t kMostRegisters = 256;  // at once

// Functions of lanes want their registers so.
bool is_aligned(FlatRange where) { return where.begin % 64 == 0; }

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

void PlanWriter::find_uses() {
  for (std::size_t i = 0; i < ops_.size(); ++i) {
    for (const PlanValue value : ops_[i].in) {
      if (value == kNoPlanValue) continue;
      registers_[at(value)].used = i;
      ++registers_[at(value)].uses;
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
    if (value.uses != 0 && (!is_aligned(op.reads) || !stays(value, op.reads))) continue;
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
    if (store.kind != PlanOp::Kind::Store || store.bytes != VL || !is_aligned(store.writes)) continue;
    Register& value = registers_[at(store.in[0])];
    if (value.constant || value.in_memory || value.uses != 1 || ops_[value.made].gone) continue;
    if (ops_[value.made].kind == PlanOp::Kind::Load || !may_store_early(value.made, i)) continue;
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
    entry.type = op.type;
    entry.pred = pred(op.pred[0]);
    plan_->needs_core_ = plan_->needs_core_ || !whole;
  } else if (op.kind == PlanOp::Kind::StorePredicate && !plan_->logs_itself_) {
    entry.kind = Kind::Bytes;
    entry.bytes = sizeof(VPred);
    entry.in[0] = reinterpret_cast<const std::uint8_t*>(pred(op.pred[0]));
    entry.out = host(op.writes.begin);
  } else if (op.kind == PlanOp::Kind::Load || (op.kind == PlanOp::Kind::Store && !plan_->logs_itself_)) {
    const bool loads = op.kind == PlanOp::Kind::Load;
    entry.kind = Kind::Bytes;
    entry.bytes = loads ? VL : op.bytes;
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
  plan_->entries_.push_back(entry);
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
