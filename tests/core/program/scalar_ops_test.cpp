// Arithmetic on scalars: what happens at the edges of the types.
#include "core/program/scalar_ops.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "tests/core/program/f32.h"
#include "tests/support/random.h"

namespace ts::test {
namespace {

using text::ScalarKind;
using U = std::uint64_t;

std::optional<U> evaluated(const std::string& name, ScalarKind type, ScalarKind to, U a, U b = 0, int result = 0,
                           const char* predicate = nullptr) {
  const int op = find_scalar_op("arith." + name);
  REQUIRE(op >= 0);
  ScalarArguments arguments{
      type, to, {cut_to(type, a), cut_to(type, b), 0}, predicate == nullptr ? 0 : find_predicate(op, predicate)};
  REQUIRE(arguments.predicate >= 0);
  U out[2] = {};
  if (!evaluate(op, arguments, out)) return {};
  return out[result];
}

// Of integers, as signed numbers; nothing where there is no result.
std::optional<std::int64_t> number(const std::string& name, ScalarKind type, std::int64_t a, std::int64_t b) {
  const auto bits = evaluated(name, type, type, static_cast<U>(a), static_cast<U>(b));
  return bits ? std::optional(sign_extended(type, *bits)) : std::nullopt;
}
U bits(const std::string& name, ScalarKind type, U a, U b = 0) { return evaluated(name, type, type, a, b).value(); }
U cast(const std::string& name, ScalarKind from, ScalarKind to, U a) { return evaluated(name, from, to, a).value(); }
bool compared(const std::string& name, const char* predicate, ScalarKind type, U a, U b) {
  return evaluated(name, type, type, a, b, 0, predicate) == 1;
}

float as_f32(U value) { return std::bit_cast<float>(static_cast<std::uint32_t>(value)); }

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min(), kMax = std::numeric_limits<std::int64_t>::max();
constexpr ScalarKind kIntegers[] = {ScalarKind::I8, ScalarKind::I16, ScalarKind::I32, ScalarKind::I64,
                                    ScalarKind::Index};

}  // namespace

TEST_CASE("scalars: integers wrap") {
  CHECK(number("addi", ScalarKind::I8, 127, 1) == -128);
  CHECK(number("subi", ScalarKind::I16, -32768, 1) == 32767);
  CHECK(number("muli", ScalarKind::I32, 65536, 65536) == 0);
  CHECK(number("addi", ScalarKind::I64, kMax, 1) == kMin);
  CHECK(number("muli", ScalarKind::Index, kMin, -1) == kMin);
  CHECK(bits("addi", ScalarKind::I1, 1, 1) == 0);
  CHECK(bits("subi", ScalarKind::I32, 0, 1) == 0xFFFFFFFF);
}

TEST_CASE("scalars: division goes towards zero, down or up, and has no result where there is none") {
  CHECK(number("divsi", ScalarKind::I32, -7, 2) == -3);
  CHECK(number("remsi", ScalarKind::I32, -7, 2) == -1);
  CHECK(number("remsi", ScalarKind::I32, 7, -2) == 1);
  CHECK(number("floordivsi", ScalarKind::I32, -7, 2) == -4);
  CHECK(number("floordivsi", ScalarKind::I32, 7, -2) == -4);
  CHECK(number("floordivsi", ScalarKind::I32, -8, 2) == -4);
  CHECK(number("ceildivsi", ScalarKind::I32, 7, 2) == 4);
  CHECK(number("ceildivsi", ScalarKind::I32, -7, 2) == -3);
  CHECK(number("ceildivsi", ScalarKind::I32, -7, -2) == 4);
  CHECK(bits("divui", ScalarKind::I8, 0xFF, 2) == 0x7F);
  CHECK(bits("remui", ScalarKind::I8, 0xFF, 10) == 5);
  CHECK(bits("ceildivui", ScalarKind::I8, 0xFF, 2) == 0x80);
  CHECK(bits("ceildivui", ScalarKind::I64, ~U{0}, ~U{0}) == 1);
  for (const ScalarKind kind : kIntegers) {
    const std::int64_t smallest = sign_extended(kind, U{1} << (text::bits(kind) - 1));
    CAPTURE(text::name(kind));
    for (const char* name : {"divsi", "remsi", "divui", "remui", "ceildivsi", "ceildivui", "floordivsi"})
      CHECK(!number(name, kind, 1, 0));
    for (const char* name : {"divsi", "ceildivsi", "floordivsi"}) CHECK(!number(name, kind, smallest, -1));
    CHECK(number("remsi", kind, smallest, -1) == 0);
    CHECK(number("divsi", kind, smallest, 1) == smallest);
    CHECK(number("divui", kind, smallest, -1) == 0);
  }
}

TEST_CASE("scalars: shifts by the width and more leave nothing, or the sign") {
  for (const ScalarKind kind : kIntegers) {
    const std::int64_t width = text::bits(kind);
    CAPTURE(text::name(kind));
    for (const std::int64_t by : {width, width + 1, std::int64_t{64}, std::int64_t{-1}}) {
      CHECK(number("shli", kind, -1, by) == 0);
      CHECK(number("shrui", kind, -1, by) == 0);
      CHECK(number("shrsi", kind, -1, by) == -1);
      CHECK(number("shrsi", kind, 1, by) == 0);
    }
    CHECK(number("shli", kind, 1, width - 1) == sign_extended(kind, U{1} << (width - 1)));
    CHECK(number("shrui", kind, -1, width - 1) == (width == 1 ? -1 : 1));
    CHECK(number("shrsi", kind, sign_extended(kind, U{1} << (width - 1)), width - 1) == -1);
    CHECK(number("shli", kind, 5, 0) == 5);
  }
}

TEST_CASE("scalars: signed and unsigned order") {
  for (const ScalarKind kind : kIntegers) {
    CAPTURE(text::name(kind));
    CHECK(compared("cmpi", "slt", kind, ~U{0}, 0));
    CHECK(!compared("cmpi", "ult", kind, ~U{0}, 0));
    CHECK(compared("cmpi", "ugt", kind, ~U{0}, 1));
    CHECK(compared("cmpi", "sge", kind, 3, 3));
    CHECK(compared("cmpi", "ule", kind, 3, 3));
    CHECK(compared("cmpi", "ne", kind, 3, 4));
    CHECK(number("maxsi", kind, -1, 1) == 1);
    CHECK(number("maxui", kind, -1, 1) == -1);
    CHECK(number("minsi", kind, -1, 1) == -1);
    CHECK(number("minui", kind, -1, 1) == 1);
  }
  CHECK(find_predicate(find_scalar_op("arith.cmpi"), "oeq") == -1);
  CHECK(find_predicate(find_scalar_op("arith.cmpf"), "slt") == -1);
}

TEST_CASE("scalars: comparisons with NaN are false where they are ordered, true where they are not") {
  const char* const ordered[] = {"oeq", "ogt", "oge", "olt", "ole", "one", "ord", "false"};
  const char* const unordered[] = {"ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"};
  for (const auto& [a, b] : {std::pair{kNan, 1.0f}, std::pair{1.0f, kNan}, std::pair{kNan, kNan}}) {
    for (const char* predicate : ordered) CHECK(!compared("cmpf", predicate, ScalarKind::F32, f32(a), f32(b)));
    for (const char* predicate : unordered) CHECK(compared("cmpf", predicate, ScalarKind::F32, f32(a), f32(b)));
  }
  for (const char* predicate : {"oeq", "oge", "ole", "ueq", "uge", "ule", "ord", "true"})
    CHECK(compared("cmpf", predicate, ScalarKind::F32, f32(0.0f), f32(-0.0f)));
  for (const char* predicate : {"one", "ogt", "olt", "une", "ugt", "ult", "uno", "false"})
    CHECK(!compared("cmpf", predicate, ScalarKind::F32, f32(0.0f), f32(-0.0f)));
  CHECK(compared("cmpf", "olt", ScalarKind::F16, 0xC000, 0x3C00));  // -2 and 1
  CHECK(compared("cmpf", "uno", ScalarKind::BF16, 0x7FC0, 0));
}

TEST_CASE("scalars: minimum and maximum of zeros and NaN") {
  const auto of = [](const char* name, float a, float b) { return bits(name, ScalarKind::F32, f32(a), f32(b)); };
  for (const auto& [a, b] : {std::pair{0.0f, -0.0f}, std::pair{-0.0f, 0.0f}}) {
    CHECK(of("maximumf", a, b) == f32(0.0f));
    CHECK(of("minimumf", a, b) == f32(-0.0f));
  }
  for (const auto& [a, b] : {std::pair{kNan, 1.0f}, std::pair{1.0f, kNan}}) {
    for (const char* name : {"maximumf", "minimumf"}) CHECK(std::isnan(as_f32(of(name, a, b))));
    for (const char* name : {"maxnumf", "minnumf"}) CHECK(of(name, a, b) == f32(1.0f));
  }
  for (const char* name : {"maximumf", "minimumf", "maxnumf", "minnumf"})
    CHECK(std::isnan(as_f32(of(name, kNan, kNan))));
  CHECK(of("maximumf", -kInf, 3.0f) == f32(3.0f));
  CHECK(of("minnumf", -kInf, 3.0f) == f32(-kInf));
}

TEST_CASE("scalars: floats round once, to nearest even") {
  CHECK(bits("addf", ScalarKind::F32, f32(16777216.0f), f32(1.0f)) == f32(16777216.0f));
  CHECK(bits("addf", ScalarKind::F32, f32(16777218.0f), f32(1.0f)) == f32(16777220.0f));
  CHECK(bits("divf", ScalarKind::F32, f32(1.0f), f32(0.0f)) == f32(kInf));
  CHECK(std::isnan(as_f32(bits("divf", ScalarKind::F32, f32(0.0f), f32(0.0f)))));
  CHECK(bits("remf", ScalarKind::F32, f32(-7.5f), f32(2.0f)) == f32(-1.5f));
  CHECK(bits("negf", ScalarKind::F32, f32(0.0f)) == f32(-0.0f));
  CHECK(bits("negf", ScalarKind::F16, 0x7E00) == 0xFE00);
  CHECK(bits("mulf", ScalarKind::F16, 0x7BFF, 0x4000) == 0x7C00);  // 65504 times 2
  // What the host makes of f32, for all four.
  Random random(17);
  for (int i = 0; i < 20000; ++i) {
    const U a = random.next() & 0xFFFFFFFF, b = random.next() & 0xFFFFFFFF;
    const float x = as_f32(a), y = as_f32(b);
    const auto same = [](U got, float expected) {
      return got == f32(expected) || (std::isnan(as_f32(got)) && std::isnan(expected));
    };
    CHECK(same(bits("addf", ScalarKind::F32, a, b), x + y));
    CHECK(same(bits("subf", ScalarKind::F32, a, b), x - y));
    CHECK(same(bits("mulf", ScalarKind::F32, a, b), x * y));
    CHECK(same(bits("divf", ScalarKind::F32, a, b), x / y));
  }
}

TEST_CASE("scalars: integers become floats with one rounding") {
  CHECK(cast("sitofp", ScalarKind::I64, ScalarKind::F32, 16777217) == f32(16777216.0f));
  CHECK(cast("sitofp", ScalarKind::I64, ScalarKind::F32, 16777219) == f32(16777220.0f));
  // Just above the middle of two floats; a double in between would lose the last bit and find the middle.
  const U above_half = (U{1} << 60) + (U{1} << 36) + 1;
  CHECK(cast("sitofp", ScalarKind::I64, ScalarKind::F32, above_half) ==
        f32(std::ldexp(1.0f, 60) + std::ldexp(1.0f, 37)));
  CHECK(cast("uitofp", ScalarKind::I64, ScalarKind::F32, ~U{0}) == f32(std::ldexp(1.0f, 64)));
  CHECK(cast("sitofp", ScalarKind::I64, ScalarKind::F32, ~U{0}) == f32(-1.0f));
  CHECK(cast("sitofp", ScalarKind::I8, ScalarKind::F32, 0x80) == f32(-128.0f));
  CHECK(cast("uitofp", ScalarKind::I8, ScalarKind::F32, 0x80) == f32(128.0f));
  CHECK(cast("uitofp", ScalarKind::I1, ScalarKind::F32, 1) == f32(1.0f));
  CHECK(cast("sitofp", ScalarKind::I32, ScalarKind::F16, 65520) == 0x7C00);
  // bf16 keeps 8 bits: 2^60 is 2^53 apart from the next.
  const U above_bf16_half = (U{1} << 60) + (U{1} << 52) + 1;
  CHECK(cast("sitofp", ScalarKind::I64, ScalarKind::BF16, above_bf16_half) == 0x5D81);
  CHECK(cast("sitofp", ScalarKind::I64, ScalarKind::BF16, above_bf16_half - 1) == 0x5D80);
  CHECK(cast("sitofp", ScalarKind::I64, ScalarKind::BF16, 0 - above_bf16_half) == 0xDD81);
  CHECK(cast("uitofp", ScalarKind::I64, ScalarKind::BF16, ~U{0}) == 0x5F80);
}

TEST_CASE("scalars: floats become integers, towards zero, or have no result") {
  CHECK(cast("fptosi", ScalarKind::F32, ScalarKind::I32, f32(-2.9f)) == 0xFFFFFFFE);
  CHECK(cast("fptoui", ScalarKind::F32, ScalarKind::I8, f32(255.9f)) == 255);
  CHECK(cast("fptoui", ScalarKind::F32, ScalarKind::I8, f32(-0.9f)) == 0);
  CHECK(!evaluated("fptoui", ScalarKind::F32, ScalarKind::I8, f32(256.0f)));
  CHECK(!evaluated("fptosi", ScalarKind::F32, ScalarKind::I8, f32(128.0f)));
  CHECK(cast("fptosi", ScalarKind::F32, ScalarKind::I8, f32(-128.9f)) == 0x80);
  for (const float value : {kNan, kInf, -kInf})
    CHECK(!evaluated("fptosi", ScalarKind::F32, ScalarKind::I64, f32(value)));
  CHECK(!evaluated("fptosi", ScalarKind::F32, ScalarKind::I64, f32(std::ldexp(1.0f, 63))));
  CHECK(cast("fptosi", ScalarKind::F32, ScalarKind::I64, f32(-std::ldexp(1.0f, 63))) == U{1} << 63);
  CHECK(cast("fptoui", ScalarKind::F32, ScalarKind::I64, f32(std::ldexp(1.0f, 63))) == U{1} << 63);
}

TEST_CASE("scalars: widening, cutting and bits as they are") {
  CHECK(cast("extsi", ScalarKind::I8, ScalarKind::I32, 0x80) == 0xFFFFFF80);
  CHECK(cast("extui", ScalarKind::I8, ScalarKind::I32, 0x80) == 0x80);
  CHECK(cast("extsi", ScalarKind::I1, ScalarKind::I8, 1) == 0xFF);
  CHECK(cast("extui", ScalarKind::I1, ScalarKind::I8, 1) == 1);
  CHECK(cast("trunci", ScalarKind::I64, ScalarKind::I16, 0x12345678) == 0x5678);
  CHECK(cast("trunci", ScalarKind::I32, ScalarKind::I1, 2) == 0);
  CHECK(cast("bitcast", ScalarKind::F32, ScalarKind::I32, f32(1.0f)) == 0x3F800000);
  CHECK(cast("bitcast", ScalarKind::I16, ScalarKind::BF16, 0xFFC1) == 0xFFC1);
  CHECK(cast("extf", ScalarKind::F16, ScalarKind::F32, 0x3C01) == f32(1.0009765625f));
  CHECK(cast("extf", ScalarKind::F16, ScalarKind::F32, 1) == f32(std::ldexp(1.0f, -24)));
  CHECK(cast("truncf", ScalarKind::F32, ScalarKind::F16, f32(65519.0f)) == 0x7BFF);
  CHECK(cast("truncf", ScalarKind::F32, ScalarKind::F16, f32(65520.0f)) == 0x7C00);
  CHECK(cast("truncf", ScalarKind::F64, ScalarKind::F32, std::bit_cast<U>(1.0 + std::ldexp(1.0, -24))) == f32(1.0f));
  CHECK(cast("truncf", ScalarKind::F64, ScalarKind::F32, std::bit_cast<U>(1.0 + 3 * std::ldexp(1.0, -24))) ==
        f32(1.0f + std::ldexp(1.0f, -22)));
}

TEST_CASE("scalars: index has 64 bits") {
  CHECK(cast("index_cast", ScalarKind::I32, ScalarKind::Index, 0xFFFFFFFF) == ~U{0});
  CHECK(cast("index_castui", ScalarKind::I32, ScalarKind::Index, 0xFFFFFFFF) == 0xFFFFFFFF);
  CHECK(cast("index_cast", ScalarKind::Index, ScalarKind::I32, 0x1'2345'6789) == 0x23456789);
  CHECK(number("addi", ScalarKind::Index, 0xFFFFFFFF, 1) == 0x1'0000'0000);
  CHECK(number("muli", ScalarKind::Index, 0x1'0000'0000, 4) == 0x4'0000'0000);
}

TEST_CASE("scalars: both halves of a product, and the carry") {
  CHECK(evaluated("mului_extended", ScalarKind::I8, ScalarKind::I8, 0xFF, 0xFF, 0) == 0x01);
  CHECK(evaluated("mului_extended", ScalarKind::I8, ScalarKind::I8, 0xFF, 0xFF, 1) == 0xFE);
  CHECK(evaluated("mulsi_extended", ScalarKind::I8, ScalarKind::I8, 0xFF, 2, 0) == 0xFE);
  CHECK(evaluated("mulsi_extended", ScalarKind::I8, ScalarKind::I8, 0xFF, 2, 1) == 0xFF);
  CHECK(evaluated("mului_extended", ScalarKind::I64, ScalarKind::I64, ~U{0}, ~U{0}, 1) == ~U{1});
  CHECK(evaluated("mulsi_extended", ScalarKind::I64, ScalarKind::I64, ~U{0}, ~U{0}, 1) == 0);
  CHECK(evaluated("addui_extended", ScalarKind::I8, ScalarKind::I8, 0xFF, 1, 0) == 0);
  CHECK(evaluated("addui_extended", ScalarKind::I8, ScalarKind::I8, 0xFF, 1, 1) == 1);
  CHECK(evaluated("addui_extended", ScalarKind::I8, ScalarKind::I8, 0xFE, 1, 1) == 0);
  CHECK(evaluated("addui_extended", ScalarKind::I64, ScalarKind::I64, ~U{0}, ~U{0}, 1) == 1);
}

TEST_CASE("scalars: names") {
  CHECK(find_scalar_op("arith.addi") >= 0);
  CHECK(find_scalar_op("addi") == -1);
  CHECK(find_scalar_op("arith.adds") == -1);
  CHECK(find_scalar_op("") == -1);
}

}  // namespace ts::test
