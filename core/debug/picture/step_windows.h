// Which windows of a map a step takes.
#pragma once

#include "core/catalogue/row.h"
#include "core/tile/map_windows.h"

namespace ts {

// As the step says it, and the registers in the memory before it. Nothing: it takes none that there are.
std::optional<MapWindows> windows_of_step(const Bound& bound, const Memory& before);

}  // namespace ts
