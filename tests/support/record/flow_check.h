// Whether the data flow of a step names the sources that the oracle names.
#pragma once

#include <vector>

#include "core/record/inspector.h"
#include "tests/oracle/effects.h"
#include "tests/support/random.h"

namespace ts::test {

// Up to 64 elements of the result (all when there are no more), a few unspecified ones, and bytes around the operands
// and elsewhere that the step must not claim. `before`: the memories and (by flat byte) their definedness.
void check_flow(const Flow& flow, const Bound& bound, const MemoryMap& map, const oracle::Before& before,
                const std::vector<Definedness>& defined, const oracle::Effects& effects, Random& random);

}  // namespace ts::test
