// Numbers as program text and command lines write them.
#include "core/program/literal.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/core/program/f32.h"

namespace ts::test {
namespace {

using text::ScalarKind;

}  // namespace

TEST_CASE("literals: integers of up to 64 bits") {
  CHECK(parse_integer("0") == 0);
  CHECK(parse_integer("-1") == -1);
  CHECK(parse_integer("9223372036854775807") == INT64_MAX);
  CHECK(parse_integer("-9223372036854775808") == INT64_MIN);
  CHECK(parse_integer("18446744073709551615") == -1);  // unsigned
  CHECK(parse_integer("0xFFFFFFFFFFFFFFFF") == -1);
  CHECK(parse_integer("0xff") == 255);
  CHECK(parse_integer("-0x10") == -16);
  for (const char* wrong : {"", "-", "0x", "+5", "5a", "0xG", "1.5", " 5", "5 ", "--5", "18446744073709551616",
                            "-9223372036854775809", "0x10000000000000000"}) {
    CAPTURE(wrong);
    CHECK(!parse_integer(wrong));
  }
}

TEST_CASE("literals: integers must fit their type, signed or unsigned") {
  CHECK(parse_scalar("255", ScalarKind::I8) == 255);
  CHECK(parse_scalar("-128", ScalarKind::I8) == 0x80);
  CHECK(parse_scalar("-1", ScalarKind::I32) == 0xFFFFFFFF);
  CHECK(parse_scalar("0xFFFF", ScalarKind::I16) == 0xFFFF);
  CHECK(parse_scalar("18446744073709551615", ScalarKind::I64) == ~std::uint64_t{0});
  CHECK(parse_scalar("-9223372036854775808", ScalarKind::Index) == std::uint64_t{1} << 63);
  CHECK(parse_scalar("true", ScalarKind::I1) == 1);
  CHECK(parse_scalar("false", ScalarKind::I1) == 0);
  CHECK(parse_scalar("1", ScalarKind::I1) == 1);
  CHECK(!parse_scalar("256", ScalarKind::I8));
  CHECK(!parse_scalar("-129", ScalarKind::I8));
  CHECK(!parse_scalar("0x10000", ScalarKind::I16));
  CHECK(!parse_scalar("4294967296", ScalarKind::I32));
  CHECK(!parse_scalar("2", ScalarKind::I1));
  CHECK(!parse_scalar("1.0", ScalarKind::I32));
  // These are -1 in 64 bits, and nothing in fewer.
  CHECK(!parse_scalar("18446744073709551615", ScalarKind::I32));
  CHECK(!parse_scalar("0xFFFFFFFFFFFFFFFF", ScalarKind::I32));
}

TEST_CASE("literals: floats by value and by bits") {
  CHECK(parse_scalar("1.5", ScalarKind::F32) == f32(1.5f));
  CHECK(parse_scalar("-2.5e-3", ScalarKind::F32) == f32(-2.5e-3f));
  CHECK(parse_scalar("+1e3", ScalarKind::F32) == f32(1000));
  CHECK(parse_scalar("3", ScalarKind::F32) == f32(3));
  CHECK(parse_scalar("0x7F800000", ScalarKind::F32) == 0x7F800000);
  CHECK(parse_scalar("0x7E00", ScalarKind::F16) == 0x7E00);
  CHECK(parse_scalar("1.0", ScalarKind::F16) == 0x3C00);
  CHECK(parse_scalar("65520.0", ScalarKind::F16) == 0x7C00);
  CHECK(parse_scalar("1.0", ScalarKind::BF16) == 0x3F80);
  CHECK(parse_scalar("-0.0", ScalarKind::F32) == f32(-0.0f));
  CHECK(!parse_scalar("0x1FFFF", ScalarKind::F16));
  CHECK(!parse_scalar("0x", ScalarKind::F32));
  CHECK(!parse_scalar("1.5x", ScalarKind::F32));
  CHECK(!parse_scalar("", ScalarKind::F32));
}

TEST_CASE("literals: floats too large are infinite, floats too small are zero") {
  CHECK(parse_scalar("1e39", ScalarKind::F32) == 0x7F800000);
  CHECK(parse_scalar("1e400", ScalarKind::F32) == 0x7F800000);
  CHECK(parse_scalar("-1e400", ScalarKind::F32) == 0xFF800000);
  CHECK(parse_scalar("1e-400", ScalarKind::F32) == 0);
  CHECK(parse_scalar("-1e-400", ScalarKind::F32) == 0x80000000);
}

}  // namespace ts::test
