// TQUANT.MX where exponents turn: powers of two and what is beside them, zeros, denormal numbers, infinities, NaN.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/instructions/stage.h"

namespace ts::test {
namespace {

constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN(), kEndless = std::numeric_limits<float>::infinity();

struct Shared {
  std::uint64_t exponent;
  float scale;
  std::vector<std::uint64_t> elements;  // as many as there were values
};

// What a group of these values and zeros becomes: as a row, and as a column.
Shared shared(const char* how, const std::vector<float>& values) {
  Shared found;
  Random random(2601);
  Stage stage(Target::A5);
  for (const bool down : {false, true}) {
    const std::uint32_t rows = down ? 32 : 1, cols = down ? 1 : 32;
    const auto tile = [&](DType type, bool one) {
      const auto r = static_cast<std::int32_t>(one ? 1 : rows), c = static_cast<std::int32_t>(one ? 1 : cols);
      return vec_tile(type, static_cast<std::uint32_t>(r), 32, r, c);
    };
    ProgramBuilder builder(Target::A5, "group");
    builder.add("tquant.mx", {builder.tile("src", tile(DType::F32, false))},
                {builder.tile("dst", tile(DType::F8E4M3, false)), builder.tile("exponents", tile(DType::E8M0, true)),
                 builder.tile("max", tile(DType::F32, true)), builder.tile("scaling", tile(DType::F32, true))},
                {{"quantScaleAlg", how}, {"grpAxis", down ? "0" : "1"}});
    const Program program = build(builder);
    stage.fill(program, random, Values::Plain);
    const Bound bound = bound_of(program, 0);
    for (std::uint32_t i = 0; i < 32; ++i)
      stage.set_element(bound.tile("src"), down ? i : 0, down ? 0 : i,
                        std::bit_cast<std::uint32_t>(i < values.size() ? values[i] : 0.0f));
    stage.check(program, random);
    Shared here{};
    for (const oracle::Element& element : stage.effects(0).written) {
      const std::string operand = element.operand;
      if (operand == "exponents") here.exponent = element.bits;
      if (operand == "scaling") here.scale = std::bit_cast<float>(static_cast<std::uint32_t>(element.bits));
      if (operand == "dst" && here.elements.size() < values.size()) here.elements.push_back(element.bits);
    }
    if (!found.elements.empty()) {
      CHECK(here.exponent == found.exponent);
      CHECK(here.elements == found.elements);
    }
    found = here;
  }
  return found;
}

void check_shared(const char* how, const std::vector<float>& values, std::uint64_t exponent, float scale,
                  const std::vector<std::uint64_t>& elements) {
  CAPTURE(std::string(how));
  CAPTURE(values[0]);
  const Shared found = shared(how, values);
  CHECK(found.exponent == exponent);
  CHECK((found.scale == scale || (std::isnan(found.scale) && std::isnan(scale))));
  CHECK(found.elements == elements);
}

constexpr std::uint64_t kMost = 0x7E, kSmallNan = 0x7F, k256 = 0x78, kMinus = 0x80;

}  // namespace

TEST_CASE("tquant.mx, OCP: the exponent of the largest magnitude, less 8") {
  check_shared("ocp", {1}, 119, 256, {k256});
  check_shared("ocp", {-1}, 119, 256, {k256 | kMinus});
  check_shared("ocp", {std::nextafter(2.0f, 0.0f)}, 119, 256, {kMost});  // almost 512: clipped
  check_shared("ocp", {448, 1, -0.0f}, 127, 1, {kMost, 0x38, kMinus});
  check_shared("ocp", {512}, 128, 0.5f, {k256});
  check_shared("ocp", {3.4e38f}, 246, 0x1p-119f, {kMost});
}

TEST_CASE("tquant.mx, OCP: zeros, small numbers, infinities, NaN") {
  check_shared("ocp", {0}, 0, 0x1p127f, {0});
  check_shared("ocp", {0x1p-149f}, 0, 0x1p127f, {0});     // 2^-22
  check_shared("ocp", {0x1p-127f}, 0, 0x1p127f, {0x38});  // 1
  check_shared("ocp", {0x1p-119f}, 0, 0x1p127f, {k256});  // E = 8
  check_shared("ocp", {0x1p-118f}, 1, 0x1p126f, {k256});  // E = 9
  check_shared("ocp", {kEndless, -kEndless, 1}, 247, 0x1p-120f, {kMost, kMost | kMinus, 0});
  check_shared("ocp", {kNoNumber, 1, kEndless}, 255, kNoNumber, {kSmallNan, kSmallNan, kSmallNan});
}

TEST_CASE("tquant.mx, NV: the power of two that clips nothing") {
  check_shared("nv", {448}, 127, 1, {kMost});
  check_shared("nv", {std::nextafter(448.0f, 500.0f)}, 128, 0.5f, {0x76});  // 224
  check_shared("nv", {1}, 119, 256, {k256});
  check_shared("nv", {2 * 448.0f, 448}, 128, 0.5f, {kMost, 0x76});
}

TEST_CASE("tquant.mx, NV: zeros, small numbers, infinities, NaN") {
  check_shared("nv", {0}, 0, 0x1p127f, {0});
  check_shared("nv", {0x1p-149f}, 0, 0x1p127f, {0});
  check_shared("nv", {448 * 0x1p-127f}, 0, 0x1p127f, {kMost});  // a fraction of one half
  check_shared("nv", {448 * 0x1p-126f}, 1, 0x1p126f, {kMost});
  check_shared("nv", {3.4e38f}, 247, 0x1p-120f, {0x78});
  check_shared("nv", {kEndless}, 254, 0x1p-127f, {kMost});
  check_shared("nv", {kNoNumber}, 255, kNoNumber, {kSmallNan});
}

}  // namespace ts::test
