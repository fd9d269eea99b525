// Comparisons as pictures.
#include <doctest/doctest.h>

#include <bit>
#include <cstring>

#include "core/debug/picture/difference_picture.h"

namespace ts::test {
namespace {

Elements floats(const std::vector<float>& values) {
  const auto cols = static_cast<std::uint32_t>(values.size());
  Elements made{&element_format(DType::F32), 1, cols, 1, cols, {}, {}};
  for (const float value : values) made.bits.push_back(std::bit_cast<std::uint32_t>(value));
  made.worth.assign(cols, Definedness::Written);
  return made;
}

std::uint32_t pixel(const data::Picture& picture, std::uint32_t x, std::uint32_t y) {
  const std::uint8_t* at = picture.rgb.data() + 3 * (std::size_t{y} * picture.width + x);
  return std::uint32_t{at[0]} << 16 | std::uint32_t{at[1]} << 8 | at[2];
}

}  // namespace

TEST_CASE("difference picture: each kind of element has a ground and a pattern of its own") {
  Elements a = floats({1, 2, 3, 4}), b = floats({1, 2.5f, 4, 4});
  a.worth[3] = b.worth[3] = Definedness::Never;
  const CompareOptions options{.abs = 0.5};
  CHECK(likeness_of(a, b, options) ==
        std::vector<Likeness>{Likeness::Same, Likeness::Tolerated, Likeness::Different, Likeness::Undefined});
  const auto drawn = difference_picture(a, b, options, 10);
  REQUIRE(std::holds_alternative<data::Picture>(drawn));
  const auto& picture = std::get<data::Picture>(drawn);
  CHECK(picture.width == 40);
  CHECK(picture.height == 10);
  // Beside the middle, where no pattern has ink, and the patterns' own places.
  for (std::uint32_t i = 0; i < 4; ++i) {
    const LikenessLook& look = look_of(static_cast<Likeness>(i));
    int ground = 0, ink = 0;
    for (std::uint32_t y = 0; y < 9; ++y)
      for (std::uint32_t x = 0; x < 9; ++x) {
        ground += pixel(picture, 10 * i + x, y) == look.ground ? 1 : 0;
        ink += pixel(picture, 10 * i + x, y) == look.ink ? 1 : 0;
      }
    CHECK(ground > 40);
    CHECK((ink > 0) == (ground < 81 || look.ink == look.ground));
  }
  CHECK(pixel(picture, 20, 0) == look_of(Likeness::Different).ink);
  CHECK(pixel(picture, 28, 0) == look_of(Likeness::Different).ink);
  // In grey, too, the crossed one is told from the plain one.
  CHECK(look_of(Likeness::Different).ink == 0);
}

TEST_CASE("difference picture: one side without a value differs, NaN as they are told to") {
  Elements a = floats({1, __builtin_nanf("")}), b = floats({1, __builtin_nanf("1")});
  a.worth[0] = Definedness::Never;
  CHECK(likeness_of(a, b, {}) == std::vector<Likeness>{Likeness::Different, Likeness::Same});
  CHECK(likeness_of(a, b, {.nan_equal = false})[1] == Likeness::Different);
}

TEST_CASE("difference picture: what is too large, or nothing, is refused; a scale that fits is found") {
  const Elements one = floats({1});
  Elements large = floats(std::vector<float>(5000, 1));
  CHECK(std::get<data::Picture>(difference_picture(one, one, {})).width == 16);
  CHECK(std::get<data::Picture>(difference_picture(large, large, {})).width == 5000);
  large.rows = large.valid_rows = 50;
  large.cols = large.valid_cols = 100;
  CHECK(std::get<data::Picture>(difference_picture(large, large, {})).width == 1600);
  CHECK(std::holds_alternative<Refusal>(difference_picture(one, large, {})));
  Elements huge{&element_format(DType::I8), 4096, 4096, 4096, 4096, {}, {}};
  huge.bits.resize(std::size_t{4096} * 4096);
  const auto refused = difference_picture(huge, huge, {}, 64);
  REQUIRE(std::holds_alternative<Refusal>(refused));
  CHECK(std::get<Refusal>(refused).text == "4096x4096 elements of 64 pixels are more than 64 million pixels");
  const Elements empty = floats({});
  CHECK(std::holds_alternative<Refusal>(difference_picture(empty, empty, {})));
}

TEST_CASE("png: a file begins as PNG files do and says its size") {
  const data::Picture picture{3, 2, std::vector<std::uint8_t>(18, 7)};
  const std::vector<std::byte> file = data::format_png(picture);
  REQUIRE(file.size() > 33);
  CHECK(std::memcmp(file.data(), "\x89PNG\r\n\x1a\n", 8) == 0);
  CHECK(std::to_integer<int>(file[19]) == 3);
  CHECK(std::to_integer<int>(file[23]) == 2);
  CHECK(data::format_png({}).empty());
}

}  // namespace ts::test
