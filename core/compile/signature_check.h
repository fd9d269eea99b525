// Operations that nobody emulates yet are still held to their signatures, as far as shapes tell.
#pragma once

#include "core/compile/compilation.h"
#include "core/compile/statements.h"
#include "core/text/ops/signature.h"

namespace ts {

// Tells what is wrong with an operation of the table; one message at most.
void check_signature(Compilation& c, const text::Op& op);
// The same; false: there was an error.
bool fits_signature(Compilation& c, const text::Op& op);

// Whether the operands of an operation of the cube core stand in its memories, as far as their types say; one message else.
bool check_locations(Compilation& c, const Statement& statement, const text::Signature& signature);

}  // namespace ts
