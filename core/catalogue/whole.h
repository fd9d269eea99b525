// Instructions that leave nothing of what their results held.
#pragma once

#include "core/catalogue/row.h"

namespace ts {

// Whether it is known to write every element of its results' valid regions, whatever its operands are. False: it may leave
// some, or nobody has looked; with an option that asks for what the library does, none is known to.
bool writes_whole_results(const InstructionRow& row, const Options& options);

}  // namespace ts
