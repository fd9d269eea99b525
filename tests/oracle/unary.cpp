// One tile, element by element: dst[r][c] = f(src[r][c]).
#include "tests/oracle/elementwise.h"

namespace ts::oracle {
namespace {

std::uint64_t tnot(const Lane& lane) { return low_bits(lane.type, ~lane.in[0]); }

// Option arith.exp_subnormal; the high-precision steps keep what is below the smallest normal number.
std::uint64_t texp(const Lane& lane) {
  return exp(lane.type, lane.in[0], lane.bound.options->exp_flush && !high_precision(lane.bound));
}

// A5, and A2A3 with a tmp, take the root and then divide 1 by it, two roundings.
std::uint64_t trsqrt(const Lane& lane) {
  const bool two_steps = lane.bound.target == Target::A5 ? !high_precision(lane.bound) : lane.bound.has("tmp");
  return two_steps ? div(lane.type, one(lane.type), sqrt(lane.type, lane.in[0]))
                   : reciprocal_sqrt(lane.type, lane.in[0]);
}

// The high-precision division takes every NaN for the default one.
std::uint64_t trecip(const Lane& lane) {
  const std::uint64_t result = quotient(lane, one(lane.type), lane.in[0]);
  return high_precision(lane.bound) && is_nan(lane.type, result) ? default_nan(lane.type) : result;
}

std::uint64_t trelu(const Lane& lane) { return relu_of(lane, lane.in[0]); }

const Oracles unary_oracles{
    {"tabs", each<kOneTile, of_one<abs>>},
    {"tneg", each<kOneTile, of_one<neg>, kOneRegister>},
    {"tnot", each<kOneTile, tnot, kPairs>},
    {"texp", each<kOneTile, texp>},
    {"tlog", each<kOneTile, of_one<log>>},
    {"tsqrt", each<kOneTile, of_one<sqrt>>},
    {"trsqrt", each<kOneTile, trsqrt, kScratch>},
    {"trecip", each<kOneTile, trecip, kOneRegister>},
    {"trelu", each<kOneTile, trelu>},
};

}  // namespace
}  // namespace ts::oracle
