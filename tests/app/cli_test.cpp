// The commands of the program, run as a user runs them: what they print and how they end.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/catalogue/row.h"
#include "core/isa/target.h"
#include "core/text/ops/op_table.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/process/terminal_child.h"
#include "tests/support/scale.h"
#include "tests/support/text/waiting_op.h"

namespace ts::test {
namespace {

constexpr int kLongRun = kSanitized ? 300'000 : 5'000'000;  // steps: some seconds

// A file with one text.
struct Kernel {
  TempFolder folder;
  std::string path = folder / "kernel.pto";
  explicit Kernel(std::string_view text = kAddRows) { put_text(path, text); }
};

const char kTwoEntries[] = R"(module {
  func.func @one(%n: i32) {
    %a = pto.alloc_tile : !pto.tile_buf<vec, 1x16xf16>
    pto.tadd ins(%a, %a : !pto.tile_buf<vec, 1x16xf16>, !pto.tile_buf<vec, 1x16xf16>) outs(%a : !pto.tile_buf<vec, 1x16xf16>)
    return
  }
  func.func @two() {
    return
  }
}
)";

// Legal on a5 only.
const char kSplit[] = R"(module {
  func.func @split() {
    %a = pto.alloc_tile : !pto.tile_buf<vec, 1x16xf32>
    %b = pto.alloc_tile : !pto.tile_buf<vec, 1x16xf32>
    %c = pto.alloc_tile : !pto.tile_buf<vec, 1x16xf32>
    %d = pto.alloc_tile : !pto.tile_buf<vec, 1x16xf32>
    pto.tdeinterleave ins(%a, %b : !pto.tile_buf<vec, 1x16xf32>, !pto.tile_buf<vec, 1x16xf32>) outs(%c, %d : !pto.tile_buf<vec, 1x16xf32>, !pto.tile_buf<vec, 1x16xf32>)
    return
  }
}
)";

// The steps of a report, without its other lines.
std::vector<std::string> step_lines(const std::string& report) {
  std::vector<std::string> lines;
  std::size_t at = report.find("  instruction");
  at = at == std::string::npos ? at : report.find('\n', at);
  while (at != std::string::npos && report[at + 1] != '\n') {
    const std::size_t end = report.find('\n', at + 1);
    lines.push_back(report.substr(at + 1, end - at - 1));
    at = end;
  }
  return lines;
}

}  // namespace

TEST_CASE("cli: every command has help with an example, and ends with 0") {
  const ProcessResult all = tilescope({"--help"});
  CHECK(all.status == kOk);
  for (const char* command : {"run", "check", "fmt", "explain", "list", "options"}) {
    CAPTURE(command);
    CHECK(has(all.out, std::string("  ") + command));
    const ProcessResult help = tilescope({command, "--help"});
    CHECK(help.status == kOk);
    CHECK(has(help.out, std::string("Usage: tilescope ") + command));
    CHECK(has(help.out, "example"));
    CHECK(help.err.empty());
  }
}

TEST_CASE("cli: choices may be written in any case") {
  const auto same = [](std::vector<std::string> usual, std::vector<std::string> loud) {
    CAPTURE(loud.back());
    const ProcessResult a = tilescope(usual), b = tilescope(loud);
    CHECK(a.status == b.status);
    CHECK(a.status != kCannotRun);
    CHECK(a.out == b.out);
    CHECK(a.err == b.err);
  };
  same({"explain", "tsels", "--target", "a5"}, {"explain", "tsels", "--target", "A5"});
  same({"run", "row_loop", "--digest", "--target", "a2a3"}, {"run", "row_loop", "--digest", "--target", "A2a3"});
  same({"run", "row_loop", "--digest", "--option", "strict=on"},
       {"run", "row_loop", "--digest", "--option", "Strict=ON"});
  same({"check", "--run", "masked_sum", "--level", "nan=error"},
       {"check", "--run", "masked_sum", "--level", "NaN=Error"});
  same({"manual", "--theme", "light"}, {"manual", "--theme", "Light"});
  CHECK(tilescope({"explain", "tsels", "--target", "A7"}).status == kCannotRun);
}

TEST_CASE("cli: wrong words are refused with a hint") {
  CHECK(tilescope({"frobnicate"}).status == kCannotRun);
  CHECK(tilescope({"run", "--bogus"}).status == kCannotRun);
  CHECK(tilescope({"run", "--target", "a7"}).status == kCannotRun);
  CHECK(tilescope({"run", "--blocks", "0"}).status == kCannotRun);
  CHECK(tilescope({"run", "--seed", "x"}).status == kCannotRun);
  CHECK(tilescope({"check"}).status == kCannotRun);
  const ProcessResult forgot = tilescope({"kernel.pto"});
  CHECK(forgot.status == kCannotRun);
  CHECK(has(forgot.err, "hint: tilescope open kernel.pto, or tilescope run kernel.pto"));
  CHECK(has(tilescope({"run", "--option", "foo=on"}).err, "there is no option foo"));
  CHECK(has(tilescope({"run", "--option", "strict=maybe"}).err, "wanted strict=off|on"));
  for (const char* option : {"--in", "--set", "--out", "--size"}) {
    CAPTURE(option);
    CHECK(has(tilescope({"run", option, "x"}).err, std::string(option) + " x: wanted NAME="));
    CHECK(tilescope({"run", option, "=1"}).status == kCannotRun);
  }
  for (const char* size : {"x=-1", "x=1k", "x=99999999999999999999"})
    CHECK(has(tilescope({"run", "--size", size}).err, "wanted NAME=BYTES"));
  for (const char* cell : {"a", "a[1]", "a[1,2", "[1,2]", "a[1,x]", "a[-1,2]"})
    CHECK(has(tilescope({"run", "--cell", cell}).err, "wanted TILE[ROW,COLUMN]"));
}

TEST_CASE("cli: without a command the first sample runs") {
  const ProcessResult result = tilescope({});
  CHECK(result.status == kOk);
  CHECK(has(result.out, "complex_split on a5: 11 steps, end of the program"));
  CHECK(has(result.out, "Next: tilescope run"));
}

TEST_CASE("cli run: the report names inputs and lists steps shortly") {
  const Kernel kernel;
  const ProcessResult result = tilescope({"run", kernel.path, "--set", "rows=16"});
  CHECK(result.status == kOk);
  CHECK(result.err.empty());
  CHECK(result.out.starts_with("add on a5: 8 steps, end of the program\n"));
  CHECK(has(result.out, "%rows         index = 16, given"));
  CHECK(has(result.out, "%x            f32, 1024 elements, seeded"));
  CHECK(has(result.out, "%z            f32, 1024 elements, written only"));
  const std::vector<std::string> lines = step_lines(result.out);
  REQUIRE(lines.size() == 8);
  CHECK(lines[2] == "      2    20  V     tadd ins(%a, %b) outs(%c)  [0]   ub 0x1000+2048");
  CHECK(lines[7] == "      7    21  MTE3  tstore ins(%c) outs(%zp)   [8]   gm 0x2c00+2048");
  CHECK(!has(result.out, "!pto.tile_buf"));
}

TEST_CASE("cli run: a number that is not given runs as 1, with a warning") {
  const Kernel kernel(kTwoEntries);
  const ProcessResult result = tilescope({"run", kernel.path, "--entry", "one"});
  CHECK(result.status == kOk);
  CHECK(has(result.err, "kernel.pto:2:18: warning: [V60-07] %n has no value and runs as 1"));
  CHECK(has(result.err, "hint: --set n=NUMBER"));
  CHECK(has(result.out, "%n            i32 = 1, no value given"));
  CHECK(tilescope({"run", kernel.path, "--entry", "one", "--set", "n=2"}).err.find("warning") == std::string::npos);
}

TEST_CASE("cli run: names that are no inputs, and numbers that are none") {
  const Kernel kernel;
  const auto refused = [&](std::vector<std::string> arguments, const char* text) {
    arguments.insert(arguments.begin(), {"run", kernel.path});
    const ProcessResult result = tilescope(arguments);
    CAPTURE(text);
    CHECK(result.status == kCannotRun);
    CHECK_MESSAGE(has(result.err, text), result.err);
    CHECK(result.out.empty());
  };
  refused({"--set", "n=3"}, "the program has no input n");
  refused({"--set", "n=3"}, "it has x, y, z, rows");
  refused({"--set", "rows=many"}, "many is no index");
  refused({"--set", "rows=99999999999999999999"}, "is no index");
  refused({"--set", "x=3"}, "%x is a buffer and takes no number");
  refused({"--size", "rows=3"}, "%rows is no buffer");
  refused({"--set", "rows=16", "--out", "q=/tmp/q.npy"}, "it has a, b, c, x, y, z");
  refused({"--entry", "sub"}, "no entry point is called sub");
  refused({"--set", "rows=17", "--size", "x=1024"}, "[TLOAD-R5]");
}

TEST_CASE("cli run: several entry points have a heading each") {
  const Kernel kernel(kTwoEntries);
  const ProcessResult result = tilescope({"run", kernel.path});
  CHECK(result.status == kOk);
  CHECK(has(result.out, "=== one, entry point 1 of 2 ===\n\none on a2a3: 1 step, end of the program"));
  CHECK(has(result.out, "=== two, entry point 2 of 2 ===\n\ntwo on a2a3: 0 steps, end of the program"));
  CHECK(times(result.err, "[E-ENTRY]") == 1);
  const ProcessResult binds = tilescope({"run", kernel.path, "--set", "n=1"});
  CHECK(binds.status == kCannotRun);
  CHECK(has(binds.err, "--entry NAME, one of one, two"));
  CHECK(times(tilescope({"run", kernel.path, "--digest"}).out, "\n") == 2);
}

TEST_CASE("cli run: target, blocks, options, seed and digest") {
  const Kernel kernel;
  const auto digest = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"run", kernel.path, "--digest", "--set", "rows=8"});
    const ProcessResult result = tilescope(arguments);
    CHECK(result.status == kOk);
    CHECK(result.out.size() == 33);
    return result.out;
  };
  const std::string plain = digest({});
  CHECK(plain == digest({"--seed", "1"}));
  CHECK(plain == digest({"--target", "a5"}));
  CHECK(plain != digest({"--seed", "2"}));
  CHECK(plain != digest({"--target", "a2a3"}));
  CHECK(plain != digest({"--blocks", "2"}));
  const ProcessResult blocks = tilescope({"run", kernel.path, "--set", "rows=8", "--blocks", "3"});
  CHECK(has(blocks.out, "block 2"));
  const Kernel split(kSplit);
  CHECK(tilescope({"run", split.path, "--target", "a2a3"}).status == kCannotRun);
  CHECK(tilescope({"run", split.path, "--target", "a2a3", "--option", "extensions.a2a3_interleave=on"}).status == kOk);
}

TEST_CASE("cli run: a step in depth, and where an element came from") {
  const Kernel kernel;
  const std::vector<std::string> base{"run", kernel.path, "--set", "rows=16"};
  const auto run = [&](std::vector<std::string> more) {
    more.insert(more.begin(), base.begin(), base.end());
    return tilescope(more);
  };
  const ProcessResult step = run({"--step", "2"});
  CHECK(step.status == kOk);
  CHECK(has(step.out, ">     2    20"));
  CHECK(has(step.out, "STEP 2  pto.tadd ins(%a, %b : !pto.tile_buf<vec, 8x64xf32>"));
  CHECK(has(step.out, " before\n  src0     %a = vec 8x64 f32"));
  CHECK(has(step.out, "where %c[0,0]"));
  CHECK(has(step.out, "micro-operations on a5"));
  const ProcessResult cell = run({"--cell", "%c[1,9]"});
  CHECK(has(cell.out, "STEP 6"));
  CHECK(has(cell.out, "from %a[1,9]"));
  const ProcessResult last = run({"--step", "2", "--cell", "c[7,63]"});
  CHECK(has(last.out, "from %b[7,63]"));
  CHECK(has(last.out, " 62 "));  // the window of the tile is where the cell is
  CHECK(has(last.out, "\n       7 "));
  const auto refused = [&](std::vector<std::string> more, const char* text) {
    const ProcessResult result = run(std::move(more));
    CAPTURE(text);
    CHECK(result.status == kCannotRun);
    CHECK_MESSAGE(has(result.err, text), result.err);
    CHECK(has(result.out, "add on a5: 8 steps"));  // the rest is worth seeing all the same
  };
  refused({"--step", "8"}, "they are 0 to 7");
  refused({"--cell", "c[8,0]"}, "%c is 8x64");
  refused({"--cell", "q[0,0]"}, "no step makes a tile %q");
  refused({"--step", "0", "--cell", "c[0,0]"}, "the last step that does is 6");
}

TEST_CASE("cli run: a program's own show line that fits no more is passed over") {
  const TempFolder folder;
  for (const char* hint : {"// show: --step 99 --cell sum[0,0]\n", "// show: --step 0 --cell nothing[0,0]\n",
                           "// show: --step 3 --cell sum[99,0]\n"}) {
    CAPTURE(hint);
    put_text(folder / "kernel.pto", hint + get_text("samples/fill_tails.pto"));
    const ProcessResult result = tilescope({"run", folder / "kernel.pto"});
    CHECK(result.status == kOk);
    CHECK(result.err == "");
  }
}

TEST_CASE("cli run: --trace lists all micro-operations, and folds what is alike") {
  const Kernel kernel(kTwoEntries);
  const ProcessResult result = tilescope({"run", kernel.path, "--entry", "one", "--trace"});
  CHECK(result.status == kOk);
  CHECK(has(result.out, " 3 micro-operations on a2a3\n"));
  CHECK(has(result.out, "p0 16 of 128 lanes on: 0..15\n"));
  CHECK(has(result.out, "(x112)\n"));
  std::size_t widest = 0;
  for (std::size_t at = 0, end = 0; (end = result.out.find('\n', at)) != std::string::npos; at = end + 1)
    widest = std::max(widest, end - at);
  CHECK(widest <= 120);
}

TEST_CASE("cli run: --trace tells registers as elements of the tiles they come from and go to") {
  const ProcessResult result = tilescope({"run", "complex_split", "--target", "a5", "--trace"});
  CHECK(result.status == kOk);
  CHECK(has(result.out, "v0 f32 "));
  CHECK(!has(result.out, " u32 "));
}

TEST_CASE("cli run: repeated messages are folded") {
  std::string text =
      "module attributes {pto.target_arch = \"a2a3\"} {\n  func.func @many() {\n    %s = arith.constant 1.0 : f32\n"
      "    %m = pto.alloc_tile : !pto.tile_buf<vec, 2x32xui8, valid=2x1>\n    %a = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>\n";
  for (int i = 0; i < 30; ++i)
    text +=
        "    pto.tsels ins(%m, %a, %s : !pto.tile_buf<vec, 2x32xui8, valid=2x1>, !pto.tile_buf<vec, 2x8xf32>, f32) outs(%a : "
        "!pto.tile_buf<vec, 2x8xf32>)\n";
  const Kernel kernel(text + "    return\n  }\n}\n");
  const ProcessResult result = tilescope({"run", kernel.path});
  CHECK(result.status == kOk);
  CHECK(times(result.err, "[E-SCRATCH]") == 1);
  CHECK(has(result.err, "the same in lines 7, 8, 9, 10, 11, 12, 13, 14 and 21 more\n"));
}

TEST_CASE("cli run: scratch that no text can name is told of without that advice") {
  const auto told = [](const std::string& more, const std::string& types, const std::string& result) {
    const Kernel kernel(R"(module attributes {pto.target_arch = "a2a3"} {
  func.func @f() {
    %s = arith.constant 1.0 : f32
    %x = pto.alloc_tile : !pto.tile_buf<vec, 1x32xf32>
    %c = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32, valid=1x1>
    %q = pto.alloc_tile : !pto.tile_buf<vec, 1x32x)" +
                        result + R"(>
    pto.texpands ins(%s : f32) outs(%x : !pto.tile_buf<vec, 1x32xf32>)
    pto.texpands ins(%s : f32) outs(%c : !pto.tile_buf<vec, 1x8xf32, valid=1x1>)
    pto.tquant ins(%x, %c)" +
                        more + " : !pto.tile_buf<vec, 1x32xf32>, !pto.tile_buf<vec, 1x8xf32, valid=1x1>" + types +
                        ") outs(%q : !pto.tile_buf<vec, 1x32x" + result + ">)\n    return\n  }\n}\n");
    return tilescope({"run", kernel.path}).err;
  };
  // A third tile is an offset.
  CHECK(has(told("", "", "i8"), "no text names it"));
  CHECK(has(told(", %c", ", !pto.tile_buf<vec, 1x8xf32, valid=1x1>", "ui8"), "ins(..., %tmp"));
}

TEST_CASE("cli run: a finding of a loop is told once, with the last step") {
  // In the second turn each view reaches beyond its buffer's view, which is a warning as long as the buffer is large enough.
  const Kernel kernel;
  const ProcessResult result =
      tilescope({"run", kernel.path, "--set", "rows=3", "--size", "x=4096", "--size", "y=4096", "--size", "z=4096"});
  CHECK(result.status == kOk);
  CHECK(times(result.err, "[V60-23]") == 3);
  CHECK(times(result.out, "[V60-23]") == 3);
  CHECK(has(result.out, "told above"));
}

TEST_CASE("cli run: a loop with a finding in every turn keeps a bounded number of them") {
  const Kernel kernel(R"(module attributes {pto.target_arch = "a5"} {
  func.func @f(%x: !pto.ptr<f32>, %turns: index, %rows: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %v = pto.make_tensor_view %x, shape = [%c1, %c64], strides = [%c64, %c1] : !pto.tensor_view<1x64xf32>
    %a = pto.alloc_tile : !pto.tile_buf<vec, 4x64xf32>
    scf.for %i = %c0 to %turns step %c1 {
      %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%rows, %c64] : !pto.tensor_view<1x64xf32> -> !pto.partition_tensor_view<?x64xf32>
      pto.tload ins(%p : !pto.partition_tensor_view<?x64xf32>) outs(%a : !pto.tile_buf<vec, 4x64xf32>)
    }
    return
  }
}
)");
  const ProcessResult result =
      tilescope({"run", kernel.path, "--set", "turns=5000", "--set", "rows=4", "--size", "x=1024"});
  CHECK(result.status == kOk);
  CHECK(times(result.err, "[V60-23]") == 1);
  CHECK(!has(result.err, "more at this place"));
  CHECK(has(result.out, "and 999 times more up to step 999; what came after was not kept"));
}

TEST_CASE("cli run: the exit status says where it stopped") {
  const ProcessResult data = tilescope({"run", "bug_offset_units"});
  CHECK(data.status == kStopped);
  CHECK(has(data.out, "bug_offset_units on a5: 4 steps, error"));
  CHECK(has(data.out, "step 4:\nbug_offset_units.pto:36:5: error: [TGB-R5]"));
  const Kernel missing(R"(module attributes {pto.target_arch = "a5"} {
  func.func @f(%p: !pto.ptr<f32>) {
    %t = pto.alloc_tile : !pto.tile_buf<vec, 8x64xf32>
)" + waiting_line() + "    return\n  }\n}\n");
  const ProcessResult stopped = tilescope({"run", missing.path});
  CHECK(stopped.status == kStopped);
  CHECK(has(stopped.out, "not emulated on a5 yet: " + kWaitingOp));
  CHECK(tilescope({"check", missing.path}).status == kOk);
}

TEST_CASE("cli run: limits end a loop that does not, with what there is") {
  const Kernel endless(kEndless);
  const ProcessResult steps = tilescope({"run", endless.path, "--max-steps", "1000"});
  CHECK(steps.status == kLimit);
  CHECK(has(steps.out, "endless on a5: 1000 steps, step limit"));
  CHECK(has(steps.out, "... 750 steps ..."));
  CHECK(has(steps.out, "raise it with --max-steps"));
  CHECK(has(steps.out, "digest "));
  const Kernel spin(kSpin);
  const ProcessResult spinning = tilescope({"run", spin.path, "--max-steps", "1000"});
  CHECK(spinning.status == kLimit);
  CHECK(has(spinning.out, "spin on a5: 0 steps, step limit"));
  CHECK(has(spinning.out, "does the loop ever end?"));
}

TEST_CASE("cli run: while loops end by their condition") {
  const Kernel kernel(R"(module attributes {pto.target_arch = "a5"} {
  func.func @count() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %a = pto.alloc_tile : !pto.tile_buf<vec, 8x64xf32>
    scf.while (%i = %c0) : (index) -> (index) {
      %go = arith.cmpi slt, %i, %c9 : index
      scf.condition(%go) %i : index
    } do {
    ^bb0(%j: index):
      pto.tadd ins(%a, %a : !pto.tile_buf<vec, 8x64xf32>, !pto.tile_buf<vec, 8x64xf32>) outs(%a : !pto.tile_buf<vec, 8x64xf32>)
      %n = arith.addi %j, %c1 : index
      scf.yield %n : index
    }
    return
  }
}
)");
  const ProcessResult result = tilescope({"run", kernel.path});
  CHECK(result.status == kOk);
  CHECK(has(result.out, "count on a5: 9 steps, end of the program"));
}

TEST_CASE("cli run: Ctrl+C at a terminal stops in order, with what there is") {
  for (const std::string_view text : {kEndless, kSpin}) {
    const Kernel kernel(text);
    const bool steps = text == kEndless;
    // Both ways are walked once before they are run, so a run is as long as it must be and no longer.
    const std::string program = program_path(), most = std::to_string(steps ? kLongRun : 1'000'000'000);
    TerminalChild child(100, [&] {
      ::execl(program.c_str(), program.c_str(), "run", kernel.path.c_str(), "--max-steps", most.c_str(), nullptr);
    });
    REQUIRE(child.prints(steps ? "recording endless: " : "recording spin: "));
    child.press(kCtrlC);
    const std::string output = child.all_output();
    CHECK(has(output, "interrupted"));
    CHECK(has(output, steps ? "endless on a5" : "spin on a5: 0 steps"));
    if (steps) CHECK(has(output, "tadd ins(%a, %a) outs(%a)"));
    const int status = child.end_status();
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == kLimit);
  }
}

TEST_CASE("cli run --json: one document with everything in it") {
  const Kernel kernel;
  const ProcessResult result = tilescope({"run", kernel.path, "--set", "rows=8", "--json", "--trace"});
  CHECK(result.status == kOk);
  CHECK(result.err.empty());
  const auto json = json_of(result);
  CHECK(json["program"] == "add");
  CHECK(json["target"] == "a5");
  CHECK(json["stopped"] == "end of the program");
  CHECK(json["inputs"].size() == 4);
  CHECK(json["findings"].empty());
  CHECK(json["diagnostics"].empty());
  CHECK(json["digest"].get<std::string>().size() == 32);
  REQUIRE(json["steps"].size() == 4);
  const auto& add = json["steps"][2];
  CHECK(add["step"] == 2);
  CHECK(add["line"] == 20);
  CHECK(add["pipe"] == "V");
  CHECK(add["loops"] == nlohmann::json::array({0}));
  CHECK(has(add["text"].get<std::string>(), "!pto.tile_buf<vec, 8x64xf32>"));
  REQUIRE(add["operands"].size() == 3);
  CHECK(add["operands"][0]["name"] == "%a");
  CHECK(add["operands"][2]["place"]["address"] == 4096);
  CHECK(add["operands"][2]["valid"] == nlohmann::json::array({8, 64}));
  CHECK(add["writes"][0]["bytes"] == 2048);
  CHECK(!add["micro"].empty());
  CHECK(has(add["micro"].dump(), "\"made\""));
}

TEST_CASE("cli run --json: several entry points, errors and refusals are JSON too") {
  const Kernel two(kTwoEntries);
  const auto both = json_of(tilescope({"run", two.path, "--json"}));
  REQUIRE(both.size() == 2);
  CHECK(both[1]["program"] == "two");
  CHECK(has(both[0]["diagnostics"].dump(), "runs as 1"));
  const ProcessResult stopped = tilescope({"run", "bug_offset_units", "--json"});
  CHECK(stopped.status == kStopped);
  const auto findings = json_of(stopped)["findings"];
  REQUIRE(!findings.empty());
  CHECK(findings.back()["rule"] == "TGB-R5");
  CHECK(findings.back()["severity"] == "error");
  CHECK(findings.back()["step"] == 4);
  const Kernel syntax("module {\n  func.func @f( {\n}\n"), legality;
  for (const ProcessResult& refused :
       {tilescope({"run", syntax.path, "--json"}),
        tilescope({"run", legality.path, "--set", "rows=17", "--size", "x=1024", "--json"})}) {
    CHECK(refused.status == kCannotRun);
    const auto json = json_of(refused);
    CHECK(json["stopped"] == "not started");
    CHECK(json["steps"].empty());
    CHECK(!json["diagnostics"].empty());
  }
}

TEST_CASE("cli: choices are known however they are written") {
  const ProcessResult lower = tilescope({"run", "masked_sum", "--target", "a5", "--option", "strict=on", "--digest"});
  CHECK(lower.status == kOk);
  CHECK(tilescope({"run", "masked_sum", "--target", "A5", "--option", "Strict=ON", "--digest"}).out == lower.out);
  CHECK(tilescope({"check", "masked_sum", "--run", "--level", "ALL=Off"}).status == kOk);
  CHECK(tilescope({"manual", "--theme", "Dark"}).out == tilescope({"manual", "--theme", "dark"}).out);
  CHECK(tilescope({"run", "masked_sum", "--target", "a6"}).status == kCannotRun);
}

TEST_CASE("cli: it says which version it is") { CHECK(has(tilescope({"--version"}).out, "TileScope ")); }

TEST_CASE("cli check: what a program cannot be opened for is said, and no function to start is an error") {
  const Kernel tall(
      "func.func @k(%n: index) attributes {pto.entry} {\n"
      "  %t = pto.alloc_tile valid_row = %n : !pto.tile_buf<vec, 16x16xf32, valid=?x16>\n  return\n}\n");
  const ProcessResult run = tilescope({"check", "--run", tall.path, "--set", "n=40"});
  CHECK(run.status == kCannotRun);
  CHECK(has(run.err, "[V60-12]"));
  CHECK(has(run.err, "valid 40 exceeds 16 rows"));
  const Kernel giving("func.func @f(%x: i32) -> i32 {\n  return %x : i32\n}\n"), empty("");
  for (const char* command : {"check", "run"}) {
    const ProcessResult result = tilescope({command, giving.path});
    CHECK(result.status == kCannotRun);
    CHECK(has(result.err, "@f returns a value"));
    CHECK(tilescope({command, empty.path}).status == kCannotRun);
    CHECK(has(tilescope({command, empty.path}).err, "has no function to start"));
  }
}

TEST_CASE("cli: tiles may each have a place of their own") {
  const Kernel kernel(R"(func.func @k(%p: !pto.ptr<f32>) attributes {pto.entry} {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %two = arith.constant 2.0 : f32
  %v = pto.make_tensor_view %p, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>
  %a = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
  %b = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
  %c = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
  pto.tload ins(%v : !pto.tensor_view<8x8xf32>) outs(%a : !pto.tile_buf<vec, 8x8xf32>)
  pto.tmuls ins(%a, %two : !pto.tile_buf<vec, 8x8xf32>, f32) outs(%b : !pto.tile_buf<vec, 8x8xf32>)
  pto.tmuls ins(%b, %two : !pto.tile_buf<vec, 8x8xf32>, f32) outs(%c : !pto.tile_buf<vec, 8x8xf32>)
  pto.tstore ins(%c : !pto.tile_buf<vec, 8x8xf32>) outs(%v : !pto.tensor_view<8x8xf32>)
  return
}
)");
  CHECK(!has(tilescope({"run", kernel.path}).out, "ub 0x200+256"));
  CHECK(has(tilescope({"run", kernel.path, "--placement", "keep"}).out, "ub 0x200+256"));
  CHECK(has(tilescope({"run", kernel.path, "--option", "placement=keep"}).out, "ub 0x200+256"));
  CHECK(tilescope({"run", kernel.path, "--placement", "twice"}).status == kCannotRun);
  CHECK(has(tilescope({"options"}).out, "placement"));
}

TEST_CASE("cli check: files, targets and statuses") {
  const Kernel kernel, split(kSplit),
      bad("module {\n  func.func @f() {\n    pto.tad ins(%a) outs(%b)\n    return\n  }\n}\n");
  const ProcessResult good = tilescope({"check", kernel.path, "masked_sum"});
  CHECK(good.status == kOk);
  CHECK(has(good.out, "kernel.pto: 1 entry point, 0 errors, 0 warnings"));
  CHECK(has(good.out, "masked_sum.pto: 1 entry point, 0 errors, 0 warnings"));
  // One target is enough for a program that names none.
  const ProcessResult one = tilescope({"check", split.path});
  CHECK(one.status == kOk);
  CHECK(has(one.err, "on a2a3: "));
  CHECK(tilescope({"check", split.path, "--target", "a2a3"}).status == kCannotRun);
  CHECK(tilescope({"check", split.path, "--target", "a5"}).err.find("error") == std::string::npos);
  CHECK(tilescope({"check", kernel.path, bad.path}).status == kCannotRun);
  CHECK(tilescope({"check", kernel.path, kernel.path + ".not"}).status == kCannotRun);
  CHECK(tilescope({"check", kernel.path, "--entry", "nope"}).status == kCannotRun);
}

TEST_CASE("cli check --json: one array for all files") {
  const Kernel split(kSplit), bad("module {\n  func.func @f() {\n    pto.tad ins(%a) outs(%b)\n    return\n  }\n}\n");
  const ProcessResult result = tilescope({"check", split.path, bad.path, "--json"});
  CHECK(result.status == kCannotRun);
  const auto json = json_of(result);
  REQUIRE(json.is_array());
  bool one_target = false, unknown = false;
  for (const auto& message : json) {
    for (const char* key : {"file", "line", "column", "span", "severity", "rule", "operand", "text", "expected", "hint",
                            "notes", "targets"})
      CHECK(message.contains(key));
    one_target = one_target || message["targets"] == nlohmann::json::array({"a2a3"});
    unknown = unknown || (message["file"] == bad.path && message["severity"] == "error");
  }
  CHECK(one_target);
  CHECK(unknown);
  CHECK(json_of(tilescope({"check", "masked_sum", "--target", "a5", "--json"})).empty());
}

TEST_CASE("cli fmt: prints, checks and replaces") {
  const Kernel kernel("module attributes {pto.target_arch = \"a5\"} {\n func.func   @f() { return }  // end\n}\n");
  const ProcessResult printed = tilescope({"fmt", kernel.path});
  CHECK(printed.status == kOk);
  CHECK(has(printed.out, "func.func @f()"));
  CHECK(has(printed.out, "// end"));
  CHECK(tilescope({"fmt", "--check", kernel.path}).status == kStopped);
  CHECK(tilescope({"fmt", "--write", kernel.path}).status == kOk);
  CHECK(get_text(kernel.path) == printed.out);
  CHECK(tilescope({"fmt", "--check", kernel.path}).status == kOk);
  const Kernel broken("module {\n");
  CHECK(tilescope({"fmt", "--write", broken.path}).status == kCannotRun);
  CHECK(get_text(broken.path) == "module {\n");
  CHECK(tilescope({"fmt", "--write", "masked_sum"}).status == kCannotRun);
}

TEST_CASE("cli explain, list, options: what there is") {
  for (const char* name : {"tsels", "pto.tsels", "TSELS"}) {
    const ProcessResult page = tilescope({"explain", name});
    CHECK(page.status == kOk);
    CHECK(page.out.starts_with("# TSELS"));
  }
  CHECK(!has(tilescope({"explain", "tsels", "--target", "a5"}).out, "## On A2A3"));
  for (const char* name : {"vadd", "pto.vadd"}) CHECK(tilescope({"explain", name}).out.starts_with("# VADD"));
  // One page for all widths of a mask's lanes.
  for (const char* name : {"pset_b8", "pto.pset_b32"}) CHECK(tilescope({"explain", name}).out.starts_with("# PSET"));
  const ProcessResult signature = tilescope({"explain", "set_cross_core"});
  CHECK(signature.status == kOk);
  CHECK(has(signature.out, "Signals other cores"));
  const ProcessResult unknown = tilescope({"explain", "tadf"});
  CHECK(unknown.status == kCannotRun);
  CHECK(has(unknown.err, "tadd"));
  const ProcessResult list = tilescope({"list"});
  CHECK(list.status == kOk);
  for (const char* name : {"complex_split", "bug_transposed_domain", "tgatherb"}) CHECK(has(list.out, name));
  const ProcessResult options = tilescope({"options"});
  CHECK(options.status == kOk);
  CHECK(has(options.out, "strict"));
}

TEST_CASE("cli: every sample runs, and is formatted") {
  // Their bug is that they do not come to their end.
  const std::set<std::string> stops{"bug_offset_units", "bug_slot_never_freed", "bug_wrong_split", "bug_both_wait",
                                    "bug_event.cpp"};
  const std::string list = tilescope({"list"}).out;
  std::size_t samples = 0;
  Thinned cases(3);
  for (std::size_t at = list.find('\n') + 1; list.compare(at, 2, "  ") == 0; at = list.find('\n', at) + 1, ++samples) {
    const std::string name = list.substr(at + 2, list.find(' ', at + 2) - at - 2);
    CAPTURE(name);
    // Those in C++ have sessions that run them (cpp_cli_test); here a few are enough.
    if (!cases.takes() || (name.ends_with(".cpp") && name != "bug_event.cpp" && samples % 5 != 0)) continue;
    CHECK(tilescope({"run", name}).status == (stops.contains(name) ? kStopped : kOk));
    // What is wrong with a kernel in C++ is found when it runs.
    CHECK(tilescope({"check", name}).status == (name == "bug_event.cpp" ? kStopped : kOk));
  }
  CHECK(samples >= 17);
}

TEST_CASE("cli run: where the time goes, by operation") {
  const ProcessResult text = tilescope({"run", "row_loop", "--profile"});
  CHECK(text.status == kOk);
  CHECK(has(text.out, "profile: "));
  CHECK(has(text.out, "us a step"));
  const auto json = nlohmann::json::parse(tilescope({"run", "row_loop", "--profile", "--json"}).out, nullptr, false);
  REQUIRE(json.is_object());
  REQUIRE(json.contains("profile"));
  std::size_t steps = 0;
  double seconds = 0, last = 1e9;
  for (const auto& row : json["profile"]["instructions"]) {
    steps += row["steps"].get<std::size_t>();
    seconds += row["seconds"].get<double>();
    CHECK(row["seconds"].get<double>() <= last);
    last = row["seconds"].get<double>();
  }
  CHECK(steps == json["steps"].size());
  CHECK(json["profile"]["steps"] == steps);
  CHECK(seconds == doctest::Approx(json["profile"]["seconds"].get<double>()));
}

// What a front end in Python would have made of `s = a + a` and `s = s + a`.
const char kLowered[] = R"(module attributes {pto.target_arch = "a5"} {
  func.func @k() {
    %one = arith.constant 1.0 : f32
    %a = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
    pto.texpands ins(%one : f32) outs(%a : !pto.tile_buf<vec, 8x8xf32>) loc(#loc1)
    pto.tadd ins(%a, %a : !pto.tile_buf<vec, 8x8xf32>, !pto.tile_buf<vec, 8x8xf32>) outs(%a : !pto.tile_buf<vec, 8x8xf32>) loc(callsite("/x/kernels/lib.py":2:5 at #loc1))
    return
  } loc(unknown)
} loc(unknown)
#loc1 = loc("kernels/attn.py":3:5)
)";

TEST_CASE("cli run: steps say which lines they came from, and those are shown where they are found") {
  const Kernel kernel(kLowered);
  const ProcessResult bare = tilescope({"run", kernel.path, "--step", "1"});
  CHECK(bare.status == kOk);
  CHECK(has(bare.out, "   step  line  from "));
  CHECK(has(bare.out, "lib.py:2"));
  CHECK(has(bare.out, "        from /x/kernels/lib.py:2\n        called from kernels/attn.py:3\n"));
  std::filesystem::create_directory(kernel.folder / "kernels");
  put_text(kernel.folder / "kernels/attn.py", "one\ntwo\n    s = f(a)\x1b[2J\n");
  const TempFolder other;
  put_text(other / "lib.py", "def f(a):\n  return a + a\n");
  const ProcessResult found = tilescope({"run", kernel.path, "--step", "1", "--source", other.path()});
  CHECK(has(found.out, "from /x/kernels/lib.py:2  return a + a"));
  CHECK(has(found.out, "called from kernels/attn.py:3  s = f(a)"));
  std::filesystem::last_write_time(kernel.path, std::filesystem::last_write_time(kernel.path) - std::chrono::hours(1));
  CHECK(has(tilescope({"run", kernel.path, "--step", "0"}).out, "(the file changed since)"));
  CHECK(!has(tilescope({"run", "row_loop"}).out, "line  from"));
}

TEST_CASE("cli fmt: locations are kept, or left out") {
  const Kernel kernel(kLowered);
  CHECK(tilescope({"fmt", kernel.path}).out == kLowered);
  const ProcessResult without = tilescope({"fmt", kernel.path, "--no-loc"});
  CHECK(without.status == kOk);
  CHECK(!has(without.out, "loc("));
  CHECK(has(without.out, "pto.tadd"));
}

TEST_CASE("cli check: a tile above what devices take is told without a run, and once with one") {
  const Kernel kernel(R"(module {
  func.func @k() {
    %one = arith.constant 1.0 : f32
    %at = arith.constant 245728 : i64
    %a = pto.alloc_tile addr = %at : !pto.tile_buf<vec, 1x8xf32>
    %b = pto.alloc_tile addr = %at : !pto.tile_buf<vec, 1x64xf32>
    pto.texpands ins(%one : f32) outs(%a : !pto.tile_buf<vec, 1x8xf32>)
    pto.texpands ins(%one : f32) outs(%b : !pto.tile_buf<vec, 1x64xf32>)
    return
  }
}
)");
  const ProcessResult plain = tilescope({"check", kernel.path, "--target", "a5"});
  CAPTURE(plain.out);
  CAPTURE(plain.err);
  CHECK(plain.status == kOk);
  CHECK(has(plain.out, "0 errors, 1 warning"));
  CHECK(has(plain.err, "[CHK-DEVICE] %b [245728, 245984) ends above 245760 of ub"));
  CHECK(tilescope({"check", kernel.path, "--target", "a5", "--level", "device=error"}).status == kStopped);
  CHECK(has(tilescope({"check", kernel.path, "--target", "a5", "--level", "device=off"}).out, "0 warnings"));
  const nlohmann::json json = json_of(tilescope({"check", kernel.path, "--target", "a5", "--json"}));
  REQUIRE(json.size() == 1);
  CHECK(json[0]["line"] == 8);
  CHECK(json[0]["kind"] == "device");
  const nlohmann::json run = json_of(tilescope({"check", "--run", kernel.path, "--target", "a5", "--json"}));
  CHECK(std::count_if(run.begin(), run.end(), [](const auto& one) { return one["rule"] == "CHK-DEVICE"; }) == 1);
}

TEST_CASE(
    "cli check: a pointer in place of a view says how one is made, and a precision that changes nothing is noted") {
  const Kernel kernel(R"(module attributes {pto.target_arch = "a5"} {
  func.func @k(%x: !pto.ptr<f32>) {
    %a = pto.alloc_tile : !pto.tile_buf<vec, 8x64xf32>
    pto.tload ins(%x : !pto.ptr<f32>) outs(%a : !pto.tile_buf<vec, 8x64xf32>)
    pto.texp ins(%a : !pto.tile_buf<vec, 8x64xf32>) outs(%a : !pto.tile_buf<vec, 8x64xf32>) {precisionType = #pto<exp_precision high_precision>}
    pto.texp ins(%a : !pto.tile_buf<vec, 8x64xf32>) outs(%a : !pto.tile_buf<vec, 8x64xf32>) {precisionType = #pto<exp_precision default>}
    pto.tstore ins(%a : !pto.tile_buf<vec, 8x64xf32>) outs(%x : !pto.ptr<f32>)
    return
  }
}
)");
  const ProcessResult check = tilescope({"check", kernel.path});
  CAPTURE(check.err);
  CHECK(check.status == kCannotRun);
  CHECK(has(check.err, ":4:19: error: [E-TYPE] %x is a pointer, !pto.ptr<f32>; a part of a view is needed here"));
  CHECK(
      has(check.err, "%v = pto.make_tensor_view %x, shape = [..], strides = [..], and of that pto.partition_view %v"));
  CHECK(has(check.err, ":7:60: error: [E-TYPE] %x is a pointer"));
  CHECK(times(check.err, "texp: precisionType = high_precision is taken and changes nothing here") == 1);
  CHECK(times(check.err, "precisionType") == 2);  // the note, and the line that it is about
}

TEST_CASE("cli run: --step-by source counts lines of sources in JSON, too, and every source line has its text") {
  const nlohmann::json json = json_of(tilescope({"run", "from_python", "--step-by", "source", "--json"}));
  CHECK(!json.contains("steps"));
  const nlohmann::json& visits = json["visits"];
  REQUIRE(visits.size() > 2);
  CHECK(visits[0]["first"] == 0);
  CHECK(visits[0]["last"] == 0);
  CHECK(visits[0]["source"][0]["file"] == "kernels/from_python.py");
  CHECK(visits[0]["source"][0]["line"] == 20);
  CHECK(visits[0]["source"][0]["text"] == "scores = load(x[rows, :])");
  CHECK(visits[0]["source"][0]["changed"] == false);
  CHECK(visits[0]["wrote"] == nlohmann::json({"%scores_inline0"}));
  const nlohmann::json steps = json_of(tilescope({"run", "from_python", "--json"}))["steps"];
  CHECK(steps[0]["source"] == visits[0]["source"]);
  // As many as the text lists, one behind the other, and all of the steps.
  const std::string text = tilescope({"run", "from_python", "--step-by", "source"}).out;
  CHECK(times(text, "  from_python.py:") >= visits.size());
  std::size_t next = 0;
  for (const nlohmann::json& visit : visits) {
    CHECK(visit["first"] == next);
    next = visit["last"].get<std::size_t>() + 1;
    CHECK(visit["line"] == steps[visit["first"].get<std::size_t>()]["line"]);
  }
  CHECK(next == steps.size());
  const ProcessResult none = tilescope({"run", "row_loop", "--step-by", "source", "--json"});
  CHECK(none.status == kOk);
  CHECK(json_of(none)["visits"] == nlohmann::json::array());
  CHECK(has(none.err, "does not say which lines it came from"));
}

TEST_CASE("cli run: --step-by source lists what each visit to a line made") {
  const ProcessResult run = tilescope({"run", "from_python", "--step-by", "Source"});
  CHECK(run.status == kOk);
  CHECK(has(run.out, "  steps  from               line                                      wrote\n"));
  CHECK(has(run.out, "      0  from_python.py:20  scores = load(x[rows, :])                 %scores_inline0\n"));
  CHECK(has(run.out,
            ">   2-3  from_python.py:7   return tile_exp(x - largest)              %below_inline0, %exps_inline0\n"));
  const ProcessResult none = tilescope({"run", "row_loop", "--step-by", "source"});
  CHECK(none.status == kOk);
  CHECK(has(none.out, "does not say which lines it came from"));
  const ProcessResult talk =
      tilescope_fed({"repl", "from_python", "--step-by", "source"}, "rec:first()\nrec:step(3)\nprint(rec.pos)\n");
  CHECK(talk.status == kOk);
  CHECK(has(talk.out, "     4  line 29, from_python.py:11"));
  CHECK(tilescope({"repl", "row_loop", "--step-by", "source"}).status == kCannotRun);
}

TEST_CASE(
    "cli coverage: every tile operation that text may hold, on both targets, with its types or why there are none") {
  std::map<std::pair<std::string, std::string>, bool> emulated;
  for (const auto& one : json_of(tilescope({"coverage", "--json"}))) {
    bool& any = emulated[{one["instruction"], one["target"]}];
    any = any || one["emulated"];
    CHECK((one["emulated"] || any || one.contains("why") || one["documented"]));
  }
  // Micro-operations stand by the names that program text has.
  for (const text::OpRow& row : text::op_rows())
    if (row.group == text::OpGroup::Micro && row.current.empty())
      CHECK_MESSAGE(emulated.contains({std::string(row.name.substr(4)), "a5"}), row.name);
  for (const char* name : {"vadd", "pset_b16", "vcvt", "mte_gm_ub", "vbitsort", "mad", "mad_mx"})
    CHECK(emulated.at({name, "a5"}));
  for (const char* name : {"mem_bar", "get_ctrl"}) CHECK_FALSE(emulated.at({name, "a5"}));
  CHECK(!emulated.contains({"vadd", "a2a3"}));
  for (const text::OpRow& row : text::op_rows()) {
    using enum text::OpGroup;
    if (row.meaning.ends_with("a toy of the tests.") || !row.current.empty()) continue;
    if (row.group != TileVector && row.group != TileMove && row.group != TileCube) continue;
    // Another name of an instruction's form.
    if (row.instruction != nullptr && row.name.substr(4) != row.instruction->name) continue;
    for (const Target target : kBothTargets)
      CHECK_MESSAGE(emulated.contains({std::string(row.name.substr(4)), name(target)}), row.name);
  }
  for (const char* part : {"subset", "subview"}) CHECK(emulated.at({part, "a5"}));
  CHECK(emulated.at({"tadd", "a2a3"}));
  CHECK_FALSE(emulated.at({"tpack", "a2a3"}));
  const std::string table = tilescope({"coverage"}).out;
  CHECK(has(table, "not on this target: TPACK-R1"));
  CHECK(has(table, "legal, not emulated yet"));
  CHECK(has(table, "micro-operations, 0 without a page"));
}

}  // namespace ts::test
