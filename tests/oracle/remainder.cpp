// Remainders, by a tile and by a scalar. The floor kind (trem, trems) has the sign of the divisor, the other (tfmod, tfmods)
// that of the dividend. Floats: not the exact remainder, but a - q * b with q the rounded quotient made whole, every step
// rounded; the exact one only with high precision. trem and A2A3's trems then add the divisor where the sign is wrong.
#include "tests/oracle/elementwise.h"

namespace ts::oracle {
namespace {

constexpr DType kI32 = DType::I32;

std::uint64_t to_f32(DType from, std::uint64_t bits) {
  return convert(kF32, from, bits, Rounding::NearestEven, Overflow::Wrap);
}
std::uint64_t to_i32(std::uint64_t f32, Rounding rounding) {
  return convert(kI32, kF32, f32, rounding, Overflow::Saturate);
}

std::uint64_t by_quotient(std::uint64_t a, std::uint64_t b, Rounding whole) {
  return sub(kF32, a, mul(kF32, integral(kF32, div(kF32, a, b), whole), b));
}

bool sign_is_wrong(DType type, std::uint64_t rest, std::uint64_t b) { return less(type, mul(type, rest, b), 0); }
std::uint64_t with_sign_of(DType type, std::uint64_t b, std::uint64_t rest) {
  return sign_is_wrong(type, rest, b) ? add(type, rest, b) : rest;
}

// Before a sign is set right. f16: in f32, brought back towards zero within the finite numbers.
std::uint64_t float_rest(const Lane& lane, Rounding whole) {
  const std::uint64_t a = lane.in[0], b = lane.in[1];
  if (lane.type != kF32)
    return saturated(lane.bound, lane.type, by_quotient(to_f32(lane.type, a), to_f32(lane.type, b), whole),
                     Rounding::TowardZero);
  return high_precision(lane.bound) ? trunc_mod(kF32, a, b) : by_quotient(a, b, whole);
}

// What A2A3's i32 steps make of their operands on the way: an f32, and back.
std::uint64_t through_f32(std::uint64_t i32) { return to_i32(to_f32(kI32, i32), Rounding::NearestEven); }

// A2A3, i32: the quotient is one of f32, a - q * b is one of i32, and the sign is set right as f32 again.
std::uint64_t i32_rest(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t whole = to_i32(div(kF32, to_f32(kI32, a), to_f32(kI32, b)), Rounding::Down);
  return to_f32(kI32, sub(kI32, through_f32(a), mul(kI32, whole, b)));
}

// A5 has integer operations. 64 bits: the sign of the dividend.
std::uint64_t a5_integer_rem(const Lane& lane) {
  const auto rest = size_bytes(lane.type) == 8 ? trunc_mod : floor_mod;
  return rest(lane.type, lane.in[0], lane.in[1], by_zero(lane));
}

std::uint64_t trem(const Lane& lane) {
  if (is_float(lane.type)) return with_sign_of(lane.type, lane.in[1], float_rest(lane, Rounding::Down));
  if (lane.bound.target == Target::A5) return a5_integer_rem(lane);
  const std::uint64_t b = through_f32(lane.in[1]);
  return to_i32(with_sign_of(kF32, to_f32(kI32, b), i32_rest(lane.in[0], b)), Rounding::NearestEven);
}

// Integers (A5): a - q * b, so a where b is 0.
std::uint64_t tfmod(const Lane& lane) {
  return is_float(lane.type) ? float_rest(lane, Rounding::TowardZero)
                             : trunc_mod(lane.type, lane.in[0], lane.in[1], lane.in[0]);
}

std::uint64_t a5_trems(const Lane& lane) {
  if (!is_float(lane.type)) return a5_integer_rem(lane);
  const std::uint64_t rest = float_rest(lane, Rounding::Down);
  return high_precision(lane.bound) && lane.type == kF32 ? with_sign_of(kF32, lane.in[1], rest) : rest;
}

// A2A3's i32 steps leave a source as the f32 on the way made it.
void overwrite_dividends(const Bound& bound, const Before& before, const char* operand, Effects& effects) {
  const TileRef& dst = bound.tile("dst");
  if (bound.target != Target::A2A3 || dst.type.dtype != kI32) return;
  Effects sources;
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    for (std::uint32_t col = 0; col < dst.valid_cols; ++col) {
      const Origin from[] = {input_origin(bound, operand, row, col)};
      overwrite_source(bound, sources, operand, row, col, through_f32(before.read(from[0].place)), from);
    }
  }
  effects.written.insert(effects.written.begin(), sources.written.begin(), sources.written.end());
}

// One column of A2A3's trems before its sign is set right, as a float.
std::uint64_t a2a3_trems_rest(const Bound& bound, const Before& before, std::uint32_t row, std::uint32_t col) {
  const std::uint64_t a = before.read(element_place(bound.tile("src"), row, col)), b = bound.scalar("scalar").bits;
  return bound.tile("dst").type.dtype == kI32 ? i32_rest(a, low_bits(kI32, b)) : by_quotient(a, b, Rounding::Down);
}

// Option quirks.trems: whether the divisor is added is decided by the column's place among 64, in the first 64.
Effects a2a3_trems(const Bound& bound, const Before& before) {
  const TileRef &dst = bound.tile("dst"), &src = bound.tile("src");
  const bool integers = dst.type.dtype == kI32;
  const std::uint64_t scalar = low_bits(dst.type.dtype, bound.scalar("scalar").bits),
                      b = integers ? to_f32(kI32, scalar) : scalar;
  Effects effects;
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    for (std::uint32_t col = 0; col < dst.valid_cols; ++col) {
      const std::uint32_t decider = bound.options->quirk_trems ? col % 64 : col;
      std::uint64_t rest = a2a3_trems_rest(bound, before, row, col);
      if (sign_is_wrong(kF32, a2a3_trems_rest(bound, before, row, decider), b)) rest = add(kF32, rest, b);
      Element element = element_with("dst", dst, row, col, integers ? to_i32(rest, Rounding::NearestEven) : rest);
      element.made_of(element_origin("src", src, row, col));
      if (decider != col) element.made_of(element_origin("src", src, row, decider));
      element.made_of(input_origin(bound, "scalar", row, col));
      effects.written.push_back(element);
    }
  }
  leave_scratch(bound, effects);
  overwrite_dividends(bound, before, "src", effects);
  return effects;
}

Effects trem_tiles(const Bound& bound, const Before& before) {
  Effects effects =
      elementwise(bound, before, kTwoTiles, trem, {.columns = Columns::OneRegister, .a2a3_scratch = true});
  overwrite_dividends(bound, before, "src1", effects);
  overwrite_dividends(bound, before, "src0", effects);
  return effects;
}

Effects trems(const Bound& bound, const Before& before) {
  if (bound.target == Target::A2A3) return a2a3_trems(bound, before);
  return elementwise(bound, before, kTileAndScalar, a5_trems, {.columns = Columns::OneRegister, .a2a3_scratch = false});
}

const Oracles remainder_oracles{
    {"trem", trem_tiles},
    {"trems", trems},
    {"tfmod", each<kTwoTiles, tfmod>},
    {"tfmods", each<kTileAndScalar, tfmod>},
};

}  // namespace
}  // namespace ts::oracle
