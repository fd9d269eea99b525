// The catalogue: every instruction row, found by name. Rows register themselves from their family's file.
#pragma once

#include <string_view>
#include <vector>

#include "core/catalogue/row.h"

namespace ts {

// All rows, sorted by name.
const std::vector<const InstructionRow*>& catalogue();
// Case does not matter: C++ spells names in capitals. A "pto." before the name is ignored. Null when unknown.
const InstructionRow* find_instruction(std::string_view name);

// A static object of this type in a family's file is all that puts a row into the catalogue.
struct Registered {
  explicit Registered(const InstructionRow& row);
};

}  // namespace ts
