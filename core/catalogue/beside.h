// Rows of steps that are no tile instructions and have no page: single elements that the scalar unit writes.
#pragma once

#include <string_view>

#include "core/catalogue/row.h"

namespace ts {

// Cells that one signal between devices has at most, here.
inline constexpr std::uint32_t kMostSignalCells = 1 << 16;

// Null when unknown.
const InstructionRow* find_beside(std::string_view name);
struct RegisteredBeside {
  // `called`: what it is asked for by, where another row has its name.
  explicit RegisteredBeside(const InstructionRow& row, std::string_view called = {});
};

}  // namespace ts
