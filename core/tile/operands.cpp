// Addresses in views of global memory.
#include "core/tile/operands.h"

namespace ts {

const char* name(GlobalLayout layout) {
  switch (layout) {
    case GlobalLayout::ND: return "nd";
    case GlobalLayout::DN: return "dn";
    case GlobalLayout::NZ: break;
  }
  return "nz";
}

std::uint32_t GlobalRef::rows() const {
  switch (layout) {
    case GlobalLayout::ND: return shape[0] * shape[1] * shape[2] * shape[3];
    case GlobalLayout::DN: return shape[3];
    case GlobalLayout::NZ: break;
  }
  return shape[2] * shape[3];
}

std::uint32_t GlobalRef::cols() const {
  switch (layout) {
    case GlobalLayout::ND: return shape[4];
    case GlobalLayout::DN: return shape[0] * shape[1] * shape[2] * shape[4];
    case GlobalLayout::NZ: break;
  }
  return shape[0] * shape[1] * shape[4];
}

std::uint64_t GlobalRef::number_of(std::uint32_t row, std::uint32_t col) const {
  std::array<std::uint64_t, 5> index{};
  // The dimension that runs over the outer three is the row for ND, the column for DN.
  const auto outer = [&](std::uint32_t position, int inner) {
    index[static_cast<std::size_t>(inner)] = position % shape[static_cast<std::size_t>(inner)];
    position /= shape[static_cast<std::size_t>(inner)];
    index[2] = position % shape[2];
    position /= shape[2];
    index[1] = position % shape[1];
    index[0] = position / shape[1];
  };
  switch (layout) {
    case GlobalLayout::ND:
      outer(row, 3);
      index[4] = col;
      break;
    case GlobalLayout::DN:
      outer(col, 4);
      index[3] = row;
      break;
    case GlobalLayout::NZ:
      index = {col / shape[4] / shape[1], col / shape[4] % shape[1], row / shape[3], row % shape[3], col % shape[4]};
      break;
  }
  std::uint64_t elements = 0;
  for (std::size_t i = 0; i < 5; ++i) elements += index[i] * stride[i];
  return elements;
}

TileRef in_bytes(TileRef tile) {
  if (!is_packed(tile.type.dtype)) return tile;
  std::uint32_t& valid = rows_run_on(tile.type) ? tile.valid_cols : tile.valid_rows;
  valid = static_cast<std::uint32_t>(bytes_for(tile.type.dtype, valid));
  tile.type = in_bytes(tile.type);
  return tile;
}

std::size_t inner_dimension(const GlobalRef& view) { return view.layout == GlobalLayout::DN ? 3 : 4; }

GlobalRef in_bytes(GlobalRef view) {
  if (!is_packed(view.dtype)) return view;
  const std::size_t inner = inner_dimension(view);
  const auto bytes = [&](std::uint32_t elements) {
    return static_cast<std::uint32_t>(bytes_for(view.dtype, elements));
  };
  for (std::size_t i = 0; i < view.stride.size(); ++i)
    if (i != inner) view.stride[i] = bytes(view.stride[i]);
  view.shape[inner] = bytes(view.shape[inner]);
  view.dtype = DType::U8;
  return view;
}

Scalar scalar_of(DType dtype, double value) { return {dtype, from_double(dtype, value)}; }

}  // namespace ts
