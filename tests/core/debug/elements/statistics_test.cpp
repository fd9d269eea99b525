// Counts, ranges, means and histograms over elements.
#include "core/debug/elements/statistics.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace ts::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

Elements row_of(const char* type, const std::vector<double>& values) {
  const auto cols = static_cast<std::uint32_t>(values.size());
  Elements made{find_element_format(type), 1, cols, 1, cols};
  for (const double value : values) made.bits.push_back(element_bits(*made.format, value).value());
  return made;
}

TEST_CASE("statistics: each element counts where it belongs") {
  Elements elements = row_of("f32", {1, -3, 0, -0.0, kNan, kInf, -kInf, 1e-40, 100, 7});
  elements.worth.assign(10, Definedness::Written);
  elements.worth[8] = Definedness::Never;
  elements.worth[9] = Definedness::Unspecified;
  const Statistics found = statistics_of(elements, Region::All);
  CHECK(found.count == 10);
  CHECK(found.nan == 1);
  CHECK(found.inf == 2);
  CHECK(found.zero == 2);
  CHECK(found.denormal == 1);
  CHECK(found.undefined == 2);
  CHECK(found.finite == 5);
  CHECK(number(*elements.format, *found.min_bits) == -3);
  CHECK(number(*elements.format, *found.max_bits) == 1);
  CHECK(found.mean == doctest::Approx(-0.4));
}

TEST_CASE("statistics: only the region, and nothing of nothing") {
  Elements elements = row_of("i8", {-5, 3, 100});
  elements.valid_cols = 2;
  CHECK(integer(*elements.format, *statistics_of(elements, Region::Valid).max_bits) == 3);
  CHECK(integer(*elements.format, *statistics_of(elements, Region::All).max_bits) == 100);
  elements.valid_rows = 0;
  CHECK(statistics_of(elements, Region::Valid).count == 0);
  CHECK_FALSE(statistics_of(elements, Region::Valid).min_bits);
  CHECK(statistics_of(row_of("f32", {kNan}), Region::All).mean == 0);
}

TEST_CASE("statistics: integers that no double holds, and sums that lose nothing") {
  Elements wide{&element_format(DType::U64), 1, 2, 1, 2, {~0ull, ~0ull - 1}};
  CHECK(*statistics_of(wide, Region::All).min_bits == ~0ull - 1);
  Elements negative{&element_format(DType::I64), 1, 2, 1, 2, {1ull << 63, 5}};
  CHECK(*statistics_of(negative, Region::All).min_bits == 1ull << 63);
  CHECK(statistics_of(row_of("f64", {1e100, 1, -1e100}), Region::All).mean == 1.0 / 3);
}

TEST_CASE("histogram: bins from the smallest to the largest, both included") {
  const Histogram found = histogram_of(row_of("f32", {0, 1, 2, 3, 4, kNan, kInf}), Region::All, 4);
  CHECK(found.low == 0);
  CHECK(found.high == 4);
  CHECK(found.bins == std::vector<std::uint64_t>{1, 1, 1, 2});
  CHECK(found.nan == 1);
  CHECK(found.inf == 1);
  const Histogram cut = histogram_of(row_of("f32", {0, 1, 2, 3, 4}), Region::All, 2, std::pair{1.0, 3.0});
  CHECK(cut.bins == std::vector<std::uint64_t>{1, 2});
  CHECK(cut.below == 1);
  CHECK(cut.above == 1);
  CHECK(histogram_of(row_of("f32", {5, 5}), Region::All, 3).bins == std::vector<std::uint64_t>{2, 0, 0});
  CHECK(histogram_of(row_of("f32", {kNan}), Region::All, 2).bins == std::vector<std::uint64_t>{0, 0});
  CHECK(histogram_of(row_of("f64", {-1.7e308, 0, 1.7e308}), Region::All, 2).bins == std::vector<std::uint64_t>{1, 2});
}

}  // namespace
}  // namespace ts::test
