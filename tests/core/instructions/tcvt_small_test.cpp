// TCVT to and from the 8-bit floats: every code, every middle between two of them, and what is beyond, in every mode.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/oracle/small_float.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

constexpr DType kSmall[] = {DType::F8E4M3, DType::F8E5M2, DType::HIF8};
constexpr std::uint32_t kCodeCols = 64;

// As f32: the numbers of the type, with what lies in the middle of them and beside it.
std::vector<float> numbers_around(DType type) {
  std::vector<float> all;
  const float infinity = std::numeric_limits<float>::infinity();
  for (unsigned code = 0; code < 256; ++code) {
    const auto here = static_cast<float>(oracle::small_value(type, static_cast<std::uint8_t>(code)));
    all.push_back(here);
    if (!std::isfinite(here)) continue;
    // A step between two numbers is at most half of the lower one, and a power of two.
    for (const float part : {0.5f, 0.25f, 0.125f, 0.0625f, 0.03125f}) {
      const float middle = here * (1 + part);
      all.insert(all.end(), {middle, std::nextafter(middle, infinity), std::nextafter(middle, -infinity)});
    }
  }
  for (const float value :
       {464.0f, 480.0f, 61440.0f, 65536.0f, 40960.0f, 49152.0f, 1e30f, 0x1p-24f, 0x1p-149f, infinity})
    all.insert(all.end(), {value, -value});
  return all;
}

void check_pair(Stage& stage, Random& random, DType from, DType to, const std::vector<std::uint64_t>& elements,
                std::vector<BuildAttribute> attributes) {
  const auto rows = static_cast<std::uint32_t>((elements.size() + kCodeCols - 1) / kCodeCols);
  ProgramBuilder builder(Target::A5, "codes");
  const TileId src = builder.tile("src", vec_tile(from, rows, kCodeCols));
  builder.add("tcvt", {src}, {builder.tile("dst", vec_tile(to, rows, kCodeCols))}, std::move(attributes));
  const Program program = build(builder);
  stage.fill(program, random, Values::Special);
  const Bound bound = bound_of(program, 0);
  const TileRef& tile = bound.tile("src");
  for (std::size_t i = 0; i < elements.size(); ++i)
    stage.set_element(tile, static_cast<std::uint32_t>(i / kCodeCols), static_cast<std::uint32_t>(i % kCodeCols),
                      elements[i]);
  stage.check(program, random);
}

}  // namespace

TEST_CASE("tcvt a5: f32 to every 8-bit float, at every code and between them, in every mode") {
  Stage stage(Target::A5);
  Random random(2301);
  for (const DType type : kSmall) {
    std::vector<std::uint64_t> elements;
    for (const float value : numbers_around(type)) elements.push_back(std::bit_cast<std::uint32_t>(value));
    for (const char* mode : {"rint", "round", "floor", "ceil", "trunc", "odd", "none"}) {
      if (kSanitized && std::string(mode) != "rint") continue;
      for (const char* saturation : {"auto", "on", "off"}) {
        CAPTURE(std::string(name(type)));
        CAPTURE(mode);
        CAPTURE(saturation);
        check_pair(stage, random, DType::F32, type, elements, {{"rmode", mode}, {"sat_mode", saturation}});
      }
    }
  }
}

TEST_CASE("tcvt a5: every f16 to hif8") {
  Stage stage(Target::A5);
  Random random(2302);
  for (std::uint64_t first = 0; first < 0x10000; first += kSanitized ? 0x8000 : 0x1000) {
    std::vector<std::uint64_t> elements;
    for (std::uint64_t bits = first; bits < first + 0x1000; ++bits) elements.push_back(bits);
    check_pair(stage, random, DType::F16, DType::HIF8, elements, {});
  }
}

TEST_CASE("tcvt a5: every code of the 8-bit floats to f32") {
  Stage stage(Target::A5);
  Random random(2303);
  std::vector<std::uint64_t> elements;
  for (std::uint64_t code = 0; code < 256; ++code) elements.push_back(code);
  for (const DType type : kSmall) check_pair(stage, random, type, DType::F32, elements, {});
}

}  // namespace ts::test
