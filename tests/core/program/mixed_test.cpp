// Programs of several cores: what goes through their queues, who waits for whom, and what is told where nobody can go on.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "core/record/recording.h"
#include "core/record/recording_file.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/record/told.h"
#include "tests/support/text/mixed_program.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

double half_at(const std::vector<std::byte>& bytes, std::size_t i) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, bytes.data() + 2 * i, 2);
  return to_double(DType::F16, bits);
}

std::unique_ptr<Recording> run_text(const std::string& text, std::uint32_t n) {
  Diagnostics told;
  const auto tree = read_program("mixed.pto", text, told);
  const std::vector<EntryPoint> entries = entry_points(*tree, told);
  REQUIRE(entries.size() == 1);
  CHECK(entries.front().name == "sums");
  OpenRequest request;
  request.inputs.data["a"] = mixed_halves(std::size_t{n} * kMixedRows * kMixedK, 1);
  request.inputs.data["b"] = mixed_halves(std::size_t{kMixedK} * kMixedCols, 5);
  request.inputs.numbers["n"] = fmt::format("{}", n);
  auto opened = open_program(tree, entries.front(), request, told);
  for (const Diagnostic& one : told)
    if (one.severity == Severity::Error) FAIL_CHECK(one.rule << " " << one.pos.line << ": " << one.text);
  REQUIRE(opened);
  return Recording::run(std::move(opened->program));
}

std::unique_ptr<Recording> run_mixed(const MixedProgram& mixed, bool way_back = false) {
  return run_text(way_back ? text_of_way_back(mixed) : text_of(mixed), mixed.entries);
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  std::size_t times = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()), ++times)
    text.replace(at, what.size(), with);
  REQUIRE(times != 0);
  return text;
}

const Diagnostic* told(const Recording& recording, const char* rule) {
  for (const Finding& finding : recording.findings())
    if (finding.diagnostic.rule == rule) return &finding.diagnostic;
  return nullptr;
}

// Of each entry as many rows and columns as go through the queue.
void check_results(const Recording& recording, const MixedProgram& mixed, double added = 1,
                   std::uint32_t rows = kMixedRows, std::uint32_t cols = kMixedCols) {
  CAPTURE(name(mixed.target));
  CAPTURE(mixed.split);
  for (const Finding& finding : recording.findings())
    if (finding.diagnostic.severity != Severity::Note)
      FAIL_CHECK(finding.diagnostic.rule << " " << finding.diagnostic.pos.line << ": " << finding.diagnostic.text);
  REQUIRE(recording.stop_reason() == StopReason::End);
  const auto a = mixed_halves(std::size_t{mixed.entries} * kMixedRows * kMixedK, 1),
             b = mixed_halves(std::size_t{kMixedK} * kMixedCols, 5);
  const auto out = std::ranges::find(recording.program().buffers, "out", &BufferDecl::name);
  REQUIRE(out != recording.program().buffers.end());
  const Memory& memory = recording.final_memory();
  std::size_t wrong = 0;
  for (std::uint32_t row = 0; row < mixed.entries * kMixedRows; ++row)
    for (std::uint32_t col = 0; col < cols && row % kMixedRows < rows; ++col) {
      double sum = added;
      for (std::uint32_t k = 0; k < kMixedK; ++k)
        sum += half_at(a, row * kMixedK + k) * half_at(b, k * kMixedCols + col);
      const std::uint64_t bits = memory.element(Space::Gm, out->address + (row * kMixedCols + col) * 4, 4);
      wrong += to_double(DType::F32, bits) != sum;
    }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("mixed: products go through a queue to the vector cores, whole and split, on both targets") {
  for (const Target target : kBothTargets)
    for (const int split : {0, 1, 2})
      for (const std::uint32_t slots : {1u, 2u, 4u}) {
        const MixedProgram mixed{.target = target, .entries = 6, .slots = slots, .split = split};
        const auto recording = run_mixed(mixed);
        const bool two = target == Target::A2A3 || split != 0;
        CHECK(recording->program().cores.size() == (two ? 3 : 2));
        check_results(*recording, mixed);
      }
}

TEST_CASE("mixed: entries of odd sizes are split so that the first vector core gets one more") {
  for (const int split : {3, 4}) {
    const bool by_rows = split == 3;
    MixedProgram mixed{.target = Target::A2A3, .entries = 5, .slots = 2, .split = by_rows ? 1 : 2};
    const char* half = by_rows ? "8" : "32";
    const std::string tile = fmt::format("!pto.tile_buf<vec, {}xf32>", by_rows ? "8x64" : "16x32"),
                      open = tile.substr(0, tile.size() - 1) + ", valid=?x?>",
                      part = fmt::format("!pto.partition_tensor_view<{}xf32>", by_rows ? "8x64" : "16x32"),
                      acc = std::string(kMixedAcc).insert(std::string(kMixedAcc).find(", blayout"), ", valid=?x?");
    const char *rows = by_rows ? "%mine" : "%c16", *cols = by_rows ? "%c64" : "%mine";
    std::string text = text_of(mixed);
    text = replaced(text, fmt::format("split = {}", mixed.split), fmt::format("split = {}", split));
    text = replaced(text, kMixedAcc, acc);
    text = replaced(text, "%acc = pto.alloc_tile :", "%acc = pto.alloc_tile valid_row = %c16 valid_col = %c64 :");
    text = replaced(text, "    pto.tpush_to_aiv",
                    fmt::format("    pto.set_validshape %acc, {0}, {1} : {2}\n    pto.tpush_to_aiv",
                                by_rows ? "%odd" : "%c16", by_rows ? "%c64" : "%odd", acc));
    text = replaced(text, "    pto.tmatmul",
                    fmt::format("    pto.set_validshape %acc, %c16, %c64 : {}\n    pto.tmatmul", acc));
    text = replaced(
        text, "    %c1 = arith.constant 1 : index\n",
        fmt::format("    %c1 = arith.constant 1 : index\n    %odd = arith.constant {} : index\n", by_rows ? 15 : 63));
    text = replaced(text, "    %one = ", fmt::format("    %mine = arith.subi %c{}, %which : index\n    %one = ", half));
    text = replaced(text, tile, open);
    text = replaced(
        text, "%y = pto.alloc_tile :", fmt::format("%y = pto.alloc_tile valid_row = {} valid_col = {} :", rows, cols));
    text =
        replaced(text, "pto.tpop_from_aic {", fmt::format("pto.tpop_from_aic({}, {} : index, index) {{", rows, cols));
    text =
        replaced(text, part, by_rows ? "!pto.partition_tensor_view<?x64xf32>" : "!pto.partition_tensor_view<16x?xf32>");
    const char* of_out = " : !pto.tensor_view<?x64xf32>";
    text = replaced(text, fmt::format("sizes = [{}]{}", by_rows ? "%c8, %c64" : "%c16, %c32", of_out),
                    fmt::format("sizes = [{}, {}]{}", rows, cols, of_out));
    CAPTURE(text);
    check_results(*run_text(text, mixed.entries), mixed, 1, by_rows ? 15 : kMixedRows, by_rows ? kMixedCols : 63);
  }
}

TEST_CASE("mixed: rows go from the vector cores to the cube core, whole and split, on both targets") {
  for (const Target target : kBothTargets)
    for (const int split : {0, 1, 2})
      for (const std::uint32_t slots : {1u, 3u}) {
        const MixedProgram mixed{.target = target, .entries = 6, .slots = slots, .split = split};
        check_results(*run_mixed(mixed, true), mixed, 0);
      }
}

TEST_CASE("mixed: a queue whose slots nobody frees stops a5, and says who should") {
  const auto recording = run_mixed({.target = Target::A5, .entries = 6, .slots = 4, .frees = false});
  CHECK(recording->stop_reason() == StopReason::Error);
  REQUIRE(!recording->findings().empty());
  const Diagnostic& told = recording->findings().back().diagnostic;
  CHECK(told.rule == "MK-11");
  CHECK(told.text.find("AIC, line ") != std::string::npos);
  CHECK(told.text.find(
            "pipe 0: all 4 slots are in use (entries 0 to 3); the oldest, entry 0, was popped by AIV0 at line ") !=
        std::string::npos);
  CHECK(told.text.find("waits for tfree_from_aic on AIV0 (popped 4, freed 0; blocked at line ") != std::string::npos);
  CHECK(told.hint.find("add tfree_from_aic") != std::string::npos);
  REQUIRE(told.notes.size() == 1);
  CHECK(told.notes[0].text.find("entry 4 was not pushed") != std::string::npos);
  // On a2a3 entries are copied out, and nothing waits for tfree; it is told at the end.
  const auto copied = run_mixed({.target = Target::A2A3, .entries = 6, .slots = 4, .frees = false});
  CHECK(copied->stop_reason() == StopReason::End);
  REQUIRE(copied->findings().size() == 1);
  CHECK(copied->findings()[0].diagnostic.rule == "MK-16");
  CHECK(copied->findings()[0].diagnostic.text == "pipe 0: AIV0 popped 6 and freed 0, AIV1 popped 6 and freed 0");
}

TEST_CASE("mixed: pops without a push, and entries that nobody takes") {
  for (const Target target : kBothTargets) {
    const auto more = run_mixed({.target = target, .entries = 2, .pops = 3});
    CHECK(more->stop_reason() == StopReason::Error);
    CHECK(more->findings().back().diagnostic.rule == "MK-10");
    CHECK(more->findings().back().diagnostic.hint.find("ended after 2 pushes") != std::string::npos);
    const auto fewer = run_mixed({.target = target, .entries = 3, .pops = 2});
    CHECK(fewer->stop_reason() == StopReason::End);
    CHECK(fewer->findings().back().diagnostic.rule == "MK-16");
    CHECK(fewer->findings().back().diagnostic.text.find("pipe 0: 3 pushed, AIV0 popped 2") != std::string::npos);
  }
}

TEST_CASE("mixed: a free without an entry, an entry larger than its slot, other splits and sizes on both ends") {
  for (const Target target : kBothTargets) {
    CAPTURE(name(target));
    const MixedProgram whole{.target = target, .entries = 2}, split{.target = target, .entries = 2, .split = 1};
    const std::string pop = "    %x = pto.tpop_from_aic", free = "    pto.tfree_from_aic {id = 0, split = 0}\n";
    const auto freed = run_text(replaced(text_of(whole), pop, free + pop), 2);
    REQUIRE(told(*freed, "MK-12") != nullptr);
    CHECK(told(*freed, "MK-12")->text == "tfree: no entry of pipe 0 is open on AIV0");

    Diagnostics large;
    const auto tree =
        read_program("mixed.pto", replaced(text_of(whole), "slot_size = 4096", "slot_size = 2048"), large);
    CHECK_FALSE(open_program(tree, entry_points(*tree, large).front(), {}, large));
    CHECK(std::ranges::any_of(large, [](const Diagnostic& one) {
      return one.rule == "MK-13" && one.text == "entry of 16x64 f32 = 4096 bytes, slot 2048";
    }));

    const auto other =
        run_text(replaced(text_of(split), "tpop_from_aic {id = 0, split = 1}", "tpop_from_aic {id = 0, split = 2}"), 2);
    REQUIRE(told(*other, "MK-14") != nullptr);
    CHECK(told(*other, "MK-14")->text == "entry 0 was pushed with split 1, popped with split 2");
    CHECK(told(*other, "MK-14")->notes.size() == 1);

    std::string fewer =
        replaced(text_of(whole), "!pto.tile_buf<vec, 16x64xf32>", "!pto.tile_buf<vec, 16x64xf32, valid=?x?>");
    fewer = replaced(fewer, "%y = pto.alloc_tile", "%y = pto.alloc_tile valid_row = %c8 valid_col = %c64");
    fewer = replaced(fewer, "tpop_from_aic {", "tpop_from_aic(%c8, %c64) {");
    const auto rows = run_text(fewer, 2);
    CHECK(rows->stop_reason() == StopReason::End);
    REQUIRE(told(*rows, "MK-15") != nullptr);
    CHECK(told(*rows, "MK-15")->text == "pushed 16x64 f32, popped 8x64 f32");
  }
}

TEST_CASE("mixed: on a2a3 what the second vector core pushes unsplit is not kept") {
  const MixedProgram mixed{.target = Target::A2A3, .entries = 2};
  const auto recording =
      run_text(replaced(text_of_way_back(mixed), "arith.subi %c1, %which", "arith.subi %c1, %c0"), 2);
  REQUIRE(told(*recording, "MK-02") != nullptr);
  CHECK(told(*recording, "MK-02")->text == "AIV1 pushes 16x32 with split = 0; only AIV0's data is kept");
  CHECK(recording->stop_reason() == StopReason::End);
}

TEST_CASE("mixed: blocks have memories of their own and run at the same time") {
  const MixedProgram mixed{.target = Target::A5, .entries = 2, .slots = 2, .split = 1};
  Diagnostics said;
  const auto tree = read_program("mixed.pto", text_of(mixed), said);
  OpenRequest request;
  request.blocks = 3;
  request.inputs.data["a"] = mixed_halves(std::size_t{2} * kMixedRows * kMixedK, 1);
  request.inputs.data["b"] = mixed_halves(std::size_t{kMixedK} * kMixedCols, 5);
  request.inputs.numbers["n"] = "2";
  auto opened = open_program(tree, entry_points(*tree, said).front(), request, said);
  REQUIRE(opened);
  const auto recording = Recording::run(std::move(opened->program));
  CHECK(recording->map().cores() == 9);
  check_results(*recording, mixed);
  std::set<CoreId> ran;
  for (std::uint32_t step = 0; step < recording->count(); ++step) {
    ran.insert(recording->bound(step).core);
    CHECK(recording->step(step).block == recording->bound(step).core / 3);
  }
  CHECK(ran.size() == 9);
  CHECK(name_of_core(recording->program(), 5) == "block 1 AIV1");
}

TEST_CASE("mixed: more blocks at once than there are places in memory are refused, and how many there may be is told") {
  const MixedProgram mixed{.target = Target::A5, .entries = 1, .slots = 2, .split = 1};
  const auto open = [&](std::uint32_t blocks, Diagnostics& said) {
    const auto tree = read_program("mixed.pto", text_of(mixed), said);
    OpenRequest request;
    request.blocks = blocks;
    request.inputs.numbers["n"] = "1";
    return open_program(tree, entry_points(*tree, said).front(), request, said);
  };
  Diagnostics said;
  CHECK_FALSE(open(65535, said));
  REQUIRE(!said.empty());
  CHECK(said.back().rule == "E-EMULATE");
  unsigned most = 0;
  REQUIRE(std::sscanf(said.back().hint.c_str(), "run fewer than %u blocks", &most) == 1);
  // Buffers of 1 MiB want some of it.
  Diagnostics of_most;
  const auto opened = open(most - 4, of_most);
  REQUIRE_MESSAGE(opened, of_most.back().format());
  CHECK(opened->program.memory_map().end() <= kFlatLimit);
}

TEST_CASE("mixed: blocks with one buffer for their slots race, unless each is given slots of its own") {
  const MixedProgram mixed{.target = Target::A2A3, .entries = 3, .slots = 2, .split = 1};
  const auto run = [&](bool is_private) {
    Diagnostics said;
    const auto tree = read_program("mixed.pto", text_of(mixed), said);
    OpenRequest request;
    request.blocks = 3;
    request.private_slots = is_private;
    request.inputs.data["a"] = mixed_halves(std::size_t{3} * kMixedRows * kMixedK, 1);
    request.inputs.data["b"] = mixed_halves(std::size_t{kMixedK} * kMixedCols, 5);
    request.inputs.numbers["n"] = "3";
    auto opened = open_program(tree, entry_points(*tree, said).front(), request, said);
    REQUIRE(opened);
    return Recording::run(std::move(opened->program));
  };
  // All blocks store the same results to the same place: that is a race in both. Races at slots are told at a queue's steps.
  const auto races_at_slots = [](const Recording& recording) {
    std::size_t count = 0;
    for (const Diagnostic& one : found_of_cores(recording))
      count += one.text.starts_with("tpush") || one.text.starts_with("tpop") ? 1 : 0;
    return count;
  };
  const auto shared = run(false), own = run(true);
  CHECK(races_at_slots(*shared) != 0);
  CHECK(races_at_slots(*own) == 0);
  check_results(*own, mixed);
  // A file says so, too.
  const TempFolder folder;
  const std::string path = folder / "slots.ptorec";
  REQUIRE(save_recording(*own, own->findings(), {}, path, {.full = true}).text == "");
  const auto opened = open_recording(path);
  REQUIRE(std::holds_alternative<RecordingFile>(opened));
  CHECK(std::get<RecordingFile>(opened).recording->program().private_slots);
  CHECK(std::get<RecordingFile>(opened).recording->digest() == own->digest());
}

TEST_CASE("mixed: every position can be gone to, and a run is the same each time") {
  const MixedProgram mixed{.target = Target::A5, .entries = 3, .slots = 2, .split = 1};
  const auto recording = run_mixed(mixed), again = run_mixed(mixed);
  CHECK(recording->digest() == again->digest());
  CHECK(recording->digest().size() == 32);
}

}  // namespace ts::test
