// One test per rule of MGATHER and MSCATTER.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/record/recording.h"
#include "tests/support/instructions/diagnose.h"
#include "tests/support/instructions/shapes.h"

namespace ts::test {
namespace {

// A table of 4 x 8 f32 in a buffer of 64, a tile of 2 x 8, an index for each row.
struct GmCase {
  bool gathers;
  Target target = Target::A5;
  DType type = DType::F32;
  TileType data = f32(2, 8);
  TileType indices = vec_tile(DType::I32, 1, 8, 1, 2);
  DType table = DType::F32;
  View view = {.buffer = {}, .rows = 4, .cols = 8};
  std::vector<BuildAttribute> attributes = {};
};
ProgramBuilder by_index(GmCase of) {
  ProgramBuilder builder = builder_with_a_start(of.target);
  const TileId data = builder.tile("data", of.data, {.address = 0x1000}),
               indices = builder.tile("i", of.indices, {.address = 0x3000});
  of.view.buffer = builder.buffer("g", of.table, 64, std::vector<std::byte>(64 * size_bytes(of.table)));
  if (of.gathers) builder.add("mgather", {of.view, indices}, {data}, of.attributes);
  else builder.add("mscatter", {data, indices}, {of.view}, of.attributes);
  return builder;
}
struct GmNames {
  bool gathers;
  const char *id, *data;
  std::string rule(const char* number) const { return std::string(id) + "-" + number; }
};
const GmNames kGmNames[] = {{true, "MGATHER", "dst"}, {false, "MSCATTER", "src"}};

// Every index is the first element, and all elements are alike.
void all_zeros(Memory& memory) {
  constexpr std::uint32_t kOperands = 0x1000, kEnd = 0x8000;
  std::ranges::fill(memory.bytes(Space::Ub, kOperands, kEnd - kOperands), std::byte{0});
  memory.mark(memory.map().flat(Space::Ub, kOperands), kEnd - kOperands, Definedness::Written);
}
void check_told_on_zeros(ProgramBuilder builder, std::initializer_list<Told> told) {
  check_told(std::move(builder), told, all_zeros);
}
void check_told_on_zeros(ProgramBuilder builder, const Told& told) {
  check_told(std::move(builder), {told}, all_zeros);
}

std::function<void(Memory&)> index_is(std::uint32_t number, std::uint32_t value) {
  return [=](Memory& memory) {
    all_zeros(memory);
    memory.set_element(Space::Ub, 0x3000 + 4 * number, 4, value);
  };
}

// Only the data show it: told when the step is to run, which it does unless this is an error.
void check_found(ProgramBuilder builder, const std::vector<Told>& told, const std::function<void(Memory&)>& data) {
  Diagnostics diagnostics;
  const Program program = builder.build(diagnostics);
  CHECK(diagnostics.empty());
  const auto recording = Recording::run(program, {.budget_bytes = 4 << 20, .initial = [&](Memory& memory) {
                                                    data(memory);
                                                    fill_start(memory);
                                                  }});
  REQUIRE(recording->findings().size() == told.size());
  const bool refused = !told.empty() && told[0].severity == Severity::Error;
  CHECK(recording->count() == (refused ? 1 : 2));
  for (std::size_t i = 0; i < told.size(); ++i) {
    const Diagnostic& found = recording->findings()[i].diagnostic;
    CAPTURE(found.format());
    CHECK(found.rule == told[i].rule);
    CHECK(found.severity == told[i].severity);
    CHECK(found.operand == told[i].operand);
    CHECK(found.kind == told[i].kind);
    CHECK(!found.hint.empty());
    CHECK(found.element.has_value());
    for (const std::string_view part : told[i].text) CHECK(found.text.find(part) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("mgather, mscatter: what is legal is told nothing of") {
  for (const Target target : kBothTargets)
    for (const GmNames& n : kGmNames) {
      check_told_on_zeros(by_index({.gathers = n.gathers, .target = target}), kNothing);
      check_told_on_zeros(by_index({.gathers = n.gathers, .target = target, .indices = vec_tile(DType::U32, 2, 8)}),
                          kNothing);
    }
}

TEST_CASE("MGATHER-R1, MSCATTER-R1: no elements of 64 bits") {
  for (const GmNames& n : kGmNames)
    check_told_on_zeros(by_index({.gathers = n.gathers, .data = vec_tile(DType::I64, 2, 8), .table = DType::I64}),
                        {n.rule("R1"), Severity::Error, n.data, {"i64"}});
}
TEST_CASE("MGATHER-R2, MSCATTER-R2: one element type") {
  for (const GmNames& n : kGmNames)
    check_told_on_zeros(by_index({.gathers = n.gathers, .table = DType::I32}),
                        {n.rule("R2"), Severity::Error, "table", {"table i32", "f32"}});
}
TEST_CASE("MGATHER-R3, MSCATTER-R3: layouts that go together") {
  for (const GmNames& n : kGmNames) {
    check_told_on_zeros(
        by_index({.gathers = n.gathers,
                  .data = boxed(TileLoc::Vec, DType::F32, 16, 8, BoxOrder::ColMajor, InnerOrder::RowMajor),
                  .indices = vec_tile(DType::I32, 1, 16)}),
        {n.rule("R3"), Severity::Error, n.data, {"nd table", "nz"}});
    check_told_on_zeros(
        by_index({.gathers = n.gathers, .view = {.buffer = {}, .rows = 4, .cols = 8, .layout = GlobalLayout::DN}}),
        {n.rule("R3"), Severity::Error, n.data, {"dn table", "row_major"}});
  }
}
TEST_CASE("MGATHER-R4, MSCATTER-R4: as many indices as rows or elements") {
  for (const GmNames& n : kGmNames) {
    check_told_on_zeros(by_index({.gathers = n.gathers, .indices = vec_tile(DType::I32, 1, 8, 1, 3)}),
                        {n.rule("R4"), Severity::Error, "indices", {"1x3", "2x8"}});
    check_told_on_zeros(
        by_index({.gathers = n.gathers, .indices = vec_tile(DType::I32, 2, 8), .attributes = {{"coalesce", "row"}}}),
        {n.rule("R4"), Severity::Error, "indices", {"2x8"}});
    // Down a column: on a5 only.
    TileType column = col_major(vec_tile(DType::I32, 8, 1, 2, 1));
    check_told_on_zeros(by_index({.gathers = n.gathers, .indices = column}), kNothing);
    check_told_on_zeros(by_index({.gathers = n.gathers, .target = Target::A2A3, .indices = column}),
                        {n.rule("R4"), Severity::Error, "indices", {"2x1", "2x8"}});
  }
}
TEST_CASE("MGATHER-R5, MSCATTER-R5: a table smaller than declared") {
  for (const GmNames& n : kGmNames)
    for (const Target target : kBothTargets)
      check_told_on_zeros(
          by_index({.gathers = n.gathers, .target = target, .view = {.buffer = {}, .rows = 9, .cols = 8}}),
          {n.rule("R5"), Severity::Error, "table", {"byte 288", "buffer of 256"}});
}
TEST_CASE("MSCATTER-R6: atomic operations of a target") {
  const auto joined = [](Target target, DType type, const char* what) {
    return by_index({.gathers = false,
                     .target = target,
                     .data = vec_tile(type, 2, 32),
                     .table = type,
                     .view = {.buffer = {}, .rows = 2, .cols = 32},
                     .attributes = {{"scatterAtomicOp", what}}});
  };
  check_told_on_zeros(joined(Target::A2A3, DType::F32, "max"),
                      {"MSCATTER-R6", Severity::Error, "src", {"a2a3", "max"}});
  check_told_on_zeros(joined(Target::A2A3, DType::U32, "add"), {"MSCATTER-R6", Severity::Error, "src", {"u32", "add"}});
  check_told_on_zeros(joined(Target::A5, DType::I16, "add"), {"MSCATTER-R6", Severity::Error, "src", {"i16", "add"}});
  check_told_on_zeros(joined(Target::A5, DType::F16, "min"), {"MSCATTER-R6", Severity::Error, "src", {"f16", "min"}});
  check_told_on_zeros(joined(Target::A5, DType::U32, "min"), kNothing);
  check_told_on_zeros(joined(Target::A2A3, DType::I8, "add"), kNothing);
}
TEST_CASE("MGATHER-R8: where indices stand") {
  ProgramBuilder builder = builder_with_a_start(Target::A5);
  const TileId dst = builder.tile("t", f32(2, 8), {.address = 0x1000});
  const View table{.buffer = builder.buffer("g", DType::F32, 64), .rows = 4, .cols = 8},
      indices{.buffer = builder.buffer("i", DType::I32, 8), .rows = 1, .cols = 2};
  builder.add("mgather", {table, indices}, {dst});
  check_told_on_zeros(std::move(builder), {"MGATHER-R8", Severity::Error, "dst", {"vec", "global memory"}});
  check_told_on_zeros(
      by_index({.gathers = true,
                .data = boxed(TileLoc::Mat, DType::F32, 16, 8, BoxOrder::ColMajor, InnerOrder::RowMajor),
                .indices = vec_tile(DType::I32, 1, 16)}),
      {"MGATHER-R8", Severity::Error, "dst", {"mat", "vec"}});
}
TEST_CASE("MGATHER-R9, MSCATTER-R9: indices of four bytes") {
  for (const GmNames& n : kGmNames)
    check_told_on_zeros(by_index({.gathers = n.gathers, .indices = vec_tile(DType::I16, 1, 16, 1, 2)}),
                        {n.rule("R9"), Severity::Error, "indices", {"i16", "i32, u32"}});
}
TEST_CASE("MGATHER-R10, MSCATTER-R10: rows as long as those of the tile") {
  for (const GmNames& n : kGmNames)
    for (const Target target : kBothTargets) {
      check_told_on_zeros(
          by_index({.gathers = n.gathers, .target = target, .view = {.buffer = {}, .rows = 4, .cols = 7, .pitch = 8}}),
          {n.rule("R10"), Severity::Error, "table", {"7 elements", "8 valid columns"}});
      const GmCase longer{.gathers = n.gathers, .target = target, .view = {.buffer = {}, .rows = 4, .cols = 9}};
      if (target == Target::A2A3) check_told_on_zeros(by_index(longer), kNothing);
      else
        check_told_on_zeros(by_index(longer),
                            {n.rule("R10"), Severity::Error, "table", {"9 elements", "8 valid columns"}});
    }
}
TEST_CASE("MGATHER-R13, MSCATTER-R13: indices negative, at and past the end") {
  for (const GmNames& n : kGmNames)
    for (const Target target : kBothTargets) {
      const GmCase plain{.gathers = n.gathers, .target = target};
      const std::string rule = n.rule("R13");
      const auto outside = [&](std::initializer_list<std::string_view> text) {
        return std::vector<Told>{{rule, Severity::Error, "indices", text, true, FindingKind::Offset}};
      };
      check_found(by_index(plain), outside({"indices[0,1]=4 is outside table of 4 rows"}), index_is(1, 4));
      check_found(by_index(plain), outside({"4294967295 (-1)"}), index_is(1, 0xFFFFFFFF));
      const GmCase elements{.gathers = n.gathers, .target = target, .indices = vec_tile(DType::U32, 2, 8)};
      check_found(by_index(elements), outside({"indices[1,0]=32", "32 elements"}), index_is(8, 32));
      check_found(by_index(elements), {}, index_is(8, 31));
      for (const char* way : {"clamp", "wrap"}) {
        GmCase said = plain;
        said.attributes = {{n.gathers ? "gatherOob" : "scatterOob", way}};
        check_found(by_index(said), {}, index_is(1, 0x80000001));
      }
    }
}
TEST_CASE("MSCATTER-W1: different values for one element, none where they are joined") {
  const auto values = [](Memory& memory) {
    all_zeros(memory);
    memory.set_element(Space::Ub, 0x1000 + 4 * 9, 4, 0x3F800000);
  };
  for (const Target target : kBothTargets) {
    check_found(
        by_index({.gathers = false, .target = target}),
        {{"MSCATTER-W1",
          kWarning,
          "indices",
          {"1 element of table gets different values", "table[0,1] gets src[0,1]=0, then src[1,1]=1; src[1,1]=1 stays"},
          true,
          FindingKind::Collision}},
        values);
    check_found(by_index({.gathers = false, .target = target, .attributes = {{"scatterAtomicOp", "add"}}}), {}, values);
  }
}
TEST_CASE("MGATHER-W2, MSCATTER-W2: rows with gaps where none are expected") {
  for (const GmNames& n : kGmNames) {
    const View gaps{.buffer = {}, .rows = 4, .cols = 8, .pitch = 10};
    check_told_on_zeros(by_index({.gathers = n.gathers, .view = gaps}),
                        {n.rule("W2"), kWarning, "table", {"10 elements apart", "8"}});
    check_told_on_zeros(by_index({.gathers = n.gathers, .target = Target::A2A3, .view = gaps}), kNothing);
    for (const Target target : kBothTargets)
      check_told_on_zeros(
          by_index({.gathers = n.gathers, .target = target, .indices = vec_tile(DType::I32, 2, 8), .view = gaps}),
          {n.rule("W2"), kWarning, "table", {"10 elements apart"}});
  }
}
TEST_CASE("MGATHER-G5: dst over the indices that choose its rows") {
  for (const Target target : kBothTargets) {
    ProgramBuilder builder = builder_with_a_start(target);
    const TileId data = builder.tile("data", f32(2, 8), {.address = 0x3000}),
                 indices = builder.tile("i", vec_tile(DType::I32, 1, 8, 1, 2), {.address = 0x3020});
    builder.add("mgather", {View{.buffer = builder.buffer("g", DType::F32, 64), .rows = 4, .cols = 8}, indices},
                {data});
    check_told_on_zeros(std::move(builder), {"G5", kWarning, "dst", {"[0x3000..0x3040)", "overlaps indices"}});
  }
}
TEST_CASE("mgather, mscatter: tables without rows, and lists of no index") {
  for (const Target target : kBothTargets)
    for (const GmNames& n : kGmNames) {
      // Nothing is moved, whatever the table is.
      check_told_on_zeros(by_index({.gathers = n.gathers,
                                    .target = target,
                                    .data = f32(2, 8, 0, 8),
                                    .indices = vec_tile(DType::I32, 1, 8, 1, 0)}),
                          kNothing);
    }
}
TEST_CASE("mgather: into mat, through scratch") {
  for (const Target target : kBothTargets) {
    ProgramBuilder builder = builder_with_a_start(target);
    const TileId dst = builder.tile(
        "t", boxed(TileLoc::Mat, DType::F32, 16, 8, BoxOrder::ColMajor, InnerOrder::RowMajor), {.address = 0x1000});
    const View table{.buffer = builder.buffer("g", DType::F32, 64), .rows = 4, .cols = 8},
        indices{.buffer = builder.buffer("i", DType::I32, 128), .rows = 16, .cols = 8},
        scratch{.buffer = builder.buffer("s", DType::F32, 128), .rows = 16, .cols = 8};
    builder.add("mgather", {table, indices, scratch}, {dst});
    check_told_on_zeros(std::move(builder), kNothing);
  }
}

}  // namespace ts::test
