// Floats of 8 bits and less, by looking through all of their elements.
#pragma once

#include <cstdint>

#include "tests/oracle/number.h"

namespace ts::oracle {

// The number that the bits stand for; infinities and NaN as those of double.
double small_value(DType type, std::uint8_t bits);
// The element of this number. What rounds beyond the largest one, with as many exponents as it takes, becomes the largest
// one, or without `clamps` infinity (e4m3 has none: NaN). Infinity stays where the type has it.
std::uint8_t small_element(DType type, double value, Rounding rounding, bool clamps);

}  // namespace ts::oracle
