// The operations of a run in their order, and the plan that is made of them: loads and stores that only carry a register to
// or from its operation fall away, and registers get places.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/engine/plan/plan.h"

namespace ts {

// Numbers of values; of none.
using PlanValue = std::int32_t;
inline constexpr PlanValue kNoPlanValue = -1;

inline constexpr FlatRange kAnywhere{0, std::numeric_limits<Flat>::max()};

struct PlanOp {
  enum class Kind : std::uint8_t {
    Load,            // a whole register, from `reads`
    Store,           // the first `bytes` of a register, to `writes`
    LoadPredicate,   // bit for bit
    StorePredicate,  // by a function, to `writes`
    Lanes,
    Masked,     // lanes, or a predicate
    LoadLanes,  // by a function, from `reads`: a register or a predicate
    Pair,       // two registers from two
    Gather,     // from places that are known
    Columns,    // gathers whose places stand side by side
    Call,
  };
  Kind kind = Kind::Call;
  DType type = DType::U8;  // of lanes
  std::uint32_t bytes = 0;
  LaneFunction lanes = nullptr;
  MaskedFunction masked = nullptr;
  LoadFunction load = nullptr;
  PairFunction pair = nullptr;
  PlanCall call = {};
  std::vector<Flat> places = {};        // of the first lanes; the others are 0
  std::vector<PlanValue> columns = {};  // that Columns makes
  std::array<PlanValue, 2> out{kNoPlanValue, kNoPlanValue};
  std::array<PlanValue, 3> in{kNoPlanValue, kNoPlanValue, kNoPlanValue};
  std::array<PlanValue, 2> pred_out{kNoPlanValue, kNoPlanValue};
  std::array<PlanValue, 3> pred{kNoPlanValue, kNoPlanValue, kNoPlanValue};
  FlatRange reads = {}, writes = {};
  bool logs = false;  // only knows what it writes when it runs
  bool gone = false;

  // What goes through the block core.
  bool is_called() const { return kind == Kind::Call || kind == Kind::Gather; }
};

class PlanWriter {
 public:
  explicit PlanWriter(Memory& memory) : memory_(memory) {}

  PlanValue new_register() { return add(registers_); }
  PlanValue constant(const Block& value);
  PlanValue new_predicate() { return add(predicates_); }
  PlanValue constant(const VPred& value);
  bool is_constant(PlanValue predicate) const { return predicates_[at(predicate)].constant; }
  const VPred& value_of(PlanValue predicate) const { return predicates_[at(predicate)].value; }
  bool is_constant_register(PlanValue value) const { return registers_[at(value)].constant; }

  void add(PlanOp op) { ops_.push_back(std::move(op)); }
  std::size_t count() const { return ops_.size(); }
  // Whether something wrote there.
  bool wrote(FlatRange where) const;
  void look(Flat at, std::uint64_t bits);
  // The plan is for this one there.
  void assume(Flat at, const VPred& predicate);
  void watch(const WatchesData& is_odd) { plan_->watches_.push_back(is_odd); }
  void unspecified(Flat base, std::uint32_t size) { unspecified_.push_back({base, size, size, 1}); }

  // `log`: what the run wrote. Null: it takes too much.
  std::unique_ptr<Plan> finish(const WriteLog& log);

 private:
  struct Register {
    std::size_t made = 0, used = 0;  // by which operation, by which one last
    std::uint32_t uses = 0;
    bool constant = false, in_memory = false;
    bool called = false;      // some call takes it
    FlatRange where = {};     // in memory
    std::uint32_t place = 0;  // else
  };
  struct Predicate {
    bool constant = false;
    VPred value{};
    VPred* place = nullptr;
    std::size_t made = 0, used = 0;
    FlatRange where = {};  // in memory
  };
  static std::size_t at(PlanValue value) { return static_cast<std::size_t>(value); }
  template <class Value>
  static PlanValue add(std::vector<Value>& values) {
    values.emplace_back();
    return static_cast<PlanValue>(values.size() - 1);
  }

  void join_columns();
  bool join_columns(std::size_t first);
  void find_uses();
  void drop_loads();
  void drop_predicate(PlanOp& op);
  void drop_stores();
  template <class Value>
  bool stays(const Value& value, FlatRange where) const;
  bool may_store_early(std::size_t maker, std::size_t store) const;
  bool touches(const PlanOp& op, FlatRange where) const;
  bool writes(const PlanOp& op, FlatRange where) const;
  bool give_places();
  std::uint8_t* host(Flat flat) const { return reinterpret_cast<std::uint8_t*>(memory_.base()) + flat; }
  std::uint8_t* place_of(PlanValue value) const;
  VPred* predicate_of(PlanValue value) const;
  std::uint32_t place_constants();
  void write(const PlanOp& op);
  void write_call(const PlanOp& op, Plan::Entry& entry);
  PlanCall call_of(const PlanOp& op) const;
  bool joins_a_row(const Plan::Entry& next);
  static bool joins(Plan::Entry& row, const Plan::Entry& next);

  Memory& memory_;
  std::vector<PlanOp> ops_;
  std::vector<Register> registers_;
  std::vector<Block> constants_;
  std::unordered_multimap<std::size_t, std::uint32_t> constants_by_hash_;
  std::vector<Predicate> predicates_;
  std::vector<WritePattern> unspecified_;
  std::unique_ptr<Plan> plan_ = std::make_unique<Plan>();
};

}  // namespace ts
