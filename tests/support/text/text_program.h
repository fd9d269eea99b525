// Random legal programs twice over: as text with loops, branches, calls, views and aliases, and as the straight line of
// steps that this text amounts to, found without the compiler.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/program/program.h"
#include "tests/support/random.h"

namespace ts::test {

struct TextProgram {
  Target target = Target::A5;
  std::string text;
  std::map<std::string, std::vector<std::byte>> data;  // of the buffers, by name
  // The steps that move data, in their order, from the C++ builder. The compiled text is asked for two things only:
  // where tiles without an address were placed, and the scratch that it added to an instruction.
  std::function<Program(const Program& compiled)> straight;
};

TextProgram random_text_program(Random& random, Target target);

}  // namespace ts::test
