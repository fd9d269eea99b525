// Lane operations in double precision, for the tag machine's shadows.
#pragma once

#include "core/engine/value_kinds.h"
#include "core/isa/dtype.h"

namespace ts {

// Whether a float result of the operation is computed: what only moves or inverts bits is its own shadow.
bool has_shadow(LaneOp op, DType type);
// Operands beyond the operation's number are not looked at.
double lane_shadow(LaneOp op, double a, double b, double c);

}  // namespace ts
