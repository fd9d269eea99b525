// TDEINTERLEAVE against its oracle: two sources, and one source with destinations of half its width (form H) or of its
// whole width (form F); every element type, random shapes, and the edge cases of its page.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/isa/catalogue.h"
#include "tests/support/stage.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

const std::vector<DType> kTypes{DType::I32, DType::U32, DType::F32, DType::I16, DType::U16, DType::F16, DType::BF16, DType::U8, DType::I8};

enum class Form : std::uint8_t { TwoSources, Half, Full };

void add_tdeinterleave(ProgramBuilder& builder, Random& random, const std::vector<TilePlan>& plans) {
  const auto tiles = add_tiles(builder, random, Target::A5, plans);
  std::vector<BuildOperand> sources(tiles.begin() + 2, tiles.end());
  builder.add("tdeinterleave", sources, {tiles[0], tiles[1]});
}

void add_random(ProgramBuilder& builder, Random& random, DType type, Form form) {
  const std::uint32_t size = size_bytes(type), registers = 2 * VL / size;
  Valid valid = random_valid(random, size, random.one_in(8) ? 24 * 1024 : 3 * 1024);
  valid.cols += valid.cols % 2;
  if (form == Form::TwoSources) {
    std::vector<TilePlan> plans;
    for (const char* name : {"dst0", "dst1", "src0", "src1"}) plans.push_back(random_tile(random, name, type, valid));
    return add_tdeinterleave(builder, random, plans);
  }
  valid.rows = std::min(valid.rows, 40u);  // sources are two registers wide at least
  const Valid to{valid.rows, form == Form::Half ? valid.cols / 2 : valid.cols};
  add_tdeinterleave(builder, random, {random_tile(random, "dst0", type, to), random_tile(random, "dst1", type, to),
                                      random_tile(random, "src", type, valid, registers)});
}

void check_random(Form form, std::uint64_t seed) {
  Stage stage(Target::A5);
  for (const DType type : kTypes) {
    Random random(seed + static_cast<std::uint64_t>(type));
    for (int i = 0; i < kRandomShapes; i += kShapesAProgram) {
      ProgramBuilder builder(Target::A5, "random");
      for (int k = 0; k < kShapesAProgram; ++k) add_random(builder, random, type, form);
      const Program program = build(builder);
      stage.fill(program, random, random.pick({Values::AnyBits, Values::Special}));
      stage.check(program, random);
    }
  }
}

// Four tiles of one static shape; `fixed`: the valid shape is part of the type.
void check_two_sources(Stage& stage, Random& random, DType type, std::uint32_t rows, std::uint32_t cols, Valid valid, bool fixed) {
  const TileType shape = fixed ? vec_tile(type, rows, cols, static_cast<std::int32_t>(valid.rows), static_cast<std::int32_t>(valid.cols))
                               : vec_tile(type, rows, cols, kDynamic, kDynamic);
  ProgramBuilder builder(Target::A5, "two sources");
  add_tdeinterleave(builder, random, {{"dst0", shape, valid}, {"dst1", shape, valid}, {"src0", shape, valid}, {"src1", shape, valid}});
  const Program program = build(builder);
  stage.fill(program, random, Values::Special);
  stage.check(program, random);
}

void check_one_source(Stage& stage, Random& random, DType type, std::uint32_t rows, std::uint32_t cols, Valid valid, Form form, bool allow_narrow = false) {
  const TileType shape = vec_tile(type, rows, cols, kDynamic, kDynamic);
  const Valid to{valid.rows, form == Form::Half ? valid.cols / 2 : valid.cols};
  ProgramBuilder builder(Target::A5, "one source");
  builder.options().tdeinterleave_allow_narrow = allow_narrow;
  add_tdeinterleave(builder, random, {{"dst0", shape, to}, {"dst1", shape, to}, {"src", shape, valid}});
  const Program program = build(builder);
  stage.fill(program, random, Values::Special);
  stage.check(program, random);
}

}  // namespace

TEST_CASE("tdeinterleave: the types of each target are those of its page") {
  const InstructionRow* row = find_instruction("tdeinterleave");
  REQUIRE(row != nullptr);
  for (int i = 0; i < kDTypes; ++i) {
    const auto type = static_cast<DType>(i);
    CAPTURE(std::string(name(type)));
    CHECK(row->types(Target::A5, {}).contains(type) == (std::ranges::count(kTypes, type) == 1));
    CHECK(!row->types(Target::A2A3, {}).contains(type));
  }
}

TEST_CASE("tdeinterleave, two sources: random shapes agree with the oracle") { check_random(Form::TwoSources, 4000); }
TEST_CASE("tdeinterleave, one source, form H: random shapes agree with the oracle") { check_random(Form::Half, 5000); }
TEST_CASE("tdeinterleave, one source, form F: random shapes agree with the oracle") { check_random(Form::Full, 6000); }

TEST_CASE("tdeinterleave: second halves that do not start at a block") {
  struct Shape {
    DType type;
    std::uint32_t rows, cols, valid_cols;
  };
  const Shape shapes[] = {{DType::F16, 20, 16, 16},   {DType::F32, 64, 64, 56},  {DType::I16, 64, 64, 48}, {DType::F16, 16, 256, 200},
                          {DType::U8, 32, 256, 200}, {DType::I8, 32, 256, 200}, {DType::F32, 16, 32, 24}};
  Stage stage(Target::A5);
  Random random(50);
  for (const Shape& shape : shapes)
    for (const bool fixed : {false, true}) check_two_sources(stage, random, shape.type, shape.rows, shape.cols, {shape.rows, shape.valid_cols}, fixed);
}

TEST_CASE("tdeinterleave: second halves that start at a block") {
  Stage stage(Target::A5);
  Random random(51);
  check_two_sources(stage, random, DType::F32, 64, 64, {64, 64}, true);
  check_two_sources(stage, random, DType::I16, 64, 64, {64, 64}, true);
  check_two_sources(stage, random, DType::F16, 16, 256, {16, 256}, true);
  check_two_sources(stage, random, DType::U8, 32, 256, {32, 256}, true);
}

TEST_CASE("tdeinterleave: rows of several registers") {
  Stage stage(Target::A5);
  Random random(52);
  check_two_sources(stage, random, DType::F32, 4, 512, {4, 512}, true);
  check_two_sources(stage, random, DType::F32, 4, 304, {4, 300}, false);
  check_two_sources(stage, random, DType::BF16, 2, 1024, {2, 1022}, false);
  check_two_sources(stage, random, DType::U8, 2, 2048, {2, 1538}, false);
}

TEST_CASE("tdeinterleave: the smallest valid shapes, and exactly two registers") {
  Stage stage(Target::A5);
  Random random(53);
  for (const DType type : kTypes) {
    const std::uint32_t block = BLK / size_bytes(type), two_registers = 2 * VL / size_bytes(type);
    check_two_sources(stage, random, type, 1, block, {1, 2}, false);
    check_two_sources(stage, random, type, 3, two_registers, {1, 2}, true);
    check_two_sources(stage, random, type, 3, two_registers, {2, two_registers}, true);
    check_two_sources(stage, random, type, 3, two_registers, {0, 2}, false);
    check_two_sources(stage, random, type, 3, two_registers, {2, 0}, false);
  }
}

TEST_CASE("tdeinterleave, one source: the shapes of its page in both forms") {
  Stage stage(Target::A5);
  Random random(54);
  for (const Form form : {Form::Half, Form::Full}) {
    check_one_source(stage, random, DType::F32, 16, 128, {16, 128}, form);
    check_one_source(stage, random, DType::F16, 16, 256, {16, 256}, form);
    check_one_source(stage, random, DType::U8, 8, 512, {8, 512}, form);
    // Half of six is odd, which is fine.
    check_one_source(stage, random, DType::F32, 2, 128, {2, 6}, form);
    // A narrow source, where the option lets it pass.
    check_one_source(stage, random, DType::F32, 4, 32, {4, 30}, form, true);
  }
}

TEST_CASE("tdeinterleave: dst0 in place of src0 is safe in program order, and warned about") {
  Stage stage(Target::A5);
  Random random(56);
  for (const auto& [cols, valid_cols] : {std::pair{64u, 64u}, {64u, 56u}, {304u, 300u}}) {
    const TileType shape = vec_tile(DType::F32, 3, cols, kDynamic, kDynamic);
    const Valid valid{3, valid_cols};
    ProgramBuilder builder(Target::A5, "in place");
    add_tdeinterleave(builder, random, {{"dst0", shape, valid}, {"dst1", shape, valid}, {.name = "src0", .type = shape, .valid = valid, .in_place_of = 0}, {"src1", shape, valid}});
    const Program program = build(builder);
    stage.fill(program, random, Values::Special);
    stage.check(program, random);
    const auto recording = Recording::run(program, {.budget_bytes = 4 << 20});
    REQUIRE(recording->findings().size() == 1);
    CHECK(recording->findings()[0].diagnostic.rule == "G5");
  }
}

TEST_CASE("tdeinterleave: a destination of form F keeps its upper half, marked unspecified") {
  Stage stage(Target::A5);
  Random random(55);
  check_one_source(stage, random, DType::F32, 1, 128, {1, 128}, Form::Full);
  CHECK(stage.effects(0).written.size() == 128);
  CHECK(stage.effects(0).kept.size() == 128);
}

}  // namespace ts::test
