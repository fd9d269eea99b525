// Random operands for the instructions of the vector families: what is legal by each instruction's page.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/program/builder.h"
#include "tests/support/instructions/shapes.h"
#include "tests/support/random.h"

namespace ts::test {

// The instructions that `add_random_vector` knows.
std::vector<const InstructionRow*> vector_instructions();
// One instruction before it is part of a program. Scratch is left out, where it may be.
struct VectorPlan {
  std::size_t form = 0;
  std::vector<TilePlan> tiles;  // inputs, then results, in text order
  std::size_t results = 1;
  std::vector<Scalar> scalars;
  std::vector<BuildAttribute> attributes;
  bool names_scratch = false;  // `tiles` has it, at its place in the text
};
// For the element type that its row is typed by. `shape`: of its domain, where it is not to be random.
VectorPlan plan_vector(Random& random, Target target, const InstructionRow& row, DType type,
                       std::optional<Valid> shape = {});
void add_vector(ProgramBuilder& builder, Random& random, Target target, const InstructionRow& row,
                const VectorPlan& plan);
// One instruction with operands of its own, for the element type that its row is typed by.
void add_random_vector(ProgramBuilder& builder, Random& random, Target target, const InstructionRow& row, DType type);
// The same with full tiles of one shape, as far as the instruction lets it, for measurements.
void add_full_vector(ProgramBuilder& builder, Random& random, Target target, const InstructionRow& row, DType type,
                     Valid shape);

}  // namespace ts::test
