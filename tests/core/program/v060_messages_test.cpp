// Broken forms of what front ends write today: each has its rule, its place, its values, and what to do.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/compile/open.h"
#include "core/record/recording.h"
#include "tests/support/text/broken_text.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

#define TS_OPEN "!pto.tile_buf<vec, 16x64xf32, valid=?x?>"
#define TS_FIXED "!pto.tile_buf<vec, 16x64xf32>"

// clang-format off
constexpr Broken kCompiled[] = {
    {"V60-03", "func.call @outside(%i5) : (i32) -> ()", "@outside", 0, "@outside has no body", "only declared"},
    {"V60-04", "cf.br ^bb1", "cf.br", 0, "branching blocks are not supported", "write scf.if / scf.while"},
    {"V60-05", "\"pto.texpands\"(%one, %fixed) <{operandSegmentSizes = array<i32: 1, 1, 2>}> : (f32, " TS_FIXED ") -> ()", "operandSegmentSizes", 0, "operandSegmentSizes sums to 4, the op has 2 operands", "sum to 2"},
    {"V60-08", "pto.vecscope {\n%m = pto.pset_b32 \"PAT_ALL\" : !pto.mask\n}", "!pto.mask", 1, "taken for !pto.mask<b32>, as pset_b32", "!pto.mask<b32>"},
    {"V60-10", "%t = pto.alloc_tile valid_col = %c1 : " TS_OPEN, "pto.alloc_tile", 0, "v_row is '?' but there is no valid_row operand", "valid_row = %r"},
    {"V60-11", "%t = pto.alloc_tile valid_row = %c1 : " TS_FIXED, "valid_row", 0, "valid_row given but v_row is static 16", "drop the clause"},
    {"V60-12", "%t = pto.alloc_tile valid_row = %c17 valid_col = %c1 : " TS_OPEN, "%c17", 0, "valid 17 exceeds 16 rows", "no larger than its tile"},
    {"V60-13", "%t = pto.alloc_tile addr = %far : " TS_FIXED, "%far", 0, "tile [262112, 266208) passes the end of ub (262144)", "at most 258048"},
    {"V60-15", "pto.set_validshape %fixed, %c1, %c1 : " TS_FIXED, "%fixed", 0, "set_validshape needs a tile with v_row=?, v_col=?", "write v_row=?"},
    {"V60-16", "pto.set_validshape %open, %c17, %c1 : " TS_OPEN, "%c17", 0, "17 rows exceed 16", "no larger than its tile"},
    {"V60-17", "%s = pto.subview %fixed[%c16, %c0] sizes [1, 64] : " TS_FIXED " -> !pto.tile_buf<vec, 1x64xf32>\npto.texpands ins(%one : f32) outs(%s : !pto.tile_buf<vec, 1x64xf32>)", "pto.subview", 0, "valid part 1x64 at (16, 0) leaves the 16x64 tile %fixed", "sizes may stay"},
    {"V60-18", "%m = pto.alloc_tile : !pto.tile_buf<mat, 32x32xf16, blayout=col_major, slayout=row_major>\n%s = pto.subview %m[%c0, %c3] sizes [32, 16] : !pto.tile_buf<mat, 32x32xf16, blayout=col_major, slayout=row_major> -> !pto.tile_buf<mat, 32x16xf16, blayout=col_major, slayout=row_major>", "%c3", 1, "offset 3 is not a multiple of the box (16)", "a multiple of 16"},
    {"V60-19", "%m = pto.alloc_tile : !pto.tile_buf<mat, 32x32xf16, blayout=col_major, slayout=row_major>\n%s = pto.subview %m[%c16, %c0] sizes [16, 32] : !pto.tile_buf<mat, 32x32xf16, blayout=col_major, slayout=row_major> -> !pto.tile_buf<mat, 16x32xf16, blayout=col_major, slayout=row_major>", "%c16", 1, "cut by columns only", "all the same"},
    {"V60-20", "%r = pto.treshape %fixed : " TS_FIXED " -> !pto.tile_buf<vec, 1x32xui8>", "!pto.tile_buf<vec, 1x32xui8>", 0, "has 4096 bytes", "must agree"},
    {"V60-21", "%m = pto.alloc_multi_tile : !pto.multi_tile_buf<vec, 16x64xf32, count=17>", "17>", 0, "count 17 outside 2..16", "more than 16"},
    {"V60-22", "%m = pto.alloc_multi_tile : !pto.multi_tile_buf<vec, 4x8xf32, count=2>\n%t = pto.multi_tile_get %m[%c3] : !pto.multi_tile_buf<vec, 4x8xf32, count=2> -> !pto.tile_buf<vec, 4x8xf32>", "%c3", 1, "slot 3 outside 0..1", "0 to 1"},
    {"V60-32", "%a = pto.declare_local_array -> !pto.local_array<32xi32>\npto.local_array_set %a[%c32], %i5 : !pto.local_array<32xi32>, i32", "%c32", 1, "index 32 outside 32", "0 to 31"},
    {"V60-33", "%a = pto.declare_local_array -> !pto.local_array<32xi32>\npto.local_array_set %a[%c0, %c1], %i5 : !pto.local_array<32xi32>, i32", "%a[", 1, "2 indices for rank 1", "as many indices"},
    {"V60-34", "%b = pto.alloc_tile : !pto.tile_buf<vec, 1x32xf32>\n%v = pto.tgetval ins(%b, %c32 : !pto.tile_buf<vec, 1x32xf32>, index) outs : f32", "%c32", 1, "offset 32 outside the 1x32 tile", "row * 32 + column"},
    {"V60-35", "%m = pto.alloc_tile : !pto.tile_buf<mat, 16x16xf32>\n%v = pto.tgetval ins(%m, %c0 : !pto.tile_buf<mat, 16x16xf32>, index) outs : f32", "%m", 1, "pto.tgetval reads vec tiles only; %m is in mat", "move the data"},
    {"V60-40", "pto.aiv_initialize_pipe {dir_mask = 4, slot_size = 1024} (c2v_consumer_buf = %i0 : i32)", "dir_mask", 0, "dir_mask must be 1 (cube to vector), 2 (vector to cube) or 3", "it is 4"},
    {"V60-43", "pto.tpush_to_aiv(%open : " TS_OPEN ") {split = 0}", "pto.tpush_to_aiv", 0, "tpush_to_aiv only in cube kernels; @k is a vector function", ""},
    {"V60-43", "%x = pto.tpop_from_aiv {split = 0} -> " TS_FIXED, "pto.tpop_from_aiv", 0, "tpop_from_aiv only in cube kernels; @k is a vector function", ""},
    {"V60-43", "pto.tfree_from_aiv {split = 0}", "pto.tfree_from_aiv", 0, "tfree_from_aiv only in cube kernels; @k is a vector function", ""},
    {"E-ATTRIBUTE", "pto.tfree_from_aic {split = 7}", "split", 0, "split must be 0 (whole)", "it is 7"},
    {"E-ATTRIBUTE", "pto.tfree_from_aic {id = 0}", "pto.tfree_from_aic", 0, "split must be 0 (whole)", "it is missing"},
    {"E-ATTRIBUTE", "%x = pto.tpop_from_aic {split = -1} -> " TS_FIXED, "split", 0, "split must be 0 (whole)", "it is -1"},
    {"E-ATTRIBUTE", "pto.aiv_initialize_pipe {dir_mask = 1} (c2v_consumer_buf = %i0 : i32)", "pto.aiv_initialize_pipe", 0, "slot_size is missing", "bytes of one whole entry"},
    {"V60-45", "%b = pto.reserve_buffer {name = \"f\", size = 64, location = #pto.address_space<vec>, auto = false} -> i32", "pto.reserve_buffer", 0, "base is required when auto is false", "auto = true"},
    {"V60-46", "%b = pto.import_reserved_buffer {name = \"f\", peer_func = @nobody} -> i32", "peer_func", 0, "peer_func @nobody does not exist", "reserves the storage"},
    {"V60-47", "%b = pto.reserve_buffer {name = \"f\", size = 64, location = #pto.address_space<gm>, auto = true} -> i32", "location", 0, "C2V buffers lie in vec, V2C buffers in mat", "vec or mat"},
    {"V60-49", "pto.aiv_initialize_pipe {dir_mask = 1, slot_size = 1024, local_slot_num = 2} (c2v_consumer_buf = %i0 : i32)", "local_slot_num", 0, "local_slot_num is for a2a3 only", "drop it"},
    {"E-TYPE", "%v = pto.load_scalar %p[%c0] : !pto.ptr<i32> -> f32", "-> f32", 0, "%p points to i32, what is loaded is f32", "load i32, then arith.bitcast"},
    {"E-TYPE", "%v = pto.load_scalar %p[%c0] : !pto.ptr<i32> -> i16", "-> i16", 0, "%p points to i32, what is loaded is i16", "load i32, then arith.trunci"},
    {"E-TYPE", "%v = pto.load_scalar %p[%c0] : !pto.ptr<i32> -> i64", "-> i64", 0, "%p points to i32, what is loaded is i64", "load i32, then arith.extsi"},
    {"E-TYPE", "%v = pto.load_scalar %p[%c0] : !pto.ptr<i32> -> index", "-> index", 0, "%p points to i32, what is loaded is index", "load i32, then arith.index_cast"},
    {"E-TYPE", "%v = pto.load_scalar %p[%c0] : !pto.ptr<i32> -> f16", "-> f16", 0, "%p points to i32, what is loaded is f16", "load i32, then arith.sitofp"},
    {"E-TYPE", "%h = pto.castptr %p : !pto.ptr<i32> -> !pto.ptr<f16>\n%v = pto.load_scalar %h[%c0] : !pto.ptr<f16> -> f32", "-> f32", 1, "%h points to f16, what is loaded is f32", "load f16, then arith.extf"},
    {"E-TYPE", "%h = pto.castptr %p : !pto.ptr<i32> -> !pto.ptr<f16>\n%v = pto.load_scalar %h[%c0] : !pto.ptr<f16> -> bf16", "-> bf16", 1, "%h points to f16, what is loaded is bf16", "load f16, then arith.bitcast"},
    {"E-TYPE", "%q = pto.addptr %p, %c1 : !pto.ptr<i32> -> !pto.ptr<f32>", "-> !pto.ptr<f32>", 0, "%p is !pto.ptr<i32>, the result !pto.ptr<f32>", "same elements"},
    {"V60-32", "%e = pto.declare_eventid_array -> !pto.eventid_array<2>\n%v = pto.eventid_array_get %e[%c3] : !pto.eventid_array<2>", "%c3", 1, "index 3 outside 2", "0 to 1"},
    {"E-TYPE", "%e = pto.declare_eventid_array -> !pto.eventid_array<4>\npto.eventid_array_set %e[%c1], %i5 : !pto.eventid_array<4>", "%i5", 1, "%i5 is i32, the array has index", "index"},
    {"E-TYPE", "%a = pto.declare_struct -> !pto.struct<i32, f32>\npto.struct_set %a[%c1], %i5 : !pto.struct<i32, f32>, i32", "%i5", 1, "%i5 is i32, the field has f32", "f32"},
    {"E-TYPE", "%a = pto.declare_struct -> !pto.struct<i32, f32>\n%v = pto.struct_get %a[%c1] : !pto.struct<i32, f32> -> i32", "-> i32", 1, "the result is i32, the field has f32", "f32"},
    {"E-TYPE", "%s = pto.subview %fixed[%c0, %c0] sizes [1, 64] : " TS_FIXED " -> !pto.tile_buf<vec, 1x64xi32>", "-> !pto.tile_buf<vec, 1x64xi32>", 0, "the tile holds f32, its part i32", "pto.treshape"},
    {"E-OPERANDS", "pto.comm.tnotify(%p : !pto.ptr<i32>) {notifyOp = #pto<notify_op set>}", "(%p", 0, "comm.tnotify has 1 operand, needs 2", "signal, value"},
};

// What only running tells.
constexpr Broken kRun[] = {
    {"V60-12", "%k = pto.load_scalar %p[%c0] : !pto.ptr<i32> -> i32\n%many = arith.index_cast %k : i32 to index\n%t = pto.alloc_tile valid_row = %many valid_col = %c1 : " TS_OPEN, "pto.alloc_tile", 2, "%t: valid 40 exceeds 16 rows", "the part smaller"},
    {"V60-16", "%k = pto.load_scalar %p[%c0] : !pto.ptr<i32> -> i32\n%many = arith.index_cast %k : i32 to index\npto.set_validshape %open, %many, %c1 : " TS_OPEN, "pto.set_validshape", 2, "%open: 40 rows exceed 16", "0x0 to 16x64"},
    {"V60-22", "%k = pto.load_scalar %p[%c0] : !pto.ptr<i32> -> i32\n%at = arith.index_cast %k : i32 to index\n%m = pto.alloc_multi_tile : !pto.multi_tile_buf<vec, 4x8xf32, count=2>\n%t = pto.multi_tile_get %m[%at] : !pto.multi_tile_buf<vec, 4x8xf32, count=2> -> !pto.tile_buf<vec, 4x8xf32>", "pto.multi_tile_get", 3, "slot 40 outside 0..1", "arith.remsi"},
    {"V60-23", "%v = pto.make_tensor_view %p, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<?x?xi32>\n%k = pto.load_scalar %p[%c1] : !pto.ptr<i32> -> i32\n%at = arith.index_cast %k : i32 to index\n%w = pto.partition_view %v, offsets = [%at, %c0], sizes = [%c1, %c16] : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<1x16xi32>", "pto.partition_view", 3, "offset -3, size 1", "arith.maxsi"},
    {"V60-30", "%v = pto.load_scalar %p[%c32] : !pto.ptr<i32> -> i32", "pto.load_scalar", 0, "element 32 of %p (extent 16)", "--size p=BYTES"},
    {"V60-30", "%q = pto.addptr %p, %c16 : !pto.ptr<i32> -> !pto.ptr<i32>\npto.store_scalar %i5, %q[%c0] : !pto.ptr<i32>, i32", "pto.store_scalar", 1, "element 16 of %p (extent 16)", "mend the index"},
    {"V60-32", "%a = pto.declare_local_array -> !pto.local_array<4x8xi32>\n%k = pto.load_scalar %p[%c0] : !pto.ptr<i32> -> i32\n%at = arith.index_cast %k : i32 to index\n%u = pto.local_array_get %a[%c1, %at] : !pto.local_array<4x8xi32> -> i32", "pto.local_array_get", 3, "%a: index 40 outside 8", "0 to 7"},
    {"V60-34", "%b = pto.alloc_tile : !pto.tile_buf<vec, 1x32xi32>\n%k = pto.load_scalar %p[%c0] : !pto.ptr<i32> -> i32\n%at = arith.index_cast %k : i32 to index\npto.tsetval ins(%at, %i5 : index, i32) outs(%b : !pto.tile_buf<vec, 1x32xi32>)", "pto.tsetval", 3, "offset 40 outside the 1x32 tile", "row * 32 + column"},
    {"V60-36", "%k = pto.load_scalar %p[%c3] : !pto.ptr<i32> -> i32\n%d = arith.divsi %i5, %k : i32", "arith.divsi", 1, "division by zero: 5 / 0", "where the divisor comes from"},
    {"V60-37", "%r = scf.while (%i = %i5) : (i32) -> i32 {\n%true = arith.cmpi eq, %i, %i : i32\nscf.condition(%true) %i : i32\n} do {\n^bb0(%j: i32):\n%next = arith.addi %j, %i5 : i32\nscf.yield %next : i32\n}", "scf.while", 0, "does the loop ever end? Its variables are ", "ever become false"},
};
// clang-format on

#undef TS_OPEN
#undef TS_FIXED

}  // namespace

TEST_CASE("v060: what is broken in a text is told where it stands") {
  for (const Broken& broken : kCompiled) check_broken(broken, std::string_view(broken.rule) != "V60-17");
}

TEST_CASE("v060: what only running tells is told at its statement, with its values") {
  for (const Broken& broken : kRun) {
    CAPTURE(broken.rule);
    CAPTURE(broken.statements);
    const std::string text = text_of(broken);
    OpenRequest request;
    const std::int32_t numbers[16] = {40, -3, 7, 0};
    request.inputs.data["p"].resize(sizeof numbers);
    std::copy_n(reinterpret_cast<const std::byte*>(numbers), sizeof numbers, request.inputs.data["p"].begin());
    OpenedText opened = open_text(text, {}, request);
    for (const Diagnostic& diagnostic : opened.diagnostics) CAPTURE(diagnostic.format());
    const Diagnostic* told = first_of(opened.diagnostics, broken.rule);
    Diagnostics found;
    if (told == nullptr && opened.opened) {
      RecordOptions options{.budget_bytes = std::size_t{2} << 20};
      options.limits.most_code = 50'000;
      const auto recording = Recording::run(std::move(opened.opened->program), options);
      for (const Finding& finding : recording->findings()) found.push_back(finding.diagnostic);
      CHECK(recording->stop_reason() != StopReason::End);
      told = first_of(found, broken.rule);
    }
    check_message(broken, text, told, false);
  }
}

TEST_CASE("v060: whether an integer has a sign is no matter of its bits") {
  const OpenedText opened = open_text(text_of({"", R"(%b = pto.alloc_tile : !pto.tile_buf<vec, 8x64xui8>
%s = pto.subview %b[%c0, %c0] sizes [1, 64] : !pto.tile_buf<vec, 8x64xui8> -> !pto.tile_buf<vec, 1x64xi8>
%v = pto.load_scalar %p[%c0] : !pto.ptr<i32> -> ui32
pto.store_scalar %v, %p[%c1] : !pto.ptr<i32>, ui32)",
                                               "", 0, "", ""}));
  for (const Diagnostic& diagnostic : opened.diagnostics)
    CHECK_MESSAGE(diagnostic.severity != Severity::Error, diagnostic.format());
}

TEST_CASE("TILE-R2: lines of a packed mask that are no whole blocks are told once, where the type is written") {
  const OpenedText opened = open_text(text_of({"", R"(%m = pto.alloc_tile : !pto.tile_buf<vec, 16x16xui8>
pto.tcmps ins(%fixed, %one {cmpMode = #pto<cmp gt>} : !pto.tile_buf<vec, 16x64xf32>, f32) outs(%m : !pto.tile_buf<vec, 16x16xui8>))",
                                               "", 0, "", ""}));
  CHECK(opened.opened.has_value());
  CHECK(std::ranges::count(opened.diagnostics, "TILE-R2", &Diagnostic::rule) == 1);
  const Diagnostic* told = first_of(opened.diagnostics, "TILE-R2");
  REQUIRE(told != nullptr);
  CHECK(told->severity == Severity::Warning);
  CHECK(told->pos.line == 16);
}

TEST_CASE("v060: a name twice in one module is an error, in siblings it is not") {
  const auto told = [](const char* between) {
    return open_text(fmt::format(
                         "module {{\nmodule {{\nfunc.func @a() {{\nreturn\n}}\n{}func.func @a() {{\nreturn\n}}\n}}\n}}",
                         between))
        .diagnostics;
  };
  const Diagnostics in_one = told("");
  const Diagnostic* twice = first_of(in_one, "V60-02");
  REQUIRE(twice != nullptr);
  CHECK(twice->pos == SourcePos{6, 11});
  CHECK(first_of(told("}\nmodule {\n"), "V60-02") == nullptr);
}

TEST_CASE("v060: an entry that only calls passes over what is for the cube core") {
  const OpenedText opened = open_text(R"(module {
  func.func private @c() attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
    return
  }
  func.func private @v() attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
    return
  }
  func.func @m() attributes {pto.entry} {
    func.call @c() : () -> ()
    func.call @v() : () -> ()
    return
  }
})");
  const Diagnostic* note = first_of(opened.diagnostics, "V60-01");
  REQUIRE(note != nullptr);
  CHECK(note->severity == Severity::Note);
  CHECK(note->text == "call of @c skipped on AIV0: it is a cube function");
  CHECK(note->pos == SourcePos{9, 15});
  CHECK(opened.opened.has_value());
}

}  // namespace ts::test
