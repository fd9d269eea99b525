// TDEINTERLEAVE against its oracle: two sources, and one source with destinations of half its width (form H) or of its
// whole width (form F); every element type, random shapes, and the edge cases of its page. A2A3 runs it with an option.
#include <doctest/doctest.h>

#include "tests/support/instructions/pair_tiles.h"
#include "tests/support/instructions/random_check.h"

namespace ts::test {
namespace {

enum class Form : std::uint8_t { TwoSources, Half, Full };

void add_random_tdeinterleave(ProgramBuilder& builder, Random& random, Target target, DType type, Form form) {
  const std::uint32_t size = size_bytes(type), registers = 2 * VL / size;
  Valid valid = random_valid(random, size, random.one_in(8) ? 24 * 1024 : 3 * 1024);
  valid.cols += valid.cols % 2;
  if (form == Form::TwoSources) {
    std::vector<TilePlan> plans;
    for (const char* name : {"dst0", "dst1", "src0", "src1"}) plans.push_back(random_tile(random, name, type, valid));
    return add_pairs(builder, random, target, "tdeinterleave", plans);
  }
  valid.rows = std::min(valid.rows, 40u);  // sources are two registers wide at least
  const Valid to{valid.rows, form == Form::Half ? valid.cols / 2 : valid.cols};
  add_pairs(builder, random, target, "tdeinterleave",
            {random_tile(random, "dst0", type, to), random_tile(random, "dst1", type, to),
             random_tile(random, "src", type, valid, registers)});
}

void check_random_form(Target target, const Options& options, Form form, std::uint64_t seed) {
  check_random(target, options, kMovedTypes, seed, [&](ProgramBuilder& builder, Random& random, DType type) {
    add_random_tdeinterleave(builder, random, target, type, form);
  });
}

void check_two_sources(const std::vector<PairShape>& shapes, std::uint64_t seed) {
  Stage stage(Target::A5);
  Random random(seed);
  for (const PairShape& shape : shapes) check_pairs(stage, random, Target::A5, {}, "tdeinterleave", shape);
}

void check_one_source(Stage& stage, Random& random, DType type, std::uint32_t rows, std::uint32_t cols, Valid valid,
                      Form form, bool allow_narrow = false) {
  const TileType shape = vec_tile(type, rows, cols, kDynamic, kDynamic);
  const Valid to{valid.rows, form == Form::Half ? valid.cols / 2 : valid.cols};
  ProgramBuilder builder(Target::A5, "one source");
  builder.options().tdeinterleave_allow_narrow = allow_narrow;
  add_pairs(builder, random, Target::A5, "tdeinterleave",
            {{"dst0", shape, to}, {"dst1", shape, to}, {"src", shape, valid}});
  check_program(stage, random, std::move(builder));
}

}  // namespace

TEST_CASE("tdeinterleave: the types of each target are those of its page") {
  check_types("tdeinterleave", Target::A5, {}, kMovedTypes);
  check_types("tdeinterleave", Target::A2A3, {}, {});
  check_types("tdeinterleave", Target::A2A3, kPairsOnA2A3, kMovedTypes);
}

TEST_CASE("tdeinterleave, two sources: random shapes agree with the oracle") {
  check_random_form(Target::A5, {}, Form::TwoSources, 4000);
}
TEST_CASE("tdeinterleave, one source, form H: random shapes agree with the oracle") {
  check_random_form(Target::A5, {}, Form::Half, 5000);
}
TEST_CASE("tdeinterleave, one source, form F: random shapes agree with the oracle") {
  check_random_form(Target::A5, {}, Form::Full, 6000);
}
TEST_CASE("tdeinterleave a2a3, by the option: random shapes of all forms agree with the oracle") {
  for (const Form form : {Form::TwoSources, Form::Half, Form::Full})
    check_random_form(Target::A2A3, kPairsOnA2A3, form, 6500);
}

TEST_CASE("tdeinterleave: second halves that do not start at a block") { check_two_sources(kUnalignedHalves, 50); }
TEST_CASE("tdeinterleave: second halves that start at a block") { check_two_sources(kAlignedHalves, 51); }
TEST_CASE("tdeinterleave: rows of several registers") { check_two_sources(kLongRows, 52); }
TEST_CASE("tdeinterleave: the smallest valid shapes, and exactly two registers") {
  for (const DType type : kMovedTypes) check_two_sources(smallest_pairs(type), 53);
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
    add_pairs(builder, random, Target::A5, "tdeinterleave",
              {{"dst0", shape, valid},
               {"dst1", shape, valid},
               {.name = "src0", .type = shape, .valid = valid, .in_place_of = 0},
               {"src1", shape, valid}});
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
