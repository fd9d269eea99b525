// Data for inputs that nobody gave: small, readable, and the same everywhere.
#include "core/data/seeded.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ts::test {
namespace {

using data::seeded;

constexpr DType kEveryType[] = {DType::I8,  DType::U8,  DType::I16, DType::U16,  DType::I32, DType::U32,
                                DType::I64, DType::U64, DType::F16, DType::BF16, DType::F32};

std::vector<double> values_of(DType type, const std::vector<std::byte>& bytes) {
  std::vector<double> values;
  for (std::size_t at = 0; at < bytes.size(); at += size_bytes(type)) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + at, size_bytes(type));
    values.push_back(to_double(type, bits));
  }
  return values;
}

}  // namespace

TEST_CASE("seeded: values are small, readable, all used, and never equal their neighbour") {
  for (const DType type : kEveryType) {
    CAPTURE(name(type));
    const std::vector<double> values = values_of(type, seeded(1, "x", type, 20000));
    REQUIRE(values.size() == 20000);
    const double low = is_float(type) ? -8 : is_signed_int(type) ? -100 : 0, high = is_float(type) ? 8 : low + 200;
    const double step = is_float(type) ? 0.125 : 1;
    std::vector<int> seen(static_cast<std::size_t>((high - low) / step), 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
      REQUIRE(values[i] >= low);
      REQUIRE(values[i] < high);
      const double place = (values[i] - low) / step;
      REQUIRE(place == std::floor(place));
      ++seen[static_cast<std::size_t>(place)];
      if (i > 0) REQUIRE(values[i] != values[i - 1]);
    }
    for (const int count : seen) CHECK(count > 0);
  }
}

TEST_CASE("seeded: shared exponents are small powers of two") {
  const std::vector<double> values = values_of(DType::E8M0, seeded(1, "x", DType::E8M0, 1000));
  CHECK(std::ranges::min(values) == 0.125);
  CHECK(std::ranges::max(values) == 8);
  for (const double value : values) REQUIRE(std::exp2(std::round(std::log2(value))) == value);
}

TEST_CASE("seeded: seed, name and type each make other data, and a longer input begins with the shorter one") {
  const auto data = seeded(1, "x", DType::I32, 64);
  CHECK(data == seeded(1, "x", DType::I32, 64));
  CHECK(data != seeded(2, "x", DType::I32, 64));
  CHECK(data != seeded(1, "y", DType::I32, 64));
  CHECK(seeded(1, "", DType::I32, 64) != seeded(1, "i32", DType::I32, 64));
  CHECK(values_of(DType::F16, seeded(1, "x", DType::F16, 64)) != values_of(DType::F32, seeded(1, "x", DType::F32, 64)));
  const auto longer = seeded(1, "x", DType::I32, 100);
  CHECK(std::vector(longer.begin(), longer.begin() + 64 * 4) == data);
  CHECK(seeded(1, "x", DType::I32, 0).empty());
}

TEST_CASE("seeded: the values of one seed, so that they stay what they are") {
  CHECK(values_of(DType::I8, seeded(0, "src", DType::I8, 6)) == std::vector<double>{99, 39, -1, 86, -9, 14});
  CHECK(values_of(DType::F32, seeded(7, "a", DType::F32, 4)) == std::vector<double>{-6.75, 2.5, 6.5, -0.875});
}

TEST_CASE("seeded: any part of it can be made alone") {
  for (const DType type : kEveryType) {
    CAPTURE(name(type));
    const std::vector<std::byte> whole = seeded(3, "part", type, 3000);
    const auto plan = data::Seeded::plan(3, "part", type, 3000);
    for (std::size_t first = 0; first < whole.size() + 3; first += 37)
      for (const std::size_t size : {std::size_t{1}, std::size_t{5}, std::size_t{2048}}) {
        std::vector<std::byte> part(size, std::byte{0x55}), expected = part;
        plan->make(first, part);
        if (first < whole.size())
          std::copy_n(whole.begin() + static_cast<std::ptrdiff_t>(first), std::min(size, whole.size() - first),
                      expected.begin());
        REQUIRE(part == expected);
      }
  }
}

TEST_CASE("seeded: a plan asks whether it may go on") {
  int asked = 0;
  CHECK(data::Seeded::plan(1, "x", DType::U8, 1u << 30, [&] { return ++asked < 3; }) == nullptr);
  CHECK(asked == 3);
}

}  // namespace ts::test
