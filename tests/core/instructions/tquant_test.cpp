// TQUANT and TDEQUANT where results turn: ties, both ends of the range, NaN and infinities, scales that nobody should give.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "core/record/recording.h"
#include "tests/support/instructions/stage.h"

namespace ts::test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();

std::uint64_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
TileType column(std::uint32_t rows) {
  TileType type = vec_tile(DType::F32, (rows + 7) / 8 * 8, 1, static_cast<std::int32_t>(rows), 1);
  type.blayout = BoxOrder::ColMajor;
  return type;
}
TileType one_row(DType type, std::size_t cols) {
  const std::uint32_t lanes = BLK / size_bytes(type), count = static_cast<std::uint32_t>(cols);
  return vec_tile(type, 1, (count + lanes - 1) / lanes * lanes, 1, static_cast<std::int32_t>(count));
}
std::vector<std::int64_t> wholes(const oracle::Effects& effects, DType type) {
  std::vector<std::int64_t> out;
  for (const oracle::Element& element : effects.written)
    out.push_back(type == DType::I8 ? static_cast<std::int8_t>(element.bits) : static_cast<std::int64_t>(element.bits));
  return out;
}

// What the row becomes, on both targets, by all machines and by the oracle.
std::vector<std::int64_t> quantised(const std::vector<float>& values, float scale, std::optional<float> offset = {}) {
  std::vector<std::int64_t> found;
  Random random(2501);
  for (const Target target : kBothTargets) {
    Stage stage(target);
    const DType to = offset ? DType::U8 : DType::I8;
    ProgramBuilder builder(target, "row");
    std::vector<BuildOperand> inputs{builder.tile("src", one_row(DType::F32, values.size())),
                                     builder.tile("scale", column(1))};
    if (offset) inputs.push_back(builder.tile("offset", column(1)));
    builder.add("tquant", inputs, {builder.tile("dst", one_row(to, values.size()))});
    const Program program = build(builder);
    stage.fill(program, random, Values::Plain);
    const Bound bound = bound_of(program, 0);
    for (std::size_t i = 0; i < values.size(); ++i)
      stage.set_element(bound.tile("src"), 0, static_cast<std::uint32_t>(i), bits_of(values[i]));
    stage.set_element(bound.tile("scale"), 0, 0, bits_of(scale));
    if (offset) stage.set_element(bound.tile("offset"), 0, 0, bits_of(*offset));
    stage.check(program, random);
    const std::vector<std::int64_t> here = wholes(stage.effects(0), to);
    if (!found.empty()) CHECK(here == found);
    found = here;
  }
  return found;
}

using Wholes = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("tquant: halves go to the even neighbour") {
  CHECK(quantised({0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f, 126.5f, -127.5f}, 1) ==
        Wholes{0, 2, 2, 0, -2, -2, 126, -128});
  CHECK(quantised({std::nextafter(0.5f, 1.0f), std::nextafter(0.5f, 0.0f), std::nextafter(2.5f, 3.0f)}, 1) ==
        Wholes{1, 0, 3});
  // The product is rounded to f32 before it is rounded to an integer: 2.50000003 is 2.5.
  CHECK(quantised({std::nextafter(0.25f, 0.0f)}, std::nextafter(10.0f, 11.0f)) == Wholes{2});
  CHECK(quantised({0.5f, 1.5f, 2.5f}, 1, 1.0f) == Wholes{2, 2, 4});
}

TEST_CASE("tquant: both ends clamp") {
  CHECK(quantised({127, 127.5f, 128, 1000, 70000, 1e20f, -128, -128.5f, -129, -1e20f}, 1) ==
        Wholes{127, 127, 127, 127, 127, 127, -128, -128, -128, -128});
  CHECK(quantised({255, 255.5f, 256, 3e9f, -0.5f, -0.6f, -1, -3e9f}, 1, 0.0f) ==
        Wholes{255, 255, 255, 255, 0, 0, 0, 0});
  CHECK(quantised({127, 128, -128, -129}, 1, 128.0f) == Wholes{255, 255, 0, 0});
}

TEST_CASE("tquant: NaN is 0, infinities are the ends") {
  CHECK(quantised({kNan, kInf, -kInf}, 1) == Wholes{0, 127, -128});
  CHECK(quantised({kNan, kInf, -kInf}, -1) == Wholes{0, -128, 127});
  CHECK(quantised({kNan, kInf, -kInf}, 1, 7.0f) == Wholes{0, 255, 0});
  CHECK(quantised({1, -1, 0}, 1, kNan) == Wholes{0, 0, 0});
  CHECK(quantised({1, -kInf, 0}, 1, kInf) == Wholes{255, 0, 255});
}

TEST_CASE("tquant: scales that are zero, negative, NaN, infinite") {
  CHECK(quantised({3, -3, kInf, kNan}, 0) == Wholes{0, 0, 0, 0});
  CHECK(quantised({3, -3, 0.5f}, -2) == Wholes{-6, 6, -1});
  CHECK(quantised({3, -3, 0}, kNan) == Wholes{0, 0, 0});
  CHECK(quantised({3, -3, 0}, kInf) == Wholes{127, -128, 0});
  CHECK(quantised({3, -3, 0}, 0, 9.0f) == Wholes{9, 9, 9});
}

TEST_CASE("tdequant: every byte, with offsets and scales of all kinds, on both targets") {
  constexpr std::uint32_t kCols = 256;
  const std::vector<float> scales{1, 0.1f, -3, 0, -0.0f, kInf, kNan, 1e-45f, 3e38f},
      offsets{0, 0.5f, -128, kInf, -kInf, kNan, 1e9f, -0.0f};
  const auto rows = static_cast<std::uint32_t>(scales.size() * offsets.size());
  Random random(2502);
  for (const Target target : kBothTargets) {
    Stage stage(target);
    ProgramBuilder builder(target, "bytes");
    builder.add("tdequant",
                {builder.tile("src", vec_tile(DType::I8, rows, kCols)), builder.tile("scale", column(rows)),
                 builder.tile("offset", column(rows))},
                {builder.tile("dst", vec_tile(DType::F32, rows, kCols))});
    const Program program = build(builder);
    stage.fill(program, random, Values::Plain);
    const Bound bound = bound_of(program, 0);
    for (std::uint32_t row = 0; row < rows; ++row) {
      for (std::uint32_t col = 0; col < kCols; ++col) stage.set_element(bound.tile("src"), row, col, col);
      stage.set_element(bound.tile("scale"), row, 0, bits_of(scales[row % scales.size()]));
      stage.set_element(bound.tile("offset"), row, 0, bits_of(offsets[row / scales.size()]));
    }
    stage.check(program, random);
  }
}

TEST_CASE("tquant a2a3: option sources.overwritten = no leaves the source alone") {
  Random random(2503);
  Stage stage(Target::A2A3);
  ProgramBuilder builder(Target::A2A3, "kept");
  builder.options().keep_sources = 1;
  builder.add("tquant", {builder.tile("src", vec_tile(DType::F32, 5, 200)), builder.tile("scale", column(5))},
              {builder.tile("dst", vec_tile(DType::I8, 5, 224, 5, 200))});
  const Program program = build(builder);
  stage.fill(program, random, Values::Special);
  stage.check(program, random);
}

}  // namespace ts::test
