// NaN and infinities among what a step wrote, and the first of them that nothing it was made of held.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/debug/origins/cell.h"
#include "core/debug/origins/data_flow.h"
#include "core/record/inspector.h"

namespace ts {

// Which ones are looked for.
struct Specials {
  bool nan = false, inf = false;
};

// Whether any result of the step holds one that the step wrote, wherever it came from.
bool wrote_specials(const Recording& recording, Inspector& inspector, std::uint32_t step, Specials wanted);

// Whether some of the bytes were made by a step before `step`: what stands in global memory otherwise came from
// outside.
using MadeByStep = std::function<bool(ByteRange place, std::uint32_t step)>;
bool made_by_step(const DataFlow& flow, ByteRange place, std::uint32_t step);

// The first element of the step's results that is one while nothing it was made of is; of what came in from outside,
// the load that brought it. `made` is asked of global memory only.
std::optional<Cell> first_special(const Recording& recording, Inspector& inspector, std::uint32_t step, Specials wanted,
                                  const MadeByStep& made);

}  // namespace ts
