// Indices, and what they mean: lists of them in memory, tables in global memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/catalogue/table_indices.h"
#include "core/engine/address.h"
#include "core/memory/memory.h"

namespace ts {

// Indices as they stand in memory, row by row; unsigned whatever their type says.
struct IndexList {
  Space space;
  std::uint64_t address;
  std::uint32_t bytes;  // of an index
  std::uint32_t rows, cols;
  std::uint64_t row_step, col_step;  // bytes
  CoreId core = 0;
};
// f(row, col, index) for each; those that lie outside their memory are left out.
template <class F>
void for_indices(const IndexList& list, const Memory& memory, F f) {
  for (std::uint32_t row = 0; row < list.rows; ++row)
    for (std::uint32_t col = 0; col < list.cols; ++col) {
      const std::uint64_t at = list.address + row * list.row_step + col * list.col_step;
      if (at + list.bytes > memory.map().size(list.space, list.core)) continue;
      f(row, col, memory.element(list.space, static_cast<std::uint32_t>(at), list.bytes, list.core));
    }
}
// Those of one row: one for each element, or one for all.
struct RowIndices {
  Space space;
  std::uint64_t address;
  bool one_for_all;
};

// What becomes of an element in global memory that is scattered to.
enum class GmJoin : std::uint8_t { Replace, Add, Max, Min };

// A matrix in boxes of 16 x lanes elements: five strides in elements, and how many columns of boxes the second has.
struct GmBoxes {
  std::uint32_t cols, lanes, shape1;
  std::array<std::uint32_t, 5> stride;
};
struct GmTable {
  Indexed place;
  std::uint32_t capacity;      // elements, or rows
  std::uint32_t row_elements;  // from one row to the next
  GmOutside outside;
  std::optional<GmBoxes> boxes = {};
};

}  // namespace ts
