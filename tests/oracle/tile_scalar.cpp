// A tile and a scalar, element by element: dst[r][c] = f(src[r][c], scalar), for the simple f. texpands has its own file,
// remainders and powers too.
#include "tests/oracle/elementwise.h"

namespace ts::oracle {
namespace {

constexpr const char* kTileAndCount[] = {"src", "count"};
constexpr const char* kTileAndSlope[] = {"src", "slope"};
constexpr const char* kTileScalarTile[] = {"src0", "scalar", "src1"};
constexpr const char* kTileScalarResult[] = {"src", "scalar", "dst"};

// Option quirks.tsubs: A2A3 adds the scalar's negative, which was an f32 on the way.
std::uint64_t tsubs(const Lane& lane) {
  const bool by_float = lane.bound.target == Target::A2A3 && lane.bound.options->quirk_tsubs && lane.type == DType::I32;
  // The scalar's negative is added: of a NaN, too.
  if (!by_float)
    return is_float(lane.type) ? add(lane.type, lane.in[0], lane.in[1] ^ 1ull << (8 * size_bytes(lane.type) - 1))
                               : sub(lane.type, lane.in[0], lane.in[1]);
  const std::uint64_t negative =
      neg(DType::F32, convert(DType::F32, DType::I32, lane.in[1], Rounding::NearestEven, Overflow::Wrap));
  return add(DType::I32, lane.in[0],
             convert(DType::I32, DType::F32, negative, Rounding::TowardZero, Overflow::Saturate));
}

// The high-precision division takes every NaN for the default one.
std::uint64_t divided(const Lane& lane, std::uint64_t a, std::uint64_t b) {
  const std::uint64_t result = quotient(lane, a, b);
  return high_precision(lane.bound) && is_nan(lane.type, result) ? default_nan(lane.type) : result;
}

// Option quirks.tdivs: in place, A2A3 multiplies by the reciprocal, an f32 rounded to the type.
std::uint64_t tdivs_forward(const Lane& lane) {
  const Bound& bound = lane.bound;
  const bool in_place = bound.tile("src").address == bound.tile("dst").address;
  if (bound.target != Target::A2A3 || !bound.options->quirk_tdivs || !is_float(lane.type) || !in_place)
    return divided(lane, lane.in[0], lane.in[1]);
  const DType f32 = DType::F32;
  const std::uint64_t divisor = convert(f32, lane.type, lane.in[1], Rounding::NearestEven, Overflow::Wrap);
  return mul(lane.type, lane.in[0],
             convert(lane.type, f32, div(f32, one(f32), divisor), Rounding::NearestEven, Overflow::Wrap));
}
std::uint64_t tdivs_reversed(const Lane& lane) { return divided(lane, lane.in[0], lane.in[1]); }

Effects tdivs(const Bound& bound, const Before& before) {
  const Walk walk{.columns = Columns::OneRegister};
  const bool reversed = bound.operands.front().spec->kind == OperandKind::Scalar;
  return reversed ? elementwise(bound, before, kScalarAndTile, tdivs_reversed, walk)
                  : elementwise(bound, before, kTileAndScalar, tdivs_forward, walk);
}

DType count_type(const Lane& lane) { return lane.bound.scalar("count").dtype; }
std::uint64_t tshls(const Lane& lane) { return shifted_left(lane, count_type(lane)); }
std::uint64_t tshrs(const Lane& lane) { return shifted_right(lane, count_type(lane)); }

// The slope comes as an f32. -0 is not less than 0, so it is kept.
std::uint64_t tlrelu(const Lane& lane) {
  const std::uint64_t value = lane.in[0];
  const std::uint64_t slope =
      convert(lane.type, lane.bound.scalar("slope").dtype, lane.in[1], Rounding::NearestEven, Overflow::Wrap);
  const bool kept = !is_nan(lane.type, value) && !less(lane.type, value, 0);
  return kept ? value : mul(lane.type, value, slope);
}

// dst may be f32 where src and the scalar are f16.
std::uint64_t taxpy(const Lane& lane) {
  const auto wide = [&](DType from, std::uint64_t bits) {
    return convert(lane.type, from, bits, Rounding::NearestEven, Overflow::Wrap);
  };
  const DType src = lane.bound.tile("src").type.dtype, scalar = lane.bound.scalar("scalar").dtype;
  const std::uint64_t a = src == lane.type ? lane.in[0] : wide(src, lane.in[0]),
                      b = scalar == lane.type ? lane.in[1] : wide(scalar, lane.in[1]);
  return multiply_add(lane.bound, lane.type, a, b, lane.in[2]);
}

// Left to right, each step rounded.
std::uint64_t taddsc(const Lane& lane) { return add(lane.type, add(lane.type, lane.in[0], lane.in[1]), lane.in[2]); }
std::uint64_t tsubsc(const Lane& lane) { return add(lane.type, sub(lane.type, lane.in[0], lane.in[1]), lane.in[2]); }

const Oracles tile_scalar_oracles{
    {"tadds", each<kTileAndScalar, of_two<add>, kOneRegister>},
    {"tsubs", each<kTileAndScalar, tsubs, kOneRegister>},
    {"tmuls", each<kTileAndScalar, of_two<mul>, kOneRegister>},
    {"tdivs", tdivs},
    {"tmaxs", each<kTileAndScalar, of_two<max>, kOneRegister>},
    {"tmins", each<kTileAndScalar, of_two<min>, kOneRegister>},
    {"tands", each<kTileAndScalar, of_two<bit_and>, kPairs>},
    {"tors", each<kTileAndScalar, of_two<bit_or>, kPairs>},
    {"txors", each<kTileAndScalar, of_two<bit_xor>, kPairsAndScratch>},
    {"tshls", each<kTileAndCount, tshls, kOneRegister>},
    {"tshrs", each<kTileAndCount, tshrs, kOneRegister>},
    {"tlrelu", each<kTileAndSlope, tlrelu>},
    {"taxpy", each<kTileScalarResult, taxpy>},
    {"taddsc", each<kTileScalarTile, taddsc>},
    {"tsubsc", each<kTileScalarTile, tsubsc>},
};

}  // namespace
}  // namespace ts::oracle
