// One program for each kind of finding that has it, and one that differs in one thing and has it not.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/check/device_rules.h"
#include "core/text/render.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/record/recorded.h"
#include "tests/support/text/kernel_text.h"
#include "tests/support/text/open_text.h"
#include "tests/support/text/small_text.h"

namespace ts::test {
namespace {

// What a finding is to say; what is not given is not looked at.
struct Wanted {
  FindingKind kind;
  std::string rule;
  Severity severity;
  std::uint32_t step, line;
  std::string operand = "";
  std::optional<std::pair<std::uint32_t, std::uint32_t>> element = {};
  std::string text = "";
};

std::vector<Finding> of_kind(const Recording& recording, FindingKind kind) {
  std::vector<Finding> found = check(recording, only({kind})).findings;
  // An error that ended the run is never hidden.
  std::erase_if(found, [&](const Finding& finding) { return finding.kind() != kind; });
  return found;
}

void check_only_finding(const Recording& recording, const Wanted& wanted) {
  const std::vector<Finding> found = of_kind(recording, wanted.kind);
  REQUIRE(found.size() == 1);
  const Diagnostic& told = found[0].diagnostic;
  CAPTURE(told.format());
  CHECK(found[0].kind() == wanted.kind);
  CHECK(told.rule == wanted.rule);
  CHECK(told.severity == wanted.severity);
  CHECK(found[0].step == wanted.step);
  CHECK(told.pos.line == wanted.line);
  CHECK(told.operand == wanted.operand);
  CHECK(found[0].element.has_value() == wanted.element.has_value());
  if (found[0].element && wanted.element) {
    CHECK(found[0].element->row == wanted.element->first);
    CHECK(found[0].element->col == wanted.element->second);
  }
  if (!wanted.text.empty()) CHECK(told.text == wanted.text);
  if (wanted.rule != "MEM-BOUNDS") CHECK(!told.hint.empty());
}

void check_silent(const Recording& recording, FindingKind kind) {
  for (const Finding& finding : of_kind(recording, kind)) CHECK_MESSAGE(false, finding.diagnostic.format());
}

// Two tiles are loaded and added; the second one stands at `address`.
struct LoadLoadAdd {
  KernelText kernel;
  std::uint32_t second_load = 0, add = 0;
  explicit LoadLoadAdd(std::uint32_t address) {
    kernel.buffer("x", "f32", 4, 8);
    kernel.tile("a", "4x8xf32", 0);
    kernel.tile("b", "4x8xf32", address);
    kernel.tile("c", "4x8xf32", 0x400);
    kernel.load("a", "x", "0", "0", 4, 8);
    second_load = kernel.load("b", "x", "0", "0", 4, 8);
    add = kernel.op("tadd", {"a", "b"}, {"c"});
  }
};

}  // namespace

TEST_CASE("check kinds: two tiles in the same bytes") {
  const LoadLoadAdd bad(0x40);
  check_only_finding(*bad.kernel.record(),
                     {.kind = FindingKind::Alias,
                      .rule = "CHK-ALIAS",
                      .severity = Severity::Warning,
                      .step = 1,
                      .line = bad.second_load,
                      .operand = "dst",
                      .element = std::pair{0u, 0u},
                      .text = "%b[0,0] stands on %a[2,0], which tadd (step 2) still reads: 64 bytes of %a are lost"});
  check_silent(*LoadLoadAdd(0x80).kernel.record(), FindingKind::Alias);
}

TEST_CASE("check kinds: scratch put over something that is still needed") {
  std::uint32_t select = 0;
  const auto record = [&](std::uint32_t address) {
    KernelText kernel(Target::A2A3);
    kernel.buffer("x", "f32", 4, 8);
    kernel.buffer("bits", "ui8", 4, 32);
    kernel.tile("a", "4x8xf32", 0);
    kernel.tile("mask", "4x32xui8", 0x100);
    kernel.tile("tmp", "1x8xf32", address);
    kernel.tile("c", "4x8xf32", 0x400);
    kernel.load("a", "x", "0", "0", 4, 8);
    kernel.load("mask", "bits", "0", "0", 4, 32);
    select = kernel.op("tsels", {"mask", "a", "tmp", "2.0 : f32"}, {"c"});
    kernel.op("tadd", {"a", "c"}, {"c"});
    return kernel.record();
  };
  check_only_finding(
      *record(0x60),
      {.kind = FindingKind::Scratch,
       .rule = "CHK-SCRATCH",
       .severity = Severity::Warning,
       .step = 2,
       .line = (record(0x60), select),
       .operand = "tmp",
       .element = std::pair{0u, 0u},
       .text = "scratch %tmp[0,0] stands on %a[3,0], which tadd (step 3) still reads: 4 bytes of %a are lost"});
  check_silent(*record(0x200), FindingKind::Scratch);
}

// One tile that is loaded, ending at `end`.
SharedRecording record_ending_at(Target target, std::uint32_t end) {
  KernelText kernel(target);
  kernel.buffer("x", "f32", 4, 8);
  kernel.tile("a", "4x8xf32", end - 128);
  kernel.load("a", "x", "0", "0", 4, 8);
  kernel.load("a", "x", "0", "0", 4, 8);
  return kernel.record();
}

TEST_CASE("check kinds: a tile above what devices are known to take, told once and as not certain") {
  const auto wanted = [](const std::string& text) {
    return Wanted{.kind = FindingKind::Device,
                  .rule = "CHK-DEVICE",
                  .severity = Severity::Warning,
                  .step = 0,
                  .line = 6,
                  .operand = "dst",
                  .element = std::pair{0u, 0u},
                  .text = text};
  };
  check_only_finding(
      *record_ending_at(Target::A2A3, 188416 + 32),
      wanted("%a [188320, 188448) ends above 188416 of ub: tiles that end above it were seen to give NaN "
             "on a device (unverified)"));
  check_silent(*record_ending_at(Target::A2A3, 188416), FindingKind::Device);
  check_only_finding(
      *record_ending_at(Target::A5, 245760 + 32),
      wanted("%a [245664, 245792) ends above 245760 of ub: the library is said to keep about 8 KiB at the "
             "top for itself (unverified)"));
  check_silent(*record_ending_at(Target::A5, 245760), FindingKind::Device);
}

TEST_CASE("check kinds: how much of ub is safe can be said") {
  CheckOptions options = only({FindingKind::Device});
  REQUIRE(!set_check(options, "device.ub=1024"));
  const auto found = check(*record_ending_at(Target::A5, 1024 + 32), options).findings;
  REQUIRE(found.size() == 1);
  CHECK(found[0].diagnostic.text == "%a [928, 1056) ends above 1024 of ub: the limit that was given");
  CHECK(check(*record_ending_at(Target::A5, 1024), options).findings.empty());
  for (const char* bad : {"device.ub=", "device.ub=-1", "device.ub=many", "device.ub=99999999999"})
    CHECK_MESSAGE(set_check(options, bad), bad);
}

TEST_CASE("check kinds: every start that devices are known to want, and no other memory") {
  CHECK(device_starts().size() == 5);
  const CheckOptions options;
  for (const DeviceStart& start : device_starts())
    for (const Target target : {Target::A2A3, Target::A5}) {
      CAPTURE(name(start.space));
      const DeviceRules rules(target, options);
      CHECK(device_start(start.space) == &start);
      CHECK(std::string(start.source).size() > 0);
      for (const std::uint32_t good : {0u, start.bytes, 7 * start.bytes})
        CHECK(rules.faults("%t", {start.space, good, 32}).empty());
      for (const std::uint32_t odd : {32u, start.bytes - 32, start.bytes + 32}) {
        const auto faults = rules.faults("%t", {start.space, odd, 32});
        REQUIRE(faults.size() == 1);
        CHECK(faults[0].text == fmt::format("%t begins at {} of {}, which is no multiple of {} (unverified)", odd,
                                            name(start.space), start.bytes));
        CHECK(faults[0].hint == fmt::format("legal text; {}", start.source));
      }
    }
  for (const Space space : {Space::Ub, Space::L1}) {
    CHECK(device_start(space) == nullptr);
    CHECK(DeviceRules(Target::A5, options).faults("%t", {space, 32, 32}).empty());
  }
}

TEST_CASE("check kinds: what devices do not take of the addresses in a text is told without a run") {
  const auto recorded = record_ending_at(Target::A2A3, 188416 + 32);
  const Diagnostics said = check_text(recorded->program());
  REQUIRE(said.size() == 1);
  const Diagnostic run = check(*recorded, only({FindingKind::Device})).findings.at(0).diagnostic;
  CHECK(said[0].text == run.text);
  CHECK(said[0].hint == run.hint);
  CHECK(said[0].pos == run.pos);
  CHECK(said[0].span == run.span);
  CHECK(said[0].rule == "CHK-DEVICE");
  CHECK(said[0].operand == run.operand);
  CHECK(said[0].severity == Severity::Warning);
  CheckOptions off = only({});
  CHECK(check_text(recorded->program(), off).empty());
  CHECK(check_text(record_ending_at(Target::A2A3, 188416)->program()).empty());
}

// What the emulator places by itself is where it is for no fault of the author's.
TEST_CASE("check kinds: tiles without an address are never above what devices take") {
  constexpr std::uint32_t kBytes = 32 * 64 * 4;
  SmallText text(Target::A5);
  text.buffer("x", "f32", 32, 64);
  for (int i = 0; i < 31; ++i) text.tile(fmt::format("t{}", i), "32x64xf32");
  for (int i = 0; i < 31; ++i) text.step("tload", {"x"}, {fmt::format("t{}", i)});
  const SharedRecording recording = record_text(text.text());
  REQUIRE(recording->program().tiles.back().address + kBytes > 245760);
  check_silent(*recording, FindingKind::Device);
}

TEST_CASE("check kinds: two pipes with nothing that orders them") {
  std::uint32_t add = 0;
  const auto record = [&](const std::string& waiting) {
    KernelText kernel;
    kernel.buffer("x", "f32", 4, 8);
    kernel.tile("a", "4x8xf32", 0);
    kernel.tile("c", "4x8xf32", 0x400);
    kernel.load("a", "x", "0", "0", 4, 8);
    kernel.set_flag("MTE2", waiting, 0);
    kernel.wait_flag("MTE2", waiting, 0);
    add = kernel.op("tadd", {"a", "a"}, {"c"});
    return kernel.record();
  };
  const auto bad = record("MTE3");
  check_only_finding(
      *bad, {.kind = FindingKind::Sync,
             .rule = "CHK-SYNC",
             .severity = Severity::Warning,
             .step = 3,
             .line = add,
             .operand = "src0",
             .element = std::pair{0u, 0u},
             .text = "tadd in V reads %a[0,0] while tload (step 0, MTE2) may still write it: nothing orders the two"});
  CHECK(of_kind(*bad, FindingKind::Sync)[0].diagnostic.hint ==
        "set_flag [PIPE_MTE2, PIPE_V, EVENT_ID0] after step 0, and wait_flag with the same before step 3");
  check_silent(*record("V"), FindingKind::Sync);
}

TEST_CASE("check kinds: flags without their partner") {
  const auto record = [&](int sets, int waits) {
    KernelText kernel;
    for (int i = 0; i < sets; ++i) kernel.set_flag("MTE2", "V", 1);
    for (int i = 0; i < waits; ++i) kernel.wait_flag("MTE2", "V", 1);
    return kernel.record();
  };
  // Left raised: told behind the last step.
  check_only_finding(
      *record(1, 0),
      {.kind = FindingKind::Flags, .rule = "SYNC-R2", .severity = Severity::Warning, .step = 1, .line = 3});
  // Raised twice, waited for twice.
  const auto twice = record(2, 2);
  check_only_finding(*twice, {.kind = FindingKind::Flags,
                              .rule = "SYNC-R3",
                              .severity = Severity::Warning,
                              .step = 1,
                              .line = 4,
                              .text = "set_flag of (PIPE_MTE2, PIPE_V, EVENT_ID1) is raised while it still is"});
  const Diagnostic told = of_kind(*twice, FindingKind::Flags)[0].diagnostic;
  REQUIRE(told.notes.size() == 1);
  CHECK(told.notes[0].pos.line == 3);
  CHECK(twice->stop_reason() == StopReason::End);
  check_silent(*record(1, 1), FindingKind::Flags);
  // A wait for nothing is told before the first step.
  KernelText alone;
  alone.wait_flag("MTE2", "V", 1);
  const Diagnostics told_at_open = open_text(alone.text()).diagnostics;
  REQUIRE(told_at_open.size() == 1);
  CHECK(told_at_open[0].rule == "SYNC-R1");
  CHECK(told_at_open[0].kind == FindingKind::Flags);
}

TEST_CASE("check kinds: numbers of buffers order pipes, and are taken and given back in turn") {
  // A load and what reads it, around which each pipe takes a number, or does not.
  const auto record = [](std::string_view before_use, std::string_view head = "") {
    const std::string text = fmt::format(
        "module attributes {{pto.target_arch = \"a5\"}} {{\n  func.func @k(%x: !pto.ptr<f32>) {{\n"
        "    %c0 = arith.constant 0 : index\n    %c1 = arith.constant 1 : index\n    %c8 = arith.constant 8 : index\n"
        "    %seven = arith.constant 7 : i64\n    %mode = arith.constant 0 : i64\n"
        "    %all = pto.make_tensor_view %x, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>\n"
        "    %v = pto.partition_view %all, offsets = [%c0, %c0], sizes = [%c8, %c8] : !pto.tensor_view<8x8xf32> -> !pto.partition_tensor_view<8x8xf32>\n"
        "    %a = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n{}    pto.get_buf \"PIPE_MTE2\", 7, 0\n"
        "    pto.tload ins(%v : !pto.partition_tensor_view<8x8xf32>) outs(%a : !pto.tile_buf<vec, 8x8xf32>)\n"
        "    pto.rls_buf \"PIPE_MTE2\", 7, 0\n{}"
        "    pto.tabs ins(%a : !pto.tile_buf<vec, 8x8xf32>) outs(%a : !pto.tile_buf<vec, 8x8xf32>)\n    return\n  }}\n}}\n",
        head, before_use);
    return record_text(text);
  };
  for (const char* takes : {"pto.get_buf \"PIPE_V\", 7, 0", "pto.get_buf \"PIPE_V\", %seven, %mode : i64, i64",
                            "pto.get_buf %seven, \"PIPE_V\", %mode : i64, i64",
                            "pto.get_buf [#pto.pipe_event_type<TVEC>, 7] { mode = 0 : i32 }"}) {
    CAPTURE(takes);
    const auto recording = record(fmt::format("    {}\n", takes));
    CHECK(recording->stop_reason() == StopReason::End);
    check_silent(*recording, FindingKind::Sync);
    check_silent(*recording, FindingKind::Flags);
  }
  for (const char* takes : {"", "    pto.get_buf \"PIPE_V\", 6, 0\n", "    pto.get_buf \"PIPE_MTE3\", 7, 0\n",
                            "    pto.get_buf \"PIPE_V\", 7, 1\n"}) {
    CAPTURE(takes);
    CHECK(of_kind(*record(takes), FindingKind::Sync).size() == 1);
  }
  const auto twice = of_kind(*record("", "    pto.get_buf \"PIPE_MTE2\", 7, 0\n"), FindingKind::Flags);
  REQUIRE(twice.size() == 1);
  CHECK(twice[0].diagnostic.rule == "SYNC-R5");
  CHECK(twice[0].diagnostic.notes.size() == 1);
  const auto never = of_kind(*record("    pto.rls_buf \"PIPE_V\", 7, 0\n"), FindingKind::Flags);
  REQUIRE(never.size() == 1);
  CHECK(never[0].diagnostic.rule == "SYNC-R6");
  for (const char* wrong :
       {"pto.get_buf \"PIPE_V\", 32, 0", "pto.get_buf \"PIPE_V\", 1, 2", "pto.get_buf \"PIPE_X\", 1, 0",
        "pto.get_buf \"PIPE_V\"", "pto.rls_buf [#pto.pipe_event_type<TVEC>, 0] { mode = 3 : i32 }"}) {
    CAPTURE(wrong);
    const Diagnostics told =
        open_text(
            fmt::format(
                "module attributes {{pto.target_arch = \"a5\"}} {{\n  func.func @k() {{\n    {}\n    return\n  }}\n}}\n",
                wrong))
            .diagnostics;
    REQUIRE(told.size() == 1);
    CHECK(told[0].rule == "E-SYNC");
  }
}

TEST_CASE("check kinds: a flag raised twice in a loop, as often as it is") {
  KernelText kernel;
  kernel.line("%c0 = arith.constant 0 : index");
  kernel.line("%c1 = arith.constant 1 : index");
  kernel.line("%c4 = arith.constant 4 : index");
  kernel.line("scf.for %i = %c0 to %c4 step %c1 {");
  const std::uint32_t line = kernel.set_flag("V", "MTE3", 0);
  kernel.line("}");
  const auto recording = kernel.record();
  std::vector<std::uint32_t> steps;
  for (const Finding& finding : of_kind(*recording, FindingKind::Flags)) {
    CHECK(finding.diagnostic.pos.line == line);
    if (finding.diagnostic.rule == "SYNC-R3") steps.push_back(finding.step);
  }
  CHECK(steps == std::vector<std::uint32_t>{1, 2, 3});
  // A check before the run says it once.
  const Diagnostics told = open_text(kernel.text()).diagnostics;
  CHECK(std::ranges::count(told, "SYNC-R3", &Diagnostic::rule) == 1);
}

TEST_CASE("check kinds: a part of a view beyond its end") {
  std::uint32_t line = 0;
  const auto record = [&](const std::string& from) {
    KernelText kernel;
    kernel.buffer("x", "f32", 2, 8, 16);
    kernel.tile("a", "1x8xf32", 0);
    kernel.line("%c4 = arith.constant 4 : index");
    // In a loop: what is known before the run is an error.
    kernel.line("%c0 = arith.constant 0 : index");
    kernel.line("%c1 = arith.constant 1 : index");
    kernel.line("scf.for %i = %c0 to %c1 step %c1 {");
    kernel.line("%from = arith.addi %i, %" + from + " : index");
    line = kernel.load("a", "x", "0", "%from", 1, 8) - 1;
    kernel.line("}");
    return kernel.record();
  };
  const auto beyond = record("c4");
  check_only_finding(*beyond, {.kind = FindingKind::Bounds,
                               .rule = "V60-23",
                               .severity = Severity::Warning,
                               .step = 0,
                               .line = line,
                               .text = "dimension 1: elements 4..12 of 8"});
  check_silent(*record("c0"), FindingKind::Bounds);
}

namespace {

// Blocks of 32 bytes from 4x8 floats, by four offsets.
SharedRecording gather(const std::vector<std::uint32_t>& offsets, std::uint32_t& line) {
  KernelText kernel;
  kernel.buffer("x", "f32", 4, 8);
  kernel.buffer("where", "ui32", 4, 8);
  kernel.tile("a", "4x8xf32", 0);
  kernel.tile("offsets", "4x8xui32, valid=4x1", 0x100);
  kernel.tile("c", "4x8xf32", 0x400);
  kernel.load("a", "x", "0", "0", 4, 8);
  kernel.load("offsets", "where", "0", "0", 4, 1);
  line = kernel.op("tgatherb", {"a", "offsets"}, {"c"});
  std::vector<std::uint32_t> words(32, 0);
  for (std::size_t row = 0; row < 4; ++row) words[row * 8] = offsets[row];
  return kernel.record({{"where", bytes_of_words(words)}});
}

}  // namespace

TEST_CASE("check kinds: misaligned and outside offsets of a gather, at their element") {
  std::uint32_t line = 0;
  const auto good = gather({96, 64, 32, 0}, line);
  check_silent(*good, FindingKind::Align);
  check_silent(*good, FindingKind::Offset);
  const auto odd = gather({96, 64, 34, 0}, line);
  check_only_finding(*odd, {.kind = FindingKind::Align,
                            .rule = "TGB-R4",
                            .severity = Severity::Error,
                            .step = 2,
                            .line = line,
                            .operand = "offsets",
                            .element = std::pair{2u, 0u},
                            .text = "offset[2,0]=34 not 32-byte aligned"});
  CHECK(odd->stop_reason() == StopReason::Error);
  const auto outside = gather({96, 128, 32, 160}, line);
  check_only_finding(*outside, {.kind = FindingKind::Offset,
                                .rule = "TGB-W2",
                                .severity = Severity::Warning,
                                .step = 2,
                                .line = line,
                                .operand = "offsets",
                                .element = std::pair{1u, 0u},
                                .text = "offset[1,0]=128 outside src of 128 bytes"});
  // The place is that of the element in the offsets.
  CHECK((of_kind(*outside, FindingKind::Offset)[0].element->place == ByteRange{Space::Ub, 0x120, 4}));
  check_only_finding(*gather({96, 64, 32, 1 << 20}, line), {.kind = FindingKind::Offset,
                                                            .rule = "MEM-BOUNDS",
                                                            .severity = Severity::Error,
                                                            .step = 2,
                                                            .line = line,
                                                            .operand = "offsets",
                                                            .element = std::pair{3u, 0u}});
}

namespace {

// Four elements of the first column of 4x8 floats, whose bits are their numbers, by four indices.
SharedRecording by_index(const char* op, const std::vector<std::uint32_t>& indices, std::uint32_t& line) {
  KernelText kernel;
  kernel.buffer("x", "f32", 4, 8);
  kernel.buffer("where", "i32", 4, 8);
  kernel.tile("a", "4x8xf32", 0);
  kernel.tile("i", "4x8xi32, valid=4x1", 0x100);
  kernel.tile("c", "4x8xf32, valid=4x1", 0x400);
  kernel.load("a", "x", "0", "0", 4, 8);
  kernel.load("i", "where", "0", "0", 4, 1);
  line = kernel.op(op, {"a", "i"}, {"c"});
  std::vector<std::uint32_t> words(32, 0), values(32);
  for (std::size_t row = 0; row < 4; ++row) words[row * 8] = indices[row];
  for (std::uint32_t i = 0; i < 32; ++i) values[i] = i;
  return kernel.record({{"where", bytes_of_words(words)}, {"x", bytes_of_words(values)}});
}

}  // namespace

TEST_CASE("check kinds: indices outside their tile, and lanes that want one element, at their indices") {
  std::uint32_t line = 0;
  for (const char* op : {"tgather", "tscatter"}) {
    const bool gathers = op == std::string("tgather");
    const auto good = by_index(op, {31, 0, 8, 16}, line);
    check_silent(*good, FindingKind::Offset);
    check_silent(*good, FindingKind::Collision);
    check_only_finding(*by_index(op, {31, 32, 8, 16}, line),
                       {.kind = FindingKind::Offset,
                        .rule = gathers ? "TGATHER-R13" : "TSCATTER-R13",
                        .severity = Severity::Error,
                        .step = 2,
                        .line = line,
                        .operand = "indices",
                        .element = std::pair{1u, 0u},
                        .text = gathers ? "indices[1,0]=32 is outside src of 32 elements (4x8)"
                                        : "indices[1,0]=32 is outside dst of 32 elements (4x8)"});
  }
  check_only_finding(*by_index("tscatter", {5, 9, 5, 5}, line), {.kind = FindingKind::Collision,
                                                                 .rule = "TSCATTER-W1",
                                                                 .severity = Severity::Warning,
                                                                 .step = 2,
                                                                 .line = line,
                                                                 .operand = "indices",
                                                                 .element = std::pair{2u, 0u}});
  check_silent(*by_index("tgather", {5, 9, 5, 5}, line), FindingKind::Collision);
}

TEST_CASE("check kinds: values that quantising clips, and how many may be") {
  for (const Target target : kBothTargets) {
    CAPTURE(target);
    KernelText kernel(target);
    kernel.buffer("x", "f32", 2, 8);
    kernel.buffer("s", "f32", 1, 8);
    kernel.tile("a", "2x8xf32", 0);
    kernel.tile("scale", "8x1xf32, valid=2x1, blayout=col_major", 0x100);
    kernel.tile("f", "1x8xf32", 0x100);
    kernel.tile("c", "2x32xi8, valid=2x8", 0x200);
    kernel.load("a", "x", "0", "0", 2, 8);
    kernel.load("f", "s", "0", "0", 1, 8);
    const std::uint32_t line = kernel.op("tquant", {"a", "scale"}, {"c"});
    // 127.4 is 127; the second row is doubled.
    std::vector<std::uint32_t> values;
    for (const float x :
         {1.0f, 127.4f, -128.5f, 128.0f, 0.0f, -129.0f, 1.0f, 2.0f, 63.0f, 64.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, -65.0f})
      values.push_back(std::bit_cast<std::uint32_t>(x));
    std::vector<std::uint32_t> scales(8, 0x3F800000);
    scales[1] = 0x40000000;
    const auto recording = kernel.record({{"s", bytes_of_words(scales)}, {"x", bytes_of_words(values)}});
    const std::string text = "4 of 16 values were clipped; the first is %c[0,3] = 127, and 128 unclipped";
    check_only_finding(*recording, {.kind = FindingKind::Clip,
                                    .rule = "CHK-CLIP",
                                    .severity = Severity::Note,
                                    .step = 2,
                                    .line = line,
                                    .operand = "dst",
                                    .element = std::pair{0u, 3u},
                                    .text = text});
    CheckOptions options = only({FindingKind::Clip});
    REQUIRE(!set_check(options, "clip.elements=4"));
    CHECK(check(*recording, options).findings.empty());
    CHECK(set_check(options, "clip.elements=few").has_value());
  }
}

TEST_CASE("check kinds: sums that their way out of acc clips") {
  for (const Target target : kBothTargets) {
    CAPTURE(target);
    ProgramBuilder builder(target, "way");
    TileType acc{.loc = TileLoc::Acc,
                 .dtype = DType::F32,
                 .rows = 16,
                 .cols = 16,
                 .valid_rows = 2,
                 .valid_cols = 3,
                 .blayout = BoxOrder::ColMajor,
                 .slayout = InnerOrder::RowMajor,
                 .fractal = 1024};
    const TileId sums = builder.tile("sums", acc, {.address = 0});
    const BufferId bytes = builder.buffer("bytes", DType::I8, 64), halves = builder.buffer("halves", DType::F16, 64);
    constexpr std::uint64_t kSignedTwo = 0x0000400040000000;
    builder.add("tstore", {sums, Scalar{DType::I64, kSignedTwo}}, {View{bytes, 2, 3}});
    builder.add("tstore", {sums}, {View{halves, 2, 3}});
    const float values[2][3] = {{63.4f, 64, -64}, {-65, 70000, 65519}};
    const auto fill = [&](Memory& memory) {
      const TileRef tile{acc, 0, 2, 3};
      for (std::uint32_t row = 0; row < 2; ++row)
        for (std::uint32_t col = 0; col < 3; ++col) {
          memory.set_element(tile.place_of(row, col), std::bit_cast<std::uint32_t>(values[row][col]));
          memory.mark(memory.map().flat(Space::L0c, tile.at(row, col)), 4, Definedness::Written);
        }
    };
    const auto recording = Recording::run(build(builder), {.initial = fill});
    const auto told = check(*recording, only({FindingKind::Clip})).findings;
    REQUIRE(told.size() == 2);
    CAPTURE(told[0].diagnostic.text);
    CAPTURE(told[1].diagnostic.text);
    CHECK(told[0].diagnostic.text.find(
              "4 of 6 values were clipped; the first is %bytes[0,1] = 127, and 128 unclipped") != std::string::npos);
    CHECK(told[1].diagnostic.text.find("1 of 6 values were clipped; the first is %halves[1,1] = 65504, and 70000") !=
          std::string::npos);
  }
}

TEST_CASE("check kinds: operands that overlap, so that the order matters") {
  std::uint32_t line = 0;
  const auto record = [&](std::uint32_t address) {
    KernelText kernel;
    kernel.buffer("x", "f32", 4, 8);
    kernel.tile("a", "4x8xf32", 0);
    kernel.tile("c", "4x8xf32", address);
    kernel.load("a", "x", "0", "0", 4, 8);
    line = kernel.op("tadd", {"a", "a"}, {"c"});
    return kernel.record();
  };
  const auto found = of_kind(*record(0x20), FindingKind::Order);
  REQUIRE(found.size() == 2);  // with each of the sources
  for (const Finding& finding : found) {
    CHECK(finding.step == 1);
    CHECK(finding.diagnostic.rule == "G5");
    CHECK(finding.diagnostic.pos.line == line);
    CHECK(finding.diagnostic.operand == "dst");
  }
  check_silent(*record(0), FindingKind::Order);
  check_silent(*record(0x80), FindingKind::Order);
}

TEST_CASE("check kinds: levels are what the options say") {
  const LoadLoadAdd bad(0x40);
  const auto recording = bad.kernel.record();
  CheckOptions options = only({FindingKind::Alias});
  const auto severity = [&] { return check(*recording, options).findings.at(0).diagnostic.severity; };
  CHECK(severity() == Severity::Warning);
  options.set(FindingKind::Alias, Level::Error);
  CHECK(severity() == Severity::Error);
  options.set(FindingKind::Alias, Level::Note);
  CHECK(severity() == Severity::Note);
  options.set(FindingKind::Alias, Level::Off);
  CHECK(check(*recording, options).findings.empty());
  // Of one run the two kinds of one examination are told apart.
  options = only({FindingKind::Scratch});
  CHECK(check(*recording, options).findings.empty());
  // What the run found by itself keeps its own level, can be raised and hidden; an error that ended it cannot.
  KernelText flags;
  flags.set_flag("MTE2", "V", 1);
  const auto raised = flags.record();
  options = only({FindingKind::Flags});
  CHECK(check(*raised, options).findings.at(0).diagnostic.severity == Severity::Warning);
  options.set(FindingKind::Flags, Level::Error);
  CHECK(check(*raised, options).findings.at(0).diagnostic.severity == Severity::Error);
  options.set(FindingKind::Flags, Level::Off);
  CHECK(check(*raised, options).findings.empty());
  std::uint32_t line = 0;
  const auto ended = check(*gather({34, 0, 0, 0}, line), options).findings;
  REQUIRE(ended.size() == 1);
  CHECK(ended[0].diagnostic.severity == Severity::Error);
}

namespace {

// By sample: kinds of this file's checks that its recording has; the others have none.
const std::map<std::string, std::vector<FindingKind>> kKindsInSamples{
    {"bug_overlap", {FindingKind::Alias}},
};

}  // namespace

TEST_CASE("check kinds: what the samples have") {
  for (const std::string sample :
       {"block_lookup",     "bug_loaded_once", "bug_mask_pitch",        "bug_masked_row",    "bug_off_by_one",
        "bug_offset_units", "bug_overlap",     "bug_transposed_domain", "bug_uninitialised", "complex_merge",
        "complex_split",    "fill_tails",      "masked_select",         "masked_sum",        "padding_mask",
        "row_loop",         "stereo_split",    "table_lookup",          "transpose",         "transpose_loop"}) {
    CAPTURE(sample);
    OpenRequest request;
    // Offsets that the gather of this one can take, or its run ends there.
    if (sample == "bug_offset_units")
      request.inputs.data["where"] =
          bytes_of_words({0, 52, 104, 156, 208, 0, 52, 104, 156, 208, 0, 52, 104, 156, 208, 0});
    const auto recording = record_sample(sample, request);
    REQUIRE(recording->stop_reason() == StopReason::End);
    const auto expected = kKindsInSamples.find(sample);
    for (const FindingKind kind : {FindingKind::Alias, FindingKind::Scratch, FindingKind::Sync, FindingKind::Flags}) {
      CAPTURE(std::string(name(kind)));
      const bool wanted = expected != kKindsInSamples.end() && std::ranges::count(expected->second, kind) != 0;
      const auto found = of_kind(*recording, kind);
      CHECK(found.empty() == !wanted);
      for (const Finding& finding : found)
        if (!wanted) CHECK_MESSAGE(false, finding.diagnostic.format());
    }
  }
}

}  // namespace ts::test
