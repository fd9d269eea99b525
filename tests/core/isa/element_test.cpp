// What the bits of elements mean: values, rounding, distances and texts of every type, against tables written by hand
// and against the oracle's arithmetic.
#include "core/isa/element.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "tests/oracle/number.h"
#include "tests/support/random.h"

namespace ts::test {
namespace {

using U = std::uint64_t;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

const ElementFormat& format(const char* name) {
  const ElementFormat* found = find_element_format(name);
  REQUIRE(found != nullptr);
  return *found;
}

double float_number(const char* name, U bits) { return number(format(name), bits); }
U float_element(const char* name, double value) { return element_bits(format(name), value).value(); }

TEST_CASE("elements: every type of tiles has a format of its size and name") {
  for (int i = 0; i < kDTypes; ++i) {
    const auto type = static_cast<DType>(i);
    CHECK(std::string(element_format(type).name) == name(type));
    CHECK(element_format(type).size_bytes() == size_bytes(type));
    CHECK(element_format(type).is_float() == is_float(type));
    if (is_float(type)) CHECK(element_format(type).fields.size_bits() == element_format(type).size_bits);
  }
  CHECK(find_element_format("f99") == nullptr);
}

TEST_CASE("elements: the short float formats, value by value") {
  for (const DType type : {DType::F16, DType::BF16}) {
    const ElementFormat& of = element_format(type);
    for (U bits = 0; bits < 0x10000; ++bits) {
      if (is_nan(of.fields, bits)) {
        CHECK(oracle::is_nan(type, bits));
        continue;
      }
      const double value = oracle::float_value(type, bits);
      REQUIRE(float_value(of.fields, bits) == value);
      REQUIRE(float_bits(of.fields, value) == bits);
    }
  }
  for (const char* name : {"f8e4m3", "f8e4m3fn", "f8e5m2", "f4e2m1fn", "f4e1m2fn", "f8e8m0fnu"})
    for (U bits = 0; bits <= format(name).mask(); ++bits)
      if (!is_nan(format(name).fields, bits)) CHECK(float_element(name, float_number(name, bits)) == bits);
}

TEST_CASE("elements: corners of the small floats") {
  CHECK(float_number("f8e4m3fn", 0x7E) == 448);
  CHECK(std::isnan(float_number("f8e4m3fn", 0x7F)));
  CHECK(float_number("f8e4m3fn", 0x01) == std::ldexp(1, -9));
  CHECK(float_number("f8e4m3", 0x77) == 240);
  CHECK(float_number("f8e4m3", 0x78) == kInfinity);
  CHECK(float_number("f8e5m2", 0x7B) == 57344);
  CHECK(float_number("f8e5m2", 0xFC) == -kInfinity);
  CHECK(float_number("f4e2m1fn", 0x7) == 6);
  CHECK(float_number("f4e2m1fn", 0x9) == -0.5);
  CHECK(float_number("f8e8m0fnu", 127) == 1);
  CHECK(float_number("f8e8m0fnu", 0) == std::ldexp(1, -127));
  CHECK(std::isnan(float_number("f8e8m0fnu", 0xFF)));

  CHECK(float_element("f8e4m3fn", 1e9) == 0x7E);
  CHECK(float_element("f8e4m3", 1e9) == 0x78);
  CHECK(float_element("f8e4m3fn", -kInfinity) == 0xFE);
  CHECK(float_element("f4e2m1fn", 2.5) == 0x4);  // a tie: 2 is even
  CHECK(float_element("f4e2m1fn", 3.5) == 0x6);
  CHECK(float_element("f8e8m0fnu", 1.5) == 128);
  CHECK(float_element("f8e8m0fnu", 0) == 0);
  CHECK(float_element("f8e8m0fnu", -4) == 0);
}

TEST_CASE("elements: integers take whole numbers in their range") {
  CHECK(element_bits(element_format(DType::I8), -128.0) == 0x80);
  CHECK(element_bits(element_format(DType::I8), 128.0) == std::nullopt);
  CHECK(element_bits(element_format(DType::I8), 1.5) == std::nullopt);
  CHECK(element_bits(element_format(DType::U8), -1.0) == std::nullopt);
  CHECK(element_bits(element_format(DType::U8), std::int64_t{255}) == 255);
  CHECK(element_bits(element_format(DType::U8), std::int64_t{256}) == std::nullopt);
  CHECK(element_bits(element_format(DType::I64), std::ldexp(1, 63)) == std::nullopt);
  CHECK(element_bits(element_format(DType::U64), std::ldexp(1, 63)) == U{1} << 63);
  CHECK(element_bits(element_format(DType::I32), std::nan("")) == std::nullopt);
  CHECK(element_bits(element_format(DType::U64), std::int64_t{-1}) == ~U{0});
  CHECK(integer(element_format(DType::I16), 0xFFFE) == -2);
  CHECK(integer(element_format(DType::U16), 0xFFFE) == 0xFFFE);
  // The nearest f32 of a number that no double holds.
  CHECK(element_bits(element_format(DType::F32), (std::int64_t{1} << 62) + (std::int64_t{1} << 38) + 1) == 0x5E800001);
}

TEST_CASE("elements: from one type to another") {
  const auto from = [](const char* to, const char* source, U bits) {
    return convert(format(to), format(source), bits);
  };
  CHECK(from("f16", "f64", std::bit_cast<U>(0.1)) == 0x2E66);
  CHECK(from("i32", "f32", std::bit_cast<std::uint32_t>(-3.0f)) == 0xFFFFFFFD);
  CHECK(from("i32", "f32", std::bit_cast<std::uint32_t>(2.5f)) == std::nullopt);
  CHECK(from("u8", "i32", 0xFFFFFFFF) == std::nullopt);
  CHECK(from("u64", "i64", ~U{0}) == std::nullopt);
  CHECK(from("i64", "u64", ~U{0}) == std::nullopt);
  CHECK(from("f32", "u64", ~U{0}) == 0x5F800000);
  CHECK(from("u8", "bool", 1) == 1);
}

TEST_CASE("elements: distances") {
  const auto ulps = [](const char* name, U a, U b) { return ulp_distance(format(name), a, b); };
  CHECK(ulps("f32", 0x3F800000, 0x3F800001) == 1);
  CHECK(ulps("f32", 0x00000000, 0x80000000) == 0);
  CHECK(ulps("f32", 0x00000001, 0x80000001) == 2);
  CHECK(ulps("f32", 0x7F7FFFFF, 0x7F800000) == std::nullopt);
  CHECK(ulps("f32", 0x7F800000, 0x7F800000) == 0);
  CHECK(ulps("f32", 0x7F800000, 0xFF800000) == std::nullopt);
  CHECK(ulps("f32", 0x7FC00000, 0x7FC00000) == std::nullopt);
  CHECK(ulps("f64", std::bit_cast<U>(-1.0), std::bit_cast<U>(1.0)) == 2 * std::bit_cast<U>(1.0));
  CHECK(ulps("f8e4m3fn", 0x7E, 0xFE) == 2 * 0x7E);
  CHECK(ulps("i64", U{1} << 63, ~(U{1} << 63)) == ~U{0});
  CHECK(ulps("u8", 3, 250) == 247);
  CHECK(ulps("i8", 0xFF, 0x01) == 2);
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    // One step further is the next number, whatever the sign.
    const U bits = random.next() & 0xFFFF;
    const ElementFormat& half = format("f16");
    if (classify(half, bits) == ElementClass::Nan || classify(half, bits) == ElementClass::Infinite) continue;
    const U further = bits + 1;
    if (classify(half, further) == ElementClass::Infinite || further == 0x8000) continue;
    CHECK(ulp_distance(half, bits, further) == 1);
    CHECK(std::fabs(number(half, further)) > std::fabs(number(half, bits)));
  }
  CHECK(absolute_difference(format("i64"), U{1} << 63, 0) == std::ldexp(1, 63));
  CHECK(std::isnan(absolute_difference(format("f32"), 0x7FC00000, 0)));
}

TEST_CASE("elements: classes") {
  CHECK(classify(format("f32"), 0x80000000) == ElementClass::Zero);
  CHECK(classify(format("f32"), 0x00000001) == ElementClass::Denormal);
  CHECK(classify(format("f32"), 0xFF800000) == ElementClass::Infinite);
  CHECK(classify(format("f32"), 0xFFC00000) == ElementClass::Nan);
  CHECK(classify(format("f4e2m1fn"), 0x1) == ElementClass::Denormal);
  CHECK(classify(format("f8e8m0fnu"), 0) == ElementClass::Normal);
  CHECK(classify(format("i16"), 0) == ElementClass::Zero);
}

TEST_CASE("elements: texts") {
  const auto exact = [](const char* name, U bits) { return exact_text(format(name), bits); };
  CHECK(exact("f32", std::bit_cast<std::uint32_t>(0.1f)) == "0.100000001490116119384765625");
  CHECK(exact("f32", std::bit_cast<std::uint32_t>(-2.5f)) == "-2.5");
  CHECK(exact("f32", std::bit_cast<std::uint32_t>(0.5f)) == "0.5");
  CHECK(exact("f32", 0) == "0");
  CHECK(exact("f32", 0x80000000) == "-0");
  CHECK(exact("f32", std::bit_cast<std::uint32_t>(16777216.0f)) == "16777216");
  CHECK(
      exact("f32", 1) ==
      "1.40129846432481707092372958328991613128026194187651577175706828388979108268586060148663818836212158203125e-45");
  CHECK(exact("f32", 0x7F7FFFFF) == "3.4028234663852885981170418348451692544e38");
  CHECK(exact("f16", 0x3555) == "0.333251953125");
  CHECK(exact("f64", std::bit_cast<U>(0.1)) == "0.1000000000000000055511151231257827021181583404541015625");
  CHECK(exact("f32", 0x7F800000) == "+inf");
  CHECK(exact("i64", U{1} << 63) == "-9223372036854775808");
  CHECK(exact("u64", ~U{0}) == "18446744073709551615");

  CHECK(hex_text(format("f32"), 0x40200000) == "0x40200000");
  CHECK(hex_text(format("u8"), 7) == "0x07");
  CHECK(hex_text(format("f4e2m1fn"), 7) == "0x7");
  CHECK(bit_text(format("f32"), 0x40200000) == "0 10000000 01000000000000000000000");
  CHECK(bit_text(format("bf16"), 0xC020) == "1 10000000 0100000");
  CHECK(bit_text(format("f8e8m0fnu"), 0x7F) == "01111111");
  CHECK(bit_text(format("u16"), 0x12AF) == "0001 0010 1010 1111");
  CHECK(short_text(format("f8e5m2"), 0x7C) == "+inf");
  CHECK(short_text(format("f64"), std::bit_cast<U>(0.1)) == "0.1");
}

}  // namespace
}  // namespace ts::test
