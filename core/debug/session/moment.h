// A place in a recording's time.
#pragma once

#include <compare>
#include <cstdint>

namespace ts {

// The state after so many steps, and so many micro-steps of the next one. With micro 0: between steps.
struct Moment {
  std::uint32_t position = 0, micro = 0;
  auto operator<=>(const Moment&) const = default;
};

}  // namespace ts
