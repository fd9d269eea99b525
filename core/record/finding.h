// Something that is wrong or odd in a step: what a run finds by itself, and what checks over it find.
#pragma once

#include <cstdint>
#include <optional>

#include "core/isa/diagnostic.h"
#include "core/memory/memory.h"

namespace ts {

// An element of an operand of the step, or bytes beside all of them.
struct FoundElement {
  int operand = -1;                // index into the bound operands
  std::uint32_t row = 0, col = 0;  // of a view: col is the index in the buffer
  ByteRange place = {};
};

struct Finding {
  std::uint32_t step = 0;  // of what ended the program: the number of steps
  Diagnostic diagnostic = {};
  std::optional<FoundElement> element = {};  // the first that it is about
  FindingKind kind() const { return diagnostic.kind; }
};

}  // namespace ts
