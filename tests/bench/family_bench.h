// What every instruction of the vector families costs, of copying its largest tile.
#pragma once

#include <string>
#include <vector>

namespace ts::bench {

struct FamilyRow {
  std::string family, what;
  double value;
};

// Of each family and target the slowest instruction and element type; with `all`, every one.
std::vector<FamilyRow> family_rows(bool all);

}  // namespace ts::bench
