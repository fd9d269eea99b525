// Counting slices as memory does: the last dimension that chooses one runs first.
#include "core/debug/elements/slices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ts {
namespace {

// One slice alone is the whole.
Slices several(std::vector<std::uint32_t> dims) {
  Slices slices{std::move(dims)};
  return slices.count() > 1 ? slices : Slices{};
}

}  // namespace

std::uint32_t Slices::rows() const { return dims.empty() ? 1 : dims[dims.size() - 2]; }

std::uint32_t Slices::count() const {
  if (dims.empty()) return 0;
  std::uint32_t all = 1;
  for (std::size_t i = 0; i < choosing(); ++i) all *= dims[i];
  return all;
}

std::vector<std::uint32_t> Slices::index_of(std::uint32_t slice) const {
  std::vector<std::uint32_t> index(choosing());
  for (std::size_t i = index.size(); i-- > 0; slice /= dims[i]) index[i] = slice % dims[i];
  return index;
}

std::uint32_t Slices::at(const std::vector<std::uint32_t>& index) const {
  std::uint32_t slice = 0;
  for (std::size_t i = 0; i < choosing(); ++i)
    slice = slice * dims[i] + (i < index.size() ? std::min(index[i], dims[i] - 1) : 0);
  return slice;
}

std::uint32_t Slices::with(std::uint32_t slice, std::size_t dimension, std::uint32_t index) const {
  std::vector<std::uint32_t> there = index_of(slice);
  there[dimension] = index;
  return at(there);
}

std::string Slices::element_text(std::uint32_t row, std::uint32_t col) const {
  std::vector<std::uint32_t> index = index_of(of_row(row));
  index.push_back(row % rows());
  index.push_back(col);
  return fmt::format("[{}]", fmt::join(index, ","));
}

Slices slices_of(const BufferDecl& buffer) {
  std::vector<std::uint32_t> dims = buffer.view_shape;
  if (dims.size() < 3) return {};
  std::uint64_t inner = 1;
  for (std::size_t i = 1; i < dims.size(); ++i) inner = std::min(inner * dims[i], std::uint64_t{buffer.elements} + 1);
  if (inner == 0 || buffer.elements == 0 || buffer.elements % inner != 0) return {};
  dims[0] = static_cast<std::uint32_t>(buffer.elements / inner);
  return several(std::move(dims));
}

Slices slices_of(const TileType& type) {
  const std::size_t rank = conv_rank(type);
  if (rank < 3) return {};
  std::vector<std::uint32_t> dims(type.conv_dims.begin(), type.conv_dims.begin() + static_cast<std::ptrdiff_t>(rank));
  std::uint64_t rows = 1;
  for (std::size_t i = 0; i + 1 < rank; ++i) rows *= dims[i];
  // Where its elements stand otherwise, rows are none of its dimensions.
  if (rows != type.rows || dims.back() != type.cols) return {};
  return several(std::move(dims));
}

}  // namespace ts
