// Oracles of instructions whose result at (row, col) is a formula of what their inputs hold at (row, col); a scalar is the
// same everywhere. An oracle is then one line of a table: the inputs, the formula, how far the walk goes.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tests/oracle/effects.h"
#include "tests/oracle/number.h"

namespace ts::oracle {

inline constexpr DType kF32 = DType::F32;

// One element of the result and what the inputs hold for it, in their order.
struct Lane {
  const Bound& bound;
  DType type;  // of the result
  std::array<std::uint64_t, 3> in{};
};
using Formula = std::uint64_t (*)(const Lane&);

// Which columns of the valid rows are written.
enum class Columns : std::uint8_t {
  Valid,        // the valid ones
  Pairs,        // A2A3 computes bytes in pairs: the byte behind an odd number of them too
  OneRegister,  // 64-bit elements, option quirks.words64: the first 64 of them
};
struct Walk {
  Columns columns = Columns::Valid;
  bool a2a3_scratch = false;  // A2A3 leaves something in tmp
};
inline constexpr Walk kPairs{.columns = Columns::Pairs}, kOneRegister{.columns = Columns::OneRegister};
inline constexpr Walk kScratch{.a2a3_scratch = true}, kPairsAndScratch{.columns = Columns::Pairs, .a2a3_scratch = true};

inline constexpr const char* kTwoTiles[] = {"src0", "src1"};
inline constexpr const char* kOneTile[] = {"src"};
inline constexpr const char* kTileAndScalar[] = {"src", "scalar"};
inline constexpr const char* kScalarAndTile[] = {"scalar", "src"};

Effects elementwise(const Bound& bound, const Before& before, std::span<const char* const> inputs, Formula formula,
                    Walk walk);
template <const auto& Inputs, Formula formula, Walk walk = Walk{}>
Effects each(const Bound& bound, const Before& before) {
  return elementwise(bound, before, Inputs, formula, walk);
}

// Formulas that are one operation.
template <std::uint64_t (*op)(DType, std::uint64_t, std::uint64_t)>
std::uint64_t of_two(const Lane& lane) {
  return op(lane.type, lane.in[0], lane.in[1]);
}
template <std::uint64_t (*op)(DType, std::uint64_t)>
std::uint64_t of_one(const Lane& lane) {
  return op(lane.type, lane.in[0]);
}

// An input at (row, col): an element of a tile, or a scalar.
Origin input_origin(const Bound& bound, const char* input, std::uint32_t row, std::uint32_t col);
std::uint64_t input_bits(const Bound& bound, const Before& before, const Origin& origin);
// An element of a tile with its bits, made of nothing yet.
Element element_with(const char* operand, const TileRef& tile, std::uint32_t row, std::uint32_t col,
                     std::uint64_t bits);
// Nobody promises what A2A3 leaves in tmp. Nothing for an instruction that wrote nothing.
void leave_scratch(const Bound& bound, Effects& effects, bool on_both = false);
// The element (row, col) that an instruction leaves in a source that is its scratch (option sources.overwritten); nothing
// where the result stands in the same place.
void overwrite_source(const Bound& bound, Effects& effects, const char* operand, std::uint32_t row, std::uint32_t col,
                      std::uint64_t bits, std::span<const Origin> from);

// Attribute precision_mode, which A2A3 ignores.
bool high_precision(const Bound& bound);
// What an integer divided by zero gives: 64 bits: zero; the others as option arith.int_div_zero has it.
std::uint64_t by_zero(const Lane& lane);
std::uint64_t quotient(const Lane& lane, std::uint64_t a, std::uint64_t b);
// a * b + c: A5 rounds once; A2A3 the product, then the sum, unless option arith.a2a3_fused says otherwise. Of two tiles and
// dst A5 rounds f16 as A2A3 does, unless option arith.a5_fused says otherwise.
std::uint64_t multiply_add_tiles(const Bound& bound, DType type, std::uint64_t a, std::uint64_t b, std::uint64_t c);
std::uint64_t multiply_add(const Bound& bound, DType type, std::uint64_t a, std::uint64_t b, std::uint64_t c);
// An f32 as a narrower float, within its finite numbers. A5 makes NaN zero where it saturates.
std::uint64_t saturated(const Bound& bound, DType type, std::uint64_t bits, Rounding rounding);
std::uint64_t relu_of(const Lane& lane, std::uint64_t a);
std::uint64_t bit_and(DType type, std::uint64_t a, std::uint64_t b);
std::uint64_t bit_or(DType type, std::uint64_t a, std::uint64_t b);
std::uint64_t bit_xor(DType type, std::uint64_t a, std::uint64_t b);
// Shifts by a count of a type of its own, taken as unsigned once it has 64 bits. 64-bit elements and option
// arith.shift_count = modulo look at its low bits only.
std::uint64_t shifted_left(const Lane& lane, DType count_type);
std::uint64_t shifted_right(const Lane& lane, DType count_type);

}  // namespace ts::oracle
