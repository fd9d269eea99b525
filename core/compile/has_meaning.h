// Which operations are emulated, as far as their names tell.
#pragma once

#include "core/text/ops/op_table.h"

namespace ts {

// Whether an operation means something to a run, and is not only held to its signature; of instructions not with every
// element type.
bool has_meaning(text::OpCode code);

}  // namespace ts
