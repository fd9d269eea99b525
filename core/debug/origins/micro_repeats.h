// The repeats of a memory-to-memory micro-operation: what each of them loaded, under which lanes, and what it wrote.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/engine/trace/trace.h"

namespace ts {

// Something that a repeat works on: a register, and the accesses that filled it.
struct RepeatInput {
  enum class Role : std::uint8_t {
    Source,    // the next operand
    Second,    // any operand after the first one
    Held,      // what the result's place held before
    Gathered,  // fetched from where the offsets say
    Offsets,
    MaskBits,
    Shared,  // the same register for all repeats: a scalar
  };
  Role role = Role::Source;
  const char* name = "";    // "A", "B", "offsets", "mask bits", "scalar"
  std::uint32_t value = 0;  // index into Trace::values
  std::uint32_t first_read = 0, reads = 0;
};

struct MicroRepeat {
  std::optional<std::uint32_t> lanes;  // the predicate that says which lanes are stored; none: all are
  std::vector<RepeatInput> inputs;
  std::optional<std::uint32_t> result;  // the register or predicate that is stored
  std::uint32_t first_write = 0, writes = 0;
};

// As the trace recorded them. Empty where the micro-operation has no repeats, or no registers in them.
std::vector<MicroRepeat> repeats_of(const Trace& trace, const MicroStep& step);

}  // namespace ts
