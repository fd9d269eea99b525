// The terms of a product and the sum after each, from the engine that made it.
#include "core/debug/picture/product_terms.h"

#include "core/engine/product.h"

namespace ts {

ProductSize product_size(const Bound& bound) {
  const Product product = bound.row->product(bound);
  return {product.m, product.n, product.k};
}

std::optional<ProductTerms> product_terms(const Bound& bound, const Memory& before, std::uint32_t row,
                                          std::uint32_t col) {
  if (bound.row->product == nullptr) return {};
  const Product product = bound.row->product(bound);
  if (row >= product.m || col >= product.n) return {};
  const auto element = [&](const TileRef& tile, std::uint32_t r, std::uint32_t c) {
    return before.element(tile.place_of(r, c));
  };
  const std::vector<std::uint32_t> sums = running_sums(before, product, row, col);
  ProductTerms made{.row = row, .col = col, .start = sums.front(), .terms = {}, .terms_per_scale = kTermsPerScale};
  for (std::uint32_t k = 0; k < product.k; ++k)
    made.terms.push_back({element(product.left, row, k), element(product.right, k, col), sums[k + 1]});
  return made;
}

}  // namespace ts
