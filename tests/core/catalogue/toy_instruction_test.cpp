// Adding an instruction touches its own file only: two toys live here, and everything that knows instructions (the
// catalogue, programs and their text, rules, all three machines, the recorder) finds them.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/instructions/vector_family.h"
#include "core/program/builder.h"
#include "core/record/inspector.h"
#include "tests/support/engine/simd_levels.h"
#include "tests/support/instructions/diagnose.h"

namespace ts {
namespace {

using namespace vec;

// TTWICE dst, src: dst[r][c] = src[r][c] + src[r][c].
void ttwice_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    std::uint32_t left = dst.valid_cols;
    for (std::uint32_t col = 0; col < dst.valid_cols; col += m.lanes()) {
      const auto active = m.plt(left);
      const auto value = m.vlds(src.ub(), row * src.row_stride() + col);
      m.vsts(m.vadd(value, value, active), dst.ub(), row * dst.row_stride() + col, active);
    }
  }
}
void ttwice_a2a3(A2A3& m, const Bound& bound) {
  const TileRef src = bound.tile("src");
  HWY_NAMESPACE::binary_shape(m, bound.tile("dst"), src, src,
                              [&](Ub d, Ub a, Ub b, std::uint32_t repeats, Strides ds, Strides as, Strides bs) {
                                m.vadd(d, a, b, repeats, ds, as, bs);
                              });
}
// TSPILL dst, src: as a copy that stores eight elements too many.
void tspill_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  std::uint32_t count = dst.valid_rows * dst.valid_cols + 8;
  const auto active = m.plt(count);
  const auto value = m.vlds(src.ub(), 0);
  m.vsts(value, dst.ub(), 0, active);
}
const Machines ttwice_machines = machines_of<ttwice_a5, ttwice_a2a3>(),
               tspill_machines = machines_of<tspill_a5, nullptr>();

DTypeSet ttwice_types(Target, const Options&) { return {DType::I16, DType::F32}; }
DTypeSet tspill_types(Target target, const Options&) {
  return target == Target::A5 ? DTypeSet{DType::F32} : DTypeSet{};
}

void ttwice_rules(RuleCheck& check) {
  check.need_same_type("TOY-R2", "src", "dst");
  check.need_same_valid("TOY-R3", "src", "dst");
}

const InstructionRow ttwice{
    .name = "ttwice",
    .summary = "Doubles every element; a toy of the tests.",
    .forms = {{"", {in("src"), out("dst")}, "TTWICE(dst, src)"}},
    .typed_by = "dst",
    .types = ttwice_types,
    .type_rules = {"TOY-R1", "TOY-R1"},
    .draw = Drawing::Lanes,
    .rules = ttwice_rules,
    .machines = ttwice_machines,
};
const Registered ttwice_registered(ttwice);

const InstructionRow tspill{
    .name = "tspill",
    .summary = "Copies a row and eight elements too many; a toy of the tests.",
    .forms = {{"", {in("src"), out("dst")}, "TSPILL(dst, src)"}},
    .typed_by = "dst",
    .types = tspill_types,
    .type_rules = {"TOY-R4", "TOY-R4"},
    .absent_rule = "TOY-R4",
    .machines = tspill_machines,
};
const Registered tspill_registered(tspill);

}  // namespace

namespace test {
namespace {

Program twice_program(Target target) {
  ProgramBuilder builder(target, "twice");
  const TileType type = vec_tile(DType::F32, 3, 72, 3, 70);
  const TileId a = builder.tile("a", type), b = builder.tile("b", type);
  std::vector<double> values;
  for (int i = 0; i < 210; ++i) values.push_back(i + 0.5);
  builder.add("tload", {View{builder.buffer("x", DType::F32, values), 3, 70}}, {a});
  builder.add("ttwice", {a}, {b});
  Diagnostics diagnostics;
  Program program = builder.build(diagnostics);
  CHECK(diagnostics.empty());
  return program;
}

}  // namespace

TEST_CASE("a toy instruction: the catalogue has it, and programs spell it") {
  const InstructionRow* row = find_instruction("pto.TTWICE");
  REQUIRE(row == &ttwice);
  CHECK(std::ranges::find(catalogue(), row) != catalogue().end());
  CHECK(twice_program(Target::A5).text(1) == "pto.ttwice ins(%a) outs(%b)");
}

TEST_CASE("a toy instruction: it runs on every level, traces, and says where values came from") {
  for (const Target target : kBothTargets) {
    for (const std::int64_t level : simd_levels()) {
      const OnSimdLevel on(level);
      CAPTURE(std::string(name(target)));
      CAPTURE(std::string(simd_level_name(level)));
      const auto recording = Recording::run(twice_program(target), {.budget_bytes = 4 << 20});
      REQUIRE(recording->count() == 2);
      CHECK(recording->findings().empty());
      const TileRef a = recording->bound(1).tile("src"), b = recording->bound(1).tile("dst");
      for (std::uint32_t row = 0; row < 3; ++row)
        for (std::uint32_t col = 0; col < 70; ++col)
          CHECK(to_double(DType::F32, recording->final_memory().element(Space::Ub, b.at(row, col), 4)) ==
                2 * (row * 70 + col + 0.5));
      CHECK(recording->final_memory().element(Space::Ub, b.at(0, 70), 4) == 0xCDCDCDCD);

      Inspector inspector(*recording);
      const Trace trace = inspector.trace(1);
      const auto adds = std::ranges::count_if(
          trace.steps, [](const MicroStep& step) { return std::string_view(step.op->name) == "vadd"; });
      CHECK(adds == (target == Target::A5 ? 6 : 2));  // two registers a row; on a2a3 whole columns and a tail
      const Flow flow = inspector.flow(1);
      const auto sources = flow.sources(1, 2, 65);
      REQUIRE(sources.size() == 1);
      CHECK(sources[0].kind == Source::Kind::Element);
      CHECK(sources[0].place == ByteRange{Space::Ub, a.at(2, 65), 4});
      CHECK(!flow.wrote({Space::Ub, b.at(0, 70), 8}));
    }
  }
}

TEST_CASE("a toy instruction: its rules are told like any other's") {
  for (const Target target : kBothTargets) {
    ProgramBuilder types = builder_with_a_start(target);
    const TileType i32 = vec_tile(DType::I32, 1, 8), f32 = vec_tile(DType::F32, 1, 8);
    TileId a = types.tile("a", i32, {.address = 0x100}), b = types.tile("b", i32, {.address = 0x200});
    types.add("ttwice", {a}, {b});
    check_told(std::move(types), {"TOY-R1", Severity::Error, "dst", {"i32"}});
    ProgramBuilder same = builder_with_a_start(target);
    a = same.tile("a", f32, {.address = 0x100}),
    b = same.tile("b", vec_tile(DType::F32, 1, 8, 1, 7), {.address = 0x200});
    same.add("ttwice", {a}, {b});
    check_told(std::move(same), {"TOY-R3", Severity::Error, "src", {"1x8", "1x7"}});
  }
  ProgramBuilder absent = builder_with_a_start(Target::A2A3);
  const TileId a = absent.tile("a", vec_tile(DType::F32, 1, 8), {.address = 0x100});
  absent.add("tspill", {a}, {a});
  check_told(std::move(absent), {"TOY-R4", Severity::Error, "", {"tspill", "a2a3"}});
}

TEST_CASE("G4: a write outside the results is told, and kept") {
  ProgramBuilder builder(Target::A5, "spill");
  const TileId a = builder.tile("a", vec_tile(DType::F32, 1, 16), {.address = 0x1000}),
               b = builder.tile("b", vec_tile(DType::F32, 1, 8), {.address = 0x2000});
  const TileId c = builder.tile("c", vec_tile(DType::F32, 1, 8, 1, 0), {.address = 0x3000});
  builder.add("tload",
              {View{builder.buffer("x", DType::F32, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}), 1, 16}},
              {a});
  builder.add("tspill", {a}, {b});
  // With no valid element, the eight too many stay inside the tile.
  builder.add("tspill", {a}, {c});
  Diagnostics diagnostics;
  const auto recording = Recording::run(builder.build(diagnostics), {.budget_bytes = 4 << 20});
  REQUIRE(recording->count() == 3);
  REQUIRE(recording->findings().size() == 1);
  const Finding& finding = recording->findings()[0];
  CHECK(finding.step == 1);
  CHECK(finding.diagnostic.rule == "G4");
  CHECK(finding.diagnostic.severity == Severity::Warning);
  CHECK(finding.diagnostic.pos == SourcePos{2, 1});
  CAPTURE(finding.diagnostic.text);
  CHECK(finding.diagnostic.text.find("tspill") != std::string::npos);
  CHECK(finding.diagnostic.text.find("0x2020..0x2040") != std::string::npos);
  CHECK(to_double(DType::F32, recording->final_memory().element(Space::Ub, 0x203C, 4)) == 15);
}

}  // namespace test
}  // namespace ts
