// Rule V60-25: an operation without elements to work on does nothing.
#pragma once

#include "core/catalogue/row.h"

namespace ts {

// Where it would write nothing is valid, or nothing of all that it reads. A front end lets a core that has nothing to do
// go through the same program with empty tiles.
bool does_nothing(const Bound& bound);

}  // namespace ts
