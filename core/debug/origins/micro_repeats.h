// The repeats of a memory-to-memory micro-operation: what each of them loaded, under which lanes, and what it wrote.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/engine/trace.h"

namespace ts {

// Something that a repeat loaded: a register, and the accesses that filled it.
struct RepeatInput {
  const char* name;     // "A", "B", "offsets", "mask bits", "scalar"
  std::uint32_t value;  // index into Trace::values
  std::uint32_t first_read = 0, reads = 0;
};

struct MicroRepeat {
  DType lane_type{};        // of `lanes`
  std::uint32_t lanes = 0;  // the predicate that says which lanes are stored
  std::vector<RepeatInput> inputs;
  std::optional<std::uint32_t> result;  // the register that is stored
  std::uint32_t first_write = 0, writes = 0;
};

// Empty where the micro-operation has no repeats.
std::vector<MicroRepeat> repeats_of(const Trace& trace, const MicroStep& step);

}  // namespace ts
