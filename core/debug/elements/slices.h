// What has more than two dimensions stands in rows of its last one. A slice of it are the rows in which all dimensions but
// the last two stand at one index.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/program/program.h"

namespace ts {

struct Slices {
  std::vector<std::uint32_t> dims = {};  // at least three, or none: it has no slices

  std::uint32_t rows() const;   // of a slice
  std::uint32_t count() const;  // 0: it has none
  std::uint32_t of_row(std::uint32_t row) const { return row / rows(); }
  // How many dimensions choose a slice, where each of them stands, and the slice in which one of them stands elsewhere.
  std::size_t choosing() const { return dims.empty() ? 0 : dims.size() - 2; }
  std::vector<std::uint32_t> index_of(std::uint32_t slice) const;
  std::uint32_t with(std::uint32_t slice, std::size_t dimension, std::uint32_t index) const;
  // The slice at an index of each dimension that chooses; beyond the last one the last one.
  std::uint32_t at(const std::vector<std::uint32_t>& index) const;
  // "[0,2,1,5]", as the array itself names an element.
  std::string element_text(std::uint32_t row, std::uint32_t col) const;
};

// Of a buffer the dimensions of its first view: where that covers only a part, the outermost is as long as the buffer is.
Slices slices_of(const BufferDecl& buffer);
Slices slices_of(const TileType& type);

}  // namespace ts
