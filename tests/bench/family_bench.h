// What every instruction of the vector families costs, of copying its largest tile.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/isa/target.h"

namespace ts::bench {

struct FamilyRow {
  std::string family;
  Target target;
  std::string what;
  double value;
};

// Of each family and target the slowest instruction and element type; or all whose instruction begins so.
std::vector<FamilyRow> slowest_of_families();
std::vector<FamilyRow> all_of_families(std::string_view begin);

}  // namespace ts::bench
