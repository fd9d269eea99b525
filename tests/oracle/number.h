// Element arithmetic stated once more, the plain way: one element at a time, rounding by looking at what is left over.
// Shares nothing with the engine but the names of the element types.
#pragma once

#include <cstdint>

#include "core/isa/dtype.h"

namespace ts::oracle {

bool is_nan(DType type, std::uint64_t bits);
// The number that the bits of a float element stand for; not for NaN.
double float_value(DType type, std::uint64_t bits);
// The float element nearest to the value, ties to the even one; not for NaN. Beyond the largest: infinity.
std::uint64_t nearest_float(DType type, double value);

// a + b. Integers wrap. Floats: f32 rounds once; f16 and bf16 add in f32 and round once more. A NaN result is the first
// NaN operand with its quiet bit set, or the default NaN when no operand is one.
std::uint64_t add(DType type, std::uint64_t a, std::uint64_t b);

}  // namespace ts::oracle
