// Steps done over by their plans.
#pragma once

#include "core/record/recording.h"

namespace ts::test {

// Checks that each step leaves the same bytes by its plan as by its lowering, and says the same of what it wrote.
void check_by_plans(const Recording& recording);

}  // namespace ts::test
