// Which operations are emulated, as far as their names tell.
#pragma once

#include "core/isa/dtype.h"
#include "core/text/ops/op_table.h"

namespace ts {

// Whether an operation means something to a run, and is not only held to its signature; of instructions not with every
// element type.
bool has_meaning(text::OpCode code);

// Of a micro-instruction that is a step: the lanes it may have, of a mask's those that the mask is for. Else none.
DTypeSet micro_types(text::OpCode code);
// Whether it is of a stream of stores that counts in AR.
bool is_counted_stream(text::OpCode code);

}  // namespace ts
