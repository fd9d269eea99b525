// Scratch that an instruction needs and that nobody named.
#pragma once

#include <span>
#include <vector>

#include "core/catalogue/row.h"

namespace ts {

struct LeftOut {
  const OperandSpec* spec;
  TileType type;
};

// Of an instruction with these operands. `widest` has every tile as large as it can be: enough for all that the scratch
// must hold.
std::vector<LeftOut> scratch_left_out(const Bound& widest);

}  // namespace ts
