// Tile types: where elements stand in every layout, what the pages' tables say about it, padding values, legality.
#include "core/tile/tile_type.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/tile/operands.h"

namespace ts::test {
namespace {

struct Layout {
  const char* name;
  BoxOrder outer;
  InnerOrder inner;
};
// clang-format off
constexpr Layout kLayouts[] = {
    {"row_major", BoxOrder::RowMajor, InnerOrder::None}, {"col_major", BoxOrder::ColMajor, InnerOrder::None},
    {"nz", BoxOrder::ColMajor, InnerOrder::RowMajor},    {"zn", BoxOrder::RowMajor, InnerOrder::ColMajor},
    {"zz", BoxOrder::RowMajor, InnerOrder::RowMajor},    {"nn", BoxOrder::ColMajor, InnerOrder::ColMajor},
};
// clang-format on

TileType tile(const char* layout, DType type, std::uint32_t rows, std::uint32_t cols, std::uint32_t fractal = 512) {
  TileType out = vec_tile(type, rows, cols);
  for (const Layout& row : kLayouts) {
    if (std::string(layout) != row.name) continue;
    out.blayout = row.outer;
    out.slayout = row.inner;
  }
  out.fractal = fractal;
  return out;
}

void check_bijection(const TileType& type) {
  CAPTURE(type.describe());
  CAPTURE(type.fractal);
  const std::uint64_t count = std::uint64_t{type.rows} * type.cols;
  std::vector<bool> seen(count, false);
  for (std::uint32_t row = 0; row < type.rows; ++row) {
    for (std::uint32_t col = 0; col < type.cols; ++col) {
      const std::uint64_t index = element_index(type, row, col);
      if (index < count && !seen[index] && element_at(type, index) == std::pair{row, col}) {
        seen[index] = true;
        continue;
      }
      CAPTURE(row);
      CAPTURE(col);
      CAPTURE(index);
      FAIL_CHECK("not one to one");
      return;
    }
  }
}

}  // namespace

TEST_CASE("tile layouts: element numbers and their inverse, for all layouts, types and boxes") {
  for (const Layout& layout : kLayouts) {
    for (const DType type : {DType::U8, DType::F16, DType::F32, DType::I64}) {
      for (const auto& [rows, cols] : {std::pair{32u, 64u}, {64u, 32u}, {96u, 32u}, {32u, 32u}}) {
        check_bijection(tile(layout.name, type, rows, cols));
        check_bijection(tile(layout.name, type, rows, cols, 1024));
        check_bijection(tile(layout.name, type, rows, cols, 32));
      }
    }
  }
  check_bijection(tile("row_major", DType::F32, 5, 24));
  check_bijection(tile("col_major", DType::F32, 24, 5));
}

// Elements of every part stand where the whole has them, and nothing of a part lies behind its bytes.
TEST_CASE("tile layouts: parts keep the places of the whole, in all layouts, of parts too") {
  std::uint32_t parts = 0;
  const auto check_part = [&](const TileType& whole, std::uint32_t row, std::uint32_t col, std::uint32_t rows,
                              std::uint32_t cols) {
    const TileType part = part_of(whole, rows, cols);
    CAPTURE(whole.describe());
    CAPTURE(part.describe());
    CAPTURE(row);
    CAPTURE(col);
    const std::uint64_t begin = element_index(whole, row, col), size = elements_in(part.dtype, part.size_bytes());
    std::uint64_t last = 0;
    bool right = true;
    for (std::uint32_t r = 0; r < rows; ++r)
      for (std::uint32_t c = 0; c < cols; ++c) {
        const std::uint64_t index = element_index(part, r, c);
        last = std::max(last, index);
        right = right && begin + index == element_index(whole, row + r, col + c) &&
                element_at(part, index) == std::pair{r, c};
      }
    CHECK(right);
    CHECK(last < size);
    ++parts;
    return part;
  };
  for (const Layout& layout : kLayouts) {
    for (const DType type : {DType::I8, DType::F16, DType::F32}) {
      const TileType whole = tile(layout.name, type, 96, 128);
      for (std::uint32_t row = 0; row < 96; row += row < 20 ? 1 : 13)
        for (std::uint32_t col = 0; col < 128; col += col < 36 ? 1 : 15) {
          if (!may_begin_at(whole, row, col)) continue;
          const std::uint32_t rows = std::min(32u, 96 - row), cols = std::min(64u, 128 - col);
          const TileType part = check_part(whole, row, col, rows, cols);
          check_part(whole, row, col, 1, cols);
          if (rows == 32 && cols == 64 && may_begin_at(part, 16, 32)) check_part(part, 16, 32, 16, 32);
        }
    }
  }
  CHECK(parts > 10'000);
}

TEST_CASE("tile layouts: boxes whose strips go on without a gap may be cut along them anywhere") {
  const TileType nz = tile("nz", DType::F16, 64, 64), zn = tile("zn", DType::F16, 64, 64);
  CHECK(may_begin_at(nz, 3, 16));
  CHECK_FALSE(may_begin_at(nz, 0, 3));
  CHECK(may_begin_at(zn, 16, 3));
  CHECK_FALSE(may_begin_at(zn, 3, 0));
  CHECK_FALSE(may_begin_at(tile("zz", DType::F16, 64, 64), 3, 0));
  CHECK_FALSE(may_begin_at(tile("nn", DType::F16, 64, 64), 0, 3));
  CHECK(may_begin_at(tile("row_major", DType::F16, 64, 64), 3, 5));
  // A row of its own is no row of boxes; a row of a tile with more rows is.
  CHECK_FALSE(tile("nz", DType::F16, 1, 64).in_boxes());
  CHECK(part_of(nz, 1, 64).in_boxes());
  CHECK(part_of(nz, 64, 16) == [&] {
    TileType same = nz;
    same.cols = 16;
    same.valid_rows = same.valid_cols = kDynamic;
    return same;
  }());
}

TEST_CASE("tile layouts: the worked example of the text pages, 32x64, byte offsets") {
  struct Row {
    const char* layout;
    DType type;
    std::uint32_t fractal;
    std::int64_t at01, at10, at0_16, at16_0, at17_35;
  };
  // clang-format off
  const Row rows[] = {
      {"row_major", DType::F16, 512, 2, 128, 32, 2048, 2246}, {"col_major", DType::F16, 512, 64, 2, 1024, 32, 2274},
      {"nz", DType::F16, 512, 2, 32, 1024, 512, 2598},        {"zn", DType::F16, 512, 32, 2, 512, 2048, 3170},
      {"zz", DType::F16, 512, 2, 32, 512, 2048, 3110},        {"nn", DType::F16, 512, 32, 2, 1024, 512, 2658},
      {"nz", DType::F32, 1024, 4, 64, 2048, 1024, 5196},      {"nz", DType::F32, 512, 4, 32, 2048, 512, 4652},
      {"nz", DType::I8, 512, 1, 32, 16, 512, 1571},
  };
  // clang-format on
  for (const Row& row : rows) {
    const TileType type = tile(row.layout, row.type, 32, 64, row.fractal);
    CAPTURE(type.describe());
    CAPTURE(row.fractal);
    const auto offset = [&](std::uint32_t r, std::uint32_t c) {
      return static_cast<std::int64_t>(element_index(type, r, c) * size_bytes(row.type));
    };
    CHECK(offset(0, 1) == row.at01);
    CHECK(offset(1, 0) == row.at10);
    CHECK(offset(0, 16) == row.at0_16);
    CHECK(offset(16, 0) == row.at16_0);
    CHECK(offset(17, 35) == row.at17_35);
  }
  // Scale tiles: boxes of 16x2 and 2x16.
  const TileType left = tile("zz", DType::U8, 32, 8, 32), right = tile("nn", DType::U8, 8, 32, 32);
  CHECK(element_index(left, 0, 1) == 1);
  CHECK(element_index(left, 1, 0) == 2);
  CHECK(element_index(left, 16, 0) == 128);
  CHECK(element_index(left, 17, 5) == 195);
  CHECK(element_index(right, 0, 1) == 2);
  CHECK(element_index(right, 1, 0) == 1);
  CHECK(element_index(right, 0, 16) == 128);
  CHECK(element_index(right, 5, 17) == 195);
}

TEST_CASE("tile layouts: the check values of the tile model") {
  struct Row {
    const char* layout;
    DType type;
    std::uint32_t rows, cols, fractal, row, col, element;
  };
  // clang-format off
  const Row rows[] = {
      {"nz", DType::F16, 32, 48, 512, 17, 20, 788},  {"zz", DType::F16, 32, 48, 512, 17, 20, 1044}, {"zn", DType::F16, 32, 48, 512, 17, 20, 1089},
      {"zn", DType::I8, 64, 32, 512, 33, 17, 1569},  {"nz", DType::I8, 32, 64, 512, 17, 40, 1576},  {"nz", DType::F32, 32, 32, 1024, 5, 18, 594},
      {"nz", DType::F32, 32, 32, 1024, 20, 3, 323},  {"zz", DType::U8, 32, 8, 32, 17, 5, 195},      {"nn", DType::U8, 8, 32, 32, 5, 17, 195},
      {"nz", DType::F16, 33, 32, 512, 1, 16, 544},
  };
  // clang-format on
  for (const Row& row : rows) {
    const TileType type = tile(row.layout, row.type, row.rows, row.cols, row.fractal);
    CAPTURE(type.describe());
    CHECK(element_index(type, row.row, row.col) == row.element);
    CHECK(element_at(type, row.element) == std::pair{row.row, row.col});
  }
}

TEST_CASE("tile types: padding values") {
  struct Row {
    DType type;
    std::uint64_t max, min;
  };
  // clang-format off
  const Row rows[] = {
      {DType::F32, 0x7F800000, 0xFF800000}, {DType::F16, 0x7C00, 0xFC00},         {DType::BF16, 0x7F80, 0xFF80}, {DType::I32, 0x7FFFFFFF, 0x80000000},
      {DType::I16, 0x7FFF, 0x8000},         {DType::I8, 0x7F, 0x80},              {DType::U32, 0xFFFFFFFF, 0},   {DType::U16, 0xFFFF, 0},
      {DType::U8, 0xFF, 0},                 {DType::I64, 0, 0},                   {DType::U64, 0, 0},
  };
  // clang-format on
  for (const Row& row : rows) {
    CAPTURE(std::string(name(row.type)));
    TileType type = vec_tile(row.type, 1, 32);
    for (const auto& [pad, bits] : {std::pair{PadKind::Null, std::uint64_t{0}},
                                    {PadKind::Zero, 0},
                                    {PadKind::Max, row.max},
                                    {PadKind::Min, row.min}}) {
      type.pad = pad;
      CHECK(type.pad_bits() == bits);
    }
    type.pad = PadKind::Custom;
    type.custom_pad = 0x89ABCDEF;
    const std::uint32_t bits = 8 * size_bytes(row.type);
    if (bits < 64) CHECK(type.pad_bits() == (bits == 32 ? 0x89ABCDEF : 0x89ABCDEF & ((1u << bits) - 1)));
  }
}

TEST_CASE("tile types: in words") {
  CHECK(vec_tile(DType::F32, 16, 64).describe() == "vec 16x64 f32 row_major");
  CHECK(vec_tile(DType::F16, 16, 128, 16, kDynamic).describe() == "vec 16x128 f16 row_major, valid 16x?");
  for (const Layout& layout : kLayouts) CHECK(tile(layout.name, DType::F16, 32, 32).layout_name() == layout.name);
  CHECK(vec_tile(DType::I64, 3, 5).size_bytes() == 120);
}

TEST_CASE("tile references: addresses of elements") {
  TileRef ref{.type = vec_tile(DType::F16, 4, 48), .address = 0x1000, .valid_rows = 4, .valid_cols = 48};
  CHECK(ref.at(0, 0) == 0x1000);
  CHECK(ref.at(2, 5) == 0x1000 + (2 * 48 + 5) * 2);
  CHECK(ref.pitch_bytes() == 96);
  CHECK(ref.range() == ByteRange{Space::Ub, 0x1000, 4 * 96});
  ref.type.blayout = BoxOrder::ColMajor;
  CHECK(ref.at(2, 5) == 0x1000 + (5 * 4 + 2) * 2);
  ref.type.loc = TileLoc::Acc;
  CHECK(ref.space() == Space::L0c);
}

TEST_CASE("views: matrix addresses of nd, dn and nz") {
  GlobalRef nd{.dtype = DType::F16,
               .layout = GlobalLayout::ND,
               .address = 100,
               .shape = {2, 1, 3, 4, 5},
               .stride = {1000, 500, 100, 7, 1}};
  CHECK(nd.rows() == 24);
  CHECK(nd.cols() == 5);
  CHECK(nd.at(0, 3) == 100 + 3 * 2);
  CHECK(nd.at(3, 0) == 100 + 3 * 7 * 2);
  CHECK(nd.at(4, 1) == 100 + (100 + 1) * 2);
  CHECK(nd.at(23, 4) == 100 + (1000 + 2 * 100 + 3 * 7 + 4) * 2);
  GlobalRef dn = nd;
  dn.layout = GlobalLayout::DN;
  dn.stride = {1000, 500, 100, 1, 9};
  CHECK(dn.rows() == 4);
  CHECK(dn.cols() == 30);
  CHECK(dn.at(2, 4) == 100 + (2 + 4 * 9) * 2);
  CHECK(dn.at(1, 5) == 100 + (100 + 1) * 2);
  // A 32x32 matrix of f16 in boxes of 16 rows and 16 columns.
  const GlobalRef nz{.dtype = DType::F16,
                     .layout = GlobalLayout::NZ,
                     .address = 0,
                     .shape = {1, 2, 2, 16, 16},
                     .stride = {1024, 512, 256, 16, 1}};
  CHECK(nz.rows() == 32);
  CHECK(nz.cols() == 32);
  CHECK(nz.at(17, 20) == (512 + 256 + 16 + 4) * 2);
}

}  // namespace ts::test
