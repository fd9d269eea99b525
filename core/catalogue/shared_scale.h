// Results of some instructions are numbers only together with an element of another result, which a group of them shares.
#pragma once

#include <optional>
#include <string_view>

#include "core/catalogue/row.h"

namespace ts {

// The element that says by which power of two one of `of` is multiplied.
struct SharedScale {
  std::string_view operand;
  std::uint32_t row = 0, col = 0;
};
// Of element (row, col) of `of`, a result.
using ScaleOf = SharedScale (*)(const Bound&, std::uint32_t row, std::uint32_t col);
struct RegisteredScale {
  RegisteredScale(const InstructionRow& row, std::string_view of, ScaleOf scale);
};
// Nothing: this result of the instruction has no such scale.
std::optional<SharedScale> shared_scale(const Bound& bound, std::string_view of, std::uint32_t row, std::uint32_t col);

}  // namespace ts
