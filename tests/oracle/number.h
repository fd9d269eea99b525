// Element arithmetic stated once more, the plain way: one element at a time, rounding by looking at what is left over.
// Shares nothing with the engine but the names of the element types. An element is given by its bits, in the low bytes.
//
// Floats: f32 rounds once; f16 and bf16 compute in f32 and round once more. A NaN result is the first NaN operand with its
// quiet bit set, or the default NaN when no operand is one. Integers wrap.
#pragma once

#include <cstdint>

#include "core/isa/dtype.h"

namespace ts::oracle {

// What becomes of a value between two elements. ToOdd: the one towards zero, with its last bit set.
enum class Rounding : std::uint8_t { NearestEven, NearestAway, Down, Up, TowardZero, ToOdd };
// What becomes of a value beyond the last element. Wrap: integers keep low bits, floats become infinite as their rounding
// has it. Saturate: the last element.
enum class Overflow : std::uint8_t { Wrap, Saturate };

// What bits stand for.
bool is_nan(DType type, std::uint64_t bits);  // false for integers
bool is_infinite(DType type, std::uint64_t bits);
// The number that the bits of a float element stand for; not for NaN.
double float_value(DType type, std::uint64_t bits);
// The number that an integer element stands for, as a double: exact up to 32 bits.
double int_value(DType type, std::uint64_t bits);
// The bits of an integer element, sign- or zero-extended to 64.
std::uint64_t extended(DType type, std::uint64_t bits);

// Bits of elements.
std::uint64_t quieted(DType type, std::uint64_t nan);
std::uint64_t default_nan(DType type);
std::uint64_t infinity(DType type);  // +infinity
std::uint64_t largest(DType type);   // the largest finite element
std::uint64_t lowest(DType type);    // the most negative finite element; 0 for unsigned ones
std::uint64_t sign_bit(DType type);
std::uint64_t one(DType type);
std::uint64_t low_bits(DType type, std::uint64_t bits);  // what an element of this type keeps of them
// The float element nearest to the value, ties to the even one; not for NaN. Beyond the largest: infinity.
std::uint64_t nearest_float(DType type, double value);
std::uint64_t rounded_float(DType type, double value, Rounding rounding, Overflow overflow = Overflow::Wrap);

// What makes one element of two.
using Binary = std::uint64_t (*)(DType, std::uint64_t, std::uint64_t);
std::uint64_t add(DType type, std::uint64_t a, std::uint64_t b);
std::uint64_t sub(DType type, std::uint64_t a, std::uint64_t b);
std::uint64_t mul(DType type, std::uint64_t a, std::uint64_t b);
// Integers divide towards zero; by zero they give `by_zero` (all of its bits that the type has); the most negative one
// divided by -1 is itself.
std::uint64_t div(DType type, std::uint64_t a, std::uint64_t b, std::uint64_t by_zero = ~0ull);
// a * b + c. Floats round once (f16 and bf16: to f32, and once more); NaNs count in the order a, b, c.
std::uint64_t fma(DType type, std::uint64_t a, std::uint64_t b, std::uint64_t c);
// A NaN wins, and -0 is less than +0.
std::uint64_t max(DType type, std::uint64_t a, std::uint64_t b);
std::uint64_t min(DType type, std::uint64_t a, std::uint64_t b);
// a < b; -0 equals +0; false with a NaN.
bool less(DType type, std::uint64_t a, std::uint64_t b);
// Floats: clears the sign bit and nothing else. Integers: the most negative one stays.
std::uint64_t abs(DType type, std::uint64_t a);
// a * -1: changes the sign, of all but NaN.
std::uint64_t neg(DType type, std::uint64_t a);
// max(a, +0), for signed integers and floats; -0 becomes +0.
std::uint64_t relu(DType type, std::uint64_t a, bool nan_is_zero);
// What the quotient rounded towards zero leaves (sign of a), exact. Integers by zero: `by_zero`. Floats: by zero, or of
// infinity, default NaN; by infinity, a itself.
std::uint64_t trunc_mod(DType type, std::uint64_t a, std::uint64_t b, std::uint64_t by_zero = ~0ull);
// What the quotient rounded down leaves (sign of b); integers.
std::uint64_t floor_mod(DType type, std::uint64_t a, std::uint64_t b, std::uint64_t by_zero = ~0ull);
// Integers, count unsigned; a count of the width and more shifts everything out (right, signed: fills with the sign).
std::uint64_t shift_left(DType type, std::uint64_t a, std::uint64_t count);
std::uint64_t shift_right(DType type, std::uint64_t a, std::uint64_t count);

// Floats, rounded once to the type from (nearly) exact. flush: results below the smallest normal one are zero.
std::uint64_t exp(DType type, std::uint64_t a, bool flush = false);
std::uint64_t log(DType type, std::uint64_t a);
std::uint64_t sqrt(DType type, std::uint64_t a);
std::uint64_t reciprocal_sqrt(DType type, std::uint64_t a);  // 1 / sqrt(a) in one rounding; 1 / -0 is -infinity
// a^b for a finite a > 0 and any b but NaN.
std::uint64_t power(DType type, std::uint64_t a, std::uint64_t b);

// The whole number next to a float, as an element of its type; keeps the sign of zero, quiets NaN.
std::uint64_t integral(DType type, std::uint64_t a, Rounding rounding);
// An element as one of another type (or the same).
// To float: rounds; Saturate: what is beyond the largest element, infinity too, becomes the largest. A NaN becomes the
// default NaN, but for f16 to f32, where it is quieted and keeps sign and payload, and bf16 to f32, which appends zeros.
// Float to integer: rounds; NaN is 0. Saturate: clamps. Wrap: to 8 and 16 bits the low bits, to 32 bits those of what 64 bits
// clamp to, 64 bits clamp; +infinity gives all ones, -infinity 0.
// Integer to integer: clamps, or keeps the low bits.
std::uint64_t convert(DType to, DType from, std::uint64_t bits, Rounding rounding, Overflow overflow);
// Float to float: what rounds beyond the largest element, with as many exponents as it takes, becomes `beyond` with its sign,
// whatever the rounding; infinity stays.
std::uint64_t narrowed(DType to, DType from, std::uint64_t bits, Rounding rounding, std::uint64_t beyond);

}  // namespace ts::oracle
