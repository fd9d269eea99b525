// What a sum becomes on its way out of the accumulator, one sum at a time.
#pragma once

#include <cstdint>

#include "tests/oracle/work.h"

namespace ts::oracle {

// Sum (row, col) of `src` as an element of type `to`: times its factor where the instruction has one, at least 0 with relu,
// no more than the type holds, rounded. Columns of factors count from `first_col` on.
Value through_fixpipe(const Work& work, const Bound& bound, DType to, std::uint32_t row, std::uint32_t col,
                      std::uint32_t first_col = 0);

}  // namespace ts::oracle
