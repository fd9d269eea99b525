// Quantisation as numbers on a line: places before rounding, scales that are shared, codes, errors. On both targets.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/debug/picture/quant_picture.h"
#include "tests/support/text/kernel_text.h"

namespace ts::test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<std::byte> float_bytes(const std::vector<float>& values) {
  std::vector<std::uint32_t> words;
  for (const float value : values) words.push_back(std::bit_cast<std::uint32_t>(value));
  return bytes_of_words(words);
}

constexpr std::uint32_t kSteps = 3;  // loads before it
// Two rows of eight.
QuantPicture quantised(Target target, bool shifted, const std::vector<float>& x, const std::vector<float>& scale,
                       const std::vector<float>& offset = {0, 0}) {
  KernelText kernel(target);
  for (const char* name : {"x_in", "s_in", "o_in"}) kernel.buffer(name, "f32", 2, 8);
  kernel.tile("x", "2x32xf32, valid=2x8", 0);
  for (const auto& [line, column, address] : {std::tuple{"s_line", "s", 0x400u}, {"o_line", "o", 0x500u}}) {
    kernel.tile(line, "1x8xf32", address);
    kernel.tile(column, "8x1xf32, valid=2x1, blayout=col_major", address);
  }
  kernel.tile("q", shifted ? "2x32xui8, valid=2x8" : "2x32xi8, valid=2x8", 0x600);
  kernel.tile("tmp", "2x32xf32, valid=2x8", 0x800);
  kernel.load("x", "x_in", "0", "0", 2, 8);
  kernel.load("s_line", "s_in", "0", "0", 1, 8);
  kernel.load("o_line", "o_in", "0", "0", 1, 8);
  kernel.op("tquant", shifted ? std::vector<std::string>{"x", "s", "o"} : std::vector<std::string>{"x", "s"}, {"q"});
  std::vector<float> scales = scale, offsets = offset;
  scales.resize(16, 1), offsets.resize(16, 0);
  Questions questions(
      kernel.record({{"x_in", float_bytes(x)}, {"s_in", float_bytes(scales)}, {"o_in", float_bytes(offsets)}}));
  return quant_picture(questions, kSteps);
}

const std::vector<float> kValues{0.1f, 1.26f, -3.4f, 0, 63.6f, -64.2f, 100,  -1e9f,  // times 2
                                 1,    2,     3,     4, 5,     kNan,   kInf, 7};     // times 10

}  // namespace

TEST_CASE("quant picture: integers have their places before rounding, and ends of the line stand for what is beyond") {
  for (const Target target : kBothTargets) {
    CAPTURE(target);
    const QuantPicture picture = quantised(target, false, kValues, {2, 10});
    REQUIRE(picture.cells.size() == 16);
    CHECK(picture.to_codes);
    CHECK(picture.least == -128);
    CHECK(picture.most == 127);
    CHECK(picture.at(0, 1).place == static_cast<double>(1.26f * 2));
    CHECK(picture.at(0, 1).code == 3);
    CHECK(picture.at(0, 2).code == 0xF9);
    CHECK(picture.at(0, 4).place == static_cast<double>(63.6f * 2));
    CHECK_FALSE(picture.at(0, 4).clipped);
    CHECK_FALSE(picture.at(0, 5).clipped);  // -128.4 is -128
    CHECK(picture.errors.clipped == 3);
    for (const RowCol& at : {RowCol{0, 6}, {0, 7}, {1, 6}}) CHECK(picture.at(at.first, at.second).clipped);
    CHECK(std::isnan(picture.at(1, 5).place));
    CHECK(picture.at(1, 5).code == 0);
  }
}

TEST_CASE("quant picture: a row shares its scale and offset") {
  for (const Target target : kBothTargets) {
    CAPTURE(target);
    const QuantPicture picture =
        quantised(target, true, {1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8}, {2, 3}, {10, 20});
    REQUIRE(picture.scales.size() == 2);
    for (std::uint32_t row = 0; row < 2; ++row) {
      const QuantScale& scale = picture.scale_of(picture.at(row, 3));
      CHECK(scale.elements.size() == 8);
      CHECK(scale.factor_number == 2 + row);
      CHECK(scale.zero_number == 10 + 10 * row);
      CHECK(scale.factor->row == row);
      CHECK(picture.at(row, 3).place == 4 * (2 + row) + 10 + 10 * row);
      CHECK(picture.worth(scale, to_double(DType::U8, picture.at(row, 3).code)) == 4);
    }
    CHECK(picture.errors.count == 16);
    CHECK(picture.errors.largest == 0);
  }
}

TEST_CASE("quant picture: errors are what comes back less what was there") {
  for (const Target target : kBothTargets) {
    CAPTURE(target);
    const QuantPicture picture = quantised(target, false, kValues, {2, 10});
    CHECK(picture.at(0, 1).error == 3 / 2.0 - static_cast<double>(1.26f));
    CHECK(picture.errors.largest == 1e9 - 64);
    CHECK(picture.errors.where == RowCol{0, 7});
    CHECK(picture.errors.count == 14);  // not NaN and infinity
    double sum = 0;
    for (const QuantCell& cell : picture.cells)
      if (!std::isnan(cell.error)) sum += cell.error * cell.error;
    CHECK(picture.errors.root_mean_square == std::sqrt(sum / 14));
  }
}

TEST_CASE("quant picture: floats from integers, the other way") {
  for (const Target target : kBothTargets) {
    CAPTURE(target);
    KernelText kernel(target);
    kernel.buffer("q_in", "i16", 2, 16);
    kernel.buffer("s_in", "f32", 1, 8);
    kernel.buffer("o_in", "f32", 1, 8);
    kernel.tile("q", "2x16xi16, valid=2x8", 0);
    for (const auto& [line, column, address] : {std::tuple{"s_line", "s", 0x400u}, {"o_line", "o", 0x500u}}) {
      kernel.tile(line, "1x8xf32", address);
      kernel.tile(column, "8x1xf32, valid=2x1, blayout=col_major", address);
    }
    kernel.tile("back", "2x16xf32, valid=2x8", 0x800);
    kernel.load("q", "q_in", "0", "0", 2, 8);
    kernel.load("s_line", "s_in", "0", "0", 1, 8);
    kernel.load("o_line", "o_in", "0", "0", 1, 8);
    kernel.op("tdequant", {"q", "s", "o"}, {"back"});
    std::vector<float> scale(8, 0.1f), offset(8, 3);
    std::vector<std::byte> codes(64);
    codes[2] = std::byte{0xFE}, codes[3] = std::byte{0xFF};
    Questions questions(kernel.record({{"q_in", codes}, {"s_in", float_bytes(scale)}, {"o_in", float_bytes(offset)}}));
    const QuantPicture picture = quant_picture(questions, kSteps);
    REQUIRE(picture.cells.size() == 16);
    CHECK_FALSE(picture.to_codes);
    CHECK(picture.least == -32768);
    CHECK(picture.at(0, 1).place == -2);
    CHECK(picture.at(0, 1).value == std::bit_cast<std::uint32_t>(-5 * 0.1f));
    CHECK(picture.at(0, 1).error == static_cast<double>(-5 * 0.1f) + 5 * static_cast<double>(0.1f));
    CHECK(picture.worth(picture.scales[0], -2) == -5 * static_cast<double>(0.1f));
  }
}

TEST_CASE("quant picture: groups share an exponent") {
  for (const bool down : {false, true}) {
    CAPTURE(down);
    KernelText kernel;
    const std::uint32_t rows = down ? 64 : 2, cols = down ? 32 : 64;
    kernel.buffer("x_in", "f32", rows, cols);
    const std::string shape = down ? "64x32" : "2x64", few = down ? "valid=2x32" : "valid=2x2";
    kernel.tile("x", shape + "xf32", 0);
    kernel.tile("q", shape + "xf8E4M3FN", 0x4000);
    kernel.tile("e", "2x32xui8, " + few, 0x6000);
    kernel.tile("max", "2x32xf32, " + few, 0x7000);
    kernel.tile("scaling", "2x32xf32, " + few, 0x8000);
    kernel.load("x", "x_in", "0", "0", rows, cols);
    kernel.line("pto.tquant.mx ins(%x : !pto.tile_buf<vec, " + shape +
                "xf32>) outs(%q, %e, %max, %scaling : !pto.tile_buf<vec, " + shape +
                "xf8E4M3FN>, !pto.tile_buf<vec, 2x32xui8, " + few + ">, !pto.tile_buf<vec, 2x32xf32, " + few +
                ">, !pto.tile_buf<vec, 2x32xf32, " + few + ">) {grpAxis = " + (down ? "0" : "1") + " : i32}");
    std::vector<float> x(std::size_t{rows} * cols, 1);
    x[0] = 480;  // 511 / 512 of the next power of two is clipped to 448
    x[1] = 3.3f;
    Questions questions(kernel.record({{"x_in", float_bytes(x)}}));
    const QuantPicture picture = quant_picture(questions, 1);
    REQUIRE(picture.cells.size() == x.size());
    CHECK(picture.most == 448);
    CHECK(picture.least == -448);
    CHECK(picture.scales.size() == (down ? 64 : 4));
    const QuantScale& first = picture.scale_of(picture.at(0, 0));
    CHECK(first.elements.size() == 32);
    CHECK(first.elements.back() == (down ? RowCol{31, 0} : RowCol{0, 31}));
    REQUIRE(first.exponent.has_value());
    REQUIRE(first.largest.has_value());
    CHECK(picture.at(0, 0).place == 480 * first.factor_number);
    CHECK(picture.at(0, 0).clipped == (480 * first.factor_number > 448));
    CHECK(picture.at(0, 0).clipped);
    CHECK(picture.errors.clipped == 1);
    CHECK(picture.errors.largest == 32);
  }
}

TEST_CASE("quant picture: elements of 4 bits have their places, both of each byte") {
  KernelText kernel;
  kernel.buffer("x_in", "bf16", 2, 64);
  kernel.tile("x", "2x64xbf16", 0);
  kernel.tile("q", "2x64x!pto.f4E2M1x2", 0x4000);
  kernel.tile("e", "2x32xui8, valid=2x2", 0x6000);
  kernel.tile("max", "2x32xbf16, valid=2x2", 0x7000);
  kernel.tile("scaling", "2x32xbf16, valid=2x2", 0x8000);
  kernel.load("x", "x_in", "0", "0", 2, 64);
  kernel.line(
      "pto.tquant.mx ins(%x : !pto.tile_buf<vec, 2x64xbf16>) outs(%q, %e, %max, %scaling : !pto.tile_buf<vec, "
      "2x64x!pto.f4E2M1x2>, !pto.tile_buf<vec, 2x32xui8, valid=2x2>, !pto.tile_buf<vec, 2x32xbf16, valid=2x2>, "
      "!pto.tile_buf<vec, 2x32xbf16, valid=2x2>) {quant_type = #pto<quant_type MXFP4_E2M1>}");
  Questions questions(kernel.record({}));
  const QuantPicture picture = quant_picture(questions, 1);
  REQUIRE(picture.cells.size() == 128);
  CHECK(picture.most == 6);
  int others = 0;
  for (std::uint32_t row = 0; row < 2; ++row)
    for (std::uint32_t col = 0; col < 64; ++col) {
      const QuantCell& cell = picture.at(row, col);
      CAPTURE(row);
      CAPTURE(col);
      CHECK(cell.place == to_double(DType::BF16, cell.value) * picture.scale_of(cell).factor_number);
      const double code = to_double(DType::E2M1, cell.code);
      // Codes are 1/2 apart below 2, and 2 at most.
      CHECK(std::abs(std::clamp(cell.place, -6.0, 6.0) - code) <= (std::abs(code) < 2 ? 0.25 : 1));
      others += col > 0 && cell.place != picture.at(row, col - 1).place ? 1 : 0;
    }
  CHECK(others > 100);
}

TEST_CASE("quant picture: codes around one, by number") {
  const auto numbers = [](DType type, std::uint64_t code, std::uint32_t side) {
    std::vector<double> found;
    for (const QuantCode& one : codes_around(type, code, side)) found.push_back(one.number);
    return found;
  };
  using Numbers = std::vector<double>;
  CHECK(numbers(DType::I8, 0xFF, 2) == Numbers{-3, -2, -1, 0, 1});
  CHECK(numbers(DType::I8, 0x7F, 2) == Numbers{125, 126, 127});
  CHECK(numbers(DType::U8, 0, 2) == Numbers{0, 1, 2});
  CHECK(numbers(DType::I16, 0x8000, 1) == Numbers{-32768, -32767});
  CHECK(numbers(DType::F8E4M3, 0x7E, 2) == Numbers{384, 416, 448});
  const double least = std::ldexp(1, -9);
  for (const std::uint64_t zero : {0x00, 0x80}) {
    CHECK(numbers(DType::F8E4M3, zero, 1) == Numbers{-least, 0, least});
    CHECK(codes_around(DType::F8E4M3, zero, 1)[1].bits == zero);
  }
  CHECK(codes_around(DType::F8E4M3, 0x7F, 2).empty());
}

}  // namespace ts::test
