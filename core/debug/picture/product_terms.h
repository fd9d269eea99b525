// One element of a matrix product, term by term.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/catalogue/row.h"

namespace ts {

// Results, and how many terms each is the sum of.
struct ProductSize {
  std::uint32_t rows, cols, terms;
};
// Of a step that is a product.
ProductSize product_size(const Bound& bound);

struct ProductTerm {
  std::uint64_t left, right;  // bits of the operands' elements
  std::uint64_t sum;          // after it
};
struct ProductTerms {
  std::uint32_t row, col;
  std::uint64_t start;  // what the sum begins with
  std::vector<ProductTerm> terms;
  std::uint32_t terms_per_scale;  // where operands have scales
};
// Of the step that is bound, by the memory before it; nothing where it is no product, or has no such element.
std::optional<ProductTerms> product_terms(const Bound& bound, const Memory& before, std::uint32_t row,
                                          std::uint32_t col);

}  // namespace ts
