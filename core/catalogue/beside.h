// Rows of steps that are no tile instructions and have no page: single elements that the scalar unit writes.
#pragma once

#include <string_view>

#include "core/catalogue/row.h"

namespace ts {

// Null when unknown.
const InstructionRow* find_beside(std::string_view name);
struct RegisteredBeside {
  explicit RegisteredBeside(const InstructionRow& row);
};

}  // namespace ts
