// The forms that front ends write today: every file of the corpus reads, prints as it stands, and compiles.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/compile/compiler.h"
#include "core/text/parse/parser.h"
#include "core/text/printer.h"
#include "core/text/same_tree.h"
#include "tests/support/text/text_outline.h"

namespace ts::test {
namespace {

using namespace ts::text;

// The seeds of the text's fuzzer, which begin where front ends leave off.
std::vector<std::filesystem::path> corpus_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator("tests/fuzz/corpus/text")) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string printed_again(const std::string& text, const PrintOptions& options = {}) {
  const Parsed parsed = parse_text(text);
  CHECK(messages(parsed.diagnostics) == "");
  return print(parsed.tree, options);
}

}  // namespace

TEST_CASE("v060: what front ends write prints as it stands") {
  const auto files = corpus_files();
  CHECK(files.size() >= 9);
  for (const auto& path : files) {
    CAPTURE(path.string());
    const std::string text = contents(path);
    CHECK(printed_again(text) == text);
    // In the compact spelling it is the same program, of types that are told apart as before.
    const std::string compact = printed_again(text, {.compact_types = true});
    CHECK(printed_again(compact) == compact);
    CHECK(compact.find("loc=") == std::string::npos);
    CHECK(compact.size() <= text.size());
  }
}

TEST_CASE("v060: what front ends write compiles without an error") {
  for (const auto& path : corpus_files()) {
    CAPTURE(path.string());
    const auto tree = std::make_shared<const Tree>(parse_text(contents(path)).tree);
    Diagnostics found;
    const auto entries = entry_points(*tree, found);
    CHECK(!entries.empty());
    for (const EntryPoint& entry : entries) {
      CAPTURE(entry.name);
      compile(tree, entry, {.target = entry.target.value_or(Target::A2A3)}, found);
    }
    CHECK(messages(found).find("error") == std::string::npos);
  }
}

TEST_CASE("v060: keyed, compact and elided spellings are one type, and each comes back") {
  constexpr const char* kText =
      "pto.tadd ins(%a, %b : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=64, v_row=8, v_col=64, blayout=row_major, "
      "slayout=none_box, fractal=512, pad=0>, !pto.tile_buf<vec, 8x64xf32>) outs(%c : <loc=vec, dtype=f32, rows=8, "
      "cols=64, v_row=8, v_col=64, blayout=row_major, slayout=none_box, fractal=512, pad=0>)\n";
  const Parsed parsed = parse_text(kText);
  CHECK(messages(parsed.diagnostics) == "");
  CHECK(parsed.tree.types.size() == 1);
  CHECK(print(parsed.tree) == kText);
  CHECK(print(parsed.tree, {.compact_types = true}) ==
        "pto.tadd ins(%a, %b : !pto.tile_buf<vec, 8x64xf32>, !pto.tile_buf<vec, 8x64xf32>) outs(%c : "
        "!pto.tile_buf<vec, 8x64xf32>)\n");
  CHECK(print_line(parsed.tree, parsed.tree.first_op).find("loc=") == std::string::npos);
}

TEST_CASE("v060: an alias of a keyed type is that type, in that spelling") {
  CHECK(
      printed_again("!t = !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=64, v_row=?, v_col=?>\n"
                    "#l = #pto.layout<nd>\n"
                    "%a = pto.alloc_tile valid_row = %r valid_col = %c {layout = #l} : !t\n") ==
      "%a = pto.alloc_tile valid_row = %r valid_col = %c {layout = #pto.layout<nd>} : !pto.tile_buf<loc=vec, dtype=f32, "
      "rows=8, cols=64, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>\n");
}

TEST_CASE("v060: the generic form keeps its properties and its types") {
  constexpr const char* kText =
      "%t = \"pto.alloc_tile\"(%a, %r, %c) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (i64, index, index) -> "
      "!pto.tile_buf<vec, 16x64xf32, valid=?x?>\n";
  CHECK(printed_again(kText) == kText);
}

TEST_CASE("v060: blocks that jump to each other are read and printed") {
  constexpr const char* kText =
      "func.func @f(%c: i1, %x: i32) {\n"
      "  cf.cond_br %c, ^bb1(%x : i32), ^bb2\n"
      "^bb1(%y: i32):\n"
      "  cf.br ^bb2\n"
      "^bb2:\n"
      "  return\n"
      "}\n";
  CHECK(printed_again(kText) == kText);
}

}  // namespace ts::test
