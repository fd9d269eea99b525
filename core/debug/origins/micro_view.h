// Micro-operations of a step as people look at them: lanes, who made a register and who needed it last, which bits went
// where.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/catalogue/row.h"
#include "core/engine/trace/trace.h"
#include "core/memory/memory.h"

namespace ts {

// --- lanes ---
constexpr std::uint32_t lane_count(DType type) { return VL / size_bytes(type); }
std::uint64_t lane_bits(const TraceValue& value, DType type, std::uint32_t lane);
bool lane_is_on(const TraceValue& value, DType type, std::uint32_t lane);  // of a predicate
std::uint32_t lanes_on(const TraceValue& value, DType type);
// "v12", "p3"
std::string value_name(const Trace& trace, std::uint32_t value);

// Lanes [first, end) that hold the same bits, or are all on or all off.
struct LaneRun {
  std::uint32_t first, end;
};
std::vector<LaneRun> lane_runs(const TraceValue& value, DType type);

// --- registers ---
// Who made a register or predicate, as lanes of what type, and who was the last to look at it.
struct MicroValue {
  std::uint32_t maker = 0;      // micro-step
  std::uint32_t last_user = 0;  // micro-step; the maker where nobody did
  DType type = DType::U8;
};

// Of one step; made once, so that no list has to be walked afterwards.
class MicroIndex {
 public:
  MicroIndex() = default;
  // An operation that only moves bits knows how wide an element is, and not its type: `bound` tells it by the operand that
  // the bits come from or go to.
  explicit MicroIndex(const Trace& trace, const Bound* bound = nullptr);

  const MicroValue& value(std::uint32_t id) const { return values_[id]; }
  // Of the elements that a micro-step makes, or else writes, or else works on.
  DType type_of(std::uint32_t micro) const { return types_[micro]; }
  DType type_of(const TraceAccess& access) const { return type_there(access.space, access.address, access.type); }
  // The values 0 .. n-1 were made by the micro-steps before this one. Beyond the last: all.
  std::uint32_t made_before(std::uint32_t micro) const;
  // Whether a micro-step from `micro` on looks at a value.
  bool needed_from(std::uint32_t id, std::uint32_t micro) const {
    return values_[id].last_user >= micro && values_[id].last_user != values_[id].maker;
  }
  // Micro-steps that set the addresses for the next transposition (A2A3): the last one before this, by pair of
  // registers.
  std::vector<std::uint32_t> va_before(std::uint32_t micro, const Trace& trace) const;

 private:
  struct Place {
    ByteRange range;
    DType type;
  };
  void take(const Trace& trace, std::uint32_t micro);
  DType made_type(const Trace& trace, const MicroStep& step, std::uint32_t id) const;
  DType step_type(const Trace& trace, const MicroStep& step) const;
  DType type_there(Space space, std::uint64_t address, DType type) const;

  std::vector<Place> operands_;
  std::vector<MicroValue> values_;
  std::vector<DType> types_;               // by micro-step
  std::vector<std::uint32_t> first_made_;  // by micro-step; one more at the end
  std::vector<std::uint32_t> va_steps_;
};

// --- memory ---
// Where an address operand points.
std::uint64_t address_of(const TraceArg& arg);
// Bytes that an access wrote otherwise than they were.
std::uint32_t changed_bytes(const Trace& trace, const TraceAccess& write);
// From the first byte of accesses to one space to the last; nothing where there are none.
std::optional<ByteRange> reach_of(const std::vector<TraceAccess>& accesses, std::size_t first, std::size_t count);

// --- special registers ---
// Those of the vector unit that outlive an instruction: A5 has the last one only.
struct SpecialRegisters {
  bool counting = false;  // mask mode: MASK[0] is a number of elements
  std::uint64_t mask[2] = {};
  std::uint64_t cmpmask[2] = {};
  std::uint16_t taken[4] = {};  // VMS4_SR: records that the last merge which could end early took of each list
  Definedness mask_worth{}, mode_worth{}, cmpmask_worth{}, taken_worth{};
};
SpecialRegisters special_registers(const Memory& memory, CoreId core = 0);

}  // namespace ts
