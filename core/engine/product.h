// Matrix products as the cube core makes them: where their elements stand, and the bits of the result. They are computed
// once for all machines.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/engine/block_core.h"
#include "core/memory/memory.h"
#include "core/tile/operands.h"

namespace ts {

// How the terms of one element are added.
enum class ProductOrder : std::uint8_t {
  Fused,     // to the start, k ascending, each with one rounding
  SumFirst,  // the same from zero on; the start last
  Double,    // in double, rounded once
};

// acc[i][j] = start[i][j] + the sum over k of left[i][k] * right[k][j]; i < m, j < n.
struct Product {
  TileRef left, right, acc;
  std::uint32_t m = 0, n = 0, k = 0;
  std::uint32_t first_row = 0, first_col = 0;  // of the results, where only some are asked for
  std::optional<TileRef> start = {};           // an accumulator, or one row of biases; none: zero
  bool one_start_row = false;
  // Shared exponents, each of 32 terms in a row.
  std::optional<TileRef> left_scales = {}, right_scales = {};
  ProductOrder order = ProductOrder::Fused;

  std::uint32_t start_row(std::uint32_t row) const { return one_start_row ? 0 : first_row + row; }
};
inline constexpr std::uint32_t kTermsPerScale = 32;

// The bits of the results, row by row.
std::vector<std::uint32_t> multiplied(const Memory& memory, const Product& product);
// The bits of one sum: before the first term, and after each.
std::vector<std::uint32_t> running_sums(const Memory& memory, Product product, std::uint32_t row, std::uint32_t col);
void store_product(BlockCore& run, const MicroOp& op, const Product& product, std::span<const std::uint32_t> bits);

// f(address, row, col, count): `count` elements of a row that stand side by side. Rows count from `first_row` on.
template <class F>
void for_row_runs(const TileRef& tile, std::uint32_t rows, std::uint32_t cols, F f, std::uint32_t first_row = 0) {
  const Box box = box_of(tile.type);
  const bool one_by_one = !tile.type.row_major() && tile.type.slayout != InnerOrder::RowMajor && tile.rows() > 1;
  const std::uint32_t most = one_by_one ? 1 : tile.type.in_boxes() ? box.cols : cols;
  // In every layout an element's index is a part that its row gives and one that its column gives; and from one row of boxes
  // to the next the former grows by the same.
  std::vector<std::uint64_t> of_row(rows);
  const std::uint32_t again = tile.type.in_boxes() ? box.rows : 1;
  const std::uint64_t step = element_index(tile.type, again, 0);
  for (std::uint32_t row = 0; row < rows; ++row)
    of_row[row] = row < again ? element_index(tile.type, first_row + row, 0) : of_row[row - again] + step;
  const std::uint64_t bits = size_bits(tile.type.dtype);
  for (std::uint32_t col = 0; col < cols; col += most) {
    const std::uint64_t of_col = element_index(tile.type, 0, col);
    const std::uint32_t count = std::min(most, cols - col);
    for (std::uint32_t row = 0; row < rows; ++row)
      f(tile.address + static_cast<std::uint32_t>((of_row[row] + of_col) * bits / 8), row, col, count);
  }
}
// The bytes of these elements, in as few ranges as the order of their rows gives.
std::vector<ByteRange> bytes_of(const TileRef& tile, std::uint32_t rows, std::uint32_t cols);

}  // namespace ts
