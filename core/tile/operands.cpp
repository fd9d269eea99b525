// Addresses in views of global memory.
#include "core/tile/operands.h"

namespace ts {
namespace {

// The dimensions that rows go through, the outermost first (-1: none), and that of columns, or of groups of them.
struct MapDimensions {
  std::array<int, 4> points;
  int channels;
};
MapDimensions map_dimensions(GlobalLayout layout) {
  switch (layout) {
    case GlobalLayout::NCHW: return {{0, 1, 3, 4}, 2};
    case GlobalLayout::NCDHW: return {{0, 2, 3, 4}, 1};
    case GlobalLayout::NC1HWC0: return {{0, 2, 3, -1}, 1};
    case GlobalLayout::NDC1HWC0: return {{0, 1, 3, 4}, 2};
    default: return {{0, 1, 2, 3}, 4};
  }
}

}  // namespace

const char* name(GlobalLayout layout) {
  constexpr const char* kNames[] = {"nd",    "dn",      "nz",       "nhwc",      "nchw",
                                    "ncdhw", "nc1hwc0", "ndc1hwc0", "fractal_z", "fractal_z_3d"};
  return kNames[static_cast<int>(layout)];
}

std::uint32_t GlobalRef::group() const {
  if (layout == GlobalLayout::NC1HWC0) return shape[4];
  return layout == GlobalLayout::NDC1HWC0 ? static_cast<std::uint32_t>(elements_in(dtype, BLK)) : 1;
}

std::uint32_t GlobalRef::rows() const {
  if (layout == GlobalLayout::DN) return shape[3];
  if (layout == GlobalLayout::NZ) return shape[2] * shape[3];
  std::uint32_t rows = 1;
  for (const int i : map_dimensions(layout).points) rows *= i < 0 ? 1 : shape[static_cast<std::size_t>(i)];
  return rows;
}

std::uint32_t GlobalRef::cols() const {
  if (layout == GlobalLayout::DN) return shape[0] * shape[1] * shape[2] * shape[4];
  if (layout == GlobalLayout::NZ) return shape[0] * shape[1] * shape[4];
  return shape[static_cast<std::size_t>(map_dimensions(layout).channels)] * group();
}

std::uint64_t GlobalRef::number_of(std::uint32_t row, std::uint32_t col) const {
  std::array<std::uint64_t, 5> index{};
  std::uint64_t in_group = 0;
  if (layout == GlobalLayout::DN) {
    index = {0, 0, 0, row, col % shape[4]};
    col /= shape[4];
    index[2] = col % shape[2];
    index[1] = col / shape[2] % shape[1];
    index[0] = col / shape[2] / shape[1];
  } else if (layout == GlobalLayout::NZ) {
    index = {col / shape[4] / shape[1], col / shape[4] % shape[1], row / shape[3], row % shape[3], col % shape[4]};
  } else {
    const MapDimensions its = map_dimensions(layout);
    const std::uint32_t group_size = group();
    index[static_cast<std::size_t>(its.channels)] = col / group_size;
    in_group = col % group_size * (layout == GlobalLayout::NC1HWC0 ? stride[4] : 1);
    for (std::size_t i = its.points.size(); i-- > 0;) {
      if (its.points[i] < 0) continue;
      const auto at = static_cast<std::size_t>(its.points[i]);
      index[at] = i == 0 ? row : row % shape[at];
      if (i != 0) row /= shape[at];
    }
  }
  std::uint64_t elements = in_group;
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
