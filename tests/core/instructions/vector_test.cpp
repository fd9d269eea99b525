// Every instruction of the vector families against its oracle: each target and element type, random shapes and values.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "core/catalogue/catalogue.h"
#include "tests/oracle/effects.h"
#include "tests/support/instructions/index_data.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/instructions/vector_plan.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

// 10 shapes for each; TILESCOPE_FULL=1 (`./dev test full`) makes it 200.
int shapes_of_each() { return rounds(2, 10, 200); }

// Every choice of what documents leave open and of what libraries do, but not of what is accepted.
void draw_options(Options& options, Random& random) {
  for (int i = 0; i < kOptionCount; ++i) {
    const OptionRow& option = kOptions[i];
    if (option.value == &Options::library_types || option.value == &Options::strict) continue;
    const auto values = static_cast<std::uint32_t>(1 + std::ranges::count(std::string_view(option.values), '|'));
    options.*option.value = static_cast<std::uint8_t>(random.below(values));
  }
}

void check_instruction(Stage& stage, Target target, const InstructionRow& row, DType type, int shapes, bool options) {
  Random random(7000 + static_cast<std::uint64_t>(type) * 131 + std::hash<std::string_view>{}(row.name) % 100000 +
                (options ? 1 : 0));
  const int a_program = takes_indices(row) ? 1 : std::min(kShapesAProgram, shapes);
  for (int i = 0; i < shapes; i += a_program) {
    ProgramBuilder builder(target, row.name);
    if (options) draw_options(builder.options(), random);
    for (int k = 0; k < a_program; ++k) add_random_vector(builder, random, target, row, type);
    const Program program = build(builder);
    stage.fill(program, random, random.pick({Values::Plain, Values::AnyBits, Values::Special}));
    draw_indices(program, random, [&](const ByteRange& place, std::uint64_t bits) { stage.set_bits(place, bits); });
    stage.check(program, random);
  }
}

// In parts, so that several processes share them.
void check_part(int part, int parts, int shapes, bool options = false) {
  Stage a2a3(Target::A2A3), a5(Target::A5);
  const auto rows = vector_instructions();
  for (std::size_t i = static_cast<std::size_t>(part); i < rows.size(); i += static_cast<std::size_t>(parts)) {
    const InstructionRow& row = *rows[i];
    CAPTURE(std::string(row.name));
    REQUIRE(oracle::has_oracle(row.name));
    for (const Target target : kBothTargets)
      for (int type = 0; type < kDTypes; ++type) {
        if (!row.types(target, {}).contains(static_cast<DType>(type))) continue;
        check_instruction(target == Target::A5 ? a5 : a2a3, target, row, static_cast<DType>(type), shapes, options);
      }
  }
}

}  // namespace

TEST_CASE("vector: random shapes agree with the oracles, part 1") { check_part(0, 4, shapes_of_each()); }
TEST_CASE("vector: random shapes agree with the oracles, part 2") { check_part(1, 4, shapes_of_each()); }
TEST_CASE("vector: random shapes agree with the oracles, part 3") { check_part(2, 4, shapes_of_each()); }
TEST_CASE("vector: random shapes agree with the oracles, part 4") { check_part(3, 4, shapes_of_each()); }

TEST_CASE("vector: with options drawn at random, part 1") { check_part(0, 2, shapes_of_each() / 2, true); }
TEST_CASE("vector: with options drawn at random, part 2") { check_part(1, 2, shapes_of_each() / 2, true); }

TEST_CASE("tgather, compared: numbers of fewer than 32 bits keep their low bits") {
  Random random(7711);
  const InstructionRow& row = *find_instruction("tgather");
  for (const Target target : kBothTargets) {
    Stage stage(target);
    for (int i = 0; i < rounds(10, 60, 600);) {
      const DType type = random.pick({DType::F16, DType::F32}),
                  narrow = random.pick({DType::I8, DType::U8, DType::I16});
      VectorPlan plan = plan_vector(random, target, row, type, Valid{random.between(1, 3), random.between(1, 400)});
      if (plan.tiles.back().name != "counts") continue;
      ++i;
      plan.tiles.back() = random_tile(random, "counts", narrow, {1, plan.tiles[0].valid.rows});
      ProgramBuilder builder(target, "narrow");
      add_vector(builder, random, target, row, plan);
      const Program program = build(builder);
      stage.fill(program, random, Values::Plain);
      draw_indices(program, random, [&](const ByteRange& place, std::uint64_t bits) { stage.set_bits(place, bits); });
      stage.check(program, random);
    }
  }
}

}  // namespace ts::test
