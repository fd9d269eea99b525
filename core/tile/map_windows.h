// The windows of a map: the places that a filter stands at when it goes over the map, and what stands in each.
#pragma once

#include <cstdint>
#include <optional>

#include "core/tile/tile_type.h"

namespace ts {

// A map [images][depth][groups][height][width][lanes], whose channels are groups of lanes, and a filter that goes over it.
// Row m of the matrix of all windows is the window at ((image * depth + d) * out_height + oh) * out_width + ow; its columns
// are, group by group, the filter's places, and of each the lanes.
struct MapWindows {
  std::uint32_t images = 1, depth = 1, groups = 1, height = 1, width = 1, lanes = 1;
  std::uint32_t channels = 0;  // those behind count as outside; 0: all of the groups
  std::uint32_t filter_height = 1, filter_width = 1, stride_height = 1, stride_width = 1;
  std::uint32_t dilation_height = 1, dilation_width = 1;
  std::uint32_t left = 0, right = 0, top = 0, bottom = 0;  // places around the map that a filter may stand on
  std::uint64_t outside = 0;                               // the bits of what stands there

  // How far the filter goes in each direction; 0: it does not fit.
  std::uint32_t out_height() const {
    return places(height, top, bottom, filter_height, dilation_height, stride_height);
  }
  std::uint32_t out_width() const { return places(width, left, right, filter_width, dilation_width, stride_width); }
  std::uint64_t rows() const { return std::uint64_t{images} * depth * out_height() * out_width(); }
  std::uint64_t cols() const { return std::uint64_t{groups} * lanes * filter_height * filter_width; }

  // A place that the filter looks at: a point of the map, or one outside of it.
  struct Place {
    std::uint32_t image, depth, group, lane;
    std::int64_t row, col;  // of the point
  };
  Place place(std::uint32_t row, std::uint32_t col) const;  // row < rows(), col < cols()
  bool is_inside(const Place& place) const;
  // The number of its element in the map's tile; inside places only.
  std::uint64_t number(const Place& place) const;
  bool operator==(const MapWindows&) const = default;

 private:
  static std::uint32_t places(std::uint64_t size, std::uint32_t before, std::uint32_t behind, std::uint32_t filter,
                              std::uint32_t dilation, std::uint32_t stride) {
    const std::uint64_t all = size + before + behind, reach = std::uint64_t{dilation} * (filter - 1) + 1;
    return filter == 0 || stride == 0 || all < reach ? 0 : static_cast<std::uint32_t>((all - reach) / stride + 1);
  }
};

// Of a tile nc1hwc0 or ndc1hwc0: a filter of one point that goes over all of it. Nothing: a tile of another layout.
std::optional<MapWindows> whole_map(const TileType& type);

}  // namespace ts
