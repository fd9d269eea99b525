// One test per rule of TGATHERB: those that the shapes show, and those that only the offsets show when it runs.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/record/recording.h"
#include "tests/support/instructions/diagnose.h"
#include "tests/support/instructions/shapes.h"

namespace ts::test {
namespace {

constexpr std::uint32_t kSrc = 0x4000, kOffsets = 0x8000, kDst = 0xC000;

// Two rows of 64 words by eight blocks each, which tells nothing on either target.
struct HandGather {
  Target target = Target::A5;
  TileType src = vec_tile(DType::F32, 2, 128), offsets = vec_tile(DType::U32, 2, 8), dst = vec_tile(DType::F32, 2, 64);
  std::string attribute = {};
  std::uint32_t src_at = kSrc, dst_at = kDst;
  Options options = {};

  operator ProgramBuilder() const {
    HandTiles tile(target);
    tile.builder.options() = options;
    std::vector<BuildAttribute> attributes;
    if (!attribute.empty()) attributes.push_back({"granularity", attribute});
    tile.builder.add("tgatherb", {tile("s", src, {.address = src_at}), tile("o", offsets, {.address = kOffsets})},
                     {tile("d", dst, {.address = dst_at})}, attributes);
    return std::move(tile.builder);
  }
};

// Offsets and a source that are all zero.
void zero_offsets(Memory& memory) {
  for (std::uint32_t at = 0; at < 0x1000; at += 4) {
    memory.set_element(Space::Ub, kOffsets + at, 4, 0);
    memory.set_element(Space::Ub, kSrc + at, 4, 0);
  }
  memory.mark(memory.map().flat(Space::Ub, kOffsets), 0x1000, Definedness::Written);
  memory.mark(memory.map().flat(Space::Ub, kSrc), 0x1000, Definedness::Written);
}

void check(const HandGather& gather, std::initializer_list<Told> told) {
  const bool refused = std::ranges::any_of(told, [](const Told& t) { return t.severity == Severity::Error; });
  check_told(gather, told, refused ? std::function<void(Memory&)>() : zero_offsets);
}
void check(const HandGather& gather, const Told& told) { check(gather, {told}); }

// What is told when the offsets are such; the start stands before it, in line 1. `refused`: the run stops at position 1,
// with nothing of the result written.
void check_data(const HandGather& gather, std::initializer_list<std::uint32_t> offsets, const Told& told,
                bool refused) {
  ProgramBuilder builder = gather;
  Diagnostics diagnostics;
  const Program program = builder.build(diagnostics);
  CHECK(!has_error(diagnostics));
  const auto recording = Recording::run(program, {.budget_bytes = 4 << 20, .initial = [&](Memory& memory) {
                                                    zero_offsets(memory);
                                                    std::uint32_t at = kOffsets;
                                                    for (const std::uint32_t offset : offsets)
                                                      memory.set_element(Space::Ub, at, 4, offset), at += 4;
                                                  }});
  std::string all;
  for (const Finding& finding : recording->findings()) all += finding.diagnostic.format() + "\n";
  CAPTURE(all);
  const auto found =
      std::ranges::find_if(recording->findings(), [&](const Finding& f) { return f.diagnostic.rule == told.rule; });
  REQUIRE(found != recording->findings().end());
  CHECK(found->step == 1);
  CHECK(found->diagnostic.severity == told.severity);
  CHECK(found->diagnostic.operand == told.operand);
  CHECK(found->diagnostic.pos == SourcePos{2, 1});
  for (const std::string_view part : told.text) {
    CAPTURE(std::string(part));
    CHECK(found->diagnostic.text.find(part) != std::string::npos);
  }
  CHECK(recording->count() == (refused ? 1 : 2));
  CHECK(recording->stop_reason() == (refused ? StopReason::Error : StopReason::End));
  // Told once, however many offsets are like that.
  CHECK(std::ranges::count_if(recording->findings(),
                              [&](const Finding& f) { return f.diagnostic.rule == told.rule; }) == 1);
  if (!refused) return;
  for (std::uint32_t at = 0; at < 0x400; ++at)
    if (recording->final_memory().element(Space::Ub, kDst + at, 1) != kPoison)
      FAIL_CHECK("a refused instruction changed byte " << at);
}

HandGather elements(Target target) {
  return {.target = target,
          .src = vec_tile(DType::F32, 2, 128),
          .offsets = vec_tile(DType::U32, 2, 64),
          .dst = vec_tile(DType::F32, 2, 64)};
}

}  // namespace

TEST_CASE("tgatherb: nothing is told of whole registers by blocks") {
  for (const Target target : kBothTargets) check({.target = target}, kNothing);
}

TEST_CASE("TGB-R1: a row-major result") {
  for (const Target target : kBothTargets) {
    HandGather g{.target = target};
    g.dst = col_major(vec_tile(DType::F32, 8, 64));
    g.offsets = vec_tile(DType::U32, 8, 8);
    check(g, {"TGB-R1", Severity::Error, "dst", {"dst", "col_major"}});
  }
}

TEST_CASE("TGB-R2: element types of both") {
  for (const Target target : kBothTargets) {
    HandGather g{.target = target};
    g.dst = vec_tile(DType::I64, 2, 32);
    check(g, {"TGB-R2", Severity::Error, "dst", {"i64", "not supported"}, true});
    HandGather source{.target = target};
    source.src = vec_tile(DType::U64, 2, 32);
    check(source, {"TGB-R2", Severity::Error, "src", {"u64", "not supported"}});
    source.src = vec_tile(DType::U8, 2, 256);
    check(source, kNothing);
  }
}

TEST_CASE("TGB-R3: offsets of 32-bit integers") {
  for (const Target target : kBothTargets) {
    HandGather g{.target = target};
    g.offsets = vec_tile(DType::F32, 2, 8);
    check(g, {"TGB-R3", Severity::Error, "offsets", {"offsets", "f32", "u32"}});
    g.offsets = vec_tile(DType::U16, 2, 16, 2, 8);
    check(g, {"TGB-R3", Severity::Error, "offsets", {"u16"}});
    g.offsets = vec_tile(DType::I32, 2, 8);
    check(g, kNothing);
  }
}

TEST_CASE("TGB-R4: offsets of blocks are whole blocks") {
  for (const Target target : kBothTargets) {
    check_data({.target = target}, {0, 32, 36}, {"TGB-R4", Severity::Error, "offsets", {"[0,2]", "36", "32"}}, true);
    // In the second row.
    check_data({.target = target}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 4},
               {"TGB-R4", Severity::Error, "offsets", {"[1,1]", "=4"}}, true);
  }
}

TEST_CASE("TGB-R5: offsets of elements are whole elements") {
  for (const Target target : kBothTargets)
    check_data(elements(target), {0, 8, 6}, {"TGB-R5", Severity::Error, "offsets", {"[0,2]", "6", "4-byte"}}, true);
}

TEST_CASE("TGB-R6: as many offsets as elements or blocks, and enough rows of them") {
  for (const Target target : kBothTargets) {
    HandGather g{.target = target};
    g.offsets = vec_tile(DType::U32, 2, 16, 2, 9);
    check(g, {"TGB-R6", Severity::Error, "offsets", {"9", "64", "8"}});
    g.offsets = vec_tile(DType::U32, 1, 8);
    check(g, {"TGB-R6", Severity::Error, "offsets", {"1", "2"}});
  }
}

TEST_CASE("TGB-R7: a2a3: rows that end inside a register") {
  HandGather g{.target = Target::A2A3};
  g.dst = vec_tile(DType::F32, 2, 64, 2, 60);
  check(g, {"TGB-R7", kWarning, "dst", {"60", "tail"}});
  g.target = Target::A5;
  check(g, kNothing);
}

TEST_CASE("TGB-R8: a5: elements of one and two bytes have indices of 16 bits") {
  for (const DType type : {DType::U16, DType::I8}) {
    const std::uint32_t size = size_bytes(type);
    HandGather g = elements(Target::A5);
    g.dst = vec_tile(type, 2, 64);
    check_data(g, {0, 65536 * size}, {"TGB-R8", Severity::Error, "offsets", {"offset[0,1]", "65536", "65535"}}, true);
    check_data(g, {0, 65535 * size}, {"TGB-W2", kWarning, "offsets", {"outside src"}}, false);
    g.target = Target::A2A3;
    check_data(g, {0, 65536 * size}, {"TGB-W2", kWarning, "offsets", {"outside src"}}, false);
  }
  check_data(elements(Target::A5), {0, 0x30000}, {"TGB-W2", kWarning, "offsets", {"outside src"}}, false);
}

TEST_CASE("TGB-W1: offsets padded to eight blocks") {
  HandGather g;
  g.dst = vec_tile(DType::F32, 2, 64, 2, 40);
  check(g, {"TGB-W1", kWarning, "offsets", {"8", "5", "padded"}});
}

TEST_CASE("TGB-W2: an offset that leaves the source but not UB") {
  for (const Target target : kBothTargets) {
    check_data({.target = target}, {1024 - 32, 1024}, {"TGB-W2", kWarning, "offsets", {"1024", "outside src"}}, false);
    check_data(elements(target), {1020, 1024}, {"TGB-W2", kWarning, "offsets", {"1024", "outside src"}}, false);
  }
}

TEST_CASE("MEM-BOUNDS: an offset that leaves UB") {
  for (const Target target : kBothTargets) {
    const std::uint32_t end = capacity_bytes(target, Space::Ub) - kSrc;
    for (const bool by_elements : {false, true}) {
      const HandGather g = by_elements ? elements(target) : HandGather{.target = target};
      check_data(g, {0, end}, {"MEM-BOUNDS", Severity::Error, "offsets", {"offset[0,1]", "leaves ub"}}, true);
      check_data(g, {0, 0xFFFFFFE0}, {"MEM-BOUNDS", Severity::Error, "offsets", {"offset[0,1]", "leaves ub"}}, true);
      check_data(g, {0, end - 32}, {"TGB-W2", kWarning, "offsets", {"outside src"}}, false);
    }
  }
}

TEST_CASE("TGB-N1: eight offsets for eight elements") {
  for (const Target target : kBothTargets) {
    HandGather g{.target = target};
    g.dst = vec_tile(DType::F32, 2, 8);
    check(g, {"TGB-N1", kNote, "offsets", {"8", "element", "granularity=block"}});
    g.attribute = "element";
    check(g, kNothing);
  }
  HandGather option;
  option.dst = vec_tile(DType::F32, 2, 8);
  option.options.tgatherb_granularity = 1;
  check(option, kNothing);
}

TEST_CASE("TGB-N2: a5: a store by four bytes takes more than the last element") {
  HandGather g;
  g.dst = vec_tile(DType::U8, 1, 288, 1, 257);
  g.offsets = vec_tile(DType::U32, 1, 16, 1, 9);
  check(g, {"TGB-N2", kNote, "dst", {"3 bytes", "257"}});
  // As many rows as registers: the store is as narrow as the elements.
  g.dst = vec_tile(DType::U8, 2, 288, 1, 257);
  g.offsets = vec_tile(DType::U32, 2, 16, 1, 9);
  check(g, kNothing);
}

TEST_CASE("G5: tgatherb over its source") {
  for (const Target target : kBothTargets) {
    HandGather g{.target = target};
    g.dst_at = kSrc + 0x40;
    check(g, {"G5", kWarning, "dst", {"dst", "src", "overlaps"}});
    g.dst_at = kOffsets + 0x20;
    check(g, {"G5", kWarning, "dst", {"dst", "offsets", "overlaps"}});
  }
}

}  // namespace ts::test
