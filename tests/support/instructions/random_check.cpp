// Checks that the tests of several instructions share.
#include "tests/support/instructions/random_check.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/catalogue/catalogue.h"

namespace ts::test {

const std::vector<DType> kMovedTypes{DType::I32, DType::U32,  DType::F32, DType::I16, DType::U16,
                                     DType::F16, DType::BF16, DType::U8,  DType::I8};

void check_program(Stage& stage, Random& random, ProgramBuilder builder) {
  const Program program = build(builder);
  stage.fill(program, random, Values::Special);
  stage.check(program, random);
}

void check_types(std::string_view instruction, Target target, const Options& options, const std::vector<DType>& types) {
  const InstructionRow* row = find_instruction(instruction);
  REQUIRE(row != nullptr);
  for (int i = 0; i < kDTypes; ++i) {
    const auto type = static_cast<DType>(i);
    CAPTURE(std::string(name(target)));
    CAPTURE(std::string(name(type)));
    CHECK(row->types(target, options).contains(type) == (std::ranges::count(types, type) == 1));
  }
}

}  // namespace ts::test
