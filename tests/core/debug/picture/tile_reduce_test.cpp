// Reduced pictures: no sign vanishes, values are means.
#include "core/debug/picture/tile_reduce.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/random.h"

namespace ts::test {
namespace {

TilePicture random_picture(Random& random, std::uint32_t rows, std::uint32_t cols) {
  TilePicture made;
  const std::uint32_t count = rows * cols;
  made.elements = {&element_format(DType::F32), rows, cols, random.below(rows + 1), random.below(cols + 1), {}, {}};
  for (std::uint32_t i = 0; i < count; ++i) {
    const double odd[] = {std::nan(""), INFINITY, -INFINITY, 1e-40};
    const double value = random.below(20) == 0 ? odd[random.below(4)] : static_cast<double>(random.below(100)) - 30;
    made.elements.bits.push_back(element_bits(*made.elements.format, value).value());
    made.elements.worth.push_back(random.below(15) == 0 ? static_cast<Definedness>(random.below(3))
                                                        : Definedness::Written);
    made.changed.push_back(random.below(9) == 0 ? 1 : 0);
    made.written.push_back(random.below(9) == 0 ? 1 : 0);
  }
  made.statistics = statistics_of(made.elements, Region::Valid);
  return made;
}

TEST_CASE("tile reduce: rows and columns are reduced each by its own step") {
  Random random(9);
  for (int round = 0; round < 20; ++round) {
    const TilePicture picture = random_picture(random, 1 + random.below(6), 1 + random.below(60));
    const std::vector<Sign> signs = signs_of(picture);
    const std::uint32_t down = 1 + random.below(3), across = 1 + random.below(9);
    const Reduced reduced = reduce(picture, signs, down, across);
    REQUIRE(reduced.signs.size() == std::size_t{reduced.rows} * reduced.cols);
    for (std::uint32_t row = 0; row < picture.elements.rows; ++row)
      for (std::uint32_t col = 0; col < picture.elements.cols; ++col) {
        const Sign spot = reduced.signs[std::size_t{row / down} * reduced.cols + col / across];
        for (const Sign sign : {Sign::Nan, Sign::Inf, Sign::Undefined, Sign::Changed})
          if (has(signs[picture.elements.index(row, col)], sign)) CHECK(has(spot, sign));
      }
  }
}

TEST_CASE("tile reduce: a range that a few elements would spoil is that of the others") {
  TilePicture picture;
  picture.elements = {&element_format(DType::F32), 16, 32, 16, 32, {}, {}};
  const auto put = [&](auto value_of) {
    picture.elements.bits.clear();
    for (std::uint32_t i = 0; i < 512; ++i)
      picture.elements.bits.push_back(element_bits(*picture.elements.format, value_of(i)).value());
    picture.elements.worth.assign(512, Definedness::Written);
    picture.statistics = statistics_of(picture.elements, Region::Valid);
  };
  // One of 1e38 among small ones: these keep their colours.
  put([](std::uint32_t i) { return i == 77 ? 1e38 : static_cast<double>(i % 10) - 4; });
  CHECK(robust_range(picture) == HeatRange{-5, 5, true});
  // Among zeros it is what there is to be seen.
  put([](std::uint32_t i) { return i == 77 ? 1e38 : 0.0; });
  CHECK(robust_range(picture)->high > 9e37);
  // Nothing to be cut: the whole range.
  put([](std::uint32_t i) { return static_cast<double>(i); });
  CHECK(robust_range(picture) == auto_range(picture));
  put([](std::uint32_t) { return std::nan(""); });
  CHECK_FALSE(robust_range(picture).has_value());
}

TEST_CASE("tile reduce: a sign of any element is a sign of its spot") {
  Random random(8);
  for (int round = 0; round < 20; ++round) {
    const TilePicture picture = random_picture(random, 1 + random.below(40), 1 + random.below(40));
    std::vector<Sign> more(picture.elements.bits.size());
    const auto count = static_cast<std::uint32_t>(more.size());
    more[random.below(count)] = Sign::Finding;
    more[random.below(count)] = Sign::Different;
    const std::vector<Sign> signs = signs_of(picture, more);
    const std::uint32_t step = 1 + random.below(7);
    const Reduced reduced = reduce(picture, signs, step);
    REQUIRE(reduced.rows == (picture.elements.rows + step - 1) / step);
    for (std::uint32_t r = 0; r < reduced.rows; ++r) {
      for (std::uint32_t c = 0; c < reduced.cols; ++c) {
        int any = 0;
        bool all_padding = true;
        double sums[2] = {}, counts[2] = {};
        for (std::uint32_t row = r * step; row < std::min(picture.elements.rows, (r + 1) * step); ++row) {
          for (std::uint32_t col = c * step; col < std::min(picture.elements.cols, (c + 1) * step); ++col) {
            const std::size_t at = picture.elements.index(row, col);
            const double value = number(*picture.elements.format, picture.elements.bits[at]);
            const bool defined = picture.elements.worth[at] == Definedness::Written;
            const int padding = picture.is_valid(row, col) ? 0 : 1;
            if (defined && std::isnan(value)) any |= static_cast<int>(Sign::Nan);
            if (defined && std::isinf(value)) any |= static_cast<int>(Sign::Inf);
            if (defined && value != 0 && std::fabs(value) < 1e-38) any |= static_cast<int>(Sign::Denormal);
            if (picture.elements.worth[at] == Definedness::Never) any |= static_cast<int>(Sign::Undefined);
            if (picture.elements.worth[at] == Definedness::Unspecified) any |= static_cast<int>(Sign::Unspecified);
            if (picture.changed[at] != 0) any |= static_cast<int>(Sign::Changed);
            if (picture.written[at] != 0) any |= static_cast<int>(Sign::Written);
            any |= static_cast<int>(more[at]);
            all_padding = all_padding && padding == 1;
            if (!defined || !std::isfinite(value)) continue;
            sums[padding] += value;
            ++counts[padding];
          }
        }
        if (all_padding) any |= static_cast<int>(Sign::Padding);
        const int of = counts[0] > 0 ? 0 : 1;
        const float value = reduced.values[r * reduced.cols + c];
        CHECK(static_cast<int>(reduced.signs[r * reduced.cols + c]) == any);
        if (counts[of] > 0) CHECK(value == doctest::Approx(sums[of] / counts[of]));
        else CHECK(std::isnan(value));
      }
    }
  }
}

TEST_CASE("tile reduce: the range of heat") {
  TilePicture picture;
  const auto range_of = [&](std::vector<double> values) {
    picture.elements = {&element_format(DType::F32),
                        1,
                        static_cast<std::uint32_t>(values.size()),
                        1,
                        static_cast<std::uint32_t>(values.size()),
                        {},
                        {}};
    for (const double value : values)
      picture.elements.bits.push_back(element_bits(*picture.elements.format, value).value());
    picture.statistics = statistics_of(picture.elements, Region::Valid);
    return auto_range(picture);
  };
  CHECK(range_of({1, 5, 3}) == HeatRange{1, 5, false});
  CHECK(range_of({-1, 4}) == HeatRange{-4, 4, true});
  CHECK(range_of({std::nan(""), 2, INFINITY}) == HeatRange{2, 2, false});
  CHECK_FALSE(range_of({std::nan("")}));
  CHECK(heat_share({1, 5, false}, 3) == doctest::Approx(0.5));
  CHECK(heat_share({1, 5, false}, 9) == doctest::Approx(2));
  CHECK(heat_share({-4, 4, true}, -2) == doctest::Approx(-0.5));
  CHECK(heat_share({2, 2, false}, 2) == doctest::Approx(0.5));
  CHECK(heat_share({-1e308, 1.7e308, false}, 1.7e308) == doctest::Approx(1));
}

}  // namespace
}  // namespace ts::test
