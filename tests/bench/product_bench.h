// What matrix products cost: alone, of a library's product of the same size; and as a recorded program.
#pragma once

#include <string>
#include <vector>

namespace ts::bench {

struct ProductRow {
  std::string what;
  double value, target;
  std::string unit;
};

std::vector<ProductRow> product_rows();

}  // namespace ts::bench
