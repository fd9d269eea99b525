// Neighbours in value, other readings, and addresses spelled out.
#include "core/debug/elements/element_facts.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/random.h"

namespace ts::test {
namespace {

TEST_CASE("element facts: neighbours are the next numbers") {
  Random random(9);
  const ElementFormat& f32 = element_format(DType::F32);
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t bits = random.next() & f32.mask();
    const auto value = static_cast<float>(number(f32, bits));
    if (std::isnan(value)) {
      CHECK_FALSE(neighbours(f32, bits).above);
      continue;
    }
    const Neighbours found = neighbours(f32, bits);
    if (found.above) CHECK(number(f32, *found.above) == std::nextafter(value, INFINITY));
    if (found.below) CHECK(number(f32, *found.below) == std::nextafter(value, -INFINITY));
    CHECK((found.above.has_value() || value == INFINITY));
    CHECK((found.below.has_value() || value == -INFINITY));
  }
  CHECK(neighbours(f32, 0).below == 0x80000001u);
  CHECK(neighbours(f32, 0x80000000u).above == 1u);
  const ElementFormat& i8 = element_format(DType::I8);
  CHECK_FALSE(neighbours(i8, 0x7F).above);
  CHECK_FALSE(neighbours(i8, 0x80).below);
  CHECK(neighbours(i8, 0x00).below == 0xFFu);
  CHECK_FALSE(neighbours(element_format(DType::U16), 0xFFFF).above);
  const ElementFormat& e8m0 = *find_element_format("f8e8m0fnu");
  CHECK_FALSE(neighbours(e8m0, 0).below);
  CHECK_FALSE(neighbours(e8m0, 0xFE).above);
}

TEST_CASE("element facts: the same bits as other types") {
  const auto others = read_as_others(element_format(DType::F32), 0x3F800000);
  REQUIRE(others.size() == 2);
  CHECK(others[0].text == "1065353216");
  CHECK(read_as_others(element_format(DType::U16), 0x3C00).size() == 3);
}

TEST_CASE("element facts: formulas end in the true address") {
  TileType type = vec_tile(DType::F32, 32, 16);
  CHECK(address_formula({type, 0x200, 32, 16}, 1, 5) == "0x200 + (1*16 + 5)*4 = 0x254");
  type.blayout = BoxOrder::ColMajor;
  CHECK(address_formula({type, 0x200, 32, 16}, 1, 5) == "0x200 + (5*32 + 1)*4 = 0x484");
  type.slayout = InnerOrder::RowMajor;
  const TileRef boxed{type, 0x400, 32, 16};
  const std::string text = address_formula(boxed, 17, 9);
  CHECK(text.find(" = 0x" + [&] {
    char hex[16];
    std::snprintf(hex, sizeof hex, "%x", boxed.at(17, 9));
    return std::string(hex);
  }() + ",") != std::string::npos);
  CHECK(text.find("row 1 and column 1 in it") != std::string::npos);
}

TEST_CASE("element facts: groups cover all bits") {
  for (const ElementFormat& format : element_formats())
    for (std::uint64_t code = 0; code < 256; ++code) {
      int bits = 0;
      for (const BitGroup& group : bit_groups(format, code)) bits += group.bits;
      CHECK(bits == format.size_bits);
    }
}

}  // namespace
}  // namespace ts::test
