// Forms that no corpus of ours holds: each is read, held to its signature, printed as it stood, and runs or stops the run with
// its name; and what is told of a broken one.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/record/recording.h"
#include "core/text/parse/parser.h"
#include "core/text/printer.h"
#include "tests/support/text/broken_text.h"
#include "tests/support/text/open_text.h"
#include "tests/support/text/text_outline.h"

namespace ts::test {
namespace {

#define TS_VIEW "!pto.partition_tensor_view<16x64xf32>"
#define TS_TILE "!pto.tile_buf<vec, 16x64xf32>"
#define TS_MAT "!pto.tile_buf<mat, 32x64xf16, blayout=col_major, slayout=row_major>"
#define TS_LEFT "!pto.tile_buf<left, 16x64xf8E4M3FN, blayout=col_major, slayout=row_major>"
#define TS_RIGHT "!pto.tile_buf<right, 64x32xf8E4M3FN, slayout=col_major>"
#define TS_ACC "!pto.tile_buf<acc, 16x32xf32, blayout=col_major, slayout=row_major, fractal=1024>"
#define TS_SCALE "!pto.tile_buf<scaling, 16x2x!pto.f8E8M0, slayout=row_major, fractal=32>"
#define TS_SCALE_R "!pto.tile_buf<scaling, 2x32x!pto.f8E8M0, blayout=col_major, slayout=col_major, fractal=32>"
#define TS_ROW "!pto.tile_buf<left, 1x64xf8E4M3FN, blayout=col_major, slayout=row_major>"
#define TS_ROW_SCALE "!pto.tile_buf<scaling, 1x2x!pto.f8E8M0, slayout=row_major, fractal=32>"
#define TS_VIEWS                                                                                      \
  "%f = pto.castptr %p : !pto.ptr<i32> -> !pto.ptr<f32>\n"                                            \
  "%w = pto.make_tensor_view %f, shape = [16, 64], strides = [64, 1] : !pto.tensor_view<16x64xf32>\n" \
  "%v = pto.partition_view %w, offsets = [0, 0], sizes = [16, 64] : !pto.tensor_view<16x64xf32> -> " TS_VIEW "\n"
constexpr std::uint32_t kBehindThreeViews = 3;
#define TS_MX                        \
  "%a = pto.alloc_tile : " TS_LEFT   \
  "\n"                               \
  "%b = pto.alloc_tile : " TS_RIGHT  \
  "\n"                               \
  "%acc = pto.alloc_tile : " TS_ACC  \
  "\n"                               \
  "%sa = pto.alloc_tile : " TS_SCALE \
  "\n"                               \
  "%sb = pto.alloc_tile : " TS_SCALE_R "\n"
constexpr std::uint32_t kBehindMxTiles = 5;
#define TS_MX_TYPES TS_LEFT ", " TS_SCALE ", " TS_RIGHT ", " TS_SCALE_R

// What stops the run; nothing: it runs to its end.
struct Form {
  const char* stops;
  const char* statements;
  const char* target = "a5";
  const char* core = "vector";
};

// clang-format off
constexpr Form kForms[] = {
    {"", "%q = pto.inttoptr %far : i64 -> !pto.ptr<i32>\n%a = pto.ptrtoint %q : !pto.ptr<i32> -> i64"},
    {"", "%q = pto.inttoptr %far : i64 -> !pto.ptr<f32, ub>\n%r = pto.castptr %q : !pto.ptr<f32, ub> -> !pto.ptr<i32, ub>"},
    {"", TS_VIEWS "pto.comm.treduce(%v, %fixed, recv(%fixed), group(%v, %v) : " TS_VIEW ", " TS_TILE ", " TS_TILE ", " TS_VIEW ", " TS_VIEW ") {reduceOp = #pto<reduce_op sum>, root = 0 : i32}"},
    {"", TS_VIEWS "pto.comm.tgather(%v, recv(%fixed), group(%v) : " TS_VIEW ", " TS_TILE ", " TS_VIEW ") {root = 0 : i32}"},
    {"", TS_VIEWS "pto.comm.tscatter(%v, recv(%fixed, %fixed), group(%v) : " TS_VIEW ", " TS_TILE ", " TS_TILE ", " TS_VIEW ") {root = 0 : i32}"},
    {"", TS_VIEWS "%ctx = pto.make_prefetch_async_context(%p : !pto.ptr<i32>) -> !pto.prefetch_async_context\n%e = pto.tprefetch_async(%v, %ctx : " TS_VIEW ", !pto.prefetch_async_context) -> !pto.async_event\n%ok = pto.comm.wait_async_event(%e, %ctx : !pto.async_event, !pto.prefetch_async_context) -> i1"},
    {"pto.simt_launch", "pto.simt_launch @outside <<<%c1, %c16, %c1>>> (%i5) : (i32) -> ()"},
    {"pto.fusion_region", "pto.fusion_region {\n%t = pto.alloc_tile : " TS_TILE "\npto.texpands ins(%one : f32) outs(%t : " TS_TILE ")\n}"},
    {"", TS_MX "%row = pto.alloc_tile : " TS_ROW "\n%srow = pto.alloc_tile : " TS_ROW_SCALE "\npto.tgemv.mx ins(%row, %srow, %b, %sb : " TS_ROW ", " TS_ROW_SCALE ", " TS_RIGHT ", " TS_SCALE_R ") outs(%acc : " TS_ACC ")", "a5", "cube"},
    {"", TS_MX "pto.tmatmul.mx ins(%a, %sa, %b, %sb : " TS_MX_TYPES ") outs(%acc : " TS_ACC ")", "a5", "cube"},
    {"", TS_MX "pto.tget_scale_addr ins(%a : " TS_LEFT ") outs(%sa : " TS_SCALE ")", "a5", "cube"},
    {"", "%m = pto.alloc_tile : " TS_MAT "\n%s = pto.alloc_tile : " TS_ACC "\npto.tinsert ins(%s, %c0, %c16 : " TS_ACC ", index, index) outs(%m : " TS_MAT ")", "a5", "cube"},
    {"", "%sizes = pto.alloc_tile : !pto.tile_buf<vec, 16x8xi32>\n%joined = pto.alloc_tile : " TS_TILE "\npto.texpands ins(%i5 : i32) outs(%sizes : !pto.tile_buf<vec, 16x8xi32>)\npto.tconcatidx ins(%fixed, %fixed, %sizes, %sizes : " TS_TILE ", " TS_TILE ", !pto.tile_buf<vec, 16x8xi32>, !pto.tile_buf<vec, 16x8xi32>) outs(%joined : " TS_TILE ")"},
    {"pto.set_cross_block", "pto.set_cross_block <PIPE_MTE3>, 3"},
    {"pto.wait_cross_block", "pto.wait_cross_block <PIPE_V>, 3"},
    {"pto.aiv_initialize_pipe", TS_VIEWS "pto.aiv_initialize_pipe {dir_mask = 2, slot_size = 4096} (gm_slot_tensor = %w : !pto.tensor_view<16x64xf32>)\n%slot = pto.talloc_to_aic {split = 0} -> !pto.tensor_view<16x64xf32>\npto.tpush_to_aic(%slot : !pto.tensor_view<16x64xf32>) {split = 0}", "a2a3"},
};

constexpr Broken kBroken[] = {
    {"E-TYPE", "%q = pto.inttoptr %one : f32 -> !pto.ptr<i32>", "%one", 0, "%one is f32, needs an integer", ""},
    {"E-TYPE", "%q = pto.inttoptr %far : i64 -> i64", "-> i64", 0, "pto.inttoptr gives a pointer, not i64", ""},
    {"E-TYPE", "%q = pto.inttoptr %far : i32 -> !pto.ptr<i32>", ": i32", 0, "%far is i32 here", "i64"},
    {"E-TYPE", "%q = pto.ptrtoint %far : i64 -> i64", "%far", 0, "%far is i64, needs a pointer", ""},
    {"E-TYPE", TS_VIEWS "pto.comm.treduce(%v, %v, recv(%fixed), group(%v) : " TS_VIEW ", " TS_VIEW ", " TS_TILE ", " TS_VIEW ") {reduceOp = #pto<reduce_op sum>, root = 0 : i32}", "%v, recv", kBehindThreeViews, "%v is " TS_VIEW ", needs a tile", ""},
    {"E-OPERANDS", TS_VIEWS "pto.comm.tgather(%v, recv(%fixed) : " TS_VIEW ", " TS_TILE ") {root = 1 : i32}", "(%v, recv", kBehindThreeViews, "group(member, more...) is required", "dst, recv("},
    {"E-OPERANDS", TS_VIEWS "pto.comm.tscatter(%v, recv(%fixed, %fixed, %fixed), group(%v) : " TS_VIEW ", " TS_TILE ", " TS_TILE ", " TS_TILE ", " TS_VIEW ") {root = 0 : i32}", "recv(", kBehindThreeViews, "recv has 3 operands, needs 2", "first, second?"},
    {"E-NAME", TS_VIEWS "%e = pto.tprefetch_async(%v, %ctx : " TS_VIEW ", !pto.prefetch_async_context) -> !pto.async_event", "%ctx", kBehindThreeViews, "use of undefined value %ctx", ""},
    {"E-TYPES", TS_VIEWS "%e = pto.tprefetch_async(%v, %p : " TS_VIEW ") -> !pto.async_event", TS_VIEW, kBehindThreeViews, "1 type for 2 operands", "2 types"},
    {"E-NAME", "pto.simt_launch @outside<<<%c1, %c6, %c1>>>(%i5) : (i32) -> ()", "%c6", 0, "use of undefined value %c6", "%c16"},
    {"E-NAME", "pto.fusion_region {\npto.texpands ins(%one : f32) outs(%t : " TS_TILE ")\n}", "%t", 1, "use of undefined value %t", ""},
    {"E-TYPE", TS_MX "pto.tgemv.mx ins(%a, %a, %b, %sb : " TS_LEFT ", " TS_LEFT ", " TS_RIGHT ", " TS_SCALE_R ") outs(%acc : " TS_ACC ")", TS_LEFT ", " TS_RIGHT, kBehindMxTiles, "lhs_scale must be loc=scaling, is left", "tget_scale_addr", "a5", "cube"},
    {"E-OPERANDS", TS_MX "pto.tgemv.mx ins(%a, %sa, %b : " TS_LEFT ", " TS_SCALE ", " TS_RIGHT ") outs(%acc : " TS_ACC ")", " : ", kBehindMxTiles, "tgemv.mx has 3 operands, needs 4", "lhs, lhs_scale, rhs, rhs_scale", "a5", "cube"},
    {"TGET_SCALE_ADDR-R1", TS_MX "pto.tget_scale_addr ins(%a : " TS_LEFT ") outs(%acc : " TS_ACC ")", "16x32xf32", kBehindMxTiles, "element type f32 not supported", "f8e8m0fnu", "a5", "cube"},
    {"E-OPERANDS", "pto.tinsert ins(%fixed, %c0 : " TS_TILE ", index) outs(%fixed : " TS_TILE ")", " : ", 0, "tinsert has 2 operands, needs 3", "src, row, col"},
    {"E-OPERANDS", "pto.tconcatidx ins(%fixed, %fixed, %fixed : " TS_TILE ", " TS_TILE ", " TS_TILE ") outs(%fixed : " TS_TILE ")", " : ", 0, "tconcatidx has 3 operands, needs 4", "indices0, indices1"},
    {"E-OPERANDS", "pto.set_cross_block <PIPE_MTE3>", "", 0, "set_cross_block has 1 operand, needs 2", "pipe, id"},
    {"E-SYNC", "pto.wait_cross_block <PIPE_X>, 3", "<PIPE_X>", 0, "unknown pipe PIPE_X", "PIPE_V"},
    {"V60-42", "%slot = pto.talloc_to_aic {split = 0} -> !pto.tensor_view<16x64xf32>", "pto.talloc_to_aic", 0, "no pipe id 0 with direction vector to cube", "vector core first", "a2a3"},
    {"V60-43", "%slot = pto.talloc_to_aic {split = 0} -> !pto.tensor_view<16x64xf32>", "pto.talloc_to_aic", 0, "talloc_to_aic only in vector kernels; @k is a cube function", "", "a2a3", "cube"},
};
// clang-format on

#undef TS_VIEW
#undef TS_TILE
#undef TS_MAT
#undef TS_LEFT
#undef TS_RIGHT
#undef TS_ACC
#undef TS_SCALE
#undef TS_SCALE_R
#undef TS_ROW
#undef TS_ROW_SCALE
#undef TS_VIEWS
#undef TS_MX
#undef TS_QUANT
#undef TS_MX_TYPES

// Every line of `statements` stands in the printed text as it was, but for its indentation.
void check_printed(const std::string& printed, std::string_view statements) {
  while (!statements.empty()) {
    const std::string_view line = statements.substr(0, statements.find('\n'));
    CAPTURE(std::string(line));
    CHECK(printed.find(fmt::format(" {}\n", line)) != std::string::npos);
    statements.remove_prefix(std::min(statements.size(), line.size() + 1));
  }
}

}  // namespace

TEST_CASE("v060: forms that only tests of the assembler hold are read, checked and printed as they stand") {
  for (const Form& form : kForms) {
    CAPTURE(std::string(form.statements));
    const std::string text = text_of({"", form.statements, "", 0, "", "", form.target, form.core});
    const Parsed parsed = parse_text(text);
    const std::string printed = text::print(parsed.tree);
    check_printed(printed, form.statements);
    CHECK(text::print(parse_text(printed).tree) == printed);
    OpenedText opened = open_text(text);
    std::string told;
    for (const Diagnostic& diagnostic : opened.diagnostics)
      if (diagnostic.severity != Severity::Note && diagnostic.rule != "V60-07") told += diagnostic.format();
    CHECK(told == "");
    if (!opened.opened) continue;
    const auto recording = Recording::run(std::move(opened.opened->program), {.budget_bytes = std::size_t{2} << 20});
    const std::string stops = form.stops;
    CHECK(recording->stop_reason() == (stops.empty() ? StopReason::End : StopReason::NotEmulated));
    if (stops.empty()) continue;
    const Diagnostic& last = recording->findings().back().diagnostic;
    CHECK(last.rule == "E-EMULATE");
    CHECK(last.text.ends_with(" yet: " + stops));
  }
}

TEST_CASE("v060: what is broken in those forms is told where it stands") {
  for (const Broken& broken : kBroken) check_broken(broken);
}

TEST_CASE("v060: modules split by a line of dashes are independent") {
  const std::string one = "module {\n  func.func @k() {\n    return\n  }\n}\n", text = one + "// -----\n" + one;
  CHECK(text::print(parse_text(text).tree) == text);
  const OpenedText opened = open_text(text);
  for (const Diagnostic& diagnostic : opened.diagnostics)
    CHECK_MESSAGE(diagnostic.severity == Severity::Note, diagnostic.format());
  CHECK(opened.opened.has_value());
  // Without the line between them they would be siblings as well; in one module they are not.
  const OpenedText twice =
      open_text("module {\n  func.func @k() {\n    return\n  }\n  // -----\n  func.func @k() {\n    return\n  }\n}\n");
  const Diagnostic* told = first_of(twice.diagnostics, "V60-02");
  REQUIRE(told != nullptr);
  CHECK(told->pos == SourcePos{6, 13});
}

TEST_CASE(
    "v060: scalars are loaded from ub through pointers that addresses make; what else there is has honest words") {
  const auto stopped = [](const char* statements) {
    OpenedText opened = open_text(text_of({"", statements, "", 0, "", ""}));
    for (const Diagnostic& diagnostic : opened.diagnostics) CAPTURE(diagnostic.format());
    REQUIRE(opened.opened);
    return Recording::run(std::move(opened.opened->program), {.budget_bytes = std::size_t{2} << 20});
  };
  const auto last = [](const Recording& recording) { return recording.findings().back().diagnostic.text; };
  constexpr const char* kLoads = R"(%at = arith.constant 4096 : i64
%t = pto.alloc_tile addr = %at : !pto.tile_buf<vec, 1x32xi32>
pto.tsetval ins(%c3, %i5 : index, i32) outs(%t : !pto.tile_buf<vec, 1x32xi32>)
%u = pto.castptr %at : i64 -> !pto.ptr<i32, ub>
%q = pto.addptr %u, %c1 : !pto.ptr<i32, ub> -> !pto.ptr<i32, ub>
%v = pto.load_scalar %q[2] : !pto.ptr<i32, ub> -> i32
pto.store_scalar %v, %p[%c1] : !pto.ptr<i32>, i32)";
  const auto loaded = stopped(kLoads);
  CHECK(loaded->stop_reason() == StopReason::End);
  CHECK(loaded->findings().empty());
  const BufferDecl& buffer = loaded->program().buffers[0];
  CHECK(loaded->final_memory().element(Space::Gm, buffer.address + 4, 4) == 5);

  const auto beyond = stopped(
      "%u = pto.castptr %far : i64 -> !pto.ptr<i32, ub>\n%v = pto.load_scalar %u[8] : !pto.ptr<i32, ub> -> i32");
  CHECK(last(*beyond) == "element 8 is at byte 262144, outside of ub (262144)");
  CHECK(beyond->findings().back().diagnostic.rule == "V60-30");
  const auto unknown = stopped(
      "%u = pto.castptr %c32 : index -> !pto.ptr<i32, ub>\n%v = pto.load_scalar %u[0] : !pto.ptr<i32, ub> -> i32");
  CHECK(last(*unknown) == "loads byte 32 of ub, which nobody wrote");

  const auto numbered =
      stopped("%g = pto.inttoptr %far : i64 -> !pto.ptr<i32>\n%v = pto.load_scalar %g[0] : !pto.ptr<i32> -> i32");
  CHECK(numbered->findings().back().diagnostic.rule == "E-EMULATE");
  CHECK(last(*numbered).find("made from a number") != std::string::npos);
  const auto stored =
      stopped("%u = pto.castptr %far : i64 -> !pto.ptr<i32, ub>\npto.store_scalar %i5, %u[0] : !pto.ptr<i32, ub>, i32");
  CHECK(stored->stop_reason() == StopReason::End);
  CHECK(stored->final_memory().element(Space::Ub, 262144 - 32, 4) == 5);
}

TEST_CASE("v060: pointers to global memory become numbers and come back, each buffer in a range of its own") {
  const auto run = [](const std::string& statements) {
    OpenedText opened = open_text(text_of({"", statements.c_str(), "", 0, "", ""}));
    for (const Diagnostic& diagnostic : opened.diagnostics) CAPTURE(diagnostic.format());
    REQUIRE(opened.opened);
    return Recording::run(std::move(opened.opened->program), {.budget_bytes = std::size_t{2} << 20});
  };
  const std::string there = R"(%q = pto.addptr %p, %c3 : !pto.ptr<i32> -> !pto.ptr<i32>
%num = pto.ptrtoint %q : !pto.ptr<i32> -> i64
%four = arith.constant 4 : i64
)";
  const std::string back =
      "%r = pto.inttoptr %m : i64 -> !pto.ptr<i32>\n"
      "pto.store_scalar %i5, %r[%c1] : !pto.ptr<i32>, i32\n"
      "%v = pto.load_scalar %q[%AT] : !pto.ptr<i32> -> i32\n";
  const auto at = [&](const char* index) {
    return back.substr(0, back.find("%AT")) + index + back.substr(back.find("%AT") + 3);
  };
  const auto written = [](const Recording& recording, std::uint32_t element) {
    return recording.final_memory().element(Space::Gm, recording.program().buffers[0].address + 4 * element, 4);
  };
  const auto on = run(there + "%m = arith.addi %num, %four : i64\n" + at("%c1"));
  CHECK(on->stop_reason() == StopReason::End);
  CHECK(written(*on, 5) == 5);
  const auto before = run(there + "%m = arith.subi %num, %four : i64\n" + at("%c0"));
  CHECK(before->stop_reason() == StopReason::End);
  CHECK(written(*before, 3) == 5);
  // Six elements before the fourth of the buffer.
  const std::string outside = there + "%k = arith.constant 24 : i64\n%m = arith.subi %num, %k : i64\n" + at("%c1");
  const OpenedText refused = open_text(text_of({"", outside.c_str(), "", 0, "", ""}));
  CHECK(first_of(refused.diagnostics, "V60-30") != nullptr);
}

TEST_CASE("v060: arrays of events hold the numbers that flags are raised by") {
  constexpr const char* kEvents = R"(%e = pto.declare_eventid_array -> !pto.eventid_array<4>
pto.eventid_array_set %e[%c1], %c3 : !pto.eventid_array<4>
%id = pto.eventid_array_get %e[%c1] : !pto.eventid_array<4>
pto.set_flag_dyn[<PIPE_MTE2>, <PIPE_V>, %id]
pto.wait_flag_dyn[<PIPE_MTE2>, <PIPE_V>, %id])";
  OpenedText opened = open_text(text_of({"", kEvents, "", 0, "", ""}));
  for (const Diagnostic& diagnostic : opened.diagnostics) CAPTURE(diagnostic.format());
  REQUIRE(opened.opened);
  const auto recording = Recording::run(std::move(opened.opened->program), {});
  CHECK(recording->stop_reason() == StopReason::End);
  CHECK(recording->findings().empty());
  REQUIRE(recording->count() == 2);
  CHECK(recording->bound(0).attributes[2] == 3);
}

}  // namespace ts::test
