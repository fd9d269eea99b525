// What stands in the indices of random instructions: most bits mean nothing as one; and in lists that are to be sorted.
#pragma once

#include <functional>

#include "core/program/program.h"
#include "tests/support/random.h"

namespace ts::test {

// An instruction with such operands comes alone in its program, or a result of another would lie over them.
bool takes_indices(const InstructionRow& row);
// For every instruction of the program; set(place, bits) writes an element of UB.
void draw_indices(const Program& program, Random& random,
                  const std::function<void(const ByteRange&, std::uint64_t)>& set);

}  // namespace ts::test
