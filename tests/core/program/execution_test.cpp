// Walking through programs: loops, branches, calls, limits, flags, blocks, and what a check does without values.
#include "core/program/execution.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <sstream>

#include "core/record/inspector.h"
#include "core/text/render.h"
#include "tests/support/scale.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

constexpr const char* kTile = "!pto.tile_buf<vec, 1x8xi32>";

// A function around statements. `see %x` fills a tile with the low 32 bits of an index, which makes a step of it.
std::string module_of(const std::string& statements, const std::string& arguments = "",
                      const std::string& functions = "") {
  std::string body, line;
  std::istringstream lines(statements);
  for (int n = 0; std::getline(lines, line); ++n) {
    if (const std::size_t at = line.find("see "); at != std::string::npos)
      line =
          fmt::format("%seen{0} = arith.index_cast {1} : index to i32\npto.texpands ins(%seen{0} : i32) outs(%t : {2})",
                      n, line.substr(at + 4), kTile);
    body += line + "\n";
  }
  std::string constants;
  for (const int n : {0, 1, 2, 3, 4, 5, 10}) constants += fmt::format("%c{0} = arith.constant {0} : index\n", n);
  return fmt::format(
      "module attributes {{pto.target_arch = \"a5\"}} {{\n{}func.func @main({}) {{\n{}%t = pto.alloc_tile : "
      "{}\n{}return\n}}\n}}\n",
      functions, arguments, constants, kTile, body);
}

OpenedText opened(const std::string& text, const OpenRequest& request = {}) {
  OpenedText out = open_text(text, {}, request);
  for (const Diagnostic& diagnostic : out.diagnostics)
    if (diagnostic.severity == Severity::Error) FAIL(text::render(diagnostic, *out.tree->source));
  REQUIRE(out.opened.has_value());
  return out;
}

std::unique_ptr<Recording> recorded(const std::string& text, const OpenRequest& request = {}) {
  RecordOptions options{.budget_bytes = std::size_t{2} << 20};
  options.limits = request.limits;
  return Recording::run(opened(text, request).opened->program, options);
}

using Numbers = std::vector<std::int32_t>;

Numbers numbers_of(const Recording& recording) {
  Numbers out;
  for (std::uint32_t step = 0; step < recording.count(); ++step)
    if (recording.bound(step).has("scalar"))
      out.push_back(static_cast<std::int32_t>(recording.bound(step).scalar("scalar").bits));
  return out;
}

// What the statements see, in order.
Numbers seen(const std::string& statements, const std::string& functions = "") {
  const auto recording = recorded(module_of(statements, "", functions));
  for (const Finding& finding : recording->findings()) CHECK_MESSAGE(false, finding.diagnostic.format());
  CHECK(recording->stop_reason() == StopReason::End);
  return numbers_of(*recording);
}

// The values of %i in a loop between literals.
Numbers turns(const std::string& lower, const std::string& upper, const std::string& step,
              const std::string& type = "index", const std::string& unsigned_word = "") {
  const std::string to_index =
      type == "index" ? "see %i" : fmt::format("%x = arith.index_cast %i : {} to index\nsee %x", type);
  return seen(
      fmt::format("%l = arith.constant {0} : {3}\n%u = arith.constant {1} : {3}\n%s = arith.constant {2} : "
                  "{3}\nscf.for {5}%i = %l to %u step %s {6} {{\n{4}\n}}",
                  lower, upper, step, type, to_index, unsigned_word, type == "index" ? "" : ": " + type));
}

const Diagnostic* find_rule(const Diagnostics& diagnostics, std::string_view rule) {
  const auto at = std::ranges::find(diagnostics, rule, &Diagnostic::rule);
  return at == diagnostics.end() ? nullptr : &*at;
}
const Finding* find_rule(const Recording& recording, std::string_view rule) {
  const auto at = std::ranges::find(recording.findings(), rule,
                                    [](const Finding& finding) { return std::string_view(finding.diagnostic.rule); });
  return at == recording.findings().end() ? nullptr : &*at;
}

}  // namespace

// --- loops ----------------------------------------------------------------------------------------------------------

TEST_CASE("execution: loops from the lower bound up to before the upper one") {
  CHECK(turns("0", "5", "2") == Numbers{0, 2, 4});
  CHECK(turns("0", "4", "2") == Numbers{0, 2});
  CHECK(turns("-2", "1", "1") == Numbers{-2, -1, 0});
  CHECK(turns("5", "5", "1").empty());
  CHECK(turns("6", "5", "1").empty());
  CHECK(turns("0", "-1", "1").empty());
  CHECK(turns("3", "4", "100") == Numbers{3});
}

TEST_CASE("execution: loops end where the next turn would pass the largest number") {
  CHECK(turns("9223372036854775800", "9223372036854775807", "5") == Numbers{-8, -3});
  CHECK(turns("0", "9223372036854775807", "9223372036854775807") == Numbers{0});
  CHECK(turns("1", "9223372036854775807", "9223372036854775805") == Numbers{1, -2});
  CHECK(turns("-9223372036854775808", "9223372036854775807", "9223372036854775807") == Numbers{0, -1, -2});
  CHECK(turns("-9223372036854775808", "-9223372036854775807", "9223372036854775807") == Numbers{0});
}

TEST_CASE("execution: loops over narrow and unsigned numbers") {
  CHECK(turns("-2", "2", "2", "i8") == Numbers{-2, 0});
  CHECK(turns("100", "127", "20", "i8") == Numbers{100, 120});
  CHECK(turns("100", "200", "50", "i8").empty());  // 200 is -56
  CHECK(turns("100", "200", "50", "i8", "unsigned ") == Numbers{100, -106});
  CHECK(turns("200", "255", "50", "i8", "unsigned ") == Numbers{-56, -6});
}

TEST_CASE("execution: a step must be positive, also where only running tells") {
  const OpenedText early =
      open_text(module_of("%s = arith.constant 0 : index\nscf.for %i = %c0 to %c5 step %s {\nsee %i\n}"));
  CHECK(find_rule(early.diagnostics, "E-LOOP") != nullptr);
  const OpenedText late =
      open_text(module_of("%s = arith.subi %c2, %c3 : index\nscf.for %i = %c0 to %c5 step %s {\nsee %i\n}"));
  const Diagnostic* found = find_rule(late.diagnostics, "E-LOOP");
  REQUIRE(found != nullptr);
  CHECK(found->text == "step must be positive; it is -1");
}

TEST_CASE("execution: what a turn yields is what the next one has, all at once") {
  const std::string swap =
      "%r:2 = scf.for %i = %c0 to %upper step %c1 iter_args(%a = %c1, %b = %c2) -> (index, index) {\nscf.yield %b, %a "
      ": index, index\n}\nsee %r#0\nsee %r#1";
  CHECK(seen("%upper = arith.constant 0 : index\n" + swap) == Numbers{1, 2});
  CHECK(seen("%upper = arith.constant 1 : index\n" + swap) == Numbers{2, 1});
  CHECK(seen("%upper = arith.constant 7 : index\n" + swap) == Numbers{2, 1});
  CHECK(seen("%upper = arith.constant 8 : index\n" + swap) == Numbers{1, 2});
  // Fibonacci inside, a sum outside; the inner one starts from what the outer one has.
  CHECK(seen("%r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %c0, %y = %c1) -> (index, index) {\n"
             "  %q:2 = scf.for %j = %c0 to %c2 step %c1 iter_args(%a = %x, %b = %y) -> (index, index) {\n"
             "    %n = arith.addi %a, %b : index\n    scf.yield %b, %n : index, index\n  }\n"
             "  see %q#0\n  scf.yield %q#0, %q#1 : index, index\n}\nsee %r#1") == Numbers{1, 3, 8, 13});
}

TEST_CASE("execution: steps know the loops around them") {
  const auto recording = recorded(
      module_of("scf.for %i = %c1 to %c3 step %c1 {\nscf.for %j = %c0 to %c4 step %c3 {\nsee %j\n}\n}\nsee %c5"));
  REQUIRE(recording->count() == 5);
  const std::int64_t expected[4][2] = {{1, 0}, {1, 3}, {2, 0}, {2, 3}};
  for (std::uint32_t step = 0; step < 4; ++step) {
    REQUIRE(recording->loops(step).size() == 2);
    CHECK(recording->loops(step)[0].variable == expected[step][0]);
    CHECK(recording->loops(step)[1].variable == expected[step][1]);
  }
  CHECK(recording->loops(4).empty());
}

TEST_CASE("execution: turns are counted, and every entry into a loop is one of its own") {
  const auto recording = recorded(module_of(
      "scf.for %i = %c1 to %c3 step %c1 {\nscf.for %j = %c0 to %c4 step %c3 {\nsee %j\n}\n}\n"
      "%n = scf.while (%k = %c0) : (index) -> index {\n%more = arith.cmpi slt, %k, %c2 : index\n"
      "scf.condition(%more) %k : index\n} do {\n^bb0(%m: index):\nsee %m\n%next = arith.addi %m, %c1 : index\n"
      "scf.yield %next : index\n}\nsee %n"));
  REQUIRE(recording->count() == 7);
  const auto turn = [&](std::uint32_t step, std::size_t loop) { return recording->loops(step)[loop].turn; };
  const auto entry = [&](std::uint32_t step, std::size_t loop) { return recording->loops(step)[loop].entry; };
  CHECK(turn(0, 1) == 0);
  CHECK(turn(1, 1) == 1);
  CHECK(turn(2, 0) == 1);
  CHECK(entry(0, 0) == entry(3, 0));
  CHECK(entry(0, 1) == entry(1, 1));
  CHECK(entry(1, 1) != entry(2, 1));
  CHECK(recording->loops(0)[1].pos.line == recording->loops(0)[0].pos.line + 1);
  for (std::uint32_t step : {4u, 5u}) {
    REQUIRE(recording->loops(step).size() == 1);
    CHECK(turn(step, 0) == step - 4);
    CHECK(recording->loops(step)[0].variable == step - 4);
    CHECK(entry(step, 0) == entry(4, 0));
  }
  CHECK(recording->loops(6).empty());
}

TEST_CASE("execution: views that turns hand on stay what they were") {
  const auto recording = recorded(
      module_of("%v = pto.make_tensor_view %g, shape = [4, 8], strides = [8, 1] : !pto.tensor_view<4x8xi32>\n"
                "%a0 = pto.partition_view %v, offsets = [0, 0], sizes = [1, 8] : !pto.tensor_view<4x8xi32> -> "
                "!pto.partition_tensor_view<1x8xi32>\n"
                "%b0 = pto.partition_view %v, offsets = [1, 0], sizes = [1, 8] : !pto.tensor_view<4x8xi32> -> "
                "!pto.partition_tensor_view<1x8xi32>\n"
                "%r:2 = scf.for %i = %c2 to %c4 step %c1 iter_args(%a = %a0, %b = %b0) -> "
                "(!pto.partition_tensor_view<1x8xi32>, !pto.partition_tensor_view<1x8xi32>) {\n"
                "  pto.tload ins(%a : !pto.partition_tensor_view<1x8xi32>) outs(%t : !pto.tile_buf<vec, 1x8xi32>)\n"
                "  %n = pto.partition_view %v, offsets = [%i, 0], sizes = [1, 8] : !pto.tensor_view<4x8xi32> -> "
                "!pto.partition_tensor_view<1x8xi32>\n"
                "  scf.yield %b, %n : !pto.partition_tensor_view<1x8xi32>, !pto.partition_tensor_view<1x8xi32>\n}\n"
                "pto.tload ins(%r#0 : !pto.partition_tensor_view<1x8xi32>) outs(%t : !pto.tile_buf<vec, 1x8xi32>)\n"
                "pto.tload ins(%r#1 : !pto.partition_tensor_view<1x8xi32>) outs(%t : !pto.tile_buf<vec, 1x8xi32>)",
                "%g: !pto.ptr<i32>"));
  REQUIRE(recording->count() == 4);
  for (std::uint32_t step = 0; step < 4; ++step) CHECK(recording->bound(step).global("src").address == 32 * step);
}

TEST_CASE("execution: while") {
  const auto count = [](const std::string& limit) {
    return seen("%limit = arith.constant " + limit +
                " : index\n%r:2 = scf.while (%a = %c0, %s = %c1) : (index, index) -> (index, index) {\n"
                "  %go = arith.cmpi slt, %a, %limit : index\n  scf.condition(%go) %s, %a : index, index\n} do "
                "{\n^bb0(%p: index, %q: index):\n"
                "  see %q\n  %n = arith.addi %q, %c1 : index\n  %d = arith.addi %p, %p : index\n  scf.yield %n, %d : "
                "index, index\n}\nsee %r#0\nsee %r#1");
  };
  CHECK(count("0") == Numbers{1, 0});
  CHECK(count("3") == Numbers{0, 1, 2, 8, 3});
  CHECK(seen("scf.while : () -> () {\n  %no = arith.cmpi eq, %c0, %c1 : index\n  scf.condition(%no)\n} do {\n  see "
             "%c1\n  scf.yield\n}\nsee %c2") == Numbers{2});
}

// --- branches and calls ---------------------------------------------------------------------------------------------

TEST_CASE("execution: if, with and without results and another way") {
  const auto chosen = [](const char* predicate) {
    return seen(fmt::format("%x = arith.cmpi {}, %c1, %c2 : index\n", predicate) +
                "%r:2 = scf.if %x -> (index, index) {\n  see %c1\n  scf.yield %c3, %c4 : index, index\n} else {\n  see "
                "%c2\n  scf.yield %c5, %c10 : index, index\n}\n"
                "see %r#0\nsee %r#1\nscf.if %x {\n  see %c0\n}");
  };
  CHECK(chosen("slt") == Numbers{1, 3, 4, 0});
  CHECK(chosen("sgt") == Numbers{2, 5, 10});
  CHECK(seen("%t1 = arith.constant true\nscf.if %t1 {\nscf.if %t1 {\nsee %c1\n} else {\nsee %c2\n}\n} else {\nsee "
             "%c3\n}") == Numbers{1});
}

TEST_CASE("execution: select takes any kind of value") {
  CHECK(seen("%yes = arith.constant true\n%no = arith.constant false\n%a = arith.select %yes, %c1, %c2 : index\n%b = "
             "arith.select %no, %c1, %c2 : index\nsee %a\nsee %b") == Numbers{1, 2});
}

TEST_CASE("execution: functions have values of their own, and may be called again and by each other") {
  const std::string functions =
      "func.func private @twice(%x: index) -> index {\n  %r = arith.addi %x, %x : index\n  return %r : index\n}\n"
      "func.func private @four(%x: index) -> (index, index) {\n  %a = func.call @twice(%x) : (index) -> index\n  %b = "
      "func.call @twice(%a) : (index) -> index\n  return %b, %x : index, index\n}\n";
  CHECK(seen("%a = func.call @twice(%c3) : (index) -> index\n%b:2 = call @four(%a) : (index) -> (index, index)\nsee "
             "%b#0\nsee %b#1\nsee %a",
             functions) == Numbers{24, 6, 6});
  CHECK(seen("%r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %c1) -> (index) {\n  %y = func.call @twice(%x) : "
             "(index) -> index\n  scf.yield %y : index\n}\nsee %r",
             functions) == Numbers{16});
}

TEST_CASE("execution: a division by zero stops where it is") {
  const std::string text =
      module_of("see %c1\n%z = arith.subi %c1, %c1 : index\n%x = arith.divui %c1, %z : index\nsee %x");
  const OpenedText result = open_text(text);
  const Diagnostic* found = find_rule(result.diagnostics, "V60-36");
  REQUIRE(found != nullptr);
  CHECK(text::Source("", text).line(found->pos.line) == "%x = arith.divui %c1, %z : index");
}

// --- tiles ----------------------------------------------------------------------------------------------------------

TEST_CASE("execution: tassign as a statement moves the tile from there on") {
  for (const char* spelling : {"pto.tassign %t, %a : !pto.tile_buf<vec, 1x8xi32>, i64",
                               "pto.tassign ins(%t, %a : !pto.tile_buf<vec, 1x8xi32>, i64)"}) {
    const auto recording =
        recorded(module_of(fmt::format("%a = arith.constant 4096 : i64\nsee %c1\n{}\nsee %c2", spelling)));
    REQUIRE(recording->count() == 3);
    CHECK(recording->bound(0).tile("dst").address == 0);
    CHECK(recording->bound(2).tile("dst").address == 4096);
  }
  for (const char* address : {"33", "-32", "4294967296", "262144"}) {
    const OpenedText result = open_text(module_of(fmt::format(
        "%a = arith.constant {} : i64\npto.tassign %t, %a : !pto.tile_buf<vec, 1x8xi32>, i64\nsee %c2", address)));
    CAPTURE(address);
    CHECK(find_rule(result.diagnostics, "G3") != nullptr);
  }
  for (const char* wrong : {"pto.tassign %c1, %c2 : index, index",
                            "%f = arith.constant 64.0 : f32\npto.tassign %t, %f : !pto.tile_buf<vec, 1x8xi32>, f32"})
    CHECK(find_rule(open_text(module_of(wrong)).diagnostics, "E-TYPE") != nullptr);
}

TEST_CASE("execution: a number where a tile or pointer is needed is refused") {
  for (const char* wrong : {"%p = pto.addptr 1, 2 : !pto.ptr<f32>",
                            "%u = pto.tassign 1, 2 : !pto.tile_buf<vec, 1x8xi32>, index -> !pto.tile_buf<vec, 1x8xi32>",
                            "pto.set_validshape 1, 2, 3 : !pto.tile_buf<vec, 1x8xi32, valid=?x?>"}) {
    CAPTURE(wrong);
    CHECK(find_rule(open_text(module_of(wrong)).diagnostics, "E-TYPE") != nullptr);
  }
}

TEST_CASE("execution: a result that is no tile is refused") {
  const std::string add = "pto.tadd ins(%t, %t : !pto.tile_buf<vec, 1x8xi32>, !pto.tile_buf<vec, 1x8xi32>) outs";
  CHECK(find_rule(open_text(module_of(add + "(%c1 : index)")).diagnostics, "E-TYPE") != nullptr);
  CHECK(find_rule(
            open_text(
                module_of("%x = pto.tadd %t, %t : (!pto.tile_buf<vec, 1x8xi32>, !pto.tile_buf<vec, 1x8xi32>) -> index"))
                .diagnostics,
            "E-TYPE") != nullptr);
  CHECK(find_rule(
            open_text(
                module_of("pto.tstore ins(%t : !pto.tile_buf<vec, 1x8xi32>) outs(%t : !pto.tile_buf<vec, 1x8xi32>)"))
                .diagnostics,
            "E-TYPE") != nullptr);
  // A value whose type nobody wrote: told when it is used, at the latest.
  const OpenedText untyped =
      open_text(module_of("%yes = arith.constant true\n" + add + "(%yes : !pto.tile_buf<vec, 1x8xi32>)"));
  CHECK((!untyped.opened ||
         Recording::run(untyped.opened->program, {.budget_bytes = 2 << 20})->stop_reason() == StopReason::Error));
}

TEST_CASE("execution: each time its alloc_tile runs, a tile is new and where it was placed") {
  const auto recording =
      recorded(module_of("%a = arith.constant 4096 : i64\nscf.for %i = %c0 to %c2 step %c1 {\n  %n = pto.alloc_tile : "
                         "!pto.tile_buf<vec, 1x8xi32>\n"
                         "  pto.tadd ins(%t, %t : !pto.tile_buf<vec, 1x8xi32>, !pto.tile_buf<vec, 1x8xi32>) outs(%n : "
                         "!pto.tile_buf<vec, 1x8xi32>)\n"
                         "  pto.tassign %n, %a : !pto.tile_buf<vec, 1x8xi32>, i64\n}"));
  REQUIRE(recording->count() == 4);
  CHECK(recording->bound(2).tile("dst").address == recording->bound(0).tile("dst").address);
}

TEST_CASE("execution: the directive places tiles of functions too, wherever they are made") {
  const std::string add =
      "pto.tadd ins(%t, %t : !pto.tile_buf<vec, 1x8xi32>, !pto.tile_buf<vec, 1x8xi32>) outs(%n : !pto.tile_buf<vec, "
      "1x8xi32>)\n";
  const std::string make = "%n = pto.alloc_tile : !pto.tile_buf<vec, 1x8xi32>\n";
  for (const std::string& body :
       {"pto.tassign %n, @tile(0x1000)\n" + make + add, make + "pto.tassign %n, @tile(0x1000)\n" + add,
        "pto.tassign %n, @tile(0x1000)\nscf.for %i = %c0 to %c2 step %c1 {\n" + make + add + "}"}) {
    const auto recording = recorded(module_of(body));
    for (std::uint32_t step = 0; step < recording->count(); ++step)
      CHECK(recording->bound(step).tile("dst").address == 0x1000);
    CHECK(recording->count() > 0);
  }
}

// --- limits ---------------------------------------------------------------------------------------------------------

TEST_CASE("execution: the limit of steps stops a run, not a check") {
  OpenRequest request;
  request.limits.most_steps = 7;
  const auto recording = recorded(module_of("scf.for %i = %c0 to %c10 step %c1 {\nsee %i\n}"), request);
  CHECK(recording->stop_reason() == StopReason::Limit);
  CHECK(recording->count() == 7);
  CHECK(find_rule(*recording, "E-LIMIT") != nullptr);
  request.limits.most_steps = 10;
  CHECK(recorded(module_of("scf.for %i = %c0 to %c10 step %c1 {\nsee %i\n}"), request)->stop_reason() ==
        StopReason::End);
}

TEST_CASE("execution: a loop without steps and without end is stopped") {
  OpenRequest request;
  request.limits.most_code = 10'000;
  const auto recording = recorded(module_of("see %c1\nscf.while : () -> () {\n  %yes = arith.constant true\n  "
                                            "scf.condition(%yes)\n} do {\n  scf.yield\n}\nsee %c2"),
                                  request);
  CHECK(recording->stop_reason() == StopReason::Limit);
  CHECK(recording->count() == 1);
  CHECK(find_rule(*recording, "V60-37") != nullptr);
}

TEST_CASE("open: of very many mistakes the first are kept, and how many more there are") {
  std::string body;
  for (int i = 0; i < 5000; ++i) body += fmt::format("%x{} = arith.addi %a{}, %b{} : index\n", i, i, i);
  const OpenedText opened = open_text(module_of(body));
  CHECK(!opened.opened);
  CHECK(opened.diagnostics.size() < 1100);
  const Diagnostic* more = find_rule(opened.diagnostics, "E-MANY");
  REQUIRE(more != nullptr);
  CHECK(more->severity == Severity::Error);
  CHECK(more->text.ends_with("more messages are not shown"));
}

TEST_CASE("open: looking for functions ends when it is told to") {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += fmt::format("func.func @f{}() {{\n  return\n}}\n", i);
  Diagnostics told;
  const auto tree = read_program("test", text, told);
  REQUIRE(!has_error(told));
  int asked = 0;
  CHECK(entry_points(*tree, told, [&] { return ++asked > 0; }).size() == 3000);
  const int often = asked;
  CHECK(often > 10);
  for (int moments = 0; moments < often; ++moments) {
    Diagnostics stopped;
    asked = 0;
    CHECK(entry_points(*tree, stopped, [&] { return ++asked <= moments; }).empty());
    CHECK(asked == moments + 1);
    CHECK(find_rule(stopped, "E-STOPPED") != nullptr);
  }
}

TEST_CASE("open: halves of kernels are found among many functions in time that grows with them") {
  constexpr int kMany = 100000;
  std::string text;
  const auto half = [&](std::string_view kernel, std::string_view core, std::string_view kind) {
    text += fmt::format("func.func @{}_{}() attributes {{pto.kernel_kind = #pto.kernel_kind<{}>}} {{\n  return\n}}\n",
                        kernel, core, kind);
  };
  half("whole", "aiv", "vector");
  for (int i = 0; i < kMany; ++i)
    half(fmt::format("alone{}", i), i % 2 == 0 ? "aic" : "aiv", i % 2 == 0 ? "cube" : "vector");
  half("whole", "aic", "cube");
  Diagnostics told;
  const auto tree = read_program("test", text, told);
  REQUIRE(!has_error(told));
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<EntryPoint> entries = entry_points(*tree, told);
  // Far above what is needed, and far below what comparing each with each takes.
  CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < (kSanitized ? 60.0 : 10.0));
  REQUIRE(entries.size() == kMany + 1);
  CHECK(entries.back().name == "whole");
  CHECK(entries.back().peer != text::kNoId);
  CHECK(entries.front().name == "alone0_aic");
}

TEST_CASE("open: reading, compiling and checking end when they are told to") {
  std::string body;
  for (int i = 0; i < 5000; ++i) body += fmt::format("%x{} = arith.constant {} : index\n", i, i);
  const std::string text = module_of(body + "see %x7");
  Diagnostics told;
  text::ParseLimits limits;
  limits.go_on = [] { return false; };
  read_program("test", text, told, limits);
  CHECK(find_rule(told, "E-STOPPED") != nullptr);
  // From each moment on.
  const OpenedText whole = open_text(text);
  REQUIRE(whole.opened);
  for (int moments = 0; moments < 30; ++moments) {
    OpenRequest request;
    int asked = 0;
    request.limits.go_on = [&](std::uint64_t) { return ++asked <= moments; };
    const OpenedText stopped = open_text(text, {}, request);
    if (asked <= moments) continue;
    CHECK((!stopped.opened || !has_error(stopped.diagnostics)));
    CHECK(asked <= moments + 3);
  }
}

// --- flags ----------------------------------------------------------------------------------------------------------

TEST_CASE("execution: waiting for a flag that nobody raises is told, with the nearest one that is") {
  const std::string wait = "pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]",
                    set = "pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]";
  const OpenedText alone = open_text(module_of(wait));
  const Diagnostic* found = find_rule(alone.diagnostics, "SYNC-R1");
  REQUIRE(found != nullptr);
  CHECK(found->text == "deadlock: no set_flag of (PIPE_MTE2, PIPE_V, EVENT_ID0) reaches this wait");
  CHECK(find_rule(open_text(module_of(wait + "\n" + set)).diagnostics, "SYNC-R1") != nullptr);
  CHECK(find_rule(open_text(module_of(set + "\n" + wait + "\n" + wait)).diagnostics, "SYNC-R1") != nullptr);
  const OpenedText other = open_text(module_of("pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID3>]\n" + wait));
  found = find_rule(other.diagnostics, "SYNC-R1");
  REQUIRE(found != nullptr);
  REQUIRE(found->notes.size() == 1);
  CHECK(found->notes[0].text == "the nearest one is (PIPE_MTE2, PIPE_V, EVENT_ID3)");
  CHECK(recorded(module_of(set + "\n" + wait))->findings().empty());
}

TEST_CASE("execution: flags that stay raised are told at the end") {
  const auto recording =
      recorded(module_of("pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID1>]\npto.set_flag[<PIPE_V>, <PIPE_MTE3>, "
                         "<EVENT_ID1>]\npto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID1>]"));
  CHECK(recording->stop_reason() == StopReason::End);
  const Finding* found = find_rule(*recording, "SYNC-R2");
  REQUIRE(found != nullptr);
  CHECK(found->diagnostic.severity == Severity::Warning);
  CHECK(found->diagnostic.text ==
        "set_flag of (PIPE_V, PIPE_MTE3, EVENT_ID1) is raised 1 times more than it is waited for");
}

TEST_CASE("execution: the number of an event may be computed") {
  const std::string loop = "scf.for %i = %c0 to %c3 step %c1 {\npto.set_flag_dyn [<PIPE_V>, <PIPE_MTE3>, %i]\n}\n";
  CHECK(
      recorded(module_of(loop + "scf.for %j = %c0 to %c3 step %c1 {\npto.wait_flag_dyn [<PIPE_V>, <PIPE_MTE3>, %j]\n}"))
          ->findings()
          .empty());
  CHECK(find_rule(open_text(module_of(loop + "pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID3>]")).diagnostics,
                  "SYNC-R1") != nullptr);
}

// --- checks without values ------------------------------------------------------------------------------------------

TEST_CASE("execution: a check looks at both ways of a branch that depends on what it does not know") {
  const auto text = [](const char* first, const char* second) {
    const auto add = [](const char* tile) {
      return fmt::format("  pto.tadd ins(%t, %t : {0}, {0}) outs({1})\n", kTile, tile);
    };
    return module_of(
        "%x = arith.cmpi eq, %n, %c1 : index\n%small = pto.alloc_tile : !pto.tile_buf<vec, 1x8xi32, valid=1x5>\nscf.if "
        "%x {\n" +
            add(first) + "} else {\n" + add(second) + "}",
        "%n: index");
  };
  OpenRequest request;
  request.inputs.guess = false;
  const char *right = "%t : !pto.tile_buf<vec, 1x8xi32>", *wrong = "%small : !pto.tile_buf<vec, 1x8xi32, valid=1x5>";
  CHECK(!has_error(open_text(text(right, right), {}, request).diagnostics));
  CHECK(has_error(open_text(text(wrong, right), {}, request).diagnostics));
  CHECK(has_error(open_text(text(right, wrong), {}, request).diagnostics));
  // With a value only the way that is taken counts.
  request.inputs.numbers["n"] = "1";
  CHECK(!has_error(open_text(text(right, wrong), {}, request).diagnostics));
  CHECK(has_error(open_text(text(wrong, right), {}, request).diagnostics));
}

TEST_CASE("execution: a place of the program that breaks a rule is told once, however often it runs") {
  const OpenedText text = open_text(
      module_of("%small = pto.alloc_tile : !pto.tile_buf<vec, 8x8xi32, valid=1x5>\nscf.for %i = %c1 to %c5 step %c1 {\n"
                "%n = pto.alloc_tile valid_row = %i : !pto.tile_buf<vec, 8x8xi32, valid=?x8>\n"
                "pto.tadd ins(%n, %n : !pto.tile_buf<vec, 8x8xi32, valid=?x8>, !pto.tile_buf<vec, 8x8xi32, valid=?x8>)"
                " outs(%small : !pto.tile_buf<vec, 8x8xi32, valid=1x5>)\n}"));
  const auto about_sources = [](const Diagnostic& diagnostic) { return diagnostic.operand == "src0"; };
  CHECK(std::ranges::count_if(text.diagnostics, about_sources) == 1);
}

TEST_CASE(
    "execution: a check goes once through loops whose bounds it does not know, and says nothing of flags behind") {
  OpenRequest request;
  request.inputs.guess = false;
  const std::string wait = "pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]";
  const OpenedText text =
      open_text(module_of("scf.for %i = %c0 to %n step %c1 {\npto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]\n}\n" +
                              wait + "\n" + wait,
                          "%n: index"),
                {}, request);
  CHECK(!has_error(text.diagnostics));
  const OpenedText wrong = open_text(
      module_of("%small = pto.alloc_tile : !pto.tile_buf<vec, 1x8xi32, valid=1x5>\nscf.for %i = %c0 to %n step %c1 {\n"
                "pto.tadd ins(%t, %t : !pto.tile_buf<vec, 1x8xi32>, !pto.tile_buf<vec, 1x8xi32>) outs(%small : "
                "!pto.tile_buf<vec, 1x8xi32, valid=1x5>)\n}",
                "%n: index"),
      {}, request);
  CHECK(has_error(wrong.diagnostics));
}

// A tile of 8 x 8 that may shrink, one that stays, and a number from memory that no check knows.
constexpr const char* kShrinking =
    "%a = pto.alloc_tile valid_row = %c8 valid_col = %c8 : !pto.tile_buf<vec, 8x8xi32, valid=?x?>\n"
    "%b = pto.alloc_tile : !pto.tile_buf<vec, 8x8xi32>\n"
    "%x = pto.load_scalar %g[%c0] : !pto.ptr<i32> -> i32\n%n = arith.index_cast %x : i32 to index\n%big = arith.cmpi "
    "sgt, %n, %c5 : index\n";
constexpr const char* kAddWhole =
    "pto.tadd ins(%a, %b : !pto.tile_buf<vec, 8x8xi32, valid=?x?>, !pto.tile_buf<vec, 8x8xi32>) outs(%b : "
    "!pto.tile_buf<vec, 8x8xi32>)\n";
constexpr const char* kShrink = "pto.set_validshape %a, %c2, %c8 : !pto.tile_buf<vec, 8x8xi32, valid=?x?>\n";

TEST_CASE("execution: a check knows nothing of a tile that one of two possible ways changed") {
  const std::string begin = std::string("%c8 = arith.constant 8 : index\n") + kShrinking;
  const auto open = [&](const std::string& statements) {
    return open_text(module_of(begin + statements, "%g: !pto.ptr<i32>"));
  };
  // The other way finds the tile as it was before the branch.
  CHECK(!has_error(open(std::string("scf.if %big {\n") + kShrink + "} else {\n" + kAddWhole + "}").diagnostics));
  CHECK(
      has_error(open(std::string("scf.if %big {\n") + kShrink + "} else {\n" + kShrink + kAddWhole + "}").diagnostics));
  // Behind it, it may be one or the other.
  CHECK(!has_error(open(std::string("scf.if %big {\n") + kShrink + "}\n" + kAddWhole).diagnostics));
  CHECK(
      !has_error(open(std::string("scf.if %big {\n  see %c1\n} else {\n") + kShrink + "}\n" + kAddWhole).diagnostics));
  CHECK(has_error(
      open(std::string("scf.if %big {\n") + kShrink + "} else {\n" + kShrink + "}\n" + kAddWhole).diagnostics));
}

TEST_CASE("execution: a check knows nothing of what a loop made that may turn any number of times") {
  const std::string begin = std::string("%c8 = arith.constant 8 : index\n") + kShrinking;
  const auto open = [&](const std::string& statements) {
    return open_text(module_of(begin + statements, "%g: !pto.ptr<i32>"));
  };
  const std::string set_rows = "pto.set_validshape %a, %rows, %c8 : !pto.tile_buf<vec, 8x8xi32, valid=?x?>\n";
  // Its results, from inside and from before.
  CHECK(!has_error(
      open("%rows = scf.for %i = %c0 to %n step %c1 iter_args(%r = %c8) -> (index) {\n  scf.yield %c2 : index\n}\n" +
           set_rows + kAddWhole)
          .diagnostics));
  CHECK(!has_error(
      open("%rows = scf.for %i = %c0 to %n step %c1 iter_args(%r = %c2) -> (index) {\n  scf.yield %c8 : index\n}\n" +
           set_rows + kAddWhole)
          .diagnostics));
  CHECK(!has_error(open("%rows = scf.for %i = %c0 to %n step %c1 iter_args(%rows = %c2) -> (index) {\n" + set_rows +
                        kAddWhole + "  scf.yield %c8 : index\n}\n")
                       .diagnostics));
  CHECK(!has_error(open("%rows = scf.while (%r = %c2) : (index) -> (index) {\n  %go = arith.cmpi slt, %r, %n : index\n "
                        " scf.condition(%go) %r : index\n} do {\n^bb0(%q: index):\n"
                        "  %m = arith.addi %q, %c1 : index\n  scf.yield %m : index\n}\n" +
                        set_rows + kAddWhole)
                       .diagnostics));
  // Tiles that its turns change, behind it and at the start of the next turn.
  CHECK(!has_error(open(std::string("scf.for %i = %c0 to %n step %c1 {\n") + kShrink + "}\n" + kAddWhole).diagnostics));
  // What every turn makes anew is known.
  CHECK(has_error(open(std::string("scf.for %i = %c0 to %n step %c1 {\n") + kShrink + kAddWhole + "}").diagnostics));
}

TEST_CASE("execution: what depends on loaded numbers is found when it runs") {
  OpenRequest request;
  request.inputs.data["g"] = {std::byte{2}, {}, {}, {}, std::byte{7}, {}, {}, {}};
  const std::string text = module_of(
      "%x = pto.load_scalar %g[%c1] : !pto.ptr<i32> -> i32\n%n = arith.index_cast %x : i32 to index\nsee %n\nscf.for "
      "%i = %c5 to %n step %c1 {\nsee %i\n}",
      "%g: !pto.ptr<i32>");
  CHECK(numbers_of(*recorded(text, request)) == Numbers{7, 5, 6});
}

// --- blocks ---------------------------------------------------------------------------------------------------------

TEST_CASE("execution: every block runs the program, with its number") {
  OpenRequest request;
  request.blocks = 3;
  const auto recording =
      recorded(module_of("%b = pto.get_block_idx -> i64\n%i = arith.index_cast %b : i64 to index\n%n = "
                         "pto.get_block_num -> i64\n%m = arith.index_cast %n : i64 to index\nsee %i\nsee %m"),
               request);
  CHECK(numbers_of(*recording) == Numbers{0, 3, 1, 3, 2, 3});
  REQUIRE(recording->count() == 9);
  for (std::uint32_t step = 0; step < 9; ++step) CHECK(recording->step(step).block == step / 3);
}

TEST_CASE("execution: a block finds its own memories empty, and global memory as the one before left it") {
  OpenRequest request;
  request.blocks = 2;
  request.inputs.size_bytes["g"] = 64;
  const auto recording = recorded(
      module_of(
          "%b = pto.get_block_idx -> i64\n%i = arith.index_cast %b : i64 to index\n"
          "%v = pto.make_tensor_view %g, shape = [2, 8], strides = [8, 1] : !pto.tensor_view<2x8xi32>\n"
          "%p = pto.partition_view %v, offsets = [%i, 0], sizes = [1, 8] : !pto.tensor_view<2x8xi32> -> "
          "!pto.partition_tensor_view<1x8xi32>\n"
          "see %c5\npto.tstore ins(%t : !pto.tile_buf<vec, 1x8xi32>) outs(%p : !pto.partition_tensor_view<1x8xi32>)",
          "%g: !pto.ptr<i32>"),
      request);
  REQUIRE(recording->count() == 6);
  Inspector inspector(*recording);
  const MemoryMap& map = recording->map();
  const auto ub = [&](std::uint32_t position) {
    return inspector.at(position).worst_definedness(map.flat(Space::Ub, 0), 32);
  };
  CHECK(ub(2) == Definedness::Written);
  CHECK(ub(4) == Definedness::Never);  // behind the start of the second block
  CHECK(inspector.at(4).element(Space::Ub, 0, 1) == kPoison);
  CHECK(inspector.at(4).element(Space::Gm, 0, 4) == 5);
  CHECK(ub(3) == Definedness::Written);
  CHECK(ub(6) == Definedness::Written);
  for (std::uint32_t i = 0; i < 16; ++i) CHECK(recording->final_memory().element(Space::Gm, 4 * i, 4) == 5);
}

TEST_CASE("execution: flags are a core's own") {
  OpenRequest request;
  request.blocks = 2;
  const std::string text = module_of(
      "%b = pto.get_block_idx -> i64\n%i = arith.index_cast %b : i64 to index\n%first = arith.cmpi eq, %i, %c0 : "
      "index\n"
      "scf.if %first {\npto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]\n} else {\npto.wait_flag[<PIPE_MTE2>, "
      "<PIPE_V>, <EVENT_ID0>]\n}");
  CHECK(find_rule(open_text(text, {}, request).diagnostics, "SYNC-R1") != nullptr);
  // What every block leaves raised is told once.
  const auto recording = recorded(module_of("pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]"), request);
  CHECK(std::ranges::count(recording->findings(), "SYNC-R2",
                           [](const Finding& finding) { return finding.diagnostic.rule; }) == 1);
}

}  // namespace ts::test
