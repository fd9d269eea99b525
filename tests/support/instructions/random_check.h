// What the tests of instructions have in common: many random shapes for each element type, and the list of types.
#pragma once

#include <string_view>
#include <vector>

#include "tests/support/instructions/stage.h"
#include "tests/support/scale.h"

namespace ts::test {

// random_shapes() instructions of each type, kShapesAProgram to a program; add(builder, random, type) puts one into it.
template <class Add>
void check_random(Target target, const Options& options, const std::vector<DType>& types, std::uint64_t seed, Add add) {
  Stage stage(target);
  for (const DType type : types) {
    Random random(seed + static_cast<std::uint64_t>(type));
    for (int i = 0; i < random_shapes(); i += kShapesAProgram) {
      ProgramBuilder builder(target, "random");
      builder.options() = options;
      for (int k = 0; k < kShapesAProgram; ++k) add(builder, random, type);
      const Program program = build(builder);
      stage.fill(program, random, random.pick({Values::Plain, Values::AnyBits, Values::Special}));
      stage.check(program, random);
    }
  }
}

// One program on random bytes, special values among them.
void check_program(Stage& stage, Random& random, ProgramBuilder builder);

// The instruction takes these element types on this target, and no others.
void check_types(std::string_view instruction, Target target, const Options& options, const std::vector<DType>& types);

// The types that instructions which only move bits take: all of one, two and four bytes.
extern const std::vector<DType> kMovedTypes;

}  // namespace ts::test
