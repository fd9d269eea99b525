// Rules of the queues between the cores that need more than one operation: who sets a queue up, what it takes, and
// whether the two sides agree.
#pragma once

#include "core/compile/compilation.h"

namespace ts {

// Of the queues of one function, once it was compiled.
void check_queues(Compilation& c, const text::Op& function);

}  // namespace ts
