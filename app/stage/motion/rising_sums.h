// Sums of a matrix product in the middle of its move: so many of their terms are in them.
#pragma once

#include <cstdint>
#include <optional>

#include "app/stage/drawing.h"

namespace ts::ui {

// Of an element of a product's result that has not landed: how many of its terms are summed up by now. Nothing: the step
// does not move, is no product, or the sum is done.
std::optional<std::uint32_t> terms_done(StageStep& step, const StageCell& result);
// What they sum up to.
std::optional<std::uint64_t> rising_sum(StageStep& step, const StageCell& result);

}  // namespace ts::ui
