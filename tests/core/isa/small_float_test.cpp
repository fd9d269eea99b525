// The floats of 8 bits and less that tiles have: every code against the oracle's own reading of it.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "core/debug/elements/element_facts.h"
#include "core/isa/element.h"
#include "tests/oracle/small_float.h"

namespace ts::test {
namespace {

constexpr DType kSmall[] = {DType::F8E4M3, DType::F8E5M2, DType::HIF8, DType::E8M0, DType::E2M1, DType::E1M2};
unsigned codes_of(DType type) { return type == DType::E2M1 || type == DType::E1M2 ? 16 : 256; }

bool same(double a, double b) { return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b); }

TEST_CASE("small floats: every code is the number that the format's table says") {
  for (const DType type : kSmall) {
    CAPTURE(std::string(name(type)));
    REQUIRE(small_float_values(type).size() == codes_of(type));
    for (unsigned code = 0; code < codes_of(type); ++code) {
      CAPTURE(code);
      const double value = oracle::small_value(type, static_cast<std::uint8_t>(code));
      CHECK(same(to_double(type, code), value));
      CHECK(same(small_float_values(type)[code], value));
      const ElementFormat& format = element_format(type);
      CHECK((classify(format, code) == ElementClass::Nan) == std::isnan(value));
      CHECK((classify(format, code) == ElementClass::Infinite) == std::isinf(value));
      CHECK((classify(format, code) == ElementClass::Zero) == (value == 0));
      if (!std::isnan(value)) CHECK(from_double(type, value) == code);
    }
  }
}

TEST_CASE("small floats: known codes of HiFloat8") {
  const auto is = [](unsigned code, double value, const char* bits) {
    CHECK(to_double(DType::HIF8, code) == value);
    CHECK(bit_text(element_format(DType::HIF8), code) == bits);
  };
  is(0x08, 1.0, "0 0001 000");
  is(0x0F, 1.875, "0 0001 111");
  is(0x10, 2.0, "0 001 0 000");
  is(0x18, 0.5, "0 001 1 000");
  is(0x20, 4.0, "0 01 00 000");
  is(0x40, 16.0, "0 10 000 00");
  is(0x60, 256.0, "0 11 0000 0");
  is(0x6E, 32768.0, "0 11 0111 0");
  is(0x01, 0x1p-22, "0 0000 001");
  is(0x07, 0x1p-16, "0 0000 111");
  is(0x88, -1.0, "1 0001 000");
}

TEST_CASE("small floats: all numbers round as the oracle rounds them, at the middles too") {
  for (const DType type : kSmall) {
    CAPTURE(std::string(name(type)));
    const auto rounding = type == DType::HIF8 ? oracle::Rounding::NearestAway : oracle::Rounding::NearestEven;
    const auto holds = [&](double value) {
      CAPTURE(value);
      const bool clamps = type == DType::F8E4M3 || type == DType::E8M0 ||
                          codes_of(type) == 16;  // where there is no infinity, the largest number
      CHECK(from_double(type, value) == oracle::small_element(type, value, rounding, clamps));
    };
    for (unsigned code = 0; code < codes_of(type); ++code) {
      const double here = to_double(type, code);
      if (!std::isfinite(here)) continue;
      const auto above = neighbours(element_format(type), code).above;
      const double next = above ? to_double(type, *above) : 2 * here;
      const double middle = std::isfinite(next) ? here + (next - here) / 2 : 1.0625 * here;
      for (const double value : {here, middle, std::nextafter(middle, -1e9), std::nextafter(middle, 1e9)}) holds(value);
    }
    for (const double value : {448.0, 464.0, 465.0, 61439.0, 61440.0, 40959.0, 40960.0, 1e30, -1e30}) holds(value);
  }
}

TEST_CASE("small floats: neighbours lead through every number once, upwards and downwards") {
  for (const DType type : kSmall) {
    CAPTURE(std::string(name(type)));
    const ElementFormat& format = element_format(type);
    const double infinity = std::numeric_limits<double>::infinity();
    const double least = type == DType::F8E4M3 ? -448.0 : type == DType::E8M0 ? 0x1p-127 : -infinity;
    std::uint64_t code = from_double(type, least);
    std::set<std::string> texts;
    int steps = 0;
    for (;; ++steps) {
      texts.insert(short_text(format, code));
      const auto up = neighbours(format, code).above;
      if (!up) break;
      CHECK(to_double(type, *up) > to_double(type, code));
      CHECK(ulp_distance(format, code, *up).value_or(1) == 1);
      const auto back = neighbours(format, *up).below;
      REQUIRE(back);
      CHECK(to_double(type, *back) == to_double(type, code));
      code = *up;
    }
    // All but NaN, and one of the zeros.
    const int numbers = type == DType::F8E4M3   ? 253
                        : type == DType::F8E5M2 ? 249
                        : codes_of(type) == 16  ? 15
                                                : 255;  // e8m0: all but NaN
    CHECK(steps == numbers - 1);
    CHECK(texts.size() == static_cast<std::size_t>(numbers));
  }
}

}  // namespace
}  // namespace ts::test
