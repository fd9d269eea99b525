// Random programs of every instruction, on tiles that are the same or apart, so that the oracles know what each byte is
// made of.
#pragma once

#include <cstdint>

#include "core/program/program.h"
#include "tests/support/random.h"

namespace ts::test {

Program random_flow_program(Random& random, Target target, std::uint32_t steps);

}  // namespace ts::test
