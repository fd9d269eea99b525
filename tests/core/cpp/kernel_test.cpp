// Kernels in C++: what they compute, what becomes a step, and how wrong ones end.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "core/cpp/cpp_kernel.h"
#include "core/program/source_map.h"
#include "core/record/recording_file.h"
#include "tests/support/cpp/kernel_run.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {
namespace {

std::vector<float> ramp(std::size_t count, float first = 0, float step = 1) {
  std::vector<float> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = first + step * static_cast<float>(i);
  return out;
}

OpenRequest given(std::initializer_list<std::pair<const char*, std::vector<std::byte>>> inputs) {
  OpenRequest request;
  for (const auto& [name, bytes] : inputs) request.inputs.data[name] = bytes;
  return request;
}

}  // namespace

TEST_CASE("cpp kernel: a double-buffered add, its steps, tiles and lines") {
  for (const Target target : {Target::A2A3, Target::A5}) {
    CAPTURE(std::string(name(target)));
    const KernelRun run =
        run_kernel("add", given({{"x", bytes_of(ramp(1024))}, {"y", bytes_of(ramp(1024, 5, 2))}}), target);
    REQUIRE_MESSAGE(run.recording != nullptr, run.words());
    const Recording& recording = *run.recording;
    for (const Finding& one : recording.findings()) CHECK_MESSAGE(false, one.diagnostic.format());
    CHECK(recording.stop_reason() == StopReason::End);
    // 4 places, then 4 turns of 2 loads, 4 flags, 1 add, 1 store, 1 barrier.
    CHECK(recording.count() == 4 + 4 * 9);
    const std::vector<float> z = run.floats("z");
    REQUIRE(z.size() == 1024);
    for (std::size_t i = 0; i < z.size(); ++i) CHECK(z[i] == 5.0f + 3.0f * static_cast<float>(i));
    // An instruction is a place in the source, whichever tile it works on.
    const Program& program = recording.program();
    CHECK(program.instructions.size() == 2 + 9);
    std::vector<std::string> tiles;
    for (const TileDecl& tile : program.tiles) tiles.push_back(tile.name);
    CHECK(tiles == std::vector<std::string>{"a_i", "b_i", "a_i_2", "b_i_2"});
    const SourceMap map(program);
    const auto line_of = [&](std::uint32_t step) { return map.told_of(recording.step(step).instruction); };
    CHECK(line_of(0) == "kernels.cce:29");
    CHECK(line_of(4) == "kernels.cce:16");
    CHECK(line_of(8) == "kernels.cce:20");
    CHECK(line_of(12) == "kernels.cce:34");
    // The helper's calls stand in the loop that calls it.
    for (std::uint32_t step = 4; step < recording.count(); ++step) {
      const auto loops = recording.loops(step);
      REQUIRE(loops.size() == 1);
      CHECK(loops[0].turn == (step - 4) / 9);
    }
    CHECK(map.lines(map.origin_of(recording.step(4).instruction)).size() == 2);
  }
}

TEST_CASE("cpp kernel: blocks with a tail, sizes given at run time") {
  OpenRequest request = given({{"x", bytes_of(ramp(192))}});
  request.blocks = 3;
  request.inputs.numbers["cols"] = "10";
  const KernelRun run = run_kernel("blocks", request);
  REQUIRE_MESSAGE(run.recording != nullptr, run.words());
  CHECK(run.recording->stop_reason() == StopReason::End);
  const std::vector<float> z = run.floats("z");
  REQUIRE(z.size() >= 138);
  for (std::size_t i = 0; i < 138; ++i) CHECK(z[i] == 2.0f * static_cast<float>(i));
  CHECK(std::ranges::count(run.steps(), std::string("begin_block")) == 3);
}

TEST_CASE("cpp kernel: code that depends on data") {
  std::vector<float> x = ramp(64);
  x[17] = 100;
  const KernelRun run = run_kernel("halve", given({{"x", bytes_of(x)}}));
  REQUIRE_MESSAGE(run.recording != nullptr, run.words());
  CHECK(std::ranges::count(run.steps(), std::string("tmuls")) == 7);
  const std::vector<float> z = run.floats("z");
  REQUIRE(z.size() >= 64);
  CHECK(z[17] == 100.0f / 128);
}

TEST_CASE("cpp kernel: tables read and counts written through pointers") {
  OpenRequest request = given({{"x", bytes_of(ramp(256))}, {"rows", bytes_of(std::vector<std::int32_t>{3, 0, 2})}});
  request.inputs.size_bytes["done"] = 12;
  const KernelRun run = run_kernel("table", request);
  REQUIRE_MESSAGE(run.recording != nullptr, run.words());
  CHECK(run.recording->stop_reason() == StopReason::End);
  const std::vector<float> z = run.floats("z");
  REQUIRE(z.size() >= 192);
  CHECK(z[0] == 192.0f);
  CHECK(z[64] == 0.0f);
  CHECK(z[128] == 128.0f);
  // What the kernel wrote by itself before its last call is there, and is nobody's step.
  const std::vector<std::int32_t> done = run.ints("done");
  REQUIRE(done.size() == 3);
  CHECK(done[0] == 103);
  CHECK(done[1] == 100);
  CHECK(run.finding("W-CPP-HOST") != nullptr);
  CHECK_FALSE(run.recording->edits().empty());
}

TEST_CASE("cpp kernel: single elements of a tile") {
  const KernelRun run = run_kernel("elements");
  REQUIRE_MESSAGE(run.recording != nullptr, run.words());
  const std::vector<float> z = run.floats("z");
  REQUIRE(z.size() == 64);
  CHECK(z[0] == 1.0f);
  CHECK(z[3] == 7.0f);
  CHECK(z[5] == 9.0f);
}

TEST_CASE("cpp kernel: events are flags") {
  const KernelRun run = run_kernel("events", given({{"x", bytes_of(std::vector<float>(256, 0.0f))}}));
  REQUIRE_MESSAGE(run.recording != nullptr, run.words());
  for (const Finding& one : run.recording->findings()) CHECK_MESSAGE(false, one.diagnostic.format());
  CHECK(run.steps() == std::vector<std::string>{"tassign", "tassign", "tload", "set_flag", "wait_flag", "texp",
                                                "set_flag", "wait_flag", "tstore"});
  CHECK(run.floats("z").front() == 1.0f);
}

TEST_CASE("cpp kernel: what is wrong is told, and what ran before is there") {
  struct Wrong {
    const char *entry, *rule, *words;
    std::uint32_t steps;
  };
  const Wrong all[] = {
      {"null_pointer", "E-CPP-CRASH", "a null pointer", 2},
      {"past_the_end", "E-CPP-CRASH", "element 64 of x, which has 64", 2},
      {"throws", "E-CPP-EXIT", "no such mode", 1},
      {"exits", "E-CPP-EXIT", "exit()", 0},
      {"missing_set", "SYNC-R1", "EVENT_ID1", 1},
      {"minus_one", "E-CPP-DYNAMIC", "-1", 0},
      {"stray_view", "E-CPP-POINTER", "in no buffer", 1},
  };
  for (const Wrong& one : all) {
    CAPTURE(one.entry);
    const KernelRun run = run_kernel(one.entry, given({{"x", bytes_of(ramp(64))}}));
    REQUIRE_MESSAGE(run.recording != nullptr, run.words());
    CHECK(run.recording->stop_reason() == StopReason::Error);
    const Diagnostic* told = run.finding(one.rule);
    REQUIRE(told != nullptr);
    CHECK_MESSAGE(told->text.find(one.words) != std::string::npos, told->text);
    CHECK(run.recording->count() == one.steps);
  }
}

TEST_CASE("cpp kernel: a run that does not end is stopped") {
  OpenRequest request = given({{"x", bytes_of(ramp(64))}});
  request.limits.most_steps = 1000;
  const KernelRun run = run_kernel("for_ever", request);
  REQUIRE_MESSAGE(run.recording != nullptr, run.words());
  CHECK(run.recording->stop_reason() == StopReason::Limit);
  CHECK(run.recording->count() == 1000);
}

TEST_CASE("cpp kernel: its recording is a file that opens without a compiler") {
  const KernelRun run = run_kernel("add", given({{"x", bytes_of(ramp(1024))}, {"y", bytes_of(ramp(1024, 5, 2))}}));
  REQUIRE_MESSAGE(run.recording != nullptr, run.words());
  TempFolder folder;
  const std::string path = folder.path() + "/add.ptorec";
  const data::Error failed = save_recording(*run.recording, run.recording->findings(), {}, path);
  REQUIRE_MESSAGE(failed.text.empty(), failed.text);
  auto opened = open_recording(path);
  const auto* error = std::get_if<data::Error>(&opened);
  REQUIRE_MESSAGE(error == nullptr, error->text);
  const Recording& again = *std::get<RecordingFile>(opened).recording;
  CHECK(again.count() == run.recording->count());
  CHECK(again.digest() == run.recording->digest());
  CHECK(again.program().listed);
  CHECK(again.program().kernel == nullptr);
}

TEST_CASE("cpp kernel: the same run twice is the same recording") {
  const auto digest = [] {
    return run_kernel("add", given({{"x", bytes_of(ramp(1024))}, {"y", bytes_of(ramp(1024))}})).recording->digest();
  };
  CHECK(digest() == digest());
}

TEST_CASE("cpp errors: at the line of the source, with our words") {
  const Diagnostics told = cpp::read_errors(
      "/x/pto/tilescope/types.h: In instantiation of 'class pto::Tile<...>':\n"
      "/home/me/kernel.cpp:41:15:   required from here\n"
      "/x/pto/tilescope/types.h:200:3: error: static assertion failed: tile: it needs at least one row and one column\n"
      "/home/me/kernel.cpp:50:3: error: 'TNOSUCH' was not declared in this scope\n",
      "/home/me/kernel.cpp");
  REQUIRE(told.size() == 2);
  CHECK(told[0].rule == "E-CPP-COMPILE");
  CHECK(told[0].pos.line == 41);
  CHECK(told[0].text == "tile: it needs at least one row and one column");
  CHECK(told[1].pos.line == 50);
  CHECK(told[1].rule == "E-CPP-NAME");
  CHECK_FALSE(told[1].hint.empty());
}

TEST_CASE("cpp errors: names that are not there, of the library and of the core") {
  const struct {
    const char *message, *rule, *text, *hint;
  } kCases[] = {
      {"'TADDZ' was not declared in this scope", "E-CPP-NAME", "TADDZ is not offered", "TADD"},
      {"\u2018TADDZ\u2019 was not declared in this scope; did you mean \u2018TADD\u2019?", "E-CPP-NAME", "TADDZ is not",
       "TADD"},
      {"no member named 'TSUBVIEW' in namespace 'pto'", "E-CPP-NAME", "TSUBVIEW is not offered", "explain"},
      {"'vadd' was not declared in this scope", "E-CPP-RAW", "vadd is an intrinsic", "micro-instructions"},
      {"use of undeclared identifier 'copy_gm_to_ubuf_align'", "E-CPP-RAW", "copy_gm_to_ubuf_align is an", ".pto"},
      {"'__VEC_SCOPE__' was not declared in this scope", "E-CPP-RAW", "__VEC_SCOPE__", ""},
      {"'counter' was not declared in this scope", "E-CPP-COMPILE", "'counter' was not", "#include"},
      {"expected ';' before 'TADD'", "E-CPP-COMPILE", "expected", ""},
  };
  for (const auto& one : kCases) {
    CAPTURE(one.message);
    const Diagnostics told =
        cpp::read_errors(std::string("/k/kernel.cpp:7:3: error: ") + one.message + "\n", "/k/kernel.cpp");
    REQUIRE(told.size() == 1);
    CHECK(told[0].rule == one.rule);
    CHECK(told[0].pos.line == 7);
    CHECK_MESSAGE(told[0].text.find(one.text) != std::string::npos, told[0].text);
    CHECK_MESSAGE(told[0].hint.find(one.hint) != std::string::npos, told[0].hint);
  }
}

TEST_CASE("cpp kernel: one that asks for its blocks is told where it ran as one") {
  OpenRequest request = given({{"x", bytes_of(ramp(192))}});
  request.inputs.numbers["cols"] = "64";
  const KernelRun one = run_kernel("blocks", request);
  REQUIRE(one.recording != nullptr);
  CHECK(one.finding("W-CPP-BLOCKS") != nullptr);
  request.blocks = 3;
  const KernelRun three = run_kernel("blocks", request);
  REQUIRE(three.recording != nullptr);
  CHECK(three.finding("W-CPP-BLOCKS") == nullptr);
}

TEST_CASE("cpp kernel: one whose code is hidden says by what") {
  TempFolder folder;
  const std::string path = folder.path() + "/hidden.cpp";
  put_text(path,
           "#include <pto/pto-inst.hpp>\nusing namespace pto;\nextern \"C\" __global__ void k(float* x) {\n"
           "  #ifdef __PTO_AUTO__\n  pipe_barrier(PIPE_ALL);\n  #endif\n}\n");
  Diagnostics told;
  const KernelRun run = run_entry(compiled(path, Target::A2A3, told), "k", {}, told);
  REQUIRE(run.recording != nullptr);
  const Diagnostic* empty = run.finding("E-CPP-EMPTY");
  REQUIRE(empty != nullptr);
  CHECK_MESSAGE(empty->hint.find("hidden.cpp line 4, #ifdef __PTO_AUTO__") != std::string::npos, empty->hint);
}

}  // namespace ts::test
