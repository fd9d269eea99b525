// The generic form: what it means as items, what is wrong with broken ones, and what is printed again.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/text/ops/generic_row.h"
#include "tests/support/text/open_text.h"
#include "tests/support/text/text_outline.h"

namespace ts::test {
namespace {

using namespace ts::text;

#define TS_T "!pto.tile_buf<vec, 16x64xf32>"
#define TS_V "!pto.tensor_view<16x64xf32>"

// The meaning, item by item: clauses by name, values as they stand.
std::string meaning_of(const Tree& tree, std::span<const Item> items) {
  std::string out;
  for (const Item& item : items) {
    if (!out.empty()) out += ' ';
    switch (item.kind) {
      case ItemKind::Named:
      case ItemKind::Group:
        out += fmt::format("{}({})", tree.name_of(item), meaning_of(tree, tree.children(item)));
        break;
      case ItemKind::List:
      case ItemKind::Element: out += fmt::format("[{}]", meaning_of(tree, tree.children(item))); break;
      case ItemKind::Types: out += fmt::format(": {}", meaning_of(tree, tree.children(item))); break;
      case ItemKind::Arrow: out += fmt::format("-> {}", meaning_of(tree, tree.children(item))); break;
      case ItemKind::Dict: out += "{}"; break;
      case ItemKind::Region: out += "region"; break;
      case ItemKind::Param: out += fmt::format("param({})", meaning_of(tree, tree.children(item))); break;
      case ItemKind::Type: out += tree.types.print(item.first); break;
      default: out += tree.text(item);
    }
  }
  return out;
}

struct BrokenGeneric {
  const char *text, *rule, *at, *says;
};
// clang-format off
constexpr BrokenGeneric kBrokenGenerics[] = {
    // Operands.
    {"%v = \"pto.load_scalar\"(%p) : (!pto.ptr<f32>) -> f32", "E-OPERANDS", "", "pto.load_scalar has 1 operand, needs at least 2"},
    {"\"pto.store_scalar\"(%p) : (!pto.ptr<f32>) -> ()", "E-OPERANDS", "", "pto.store_scalar has 1 operand, needs at least 3"},
    {"\"scf.for\"(%a, %b) ({^bb0(%i: index):}) : (index, index) -> ()", "E-OPERANDS", "", "scf.for has 2 operands, needs at least 3"},
    {"\"scf.if\"() ({}) : () -> ()", "E-OPERANDS", "", "scf.if has 0 operands, needs 1"},
    // Places.
    {"%t = \"pto.alloc_tile\"(%a) : (i64) -> " TS_T, "V60-05", "pto.alloc_tile", "operandSegmentSizes is missing"},
    {"%t = \"pto.alloc_tile\"(%a) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> " TS_T, "V60-05", "operandSegmentSizes", "operandSegmentSizes has 2 numbers, pto.alloc_tile has 3 places"},
    {"%t = \"pto.alloc_tile\"(%a, %b) <{operandSegmentSizes = array<i32: 2, 0, 0>}> : (i64, i64) -> " TS_T, "V60-05", "operandSegmentSizes", "operandSegmentSizes gives addr 2 operands"},
    {"%t = \"pto.alloc_tile\"(%a) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i64) -> " TS_T, "V60-05", "operandSegmentSizes", "operandSegmentSizes sums to 2, the op has 1 operand"},
    {"%t = \"pto.alloc_tile\"(%a) <{operandSegmentSizes = array<i32: 1, 99999999999999999999, 0>}> : (i64) -> " TS_T, "V60-05", "operandSegmentSizes", "the op has 1 operand"},
    {"%t = \"pto.alloc_tile\"(%a) <{operandSegmentSizes = 3 : i32}> : (i64) -> " TS_T, "E-ATTRIBUTE", "operandSegmentSizes", "operandSegmentSizes is 3, needs array<i32"},
    // Attributes.
    {"%c = \"arith.constant\"() : () -> i32", "E-ATTRIBUTE", "arith.constant", "arith.constant needs the attribute value"},
    {"%c = \"arith.constant\"() <{value = 5 : i64}> : () -> i32", "E-TYPE", "i64}", "the value is i64, the result i32"},
    {"%c = \"arith.cmpi\"(%a, %b) : (i32, i32) -> i1", "E-ATTRIBUTE", "arith.cmpi", "arith.cmpi needs the attribute predicate"},
    {"%c = \"arith.cmpi\"(%a, %b) <{predicate = 10 : i64}> : (i32, i32) -> i1", "E-ATTRIBUTE", "predicate", "predicate is 10, needs 0 to 9"},
    {"%c = \"arith.cmpf\"(%a, %b) <{predicate = 16 : i64}> : (f32, f32) -> i1", "E-ATTRIBUTE", "predicate", "predicate is 16, needs 0 to 15"},
    {"\"func.call\"() <{callee = \"f\"}> : () -> ()", "E-ATTRIBUTE", "callee", "callee is \"f\", needs the name of a function"},
    {"\"func.call\"() : () -> ()", "E-ATTRIBUTE", "func.call", "func.call needs the attribute callee"},
    {"%w = \"pto.subset\"(%t, %a, %b) <{sizes = 8}> : (" TS_T ", index, index) -> " TS_T, "E-ATTRIBUTE", "sizes", "sizes is 8, needs array<i64"},
    {"%w = \"pto.subset\"(%t, %a, %b) : (" TS_T ", index, index) -> " TS_T, "E-ATTRIBUTE", "pto.subset", "pto.subset needs the attribute sizes"},
    {"\"pto.set_flag\"() <{src_pipe = #pto.pipe<PIPE_V>, dst_pipe = #pto.pipe<PIPE_S>}> : () -> ()", "E-ATTRIBUTE", "pto.set_flag", "pto.set_flag needs the attribute event_id"},
    {"\"func.func\"() <{function_type = 5, sym_name = \"f\"}> ({}) : () -> ()", "E-ATTRIBUTE", "function_type", "function_type is 5"},
    {"\"func.func\"() <{function_type = () -> ()}> ({}) : () -> ()", "E-ATTRIBUTE", "func.func", "func.func needs the attribute sym_name"},
    // Types.
    {"%c = \"arith.addi\"(%a, %b) : (i32) -> i32", "E-TYPES", "i32) ->", "1 type for 2 operands"},
    {"%c = \"arith.addi\"(%a, %b)", "E-TYPES", "", "the types of \"arith.addi\" are missing"},
    {"%c = \"arith.addi\"(%a, %b) : (i32, i32) -> (i32, i32)", "E-TYPES", "i32, i32)", "op has 1 result, 2 types given"},
    {"%c = \"arith.addi\"(%a, %b) : (i32, i64) -> i32", "E-TYPE", "i64) ->", "operand 2 of arith.addi is i64, operand 1 is i32"},
    {"%c = \"arith.addi\"(%a, %b) : (i32, i32) -> i64", "E-TYPE", "i64", "the result of arith.addi is i64, its operands i32"},
    {"%c = \"arith.cmpi\"(%a, %b) <{predicate = 0 : i64}> : (i32, i32) -> i32", "E-TYPE", "i32\n", "the result of arith.cmpi is i32"},
    {"\"func.func\"() <{function_type = (i32) -> (), sym_name = \"f\"}> ({^bb0(%a: i64): \"func.return\"() : () -> ()}) : () -> ()", "E-TYPES", "i64)", "argument 1 is i64 here and i32 in function_type"},
    {"%r = \"scf.for\"(%a, %b, %c, %d) ({^bb0(%i: index, %x: f32): \"scf.yield\"(%x) : (f32) -> ()}) : (index, index, index, i32) -> i32", "E-TYPES", "i32) ->", "operand 4 is i32, its block argument f32"},
    {"\"scf.for\"(%a, %b, %c, %d) ({^bb0(%i: index, %x: f32): \"scf.yield\"(%x) : (f32) -> ()}) : (index, index, index, f32) -> ()", "E-TYPES", "scf.for", "scf.for has 0 result types, needs 1"},
    // Regions.
    {"\"scf.for\"(%a, %b, %c) : (index, index, index) -> ()", "E-REGION", "scf.for", "scf.for has 0 regions, needs 1"},
    {"\"scf.for\"(%a, %b, %c) ({}) : (index, index, index) -> ()", "E-REGION", "{", "the region's block has 0 arguments, needs 1"},
    {"\"scf.while\"() ({}) : () -> ()", "E-REGION", "scf.while", "scf.while has 1 region, needs 2"},
    {"\"scf.if\"(%a) ({}, {}, {}) : (i1) -> ()", "E-REGION", "scf.if", "scf.if has 3 regions, needs 2"},
    {"\"func.func\"() <{function_type = () -> (), sym_name = \"f\"}> : () -> ()", "E-REGION", "func.func", "func.func has 0 regions, needs 1"},
    {"\"func.func\"() <{function_type = (i32) -> (), sym_name = \"f\"}> ({\"func.return\"() : () -> ()}) : () -> ()", "E-REGION", "{\"func.return", "the region's block has 0 arguments, needs 1"},
    {"\"builtin.module\"() : () -> ()", "E-REGION", "builtin.module", "builtin.module has 0 regions, needs 1"},
    {"\"pto.section.vector\"() : () -> ()", "E-REGION", "pto.section.vector", "pto.section.vector has 0 regions, needs 1"},
};
// clang-format on

}  // namespace

TEST_CASE("generic form: every row of its table can be read, and names what it is about") {
  for (std::size_t code = 0; code < op_rows().size(); ++code) {
    const GenericShape* shape = generic_shape(static_cast<OpCode>(code));
    if (shape == nullptr) continue;
    CAPTURE(std::string(op_rows()[code].name));
    for (const GenericPart& part : shape->parts) CHECK(!part.name.empty());
  }
  CHECK(generic_shape(find_op("pto.alloc_tile"))->parts.size() == 3);
  for (const char* wrong : {"a=b", "#", "a??", "[]", "x:y"}) CHECK(!parse_generic_shape(wrong));
}

TEST_CASE("generic form: what it means") {
  const auto meaning = [](const char* text) {
    const Parsed now = parse_text(text);
    for (const Diagnostic& diagnostic : now.diagnostics) FAIL_CHECK(diagnostic.format());
    return meaning_of(now.tree, now.tree.meaning(now.tree.ops.front()));
  };
  CHECK(meaning("%v = \"pto.make_tensor_view\"(%p, %a, %b, %c, %d) <{operandSegmentSizes = array<i32: 1, 2, 2>}> : "
                "(!pto.ptr<f32>, index, index, index, index) -> " TS_V) ==
        "%p shape([%a %b]) strides([%c %d]) {} : " TS_V);
  CHECK(
      meaning(
          "%t = \"pto.alloc_tile\"(%a, %c) {operandSegmentSizes = dense<[1, 0, 1]> : vector<3xi32>} : (i64, index) -> "
          "!pto.tile_buf<vec, 16x64xf32, valid=16x?>") ==
      "addr(%a) valid_col(%c) {} : !pto.tile_buf<vec, 16x64xf32, valid=16x?>");
  CHECK(meaning("\"pto.tadd\"(%a, %b, %c) : (" TS_T ", " TS_T ", " TS_T ") -> ()") == "ins(%a %b : " TS_T " " TS_T
                                                                                      ") outs(%c : " TS_T ")");
  CHECK(meaning("\"pto.store_scalar\"(%p, %i, %v) : (!pto.ptr<f32>, index, f32) -> ()") ==
        meaning("\"pto.store_scalar\"(%v, %p, %i) : (f32, !pto.ptr<f32>, index) -> ()"));
  CHECK(meaning("\"pto.local_array_set\"(%a, %i, %j, %v) <{operandSegmentSizes = array<i32: 1, 2, 1>}> : "
                "(!pto.local_array<4x8xi32>, index, index, i32) -> ()") ==
        "%v [%a %i %j] {} : i32 !pto.local_array<4x8xi32> index index");
  CHECK(meaning("%v = \"pto.struct_get\"(%s) <{position = 1 : i64}> : (!pto.struct<i32, f32>) -> f32") ==
        "[%s 1] {} : !pto.struct<i32, f32> -> f32");
  CHECK(meaning("\"pto.tsetval\"(%t, %i, %v) : (" TS_T ", index, f32) -> ()") ==
        "ins(%i %v : index f32) outs(%t : " TS_T ")");
  CHECK(meaning("%c = \"arith.cmpi\"(%a, %b) <{predicate = 2 : i64}> : (i32, i32) -> i1") ==
        "slt %a %b {} : i32 i32 i1");
  CHECK(meaning("%r = \"scf.for\"(%a, %b, %c, %d) ({^bb0(%i: index, %x: f32):}) : (index, index, index, f32) -> f32") ==
        "%i %a %b %c iter_args((%x %d)) -> f32 : index region");
  CHECK(meaning("\"func.func\"() <{function_type = (i32) -> f32, sym_name = \"f\", sym_visibility = \"private\"}> ({}) "
                "{pto.entry} : () -> ()") == "private f (param(i32)) -> f32 {} {}");
  CHECK(
      meaning(
          "%s = \"pto.subview\"(%t, %i, %j, %r, %c) <{operandSegmentSizes = array<i32: 1, 2, 1, 1>, sizes = [8, 16]}> : (" TS_T
          ", index, index, index, index) -> !pto.tile_buf<vec, 8x16xf32, valid=?x?>") ==
      "[%t %i %j] sizes([8 16]) valid([%r %c]) {} : " TS_T
      " index index index index -> !pto.tile_buf<vec, 8x16xf32, valid=?x?>");
  CHECK(meaning("%s = \"pto.subview\"(%t, %i, %j) <{sizes = array<i64: 8, 16>}> : (" TS_T ", index, index) -> " TS_T) ==
        "[%t %i %j] sizes([8 16]) {} : " TS_T " index index -> " TS_T);
}

TEST_CASE("generic form: what is broken is told where it is") {
  for (const BrokenGeneric& row : kBrokenGenerics) {
    const std::string text = std::string(row.text) + "\n\"pto.trap\"() : () -> ()\n";
    CAPTURE(text);
    const Parsed now = parse_text(text);
    REQUIRE(now.diagnostics.size() == 1);
    const Diagnostic& told = now.diagnostics.front();
    CAPTURE(told.format());
    CHECK(told.rule == row.rule);
    CHECK(told.severity == Severity::Error);
    CHECK(told.text.find(row.says) != std::string::npos);
    REQUIRE(told.pos.line == 1);
    const std::size_t at = told.pos.column - 1;
    CHECK(text.substr(at).starts_with(row.at));
    // The next statement is read all the same.
    std::size_t traps = 0;
    for (OpId id = now.tree.first_op; id != kNoId; id = now.tree.ops[id].next)
      traps += now.tree.name_of(now.tree.ops[id]) == "pto.trap" ? 1 : 0;
    CHECK(traps == 1);
  }
}

TEST_CASE("generic form: a property that nobody knows is told and changes nothing") {
  const Parsed now = parse_text(
      "%t = \"pto.alloc_tile\"() <{operandSegmentSizes = array<i32: 0, 0, 0>, speed = 3 : i32}> : () -> " TS_T "\n");
  REQUIRE(now.diagnostics.size() == 1);
  CHECK(now.diagnostics[0].severity == Severity::Warning);
  CHECK(now.diagnostics[0].rule == "E-ATTRIBUTE");
  CHECK(now.diagnostics[0].text == "pto.alloc_tile knows no property speed; it changes nothing");
}

TEST_CASE("generic form: an operand's type is that of its definition") {
  const OpenedText opened = open_text(
      "\"func.func\"() <{function_type = (i32) -> (), sym_name = \"k\"}> ({\n^bb0(%a: i32):\n"
      "  %b = \"arith.addi\"(%a, %a) : (i64, i64) -> i64\n  \"func.return\"() : () -> ()\n}) : () -> ()\n");
  REQUIRE(opened.diagnostics.size() == 1);
  CHECK(opened.diagnostics[0].rule == "E-TYPE");
  CHECK(opened.diagnostics[0].text == "%a is i64 here");
  CHECK(opened.diagnostics[0].expected == "i32");
  CHECK(opened.diagnostics[0].pos == SourcePos{3, 32});
}

TEST_CASE("generic form: regions in regions, far too deep, end in a message") {
  constexpr int kLevels = 100'000;
  std::string text;
  for (int i = 0; i < kLevels; ++i) text += "\"scf.if\"(%c) ({\n";
  for (int i = 0; i < kLevels; ++i) text += "}) : (i1) -> ()\n";
  const Parsed now = parse_text(text);
  REQUIRE(!now.diagnostics.empty());
  CHECK(now.diagnostics.front().rule == "E-DEPTH");
}

#undef TS_T
#undef TS_V

}  // namespace ts::test
