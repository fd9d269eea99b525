// Micro-operations of a step as people look at them: lanes, who made a register and who needed it last, which bits went
// where.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/trace.h"
#include "core/catalogue/row.h"
#include "core/memory/memory.h"

namespace ts {

// --- lanes ---
constexpr std::uint32_t lane_count(DType type) {
  return VL / size_bytes(type);
}
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
  // Lowerings that only move bits know how wide an element is, and not its type: `bound` tells it by the operands.
  explicit MicroIndex(const Trace& trace, const Bound* bound = nullptr);

  const MicroValue& value(std::uint32_t id) const { return values_[id]; }
  // Of the elements that a micro-step works on.
  DType type_of(std::uint32_t micro) const { return types_[micro]; }
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
  DType type_by_operands(const Trace& trace, const MicroStep& step, const Bound& bound) const;

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

// --- what went where ---
struct MicroPlace {
  bool memory = false;
  std::uint32_t value = 0;  // a register or predicate
  Space space = Space::Ub;
  std::uint64_t bit = 0;  // within the value; of a memory 8 times the address
  bool operator==(const MicroPlace&) const = default;
};
// Bits that one micro-step moved, unchanged. Moves of neighbours are one.
struct MicroMove {
  MicroPlace from, to;
  std::uint32_t bits = 0;
};
// Of loads, stores, permutations, selections and block transpositions; nothing where results are computed, and of
// streams' bytes that earlier micro-steps handed over.
std::vector<MicroMove> moves_of(const Trace& trace, std::uint32_t micro);
// Where the bits of a place came from, or went to.
std::optional<MicroPlace> origin_of(const std::vector<MicroMove>& moves, const MicroPlace& place);

// The micro-step that moved bytes of a result to their place in a row: the gather behind a store, the transposition
// behind a copy. Or else the one that wrote them last; nothing where none did.
struct MicroMover {
  std::uint32_t micro = 0;
  std::uint32_t repeat = 0;                // of a transposition
  std::optional<std::uint32_t> byte = {};  // of the register that it made
  bool operator==(const MicroMover&) const = default;
};
std::optional<MicroMover> mover_of(const Trace& trace, const MicroIndex& index, ByteRange place);

// --- special registers ---
// Those of A2A3's vector unit that outlive an instruction.
struct SpecialRegisters {
  bool counting = false;  // mask mode: MASK[0] is a number of elements
  std::uint64_t mask[2] = {};
  std::uint64_t cmpmask[2] = {};
  Definedness mask_worth{}, mode_worth{}, cmpmask_worth{};
};
SpecialRegisters special_registers(const Memory& memory);

}  // namespace ts
