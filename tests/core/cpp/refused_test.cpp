// What the header refuses while it is compiled: each sentence, at the line of the source.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/cpp/header_files.h"
#include "tests/support/cpp/kernel_run.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

struct Refused {
  const char *line, *sentence;
};
constexpr Refused kRefused[] = {
    {"Tile<TileType::Vec, double, 8, 8> t;", "tile: the element type is none that tiles have"},
    {"Tile<TileType::Vec, float, -1, 8> t;", "tile: it needs at least one row and one column"},
    {"Tile<TileType::Vec, float, 8, 8, BLayout::RowMajor, 9, 8> t;",
     "tile: the valid rows and columns may not be more than the tile has"},
    {"Tile<TileType::Vec, float, 8, 5> t;", "tile: a row (a column, if column-major) is a multiple of 32 bytes"},
    {"Tile<TileType::Mat, half, 8, 16, BLayout::ColMajor, 8, 16, SLayout::RowMajor> t;",
     "tile: rows and columns are multiples of those of a box"},
    {"V t(3);", "tile: nothing is DYNAMIC, so the given size would be ignored"},
    {"Tile<TileType::Vec, float, 8, 8, BLayout::RowMajor, DYNAMIC, DYNAMIC> t(3);",
     "tile: rows and columns are DYNAMIC, so both are wanted"},
    {"V t(3, 3);", "tile: nothing is DYNAMIC, so the given sizes would be ignored"},
    {"Shape<1, 1, 1, DYNAMIC, DYNAMIC> s(3);", "Shape, Stride: give all five sizes, or as many as are DYNAMIC"},
    {"GlobalTensor<double, Shape<1, 1, 1, 8, 8>, Stride<64, 64, 64, 8, 1>> g;",
     "GlobalTensor: the element type is none that tensors have"},
    {"open.GetShape<3>();", "GetShape<dim>: the dimension is DYNAMIC; use GetShape(dim)"},
    {"open.GetStride<3>();", "GetStride<dim>: the dimension is DYNAMIC; use GetStride(dim)"},
    {"TASSIGN<0x10>(v);", "TASSIGN: a tile stands at a multiple of 32 bytes"},
    {"Tile<TileType::Vec, half, 8, 16> w; TSUBVIEW(w, v, 0, 0);",
     "TSUBVIEW: the window has the tile's elements and memory"},
    {"Tile<TileType::Vec, float, 8, 8, BLayout::ColMajor> w; TSUBVIEW(w, v, 0, 0);",
     "TSUBVIEW: the window has the tile's layout"},
    {"Tile<TileType::Vec, float, 4, 16> w; TSUBVIEW(w, v, 0, 0);",
     "TSUBVIEW: the window has as many columns as the tile"},
    {"TPipe<0, 4, 512, 2> p(x, 0, 0);", "TPipe: the direction is from cube to vector, from vector to cube, or both"},
    {"TPipe<16, 1, 512, 2> p(x, 0, 0);", "TPipe: there are flags 0 to 15"},
    {"TPipe<0, 1, 512, 0> p(x, 0, 0);", "TPipe: it needs slots, and slots need bytes"},
    {"ConvTileShape<> s;", "ConvTileShape: one to six dimensions"},
    {"ConvTile<TileType::Mat, double, 4096, Layout::NC1HWC0, ConvTileShape<1, 1, 8, 8, 16>> t;",
     "ConvTile: the element type is none that tiles have"},
    {"ConvTile<TileType::Mat, half, 4096, Layout::ND, ConvTileShape<1, 1, 8, 8, 16>> t;",
     "ConvTile: the layout is NC1HWC0"},
    {"ConvTile<TileType::Vec, half, 4096, Layout::NC1HWC0, ConvTileShape<1, 1, 8, 8, 16>> t;",
     "ConvTile: tiles of the convolution unit stand in Mat here"},
};

constexpr std::uint32_t kLine = 7;
std::string kernel_with(const char* line) {
  return fmt::format(
      "#include <pto/pto-inst.hpp>\nusing namespace pto;\nusing V = Tile<TileType::Vec, float, 8, 8>;\n"
      "extern \"C\" __global__ AICORE void kernel(__gm__ float* x) {{\n  V v;\n"
      "  GlobalTensor<float, Shape<1, 1, 1, DYNAMIC, 8>, Stride<64, 64, 64, DYNAMIC, 1>> open(x, {{8}}, {{8}});\n  {}\n}}\n",
      line);
}

Diagnostics told_of(const TempFolder& folder, const std::string& text) {
  put_text(folder.path() + "/kernel.cpp", text);
  Diagnostics told;
  compiled(folder.path() + "/kernel.cpp", {}, told);
  return told;
}

}  // namespace

TEST_CASE("cpp refused: each sentence of the header, at the line of the source") {
  const TempFolder folder;
  REQUIRE(told_of(folder, kernel_with("TASSIGN<0x20>(v);")).empty());
  std::size_t number = 0;
  for (const Refused& one : kRefused) {
    if (number++ % rounds(6u, 2u, 1u) != 0) continue;  // a second each
    CAPTURE(one.line);
    const Diagnostics told = told_of(folder, kernel_with(one.line));
    const auto found = std::ranges::find_if(
        told, [&](const Diagnostic& error) { return error.text.find(one.sentence) != std::string::npos; });
    REQUIRE_MESSAGE(found != told.end(), (told.empty() ? "it compiles" : told.front().format()));
    CHECK(found->rule == "E-CPP-COMPILE");
    CHECK(found->pos.line == kLine);
  }
  const Diagnostics entry = told_of(folder,
                                    "#include <pto/pto-inst.hpp>\nstruct S { int n; };\n"
                                    "extern \"C\" __global__ AICORE void kernel(S s) {}\n");
  REQUIRE_FALSE(entry.empty());
  CHECK_MESSAGE(entry.front().text.find("give a struct by a pointer") != std::string::npos, entry.front().format());
}

TEST_CASE("cpp refused: no sentence of the header is without its test") {
  std::size_t sentences = 0;
  for (const cpp::HeaderFile& file : cpp::header_files())
    for (std::size_t at = 0; (at = file.text.find("static_assert(", at)) != std::string_view::npos; ++at) ++sentences;
  CHECK(sentences == std::size(kRefused) + 1);
}

}  // namespace ts::test
