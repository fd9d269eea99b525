// Comparing elements: tolerances at their edges, special values, types, shapes, layouts and undefined bytes.
#include "core/debug/compare/compare.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/random.h"

namespace ts::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

Elements elements(const char* type, std::uint32_t rows, std::uint32_t cols, const std::vector<double>& values) {
  Elements made{find_element_format(type), rows, cols, rows, cols};
  REQUIRE(made.format != nullptr);
  for (const double value : values) made.bits.push_back(element_bits(*made.format, value).value());
  REQUIRE(made.bits.size() == std::size_t{rows} * cols);
  return made;
}
Elements row_of(const char* type, const std::vector<double>& values) {
  return elements(type, 1, static_cast<std::uint32_t>(values.size()), values);
}

Comparison compared(const Elements& a, const Elements& b, const CompareOptions& options = {}) {
  const auto comparing = Comparing::make(a, b, options);
  REQUIRE(std::holds_alternative<Comparing>(comparing));
  return std::get<Comparing>(comparing).all();
}
std::string refused(const Elements& a, const Elements& b, const CompareOptions& options = {}) {
  const auto comparing = Comparing::make(a, b, options);
  REQUIRE(std::holds_alternative<Refusal>(comparing));
  return std::get<Refusal>(comparing).text;
}
bool same(const char* type, double a, double b, const CompareOptions& options = {}) {
  return compared(row_of(type, {a}), row_of(type, {b}), options).ok();
}

TEST_CASE("compare: tolerances pass what they name, and not one more") {
  const double next = std::nextafter(1.0f, 2.0f), second = std::nextafter(static_cast<float>(next), 2.0f);
  CHECK(same("f32", 1, 1));
  CHECK_FALSE(same("f32", next, 1));
  CHECK(same("f32", next, 1, {.ulp = 1}));
  CHECK_FALSE(same("f32", second, 1, {.ulp = 1}));
  CHECK(same("f32", 1.5, 1, {.abs = 0.5}));
  CHECK_FALSE(same("f32", 1.5, 1, {.abs = 0.49}));
  CHECK(same("f32", 101, 100, {.rel = 0.01}));
  CHECK_FALSE(same("f32", 102, 100, {.rel = 0.01}));
  CHECK(same("f32", 0.0, -0.0));
  CHECK(same("i32", 5, 7, {.ulp = 2}));
  CHECK_FALSE(same("i32", 5, 8, {.ulp = 2}));
  // Any of them is enough.
  CHECK(same("f32", 1e-30, 0, {.abs = 1e-20, .ulp = 1}));
}

TEST_CASE("compare: nan and infinities") {
  CHECK(same("f16", kNan, kNan));
  CHECK_FALSE(same("f16", kNan, kNan, {.nan_equal = false}));
  CHECK_FALSE(same("f16", kNan, 1, {.abs = kInf}));
  CHECK(same("f16", kInf, kInf));
  CHECK_FALSE(same("f16", kInf, -kInf, {.abs = kInf, .rel = 1, .ulp = ~0ull}));
  CHECK_FALSE(same("f16", 65504, kInf, {.abs = kInf, .rel = 1, .ulp = ~0ull}));
  // NaNs of different bits.
  Elements a = row_of("f32", {0}), b = row_of("f32", {0});
  a.bits[0] = 0x7FC00001;
  b.bits[0] = 0xFFFFFFFF;
  CHECK(compared(a, b).ok());
}

TEST_CASE("compare: the first, the worst, and how many") {
  const Elements a = elements("f32", 2, 3, {1, 2, 3, 1e-40, 1000, 6}),
                 b = elements("f32", 2, 3, {1, 2.5, 3, -1, 1001, 6});
  const Comparison found = compared(a, b);
  CHECK(found.compared == 6);
  CHECK(found.count == 3);
  CHECK(found.first->row == 0);
  CHECK(found.first->col == 1);
  CHECK(found.worst->col == 0);  // of equal ones the first
  CHECK(found.worst->row == 1);
  CHECK(found.worst_ulp->row == 1);
  CHECK(found.worst_ulp->col == 0);
  CHECK(found.worst->absolute == 1);
  CHECK(difference_text(a, b, *found.first) == "[0,1]: 2 (0x40000000) is not 2.5 (0x40200000), 2097152 ulp apart");

  const auto comparing = std::get<Comparing>(Comparing::make(a, b, {}));
  CHECK(comparing.next(0)->col == 1);
  CHECK(comparing.next(comparing.index_of(*comparing.next(0)) + 1)->row == 1);
  CHECK_FALSE(comparing.next(5));
}

TEST_CASE("compare: with an array of another type") {
  // What a double rounds to is what a half can hold at best.
  CHECK(compared(row_of("f16", {0.1, 1.0 / 3}), row_of("f64", {0.1, 1.0 / 3})).ok());
  CHECK(compared(row_of("bf16", {0.1}), row_of("f32", {0.1})).ok());
  const Comparison off = compared(row_of("f16", {0.1}), row_of("f64", {0.1001}));
  REQUIRE(off.count == 1);
  CHECK(off.worst->ulps == 2);
  CHECK(compared(row_of("i32", {-3}), row_of("f32", {-3})).ok());
  CHECK(compared(row_of("i32", {-3}), row_of("i8", {-3})).ok());
  CHECK(compared(row_of("u8", {1}), row_of("bool", {1})).ok());
  const Comparison half = compared(row_of("i32", {2}), row_of("f32", {2.5}), {.ulp = 1});
  REQUIRE(half.count == 1);
  CHECK(half.worst->ulps == std::nullopt);
  CHECK(half.worst->absolute == 0.5);
  CHECK(compared(row_of("i32", {2}), row_of("f32", {2.5}), {.abs = 0.5}).ok());
  // Infinity is no rounded number.
  CHECK_FALSE(compared(row_of("f16", {kInf}), row_of("f64", {1e6})).ok());
  CHECK(compared(row_of("f16", {kInf}), row_of("f64", {kInf})).ok());
  CHECK(compared(row_of("f16", {kNan}), row_of("f64", {kNan})).ok());
  // 64-bit integers beyond what doubles hold.
  Elements a = row_of("i64", {0}), b = row_of("u64", {0});
  a.bits[0] = (1ull << 53) + 1;
  b.bits[0] = 1ull << 53;
  CHECK(compared(a, b).worst->ulps == 1);
  a.bits[0] = b.bits[0] = ~0ull;
  CHECK_FALSE(compared(a, b).ok());
}

TEST_CASE("compare: regions and shapes") {
  Elements tile = elements("f32", 2, 4, {1, 2, 9, 9, 3, 4, 9, 9});
  tile.valid_cols = 2;
  CHECK(compared(tile, elements("f32", 2, 2, {1, 2, 3, 4})).ok());
  CHECK(compared(tile, row_of("f32", {1, 2, 3, 4})).ok());
  CHECK(compared(tile, elements("f32", 2, 4, {1, 2, 0, 0, 3, 4, 0, 0})).ok());
  CHECK(compared(tile, elements("f32", 2, 4, {1, 2, 0, 0, 3, 4, 0, 0}), {.region = Region::All}).count == 4);
  CHECK(refused(tile, elements("f32", 2, 3, {1, 2, 3, 4, 5, 6})) == "2x2 valid elements cannot be compared with 2x3");
  Elements other = tile;
  other.valid_cols = 3;
  CHECK(refused(tile, other) == "2x2 valid elements cannot be compared with 2x3");
  Elements empty = tile;
  empty.valid_rows = 0;
  CHECK(compared(empty, empty).compared == 0);
}

TEST_CASE("compare: what nobody gave a value") {
  Elements a = row_of("f32", {1, 2, 3}), b = a;
  a.worth = {Definedness::Written, Definedness::Never, Definedness::Unspecified};
  const Comparison found = compared(a, b);
  CHECK(found.count == 2);
  CHECK(found.first->undefined);
  CHECK(difference_text(a, b, *found.first) ==
        "[0,1]: 2 (0x40000000) is not 2 (0x40000000), and was never given a value");
  b.worth = {Definedness::Written, Definedness::Unspecified, Definedness::Written};
  const Comparison both = compared(a, b);
  CHECK(both.undefined == 1);
  CHECK(both.compared == 2);
  CHECK(both.count == 1);
}

TEST_CASE("compare: every type with itself, one element off") {
  Random random(11);
  for (const ElementFormat& format : element_formats()) {
    CAPTURE(format.name);
    for (int i = 0; i < 300; ++i) {
      Elements a{&format, 1, 1, 1, 1, {random.next() & format.mask()}}, b = a;
      CHECK(compared(a, b).ok());
      b.bits[0] = (b.bits[0] + 1) & format.mask();
      const ElementClass class_a = classify(format, a.bits[0]), class_b = classify(format, b.bits[0]);
      if (class_a == ElementClass::Nan && class_b == ElementClass::Nan) continue;
      if (class_a == ElementClass::Zero && class_b == ElementClass::Zero) continue;
      CHECK(compared(a, b).count == 1);
    }
  }
}

TEST_CASE("elements: copied from memory in any layout, with what the bytes are worth") {
  Memory memory(Target::A5, 0);
  for (const InnerOrder inner : {InnerOrder::None, InnerOrder::RowMajor, InnerOrder::ColMajor}) {
    for (const BoxOrder outer : {BoxOrder::RowMajor, BoxOrder::ColMajor}) {
      for (const DType type : {DType::U8, DType::F16, DType::F32, DType::I64}) {
        TileRef tile{{.dtype = type, .rows = 32, .cols = 64, .blayout = outer, .slayout = inner}, 0x1000, 30, 7};
        CAPTURE(tile.type.describe());
        for (std::uint32_t r = 0; r < 32; ++r)
          for (std::uint32_t c = 0; c < 64; ++c)
            memory.set_element(tile.space(), tile.at(r, c), tile.elem_bytes(),
                               (r * 64 + c) & element_format(type).mask());
        memory.mark(memory.map().flat(tile.range()), static_cast<std::uint32_t>(tile.type.size_bytes()),
                    Definedness::Written);
        memory.mark(memory.map().flat(tile.space(), tile.at(3, 5)), 1, Definedness::Unspecified);
        const Elements copied = elements_of(memory, tile);
        CHECK(copied.valid_rows == 30);
        CHECK(copied.rows_of(Region::Valid) == 30);
        CHECK(copied.cols_of(Region::All) == 64);
        CHECK(copied.at(29, 6) == ((29 * 64 + 6) & element_format(type).mask()));
        CHECK(copied.worth_at(3, 5) == Definedness::Unspecified);
        CHECK(copied.worth_at(5, 3) == Definedness::Written);
      }
    }
  }
}

TEST_CASE("elements: of arrays") {
  const auto made = elements_of(data::Array{"f2", {2, 3}, std::vector<std::byte>(12)});
  REQUIRE(std::holds_alternative<Elements>(made));
  CHECK(std::get<Elements>(made).rows == 2);
  CHECK(std::get<Elements>(made).cols == 3);
  CHECK(std::get<Elements>(elements_of(data::Array{"i8", {}, std::vector<std::byte>(8)})).rows == 1);
  CHECK(std::get<Elements>(elements_of(data::Array{"u1", {2, 0}, {}})).bits.empty());
  CHECK(std::holds_alternative<Refusal>(elements_of(data::Array{"c8", {1}, std::vector<std::byte>(8)})));
}

TEST_CASE("compare: many elements are compared as long as it is wanted") {
  const Elements all = row_of("f32", std::vector<double>(100'000, 1.5));
  const auto comparing = Comparing::make(all, all, {});
  int asked = 0;
  CHECK(std::get<Comparing>(comparing).all([&] { return ++asked > 0; }).compared == 100'000);
  CHECK(asked > 100);
  asked = 0;
  CHECK(std::get<Comparing>(comparing).all([&] { return ++asked < 3; }).compared < 1000);
}

}  // namespace
}  // namespace ts::test
