// The tag machine's matrix products. A result is made of a row and of a column, and each of those is one node, whatever many
// results it has a part in.
#pragma once

#include <vector>

#include "core/engine/tag/tag_moves.h"

namespace ts {

class TagProducts : public TagMoves {
 public:
  void multiply(const MicroOp& op, const Product& product, std::span<const std::uint32_t> bits) override {
    const std::uint32_t m = product.m, n = product.n;
    std::vector<Tag> rows, cols;
    for (std::uint32_t row = 0; row < m; ++row) rows.push_back(all_terms(product, row, false));
    for (std::uint32_t col = 0; col < n; ++col) cols.push_back(all_terms(product, col, true));
    Tag first = result_nodes(product, rows, cols);
    if (tags_.shadows != nullptr && is_float(product.acc.type.dtype)) add_shadows(product, first);
    store_product(run_, op, product, bits);
    for (std::uint32_t row = 0; row < m; ++row)
      for (std::uint32_t col = 0; col < n; ++col)
        put_memory_tag(flat(product.acc.space(), product.acc.at(row, col)), product.acc.elem_bytes(), first++);
  }

 protected:
  using TagMoves::TagMoves;
  ~TagProducts() = default;

 private:
  TagSpan span_of(const TileRef& tile, std::uint32_t row, std::uint32_t col) {
    const ByteRange place = tile.place_of(row, col);
    const TagSpan span = span_at(flat(place.space, place.address), place.size);
    if (place.part == BytePart::Whole || span.first == kNoTag) return span;
    return {half_of(span.first, place.part == BytePart::High ? 1 : 0), 1};
  }
  void join(Tag& all, TagSpan span) {
    if (span.first == kNoTag) return;
    all = tags_.arena.add(NodeKind::Combine, {all, 1}, span);
  }
  // A row of the left operand or a column of the right one, with its scales.
  Tag all_terms(const Product& product, std::uint32_t line, bool right) {
    const TileRef& tile = right ? product.right : product.left;
    const auto& scales = right ? product.right_scales : product.left_scales;
    Tag all = kNoTag;
    for (std::uint32_t k = 0; k < product.k; ++k) join(all, right ? span_of(tile, k, line) : span_of(tile, line, k));
    for (std::uint32_t group = 0; scales && group * kTermsPerScale < product.k; ++group)
      join(all, right ? span_of(*scales, group, line) : span_of(*scales, line, group));
    return all;
  }
  // In a row: those of the products, or of what they were added to.
  Tag result_nodes(const Product& product, const std::vector<Tag>& rows, const std::vector<Tag>& cols) {
    const std::uint32_t n = product.n, count = product.m * n;
    const TagArena::Rows products = tags_.arena.add_rows(NodeKind::Combine, count);
    for (std::uint32_t i = 0; i < count; ++i) {
      products.a[i] = rows[i / n];
      products.b[i] = cols[i % n];
      products.a_count[i] = products.b_count[i] = 1;
    }
    if (!product.start) return products.first;
    std::vector<TagSpan> started;
    for (std::uint32_t i = 0; i < count; ++i)
      started.push_back(span_of(*product.start, product.start_row(i / n), i % n));
    const TagArena::Rows sums = tags_.arena.add_rows(NodeKind::Combine, count);
    for (std::uint32_t i = 0; i < count; ++i) {
      sums.a[i] = products.first + i;
      sums.a_count[i] = 1;
      sums.b[i] = started[i].first;
      sums.b_count[i] = started[i].count;
    }
    return sums.first;
  }

  // What an element would be in double.
  double exact_value(const TileRef& tile, std::uint32_t row, std::uint32_t col) {
    const Shadow shadow = tags_.shadow(span_of(tile, row, col));
    if (shadow && shadow.type == tile.type.dtype) return shadow.value;
    return to_double(tile.type.dtype, context_.memory->element(tile.place_of(row, col)));
  }
  double scale_of(const std::optional<TileRef>& scales, std::uint32_t row, std::uint32_t col) {
    return scales ? exact_value(*scales, row, col) : 1;
  }
  void add_shadows(const Product& product, Tag first) {
    const std::uint32_t m = product.m, n = product.n;
    std::vector<double> right(std::size_t{product.k} * n), sums(n);
    for (std::uint32_t k = 0; k < product.k; ++k)
      for (std::uint32_t col = 0; col < n; ++col)
        right[std::size_t{k} * n + col] =
            exact_value(product.right, k, col) * scale_of(product.right_scales, k / kTermsPerScale, col);
    std::vector<Shadow> made;
    for (std::uint32_t row = 0; row < m; ++row) {
      for (std::uint32_t col = 0; col < n; ++col)
        sums[col] = product.start ? exact_value(*product.start, product.start_row(row), col) : 0;
      for (std::uint32_t k = 0; k < product.k; ++k) {
        const double left = exact_value(product.left, row, k) * scale_of(product.left_scales, row, k / kTermsPerScale);
        for (std::uint32_t col = 0; col < n; ++col) sums[col] += left * right[std::size_t{k} * n + col];
      }
      for (const double sum : sums) made.push_back({sum, product.acc.type.dtype});
    }
    std::copy(made.begin(), made.end(), tags_.arena.add_shadows(first, m * n));
  }
};

}  // namespace ts
