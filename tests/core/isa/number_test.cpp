// Element types: conversions for people and for inputs, against the plain ones; names; what is printed.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <string>

#include "core/isa/dtype.h"
#include "core/isa/half.h"
#include "tests/oracle/number.h"
#include "tests/support/instructions/shapes.h"
#include "tests/support/random.h"

namespace ts::test {

TEST_CASE("numbers: every half is read and written back as itself") {
  for (const DType type : {DType::F16, DType::BF16}) {
    CAPTURE(std::string(name(type)));
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
      const double value = to_double(type, bits);
      if (oracle::is_nan(type, bits)) {
        if (!std::isnan(value)) FAIL("not a NaN: " << bits);
        continue;
      }
      const bool same = value == oracle::float_value(type, bits) &&
                        std::signbit(value) == std::signbit(oracle::float_value(type, bits));
      if (same && from_double(type, value) == bits && oracle::nearest_float(type, value) == bits) continue;
      CAPTURE(bits);
      FAIL("another value or other bits");
    }
  }
}

TEST_CASE("numbers: values are rounded to the nearest element, ties to even") {
  Random random(81);
  for (const DType type : {DType::F16, DType::BF16, DType::F32}) {
    CAPTURE(std::string(name(type)));
    for (int i = 0; i < 200000; ++i) {
      // Near elements and near the middle between two of them, of all sizes.
      const std::uint64_t bits = random_element(random, type, random.one_in(2) ? Values::AnyBits : Values::Special);
      if (oracle::is_nan(type, bits) || oracle::is_nan(type, bits + 1)) continue;
      const double low = oracle::float_value(type, bits), high = oracle::float_value(type, bits + 1);
      if (std::isinf(low) || std::isinf(high)) continue;
      const double middle = (low + high) / 2;
      for (const double value :
           {low, middle, std::nextafter(middle, low), std::nextafter(middle, high), low + (high - low) * 0.3}) {
        if (from_double(type, value) == oracle::nearest_float(type, value)) continue;
        CAPTURE(value);
        CHECK(from_double(type, value) == oracle::nearest_float(type, value));
      }
    }
    const double most = oracle::float_value(type, type == DType::F32   ? 0x7F7FFFFF
                                                  : type == DType::F16 ? 0x7BFF
                                                                       : 0x7F7F);
    for (const double value : {most, most * 1.0001, most * 1.01, most * 2, -most * 2, 1e300, 0.0, -0.0, 1e-300, -1e-300,
                               std::numeric_limits<double>::infinity()}) {
      CAPTURE(value);
      CHECK(from_double(type, value) == oracle::nearest_float(type, value));
    }
  }
  CHECK(std::isnan(to_double(DType::F16, from_double(DType::F16, std::nan("")))));
  CHECK(std::isnan(to_double(DType::BF16, from_double(DType::BF16, std::nan("")))));
}

TEST_CASE("numbers: integers are truncated and wrapped") {
  CHECK(from_double(DType::I8, -1) == 0xFF);
  CHECK(from_double(DType::I8, 200) == 200);
  CHECK(from_double(DType::U8, 257) == 1);
  CHECK(from_double(DType::I16, -32768.9) == 0x8000);
  CHECK(from_double(DType::U32, 4294967296.0 + 5) == 5);
  CHECK(from_double(DType::I64, -1) == ~0ull);
  CHECK(from_double(DType::U64, 18446744073709549568.0) == 18446744073709549568ull);
  CHECK(to_double(DType::I8, 0xFF) == -1);
  CHECK(to_double(DType::U8, 0xFF) == 255);
  CHECK(to_double(DType::I64, ~0ull) == -1);
}

TEST_CASE("numbers: different elements never look alike") {
  for (const DType type : {DType::F16, DType::BF16, DType::I8, DType::U8, DType::I16, DType::U16}) {
    CAPTURE(std::string(name(type)));
    std::set<std::string> seen;
    const std::uint32_t count = 1u << (8 * size_bytes(type));
    std::uint32_t numbers = 0;
    for (std::uint32_t bits = 0; bits < count; ++bits) {
      if (is_float(type) && oracle::is_nan(type, bits)) {
        CHECK(format_value(type, bits) == "nan");
        continue;
      }
      ++numbers;
      seen.insert(format_value(type, bits));
    }
    CHECK(seen.size() == numbers);
  }
}

TEST_CASE("numbers: in words") {
  CHECK(format_value(DType::F32, 0x3F800000) == "1");
  CHECK(format_value(DType::F32, 0x80000000) == "-0");
  CHECK(format_value(DType::F32, 0x7F800000) == "+inf");
  CHECK(format_value(DType::F16, 0xFC00) == "-inf");
  CHECK(format_value(DType::I8, 0x80) == "-128");
  CHECK(format_value(DType::U64, ~0ull) == "18446744073709551615");
  CHECK(format_value(DType::I64, 1ull << 63) == "-9223372036854775808");
}

TEST_CASE("numbers: elements of arrays; of 4 bits the even ones stand in the lower halves") {
  std::byte array[4] = {};
  for (std::uint64_t i = 0; i < 7; ++i) store_element(array, DType::U4, i, i + 3);
  CHECK(array[0] == std::byte{0x43});
  CHECK(array[3] == std::byte{0x09});
  for (std::uint64_t i = 0; i < 7; ++i) CHECK(load_element(array, DType::U4, i) == i + 3);
  store_element(array, DType::U4, 0, 0xF);
  CHECK(array[0] == std::byte{0x4F});
  store_element(array, DType::U16, 1, 0x1234);
  CHECK(array[2] == std::byte{0x34});
  CHECK(load_element(array, DType::U16, 1) == 0x1234);
}

TEST_CASE("element types: names, sizes, sets") {
  std::set<std::string> names;
  for (int i = 0; i < kDTypes; ++i) {
    const auto type = static_cast<DType>(i);
    CHECK(names.insert(name(type)).second);
    CHECK(dtype_from_name(name(type)) == type);
    CHECK((kAllTypes | kSmallFloats | kFloats4 | kInts4).contains(type));
    CHECK(is_packed(type) == (kFloats4 | kInts4).contains(type));
  }
  CHECK(!dtype_from_name("f64").has_value());
  CHECK(!dtype_from_name("").has_value());
  CHECK(size_bytes(DType::BF16) == 2);
  CHECK(size_bytes(DType::U64) == 8);
  CHECK(bytes_for(DType::U64, 3) == 24);
  CHECK(elements_in(DType::F16, 6) == 3);
  for (const DType type : {DType::E2M1, DType::E1M2, DType::I4, DType::U4}) {
    CHECK(size_bits(type) == 4);
    CHECK(size_bytes(type) == 1);
    CHECK(bytes_for(type, 6) == 3);
    CHECK(bytes_for(type, 7) == 4);
    CHECK(elements_in(type, 32) == 64);
  }
  CHECK(to_double(DType::I4, 0x8) == -8);
  CHECK(to_double(DType::U4, 0x8) == 8);
  CHECK(format_value(DType::I4, 0xF) == "-1");
  const DTypeSet some{DType::F32, DType::I8};
  CHECK(some.list() == "i8, f32");
  CHECK((some | DTypeSet{DType::U8}).list() == "i8, u8, f32");
  CHECK(!some.contains(DType::U8));
  CHECK(DTypeSet{}.empty());
}

}  // namespace ts::test
