// Made-up data by kind: for each type what the word says, and the same everywhere.
#include "core/data/made/made_up.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

namespace ts::test {
namespace {

using data::MadeUp;

std::vector<std::uint64_t> bits_made_of(MadeUp kind, DType type, std::uint64_t elements, std::string_view name = "x") {
  const std::vector<std::byte> bytes = data::made_up(kind, 1, name, type, elements);
  REQUIRE(bytes.size() == bytes_for(type, elements));
  std::vector<std::uint64_t> bits;
  for (std::uint64_t i = 0; i < elements; ++i) bits.push_back(load_element(bytes.data(), type, i));
  return bits;
}

std::vector<double> made_of(MadeUp kind, DType type, std::uint64_t elements) {
  std::vector<double> values;
  for (const std::uint64_t bits : bits_made_of(kind, type, elements)) values.push_back(to_double(type, bits));
  return values;
}

std::vector<DType> every_type() {
  std::vector<DType> types;
  for (int i = 0; i < kDTypes; ++i) types.push_back(static_cast<DType>(i));
  return types;
}

}  // namespace

TEST_CASE("made up: each word is found again, and no other") {
  for (const data::MadeUpRow& row : data::made_up_kinds()) {
    CHECK(data::find_made_up(row.word) == row.kind);
    CHECK(std::string(data::name(row.kind)) == row.word);
    CHECK(data::made_up_words().find(row.word) != std::string::npos);
  }
  for (const char* word : {"", "Ramp", "ramps", "random", "seeded "}) CHECK(!data::find_made_up(word));
}

TEST_CASE("made up: zeros, ones and ramps are what they say, for every type") {
  for (const DType type : every_type()) {
    CAPTURE(name(type));
    for (const double value : made_of(MadeUp::Ones, type, 100)) REQUIRE(value == 1);
    for (const std::uint64_t bits : bits_made_of(MadeUp::Zeros, type, 100)) REQUIRE(bits == 0);
    const std::vector<double> ramp = made_of(MadeUp::Ramp, type, 1000);
    if (type == DType::E8M0) {
      for (std::size_t i = 0; i < ramp.size(); ++i) REQUIRE(ramp[i] == std::exp2(i % 8));
      continue;
    }
    const auto again = std::find(ramp.begin() + 1, ramp.end(), 0.0);
    const auto length = static_cast<std::size_t>(again - ramp.begin());
    CHECK(length >= 2);  // E1M2 ends at 1.75
    for (std::size_t i = 0; i < ramp.size(); ++i) REQUIRE(ramp[i] == static_cast<double>(i % length));
  }
}

TEST_CASE("made up: a ramp begins anew where its type has a gap") {
  const struct {
    DType type;
    std::size_t length;
  } kLengths[] = {{DType::I8, 128}, {DType::U8, 256}, {DType::F16, 2049}, {DType::BF16, 257}, {DType::U4, 16}};
  for (const auto& [type, length] : kLengths) {
    const std::string called = name(type);
    CAPTURE(called);
    const std::vector<double> ramp = made_of(MadeUp::Ramp, type, length + 3);
    CHECK(ramp[length - 1] == static_cast<double>(length - 1));
    CHECK(ramp[length] == 0);
    CHECK(ramp[length + 1] == 1);
  }
}

TEST_CASE("made up: normal has its mean and deviation, and the same bits everywhere") {
  const std::vector<double> values = made_of(MadeUp::Normal, DType::F32, 40000);
  const double count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  CHECK(std::abs(mean) < 0.02);
  CHECK(std::abs(std::sqrt(squares / count) - 1) < 0.02);
  CHECK(*std::ranges::max_element(values) < 6);
  // About two thirds are within one deviation.
  CHECK(std::abs(static_cast<double>(std::ranges::count_if(values, [](double x) { return std::abs(x) < 1; })) / count -
                 0.683) < 0.02);
  const std::vector<double> whole = made_of(MadeUp::Normal, DType::I32, 20000);
  CHECK(std::abs(std::accumulate(whole.begin(), whole.end(), 0.0) / 20000) < 1);
  for (const double value : made_of(MadeUp::Normal, DType::U8, 20000)) REQUIRE((value >= 0 && value <= 255));
}

TEST_CASE("made up: edge values are all there in each round, and rounds of two inputs differ") {
  const std::vector<double> f16 = made_of(MadeUp::Edge, DType::F16, 13);
  for (const double value : {0.0, 1.0, -1.0, 65504.0, -65504.0, 0x1p-24, 0x1p-14, double(INFINITY), -double(INFINITY)})
    CHECK(std::ranges::find(f16, value) != f16.end());
  CHECK(std::ranges::count_if(f16, [](double x) { return std::isnan(x); }) == 1);
  const std::vector<double> i8 = made_of(MadeUp::Edge, DType::I8, 7);
  for (const double value : {-128.0, -127.0, -1.0, 0.0, 1.0, 126.0, 127.0})
    CHECK(std::ranges::find(i8, value) != i8.end());
  for (const DType type : every_type()) {
    CAPTURE(name(type));
    const auto first = bits_made_of(MadeUp::Edge, type, 2000), other = bits_made_of(MadeUp::Edge, type, 2000, "y");
    CHECK(first != other);
    CHECK(std::set(first.begin(), first.end()) == std::set(other.begin(), other.end()));
  }
}

TEST_CASE("made up: seeded is what nobody asks for, too") {
  CHECK(data::made_up(MadeUp::Seeded, 3, "x", DType::F32, 100) !=
        data::made_up(MadeUp::Seeded, 4, "x", DType::F32, 100));
  CHECK(data::made_up(MadeUp::Normal, 3, "x", DType::F32, 100) !=
        data::made_up(MadeUp::Normal, 4, "x", DType::F32, 100));
  CHECK(data::made_up(MadeUp::Normal, 3, "x", DType::F32, 100) ==
        data::made_up(MadeUp::Normal, 3, "x", DType::F32, 100));
}

}  // namespace ts::test
