// Tiles as .csv: read back in the ways that a reader would, they have the same bits.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "core/data/array_file.h"
#include "core/data/npy.h"
#include "core/report/csv.h"
#include "tests/oracle/small_float.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/random.h"

namespace ts::test {
namespace {

using Table = std::vector<std::vector<std::string>>;

Table parse(const std::string& text) {
  Table table;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = text.find('\n', at);
    REQUIRE(end != std::string::npos);
    std::vector<std::string>& row = table.emplace_back();
    for (std::size_t cell = at; cell <= end;) {
      const std::size_t comma = std::min(text.find(',', cell), end);
      row.push_back(text.substr(cell, comma - cell));
      cell = comma + 1;
    }
    at = end + 1;
  }
  return table;
}

std::string csv_of(const Elements& elements, Region region = Region::Valid, const CsvOptions& options = {}) {
  std::string text;
  format_csv(cells_of(elements, region), options, [&](std::string_view part) {
    text += part;
    return true;
  });
  return text;
}

Elements table_of(DType type, std::uint32_t rows, std::uint32_t cols, std::vector<std::uint64_t> bits) {
  return {&element_format(type), rows, cols, rows, cols, std::move(bits)};
}

// What a 16-bit float is worth, by its definition.
double value_of_16(std::uint32_t bits, int exponent_bits, int fraction_bits) {
  const std::uint32_t sign = bits >> 15, exponent = bits >> fraction_bits & ((1u << exponent_bits) - 1),
                      fraction = bits & ((1u << fraction_bits) - 1);
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const double size =
      exponent == 0 ? std::ldexp(fraction, 1 - bias - fraction_bits)
                    : std::ldexp((1u << fraction_bits) + fraction, static_cast<int>(exponent) - bias - fraction_bits);
  return sign != 0 ? -size : size;
}

// The nearest of all finite positive values, the even one of two.
std::uint32_t nearest_16(double value, int exponent_bits, int fraction_bits) {
  const std::uint32_t infinite = ((1u << exponent_bits) - 1) << fraction_bits;
  std::uint32_t low = 0, high = infinite - 1;
  const double size = std::fabs(value);
  while (low < high) {
    const std::uint32_t middle = (low + high) / 2;
    if (value_of_16(middle, exponent_bits, fraction_bits) < size) low = middle + 1;
    else high = middle;
  }
  const double above = value_of_16(low, exponent_bits, fraction_bits);
  if (low > 0) {
    const double below = value_of_16(low - 1, exponent_bits, fraction_bits);
    if (size - below < above - size || (size - below == above - size && low % 2 == 1)) --low;
  }
  return low | (std::signbit(value) ? 0x8000u : 0u);
}

std::uint64_t parsed_bits(DType type, const std::string& text) {
  char* end = nullptr;
  std::uint64_t bits = 0;
  switch (type) {
    case DType::F32: bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::strtod(text.c_str(), &end))); break;
    case DType::F16: bits = nearest_16(std::strtod(text.c_str(), &end), 5, 10); break;
    case DType::BF16: bits = nearest_16(std::strtod(text.c_str(), &end), 8, 7); break;
    case DType::U4:
    case DType::U8:
    case DType::U16:
    case DType::U32:
    case DType::U64: bits = std::strtoull(text.c_str(), &end, 10); break;
    default: {
      if (is_small_float(type)) {
        const auto rounding = type == DType::HIF8 ? oracle::Rounding::NearestAway : oracle::Rounding::NearestEven;
        bits = oracle::small_element(type, std::strtod(text.c_str(), &end), rounding, true);
        break;
      }
      bits = static_cast<std::uint64_t>(std::strtoll(text.c_str(), &end, 10));
      if (size_bytes(type) < 8) bits &= (std::uint64_t{1} << size_bits(type)) - 1;
    }
  }
  CHECK_MESSAGE(*end == '\0', text);
  return bits;
}

void comes_back(DType type, std::uint32_t rows, std::uint32_t cols, const std::vector<std::uint64_t>& bits) {
  CAPTURE(name(type));
  const Table table = parse(csv_of(table_of(type, rows, cols, bits)));
  REQUIRE(table.size() == rows);
  std::size_t wrong = 0;
  for (std::uint32_t row = 0; row < rows; ++row) {
    REQUIRE(table[row].size() == cols);
    for (std::uint32_t col = 0; col < cols; ++col) {
      const std::string& text = table[row][col];
      const std::uint64_t want = bits[std::size_t{row} * cols + col];
      if (is_small_float(type) && (text == "nan" || text.ends_with("inf"))) {
        const double value = oracle::small_value(type, static_cast<std::uint8_t>(want));
        const bool fits = text == "nan" ? std::isnan(value) : std::isinf(value) && (text == "-inf") == (value < 0);
        wrong += fits ? 0 : 1;
      } else if (text == "nan" || text == "inf" || text == "-inf") {
        const int fraction = type == DType::F32 ? 23 : type == DType::F16 ? 10 : 7;
        const std::uint64_t all = size_bytes(type) == 4 ? 0x7F800000 : type == DType::F16 ? 0x7C00 : 0x7F80;
        const bool is_nan = (want & ((std::uint64_t{1} << fraction) - 1)) != 0,
                   negative = want >> (8 * size_bytes(type) - 1) != 0;
        const bool fits = (want & all) == all && (text == "nan") == is_nan && (is_nan || (text == "-inf") == negative);
        wrong += fits ? 0 : 1;
      } else if (parsed_bits(type, text) != want && wrong++ == 0) {
        FAIL_CHECK(fmt::format("0x{:x} is written as {}", want, text));
      }
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("csv: every element of 16 bits comes back, and random ones of all types") {
  std::vector<std::uint64_t> all(65536);
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  for (const DType type : {DType::F16, DType::BF16, DType::I16, DType::U16}) comes_back(type, 256, 256, all);
  Random random(11);
  for (int i = 0; i < kDTypes; ++i) {
    const auto type = static_cast<DType>(i);
    const std::uint64_t mask = element_format(type).mask();
    std::vector<std::uint64_t> bits(64 * 33);
    for (std::uint64_t& one : bits)
      one = (std::uint64_t{random.below(0xFFFFFFFFu)} << 32 | random.below(0xFFFFFFFFu)) & mask;
    const std::uint64_t edges[] = {0,
                                   1,
                                   mask,
                                   mask >> 1,
                                   mask / 2 + 1,
                                   0x7F7FFFFF & mask,
                                   0x7F800000 & mask,
                                   0x00800000 & mask,
                                   0x80000001 & mask};
    std::ranges::copy(edges, bits.begin());
    comes_back(type, 64, 33, bits);
  }
}

TEST_CASE("csv: numbers are as short as they can be, and spelled as NumPy reads them") {
  const auto text = [](DType type, std::uint64_t bits) { return csv_number(element_format(type), bits); };
  CHECK(text(DType::F32, 0x3DCCCCCD) == "0.1");
  CHECK(text(DType::F16, 0x2E66) == "0.1");
  CHECK(text(DType::BF16, 0x3DCD) == "0.1");
  CHECK(text(DType::F32, 0x40200000) == "2.5");
  CHECK(text(DType::F32, 0x80000000) == "-0");
  CHECK(text(DType::F32, 0x7F800000) == "inf");
  CHECK(text(DType::F32, 0xFF800000) == "-inf");
  CHECK(text(DType::F32, 0xFFC00001) == "nan");
  CHECK(text(DType::F32, 0x00000001) == "1e-45");
  CHECK(text(DType::I8, 0x80) == "-128");
  CHECK(text(DType::U64, ~std::uint64_t{0}) == "18446744073709551615");
  CHECK(text(DType::I64, std::uint64_t{1} << 63) == "-9223372036854775808");
}

TEST_CASE("csv: what nobody wrote or promised is an empty cell; bits stand behind the values") {
  Elements elements = table_of(DType::F32, 2, 3, {0x3F800000, 0xCDCDCDCD, 0x40000000, 0x40400000, 0x40800000, 0});
  elements.valid_cols = 2;
  elements.worth = {Definedness::Written, Definedness::Never,       Definedness::Written,
                    Definedness::Written, Definedness::Unspecified, Definedness::Written};
  CHECK(csv_of(elements) == "1,\n3,\n");
  CHECK(csv_of(elements, Region::All) == "1,,2\n3,,0\n");
  CHECK(csv_of(elements, Region::Valid, {.hex = true}) == "1,,0x3f800000,\n3,,0x40400000,\n");
  elements.valid_cols = 1;
  elements.worth[3] = Definedness::Never;
  CHECK(csv_of(elements) == "1\n\"\"\n");
  elements.valid_rows = 0;
  CHECK(csv_of(elements).empty());
}

TEST_CASE("csv: tiles in boxes are written by rows and columns, as csv, npy and bytes") {
  TileType type = vec_tile(DType::U16, 32, 32);
  type.loc = TileLoc::Mat;
  type.blayout = BoxOrder::ColMajor;
  type.slayout = InnerOrder::RowMajor;
  const TileRef tile{.type = type, .address = 64, .valid_rows = 20, .valid_cols = 3};
  Memory memory(Target::A5, 4096);
  for (std::uint32_t row = 0; row < 32; ++row)
    for (std::uint32_t col = 0; col < 32; ++col) {
      memory.set_element(tile.space(), tile.at(row, col), 2, row * 100 + col);
      memory.mark(memory.map().flat(tile.space(), tile.at(row, col)), 2, Definedness::Written);
    }
  const TempFolder folder;
  CHECK(write_cells(cells_of(memory, tile), folder / "t.csv").text.empty());
  const Table table = parse(get_text(folder / "t.csv"));
  REQUIRE(table.size() == 20);
  CHECK(table[19] == std::vector<std::string>{"1900", "1901", "1902"});
  CHECK(write_cells(cells_of(memory, tile, Region::All), folder / "t.npy").text.empty());
  const auto read = data::read_array(folder / "t.npy");
  REQUIRE(std::holds_alternative<data::Array>(read));
  const auto& array = std::get<data::Array>(read);
  CHECK(array.type == "u2");
  CHECK(array.shape == std::vector<std::uint64_t>{32, 32});
  std::uint16_t last = 0;
  std::memcpy(&last, array.bytes.data() + 2 * (31 * 32 + 30), 2);
  CHECK(last == 3130);
  CHECK(write_cells(cells_of(memory, tile), folder / "t.bin").text.empty());
  CHECK(get_text(folder / "t.bin").size() == 20 * 3 * 2);
}

TEST_CASE("csv, npy: elements of 4 bits are numbers in text, one a byte for NumPy, and what memory has as raw bytes") {
  const TileRef tile{vec_tile(DType::E2M1, 2, 64, 2, 3), 0x40, 2, 3};
  Memory memory(Target::A5, 0);
  for (std::uint32_t i = 0; i < 6; ++i) {
    const ByteRange place = tile.place_of(i / 3, i % 3);
    memory.set_element(place, i + 9);
    memory.mark(memory.map().flat(place), 1, Definedness::Written);
  }
  const TempFolder folder;
  CHECK(write_cells(cells_of(memory, tile), folder / "t.csv").text.empty());
  CHECK(get_text(folder / "t.csv") == "-0.5,-1,-1.5\n-2,-3,-4\n");
  CHECK(write_cells(cells_of(memory, tile), folder / "t.npy").text.empty());
  const auto read = data::read_array(folder / "t.npy");
  REQUIRE(std::holds_alternative<data::Array>(read));
  CHECK(std::get<data::Array>(read).type == "V1");
  CHECK(std::get<data::Array>(read).bytes.size() == 6);
  CHECK(std::get<data::Array>(read).bytes[4] == std::byte{13});
  CHECK(write_cells(cells_of(memory, tile), folder / "t.bin").text.empty());
  CHECK(get_text(folder / "t.bin") == "\xA9\xCB\xED");
}

TEST_CASE("csv, npy: writing that is called off leaves nothing, and asks for no more elements") {
  const TempFolder folder;
  constexpr std::uint32_t kSide = 1000;
  std::uint64_t looked_at = 0;
  const Cells cells{.rows = kSide, .cols = kSide, .at = [&](std::uint32_t row, std::uint32_t) {
                      ++looked_at;
                      return Cells::Cell{.bits = row};
                    }};
  for (const char* name : {"t.csv", "t.npy"}) {
    looked_at = 0;
    data::WriteRules rules;
    rules.go_on = [asked = 0]() mutable { return ++asked < 3; };
    const data::Error error = write_cells(cells, folder / name, {}, rules);
    CHECK(has(error.text, "called off"));
    CHECK(looked_at < kSide * kSide / 2);
    CHECK(std::filesystem::is_empty(folder.path()));
  }
}

}  // namespace ts::test
