// The vector registers and masks that a program names, as they stand at a position.
#pragma once

#include <array>
#include <vector>

#include "core/debug/origins/step_index.h"
#include "core/engine/trace/trace.h"

namespace ts {

struct NamedRegister {
  std::uint32_t tile = 0;
  DType lanes = DType::U8;  // of a mask: those that it is for
  TraceValue value;
  std::array<Definedness, VL> worth{};  // by byte of the register; of a mask by byte of its image
  std::uint32_t writer = 0;             // the step that made it
};

// Those that the region of vector instructions around the position has made so far, the last first. Between regions there
// are none.
std::vector<NamedRegister> named_registers(const Recording& recording, const StepIndex& index, const Memory& memory,
                                           std::uint32_t position);

}  // namespace ts
