// The names of the value functions: what a micro-operation does with bytes and lanes. What they do is said once per SIMD
// level, in value_functions*.cpp and in the -inl.h files; machines ask for them by these names.
#pragma once

#include <cstdint>

namespace ts {

// Memory bytes to a register.
enum class LoadKind : std::uint8_t {
  Norm,       // byte k to byte k
  Broadcast,  // one element to every lane
  Unpack8,    // 128 bytes, each zero-extended to 16 bits
  Unpack16,   // 64 of 16 bits, each zero-extended to 32
  Some,       // the first `param` bytes; zero behind them
  Block,      // 32 bytes; what is behind them is nobody's
  BlockAll,   // one block, eight times
};
// To two registers: even lanes, odd lanes.
enum class Load2Kind : std::uint8_t { Deinterleaved };
// To a predicate.
enum class PredLoad : std::uint8_t {
  Norm,      // 32 bytes, bit for bit
  Unpacked,  // 16 bytes, every bit twice
  LaneBits,  // one bit for each lane
  Thinned,   // 64 bytes, every second bit
};
// A predicate to memory.
enum class PredStore : std::uint8_t {
  Norm,   // 32 bytes, bit for bit
  Pack,   // 16 bytes: every second bit
  Pack4,  // 8 bytes: every fourth bit
};

// Registers to a register. Bytes move, and nothing else.
enum class Move : std::uint8_t {
  Splice,     // the first `param` bytes of a, then b
  Drop,       // bytes from `param` on to the front
  PackHalf,   // the lower half of every lane, close together
  PackByte,   // the lowest byte of every lane, close together
  Lowest,     // the lowest lane in every lane
  Highest,    // the highest one
  WidenZero,  // the lanes of the lower half, zero-extended to twice the width
};
enum class Move2 : std::uint8_t { Deinterleave, Interleave };

// Every bit spread to two, of one half of them; every second bit, to one half.
enum class PredMove : std::uint8_t { UnpackLower, UnpackUpper, PackLower, PackUpper };
inline constexpr int kPredMoves = 4;
enum class PredMove2 : std::uint8_t {
  Interleave8,
  Interleave16,
  Interleave32,
  Deinterleave8,
  Deinterleave16,
  Deinterleave32
};
// clang-format off
enum class PredLogic : std::uint8_t {
  And, Or, Xor, Not,  // where the mask is on; off elsewhere
  Select,             // a where the mask is on, b elsewhere
};
// clang-format on

// What happens to 16 blocks that are turned over.
enum class TurnKind : std::uint8_t { Bytes, Halves, Words };

// Lane i of the result from lane i of one to three registers.
// clang-format off
enum class LaneOp : std::uint8_t {
  // Two operands.
  Add, Sub, Mul, Div, Max, Min, And, Or, Xor,
  Shl, Shr,              // a count of the width and more shifts everything out
  ShlModulo, ShrModulo,  // only the count's low bits are looked at
  FloorMod, FloorModZero,   // integers: the remainder with the divisor's sign; of a divisor of 0 all bits set, or 0
  MulHigh,               // 32 bits: the upper half of the product
  TruncMod,              // integers: the remainder with the dividend's sign
  ExactMod, ExactFloorMod,  // floats: the remainder as if computed without rounding, with the sign of dividend or divisor
  AddClamp, SubClamp,    // integers: clamped to what the type holds
  DivZero,               // integer division that gives 0 for a divisor of 0
  DivPlainNan,           // float division whose NaN results are the default NaN
  Power,                 // floats: correctly rounded, without special cases; integers: modulo 2^n
  Prelu,                 // a where it is not negative, else a * b
  // One operand.
  Abs, Neg, Not, Relu, ReluZero, Exp, ExpFlush, Ln, Sqrt, Rsqrt, Recip,
  RoundEven, RoundAway, RoundDown, RoundUp, RoundZero,  // to an integral value
  // Three operands: a * b + c, rounded once; narrow floats as f32, and once more.
  MulAdd,
};
// clang-format on

// What bits say of the order of two lanes.
enum class CompareOp : std::uint8_t { Eq, Ne, Lt, Le, Gt, Ge };

// Lanes of a register to few.
// clang-format off
enum class ReduceOp : std::uint8_t {
  Sum, Max, Min,
  Prod,  // of all lanes, one after the other; floats of 16 bits in f32, rounded once
};
// clang-format on
enum class ReduceScope : std::uint8_t {
  All,     // one result in lane 0; max and min give their lane's number in lane 1
  Groups,  // of each block: eight results in lanes 0..7
  Pairs,   // neighbours: half as many results
};
enum class SumOrder : std::uint8_t { Tree, Sequential, Double };

enum class Rounding : std::uint8_t { Even, Away, Down, Up, Zero, Odd };
// What becomes of values that the result's type does not hold.
enum class Overflow : std::uint8_t {
  Wrap,  // integers keep the low bits, those of the limits of i32 (or i64) for infinities; floats become infinite
  WrapInfZero,  // the low bits of the integer itself; infinities give 0
  Clamp,        // the nearest value that the type holds; infinities stay in floats, NaN is 0 in integers
  ClampInf,     // the same, but infinities become the largest float
  ClampAll,     // the same, and NaN becomes 0
};
// How a register is converted: lane i to or from lane `ratio * i + part` of the narrower type.
struct Conversion {
  Rounding rounding = Rounding::Even;
  Overflow overflow = Overflow::Wrap;
  std::uint8_t part = 0;
};

}  // namespace ts
