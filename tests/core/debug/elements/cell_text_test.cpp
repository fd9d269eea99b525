// Texts of elements: what is cut says so, what is whole reads back, what is no number has its own word.
#include "core/debug/elements/cell_text.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "core/debug/elements/copy_elements.h"
#include "tests/support/random.h"

namespace ts::test {
namespace {

const ElementFormat& kF32 = element_format(DType::F32);

std::uint64_t f32_bits(double value) { return element_bits(kF32, value).value(); }
std::string fitted(double value, std::size_t most) {
  return fitted_text(kF32, f32_bits(value), Definedness::Written, NumberStyle::Decimal, most);
}

TEST_CASE("cell text: numbers, and what is none") {
  const auto text = [](double value) {
    return cell_text(kF32, f32_bits(value), Definedness::Written, NumberStyle::Decimal);
  };
  CHECK(text(2.5) == "2.5");
  CHECK(text(0.1) == "0.1");
  CHECK(text(-3) == "-3");
  CHECK(text(1e-40) == "1e-40·d");
  CHECK(text(1e20) == "1e20");
  CHECK(text(std::nan("")) == "NaN");
  CHECK(text(INFINITY) == "+inf");
  CHECK(text(-INFINITY) == "-inf");
  CHECK(cell_text(kF32, 0, Definedness::Never, NumberStyle::Hex) == "..");
  CHECK(cell_text(kF32, f32_bits(2.5), Definedness::Unspecified, NumberStyle::Decimal) == "2.5?");
  CHECK(cell_text(kF32, f32_bits(2.5), Definedness::Written, NumberStyle::Hex) == "40200000");
  CHECK(cell_text(kF32, f32_bits(0.1), Definedness::Written, NumberStyle::Exact) == "0.100000001490116119384765625");
}

TEST_CASE("cell text: what is cut is marked") {
  CHECK(fitted(3.14159, 5) == "3.14…");
  CHECK(fitted(3.14159, 4) == "3.1…");
  CHECK(fitted(3.14159, 2) == "3…");
  CHECK(fitted(3.14159, 1).empty());
  CHECK(fitted(2.5, 3) == "2.5");
  CHECK(fitted(1234567, 7) == "1234567");
  CHECK(fitted(1234567, 6) == "1.2e6…");
}

TEST_CASE("cell text: integers and digits") {
  const ElementFormat& i32 = element_format(DType::I32);
  const auto bits = element_bits(i32, std::int64_t{-123456}).value();
  CHECK(cell_text(i32, bits, Definedness::Written, NumberStyle::Decimal) == "-123456");
  CHECK(fitted_text(i32, bits, Definedness::Written, NumberStyle::Decimal, 9) == "-123456");
  CHECK(rounded_text(i32, bits, 3) == "-1.23e5…");
  CHECK(rounded_text(i32, element_bits(i32, std::int64_t{77}).value(), 3) == "77");
  CHECK(rounded_text(i32, element_bits(i32, std::int64_t{100000}).value(), 3) == "1e5…");
  CHECK(fitted_text(i32, bits, Definedness::Written, NumberStyle::Hex, 5) == "…1dc0");
  CHECK(characters("3.14…") == 5);
}

TEST_CASE("cell text: a text that is not marked reads back as the element") {
  Random random(5);
  for (const DType dtype : {DType::F32, DType::F16, DType::BF16}) {
    const ElementFormat& format = element_format(dtype);
    for (int i = 0; i < 3000; ++i) {
      const std::uint64_t bits = random.next() & format.mask();
      if (classify(format, bits) == ElementClass::Nan) continue;
      for (const std::size_t most : {4u, 6u, 9u, 30u}) {
        const std::string text = fitted_text(format, bits, Definedness::Written, NumberStyle::Decimal, most);
        CHECK(characters(text) <= most);
        if (text.empty() || text.find(kCutMark) != std::string::npos) continue;
        CHECK(element_bits(format, std::strtod(text.c_str(), nullptr)) == bits);
      }
    }
  }
}

// --- copying ---

// All numbers of a text in their order, behind `from`.
std::vector<double> numbers_in(const std::string& text, std::size_t from) {
  std::vector<double> found;
  const char* at = text.c_str() + from;
  while (*at != 0) {
    char* end = nullptr;
    const double value = std::strtod(at, &end);
    if (end == at) ++at;
    else found.push_back(value), at = end;
  }
  return found;
}

Elements random_elements(Random& random, DType dtype, std::uint32_t rows, std::uint32_t cols) {
  Elements made{&element_format(dtype), rows, cols, rows, cols};
  for (std::uint32_t i = 0; i < rows * cols; ++i) {
    std::uint64_t bits = random.next() & made.format->mask();
    while (!std::isfinite(number(*made.format, bits))) bits = random.next() & made.format->mask();
    made.bits.push_back(bits);
  }
  return made;
}

TEST_CASE("copying: numbers read back with the same bits") {
  Random random(6);
  for (const DType dtype : {DType::F32, DType::I32, DType::U8, DType::I16}) {
    const Elements made = random_elements(random, dtype, 6, 7);
    const CopyPart part{1, 2, 4, 5};
    for (const CopyAs form : {CopyAs::Text, CopyAs::C, CopyAs::Lua, CopyAs::NumPy}) {
      const std::string text = copy_text(made, part, form, "t");
      CAPTURE(text);
      const std::size_t from = form == CopyAs::Text ? 0 : text.find('\n');
      std::vector<double> found = numbers_in(text, from);
      REQUIRE(found.size() >= 20);
      for (std::uint32_t i = 0; i < 20; ++i)
        CHECK(element_bits(*made.format, found[i]) == made.at(1 + i / 5, 2 + i % 5));
    }
  }
}

TEST_CASE("copying: what languages cannot say is given as bits") {
  Elements made{&kF32, 1, 3, 1, 3, {0x7FC00001, 0x3F800000, 0xFF800000}, {}};
  CHECK(copy_text(made, {0, 0, 1, 3}, CopyAs::NumPy, "t") ==
        "np.array([\n  [0x7fc00001, 0x3f800000, 0xff800000],\n], dtype=np.uint32).view(np.float32)\n");
  CHECK(copy_text(made, {0, 1, 1, 2}, CopyAs::NumPy, "t") == "np.array([\n  [1.0, -np.inf],\n], dtype=np.float32)\n");
  CHECK(copy_text(made, {0, 0, 1, 3}, CopyAs::Lua, "t") == "{\n  {(0/0), 1.0, -math.huge},\n}\n");
  CHECK(copy_text(made, {0, 1, 1, 2}, CopyAs::C, "%t.2") == "const float t2[1][2] = {\n  {1.0f, -INFINITY},\n};\n");
  made.worth = {Definedness::Never, Definedness::Written, Definedness::Written};
  CHECK(copy_text(made, {0, 0, 1, 2}, CopyAs::Text, "t") == "..\t1");
  CHECK(copy_text(made, {0, 0, 1, 2}, CopyAs::Lua, "t") ==
        "-- 1 of these elements is undefined\n{\n  {(0/0), 1.0},\n}\n");
  const Elements half{&element_format(DType::BF16), 1, 1, 1, 1, {0x3F80}, {}};
  CHECK(copy_text(half, {}, CopyAs::NumPy, "h") ==
        "np.array([\n  [0x3f80],\n], dtype=np.uint16)  # the bits of bf16\n");
  CHECK(copy_text(half, {}, CopyAs::C, "h") == "// the bits of bf16\nconst uint16_t h[1][1] = {\n  {0x3f80},\n};\n");
  const Elements wide{&element_format(DType::U64), 1, 1, 1, 1, {~0ull}, {}};
  CHECK(copy_text(wide, {}, CopyAs::Lua, "w") == "{\n  {0xffffffffffffffff},\n}\n");
  CHECK(copy_text(wide, {}, CopyAs::NumPy, "w") == "np.array([\n  [18446744073709551615],\n], dtype=np.uint64)\n");
}

}  // namespace
}  // namespace ts::test
