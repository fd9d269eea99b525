// An element of an operand of a step: what searches find, and where stops point.
#pragma once

#include <cstdint>

#include "core/memory/memory.h"

namespace ts {

struct Cell {
  int operand = -1;  // index into the bound operands; -1: bytes of no operand
  std::uint32_t row = 0, col = 0;
  ByteRange place;
};

}  // namespace ts
