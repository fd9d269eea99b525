// Micro-operations as lines of text.
#pragma once

#include <cstddef>
#include <cstdio>

#include "core/record/inspector.h"

namespace ts {

// The micro-operations of a step, at most `most` of them; with `values` also what each of them made. Nothing for steps that
// have none.
void print_trace(std::FILE* out, const Recording& recording, Inspector& inspector, std::uint32_t step, std::size_t most,
                 bool values);

}  // namespace ts
