// Places of windows.
#include "core/tile/map_windows.h"

namespace ts {

MapWindows::Place MapWindows::place(std::uint32_t row, std::uint32_t col) const {
  Place place{};
  const std::uint32_t wide = out_width(), high = out_height();
  const std::int64_t out_col = row % wide, out_row = row / wide % high;
  place.depth = row / wide / high % depth;
  place.image = row / wide / high / depth;
  const std::uint32_t of_filter = filter_height * filter_width, tap = col / lanes % of_filter;
  place.group = col / lanes / of_filter;
  place.lane = col % lanes;
  place.row = out_row * stride_height - top + std::int64_t{tap / filter_width} * dilation_height;
  place.col = out_col * stride_width - left + std::int64_t{tap % filter_width} * dilation_width;
  return place;
}

bool MapWindows::is_inside(const Place& place) const {
  return place.row >= 0 && place.row < height && place.col >= 0 && place.col < width &&
         (channels == 0 || std::uint64_t{place.group} * lanes + place.lane < channels);
}

std::uint64_t MapWindows::number(const Place& place) const {
  const std::uint64_t plane = (std::uint64_t{place.image} * depth + place.depth) * groups + place.group;
  return ((plane * height + static_cast<std::uint64_t>(place.row)) * width + static_cast<std::uint64_t>(place.col)) *
             lanes +
         place.lane;
}

std::optional<MapWindows> whole_map(const TileType& type) {
  const auto& dims = type.conv_dims;
  MapWindows map;
  if (type.conv == ConvLayout::NC1HWC0 && conv_rank(type) == 5) {
    map.images = dims[0];
    map.groups = dims[1];
    map.height = dims[2];
    map.width = dims[3];
    map.lanes = dims[4];
    return map;
  }
  if (type.conv != ConvLayout::NDC1HWC0 || conv_rank(type) != 6) return {};
  map.images = dims[0];
  map.depth = dims[1];
  map.groups = dims[2];
  map.height = dims[3];
  map.width = dims[4];
  map.lanes = dims[5];
  return map;
}

}  // namespace ts
