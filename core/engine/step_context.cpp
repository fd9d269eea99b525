// Faults as text.
#include "core/engine/step_context.h"

#include <fmt/format.h>

namespace ts {

std::string Fault::rule() const { return misaligned ? "MEM-ALIGN" : "MEM-BOUNDS"; }

std::string Fault::text() const {
  if (misaligned)
    return fmt::format("{} at {} 0x{:x} is not {}-byte aligned", op->name, name(space), address, alignment);
  return fmt::format("{} of {} bytes at {} 0x{:x} reaches past the end of {}", op->name, size, name(space), address,
                     name(space));
}

}  // namespace ts
