// Operations that nobody emulates yet are still held to their signatures, as far as shapes tell.
#pragma once

#include "core/compile/compilation.h"

namespace ts {

// Tells what is wrong with an operation of the table; one message at most.
void check_signature(Compilation& c, const text::Op& op);

}  // namespace ts
