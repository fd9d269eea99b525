// Programs that are illegal by the pages and passed silently at some time: now they are told before anything runs, also
// where a number is missing. A row is enough to add one.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/compile/open.h"
#include "tests/support/text/program_rows.h"

namespace ts::test {
namespace {

// Tiles for the rows below.
#define TS_F32 "!pto.tile_buf<vec, 16x16xf32>"
#define TS_WIDE "!pto.tile_buf<vec, 16x32xf32>"
#define TS_F16 "!pto.tile_buf<vec, 16x16xf16>"
#define TS_COLUMNS "!pto.tile_buf<vec, 16x16xf32, blayout=col_major>"
#define TS_OPEN "!pto.tile_buf<vec, 16x16xf32, valid=?x?>"
#define TS_I8 "!pto.tile_buf<vec, 16x32xi8>"
#define TS_PART "!pto.tile_buf<vec, 16x16xf32, valid=8x8, blayout=col_major>"
#define TS_TILES                                                                                                \
  "%f = pto.alloc_tile : " TS_F32 "\n%g = pto.alloc_tile : " TS_F32 "\n%w = pto.alloc_tile : " TS_WIDE          \
  "\n%h16 = pto.alloc_tile : " TS_F16 "\n%col = pto.alloc_tile : " TS_COLUMNS "\n%i8 = pto.alloc_tile : " TS_I8 \
  "\n%open = pto.alloc_tile valid_row = %n valid_col = %n : " TS_OPEN "\n%part = pto.alloc_tile : " TS_PART     \
  "\n%part2 = pto.alloc_tile : " TS_PART "\n"
#define TS_VIEW                                                                                              \
  "%v = pto.make_tensor_view %p, shape = [%n, %n], strides = [%n, %c1] : !pto.tensor_view<?x?xf32>\n%v16 = " \
  "pto.make_tensor_view %h, shape = [%n, %n], strides = [%n, %c1] : !pto.tensor_view<?x?xf16>\n"

// clang-format off
constexpr IllegalRow kIllegal[] = {
    // One number is unknown, and the rule is about the others.
    {"valid shapes differ, scalar unknown", "a5 a2a3", "TADDS-R4", "valid 16x32", TS_TILES "pto.tadds ins(%w, %s : " TS_WIDE ", f32) outs(%f : " TS_F32 ")"},
    {"types differ, scalar unknown", "a5 a2a3", "TMULS-R2", "f16", TS_TILES "pto.tmuls ins(%f, %s : " TS_F32 ", f32) outs(%h16 : " TS_F16 ")"},
    {"layout, scalar unknown", "a5 a2a3", "TMAXS-R3", "col_major", TS_TILES "pto.tmaxs ins(%col, %s : " TS_COLUMNS ", f32) outs(%f : " TS_F32 ")"},
    {"layout of the result, scalar unknown", "a5 a2a3", "TMINS-R3", "col_major", TS_TILES "pto.tmins ins(%f, %s : " TS_F32 ", f32) outs(%col : " TS_COLUMNS ")"},
    {"element type, scalar unknown", "a2a3", "TADDS-R1", "i8", TS_TILES "%x = arith.trunci %si : i32 to i8\npto.tadds ins(%i8, %x : " TS_I8 ", i8) outs(%i8 : " TS_I8 ")"},
    {"scalar of another type, and unknown", "a5 a2a3", "TSUBS-R2", "f32", TS_TILES "pto.tsubs ins(%h16, %s : " TS_F16 ", f32) outs(%h16 : " TS_F16 ")"},
    {"valid shapes differ, scalar unknown", "a5 a2a3", "TDIVS-R4", "valid 16x32", TS_TILES "pto.tdivs ins(%w, %s : " TS_WIDE ", f32) outs(%f : " TS_F32 ")"},
    {"layout, slope unknown", "a5 a2a3", "TLRELU-R3", "col_major", TS_TILES "pto.tlrelu ins(%col, %s : " TS_COLUMNS ", f32) outs(%f : " TS_F32 ")"},
    {"valid shapes differ, factor unknown", "a5 a2a3", "TAXPY-R4", "valid 16x32", TS_TILES "pto.taxpy ins(%w, %s : " TS_WIDE ", f32) outs(%f : " TS_F32 ")"},
    // The valid shape of one tile is unknown.
    {"types differ, valid shape unknown", "a5 a2a3", "TADD-R2", "f16", TS_TILES "pto.tadd ins(%open, %h16 : " TS_OPEN ", " TS_F16 ") outs(%f : " TS_F32 ")"},
    {"layout, valid shape unknown", "a5 a2a3", "TEXP-R3", "col_major", TS_TILES "pto.texp ins(%open : " TS_OPEN ") outs(%col : " TS_COLUMNS ")"},
    {"the other two differ, valid shape unknown", "a5 a2a3", "TMUL-R4", "valid 16x32", TS_TILES "pto.tmul ins(%w, %open : " TS_WIDE ", " TS_OPEN ") outs(%f : " TS_F32 ")"},
    {"no such conversion, valid shape unknown", "a5 a2a3", "TCVT-R8", "no conversion", TS_TILES "pto.tcvt ins(%open : " TS_OPEN ") outs(%i8 : " TS_I8 ")"},
    // The view is unknown.
    {"element sizes, view unknown", "a5 a2a3", "TLOAD-R3", "element size 4", TS_TILES TS_VIEW "pto.tload ins(%v16 : !pto.tensor_view<?x?xf16>) outs(%f : " TS_F32 ")"},
    {"element sizes of a store, view unknown", "a5 a2a3", "TSTORE-R3", "element size 4", TS_TILES TS_VIEW "pto.tstore ins(%f : " TS_F32 ") outs(%v16 : !pto.tensor_view<?x?xf16>)"},
    {"no store from mat, view unknown", "a5", "TSTORE-R2", "no store from mat", TS_TILES TS_VIEW "%mat = pto.alloc_tile : !pto.tile_buf<mat, 16x16xf32>\npto.tstore ins(%mat : !pto.tile_buf<mat, 16x16xf32>) outs(%v : !pto.tensor_view<?x?xf32>)"},
    // Layouts.
    {"nd said of a column", "a5 a2a3", "TLOAD-R2", "do not go together", "%v = pto.make_tensor_view %p, shape = [%c16, %c1], strides = [%c1, %c1] {layout = #pto.layout<nd>} : !pto.tensor_view<16x1xf32>\n%t = pto.alloc_tile : !pto.tile_buf<vec, 16x1xf32, blayout=col_major>\npto.tload ins(%v : !pto.tensor_view<16x1xf32>) outs(%t : !pto.tile_buf<vec, 16x1xf32, blayout=col_major>)"},
    {"a column of a wide matrix", "a5 a2a3", "TLOAD-R2", "do not go together", "%v = pto.make_tensor_view %p, shape = [%c16, %c1], strides = [%c16, %c1] : !pto.tensor_view<16x1xf32>\n%t = pto.alloc_tile : !pto.tile_buf<vec, 16x1xf32, blayout=col_major>\npto.tload ins(%v : !pto.tensor_view<16x1xf32>) outs(%t : !pto.tile_buf<vec, 16x1xf32, blayout=col_major>)"},
    {"a move from rows to columns", "a5 a2a3", "TMOV-R3", "col_major", TS_TILES "pto.tmov ins(%f : " TS_F32 ") outs(%col : " TS_COLUMNS ")"},
    {"a move of part of several columns", "a2a3", "TMOV-R9", "8x8 of a col_major 16x16", TS_TILES "pto.tmov ins(%part : " TS_PART ") outs(%part2 : " TS_PART ")"},
};
// clang-format on

Diagnostics entries_of(const char* text) {
  Diagnostics out;
  const auto tree = read_program("entries", text, out);
  CHECK(entry_points(*tree, out).empty());
  return out;
}

}  // namespace

TEST_CASE("illegal programs: they are told before they run") {
  for (const IllegalRow& row : kIllegal)
    for (const char* target : {"a5", "a2a3"})
      if (names_target(row.targets, target)) check_illegal(row, target);
}

TEST_CASE("illegal programs: what is unknown is not guessed at") {
  OpenRequest request;
  request.inputs.guess = false;
  for (const char* statements :
       {TS_TILES "pto.tadds ins(%f, %s : " TS_F32 ", f32) outs(%g : " TS_F32 ")",
        TS_TILES "pto.tadd ins(%open, %f : " TS_OPEN ", " TS_F32 ") outs(%g : " TS_F32 ")",
        TS_TILES "pto.texpands ins(%s : f32) outs(%open : " TS_OPEN ")",
        TS_TILES TS_VIEW "pto.tload ins(%v : !pto.tensor_view<?x?xf32>) outs(%f : " TS_F32 ")",
        TS_TILES TS_VIEW "pto.tload ins(%v : !pto.tensor_view<?x?xf32>) outs(%col : " TS_COLUMNS ")",
        TS_TILES TS_VIEW "pto.tstore ins(%f : " TS_F32 ") outs(%v : !pto.tensor_view<?x?xf32>)"}) {
    CAPTURE(statements);
    const OpenedText text = open_text(row_text("a5", statements), {}, request);
    for (const Diagnostic& one : text.diagnostics) CHECK_MESSAGE(one.severity == Severity::Note, one.format());
  }
}

TEST_CASE("illegal programs: without a function to start, it is said why") {
  Diagnostics out = entries_of("func.func @f(%x: i32) -> i32 {\n  return %x : i32\n}\n");
  REQUIRE(out.size() == 1);
  CHECK(out[0].rule == "E-ENTRY");
  CHECK(out[0].severity == Severity::Error);
  CHECK(out[0].text == "the program has no function to start: @f returns a value");
  CHECK(out[0].pos == SourcePos{1, 1});
  out = entries_of("module {\n  func.func private @f() {\n    return\n  }\n}\n");
  REQUIRE(out.size() == 1);
  CHECK(out[0].text.find("private or helpers") != std::string::npos);
}

}  // namespace ts::test
