// Two or three tiles, element by element: dst[r][c] = f(src0[r][c], src1[r][c]), for the simple f.
// Remainders and powers stand in files of their own, and tadd too.
#include "tests/oracle/elementwise.h"

namespace ts::oracle {
namespace {

constexpr const char* kValueAndCount[] = {"src", "count"};
constexpr const char* kValueAndSlope[] = {"src", "slope"};
constexpr const char* kThreeTiles[] = {"src0", "src1", "src2"};
constexpr const char* kTwoTilesAndResult[] = {"src0", "src1", "dst"};

// The high-precision division takes every NaN for the default one, but in f32.
std::uint64_t tdiv(const Lane& lane) {
  const std::uint64_t result = quotient(lane, lane.in[0], lane.in[1]);
  return high_precision(lane.bound) && lane.type != DType::F32 && is_nan(lane.type, result) ? default_nan(lane.type)
                                                                                            : result;
}

std::uint64_t tshl(const Lane& lane) { return shifted_left(lane, lane.type); }
std::uint64_t tshr(const Lane& lane) { return shifted_right(lane, lane.type); }

// Left to right, each step rounded.
std::uint64_t taddc(const Lane& lane) { return add(lane.type, add(lane.type, lane.in[0], lane.in[1]), lane.in[2]); }
std::uint64_t tsubc(const Lane& lane) { return add(lane.type, sub(lane.type, lane.in[0], lane.in[1]), lane.in[2]); }

std::uint64_t tsubrelu(const Lane& lane) { return relu_of(lane, sub(lane.type, lane.in[0], lane.in[1])); }

std::uint64_t tfusedmuladd(const Lane& lane) {
  return multiply_add_tiles(lane.bound, lane.type, lane.in[0], lane.in[2], lane.in[1]);
}
std::uint64_t tfusedmuladdrelu(const Lane& lane) { return relu_of(lane, tfusedmuladd(lane)); }
std::uint64_t tmuladddst(const Lane& lane) {
  return multiply_add_tiles(lane.bound, lane.type, lane.in[0], lane.in[1], lane.in[2]);
}

// relu(a), converted to the narrower type: f16 to the nearest, i8 clamped. A5 takes the maximum with 0: NaN stays whatever
// the option arith.relu_nan.
std::uint64_t narrowed_relu(const Lane& lane, DType from, std::uint64_t a) {
  const bool nan_is_zero = lane.bound.target == Target::A2A3 && lane.bound.options->relu_of_nan != 0;
  const Overflow overflow = lane.type == DType::F16 ? Overflow::Wrap : Overflow::Saturate;
  return convert(lane.type, from, relu(from, a, nan_is_zero), Rounding::NearestEven, overflow);
}
// i16 in 32 bits, unless option treluconv.i16 = wrap.
template <std::uint64_t (*op)(DType, std::uint64_t, std::uint64_t)>
std::uint64_t relu_conv(const Lane& lane) {
  const DType from = lane.bound.tile("src0").type.dtype;
  if (from != DType::I16 || lane.bound.options->reluconv_wrap)
    return narrowed_relu(lane, from, op(from, lane.in[0], lane.in[1]));
  const auto wide = [](std::uint64_t bits) {
    return convert(DType::I32, DType::I16, bits, Rounding::NearestEven, Overflow::Saturate);
  };
  return narrowed_relu(lane, DType::I32, op(DType::I32, wide(lane.in[0]), wide(lane.in[1])));
}

// A2A3 multiplies, compares src with 0 and selects: -0 counts as not positive. A5 has an operation: -0 is kept. On A2A3 src
// decides, and what is selected comes from it alone where it is positive.
Effects tprelu(const Bound& bound, const Before& before) {
  const auto formula = [](const Lane& lane) {
    const std::uint64_t zero = 0, value = lane.in[0];
    const bool kept = lane.bound.target == Target::A2A3 ? less(lane.type, zero, value)
                                                        : !is_nan(lane.type, value) && !less(lane.type, value, zero);
    return kept ? value : mul(lane.type, value, lane.in[1]);
  };
  Effects effects =
      elementwise(bound, before, kValueAndSlope, formula, {.columns = Columns::Valid, .a2a3_scratch = true});
  if (bound.target != Target::A2A3) return effects;
  for (Element& element : effects.written) {
    Origin decider = element.from[0];
    decider.kind = Origin::Kind::Decider;
    if (less(bound.tile("dst").type.dtype, 0, before.read(element.from[0].place))) element.from.pop_back();
    element.made_of(decider);
  }
  return effects;
}

// f16(max((src0 + src1) * 2^-17 * scale * 2^17, 0)) in steps of f32. A2A3 leaves the scaled sum in src0 and the maximum,
// as f32 both, in src1.
Effects tadddeqrelu(const Bound& bound, const Before& before) {
  const TileRef& dst = bound.tile("dst");
  const DType f32 = DType::F32;
  const auto power_of_two = [](int exponent) { return static_cast<std::uint64_t>(127 + exponent) << 23; };
  Effects effects;
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    for (std::uint32_t col = 0; col < dst.valid_cols; ++col) {
      const Origin from[] = {input_origin(bound, "src0", row, col), input_origin(bound, "src1", row, col),
                             input_origin(bound, "scale", row, col)};
      const std::uint64_t sum = add(DType::I32, before.read(from[0].place), before.read(from[1].place));
      std::uint64_t scaled = convert(f32, DType::I32, sum, Rounding::NearestEven, Overflow::Wrap);
      for (const std::uint64_t factor : {power_of_two(-17), input_bits(bound, before, from[2]), power_of_two(17)})
        scaled = mul(f32, scaled, factor);
      const std::uint64_t kept = max(f32, scaled, 0);
      if (bound.target == Target::A2A3) {
        overwrite_source(bound, effects, "src0", row, col, scaled, from);
        overwrite_source(bound, effects, "src1", row, col, kept, from);
      }
      Element element = element_with("dst", dst, row, col, saturated(bound, DType::F16, kept, Rounding::NearestEven));
      if (bound.options->deqrelu_inf)
        element.bits = convert(DType::F16, f32, kept, Rounding::NearestEven, Overflow::Wrap);
      for (const Origin& origin : from) element.made_of(origin);
      effects.written.push_back(element);
    }
  }
  leave_scratch(bound, effects);
  return effects;
}

const Oracles tile_tile_oracles{
    {"tsub", each<kTwoTiles, of_two<sub>>},
    {"tmul", each<kTwoTiles, of_two<mul>>},
    {"tdiv", each<kTwoTiles, tdiv, kOneRegister>},
    {"tmax", each<kTwoTiles, of_two<max>>},
    {"tmin", each<kTwoTiles, of_two<min>>},
    {"tand", each<kTwoTiles, of_two<bit_and>, kPairs>},
    {"tor", each<kTwoTiles, of_two<bit_or>, kPairs>},
    {"txor", each<kTwoTiles, of_two<bit_xor>, kPairsAndScratch>},
    {"tshl", each<kValueAndCount, tshl>},
    {"tshr", each<kValueAndCount, tshr>},
    {"tprelu", tprelu},
    {"taddc", each<kThreeTiles, taddc>},
    {"tsubc", each<kThreeTiles, tsubc>},
    {"tsubrelu", each<kTwoTiles, tsubrelu>},
    {"taddreluconv", each<kTwoTiles, relu_conv<add>>},
    {"tsubreluconv", each<kTwoTiles, relu_conv<sub>>},
    {"tadddeqrelu", tadddeqrelu},
    {"tfusedmuladd", each<kTwoTilesAndResult, tfusedmuladd>},
    {"tfusedmuladdrelu", each<kTwoTilesAndResult, tfusedmuladdrelu>},
    {"tmuladddst", each<kTwoTilesAndResult, tmuladddst>},
};

}  // namespace
}  // namespace ts::oracle
