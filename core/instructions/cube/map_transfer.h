// Maps and filters on their way between global memory and tiles of the convolution unit. The same layout on both sides:
// dimension by dimension. On A5 the DMA also makes groups of channels of channels.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/catalogue/rules.h"
#include "core/tile/operands.h"

namespace ts {

// Runs of bytes that are evenly spaced on both sides.
struct MapBurst {
  std::uint32_t n, len;  // runs, bytes of each
  std::uint64_t gm;
  std::uint32_t on_chip;
  std::uint64_t gm_stride;  // bytes from run to run
  std::uint32_t on_chip_stride;
};

// Lines of channels that are cut into groups of a block each: what stands at gm + line * line_stride + channel *
// channel_stride goes to on_chip + channel / lanes * group_stride + line * BLK, and lanes behind the last channel are zero.
struct MapLines {
  std::uint64_t gm;
  std::uint32_t on_chip, group_stride;
  std::uint64_t line_stride, channel_stride;
  std::uint32_t lines, channels;
};

inline bool is_same_map(const TileType& tile, GlobalLayout layout) {
  switch (tile.conv) {
    case ConvLayout::NC1HWC0: return layout == GlobalLayout::NC1HWC0;
    case ConvLayout::NDC1HWC0: return layout == GlobalLayout::NDC1HWC0;
    case ConvLayout::FractalZ: return layout == GlobalLayout::FractalZ;
    case ConvLayout::FractalZ3D: return layout == GlobalLayout::FractalZ3D;
    case ConvLayout::None: break;
  }
  return false;
}

// A map with the same layout: size and distance in global memory of each dimension of the tile, the innermost last.
struct MapBox {
  std::size_t rank = 0;
  std::array<std::uint64_t, 6> size{}, seen{}, stride{};
  bool is_whole() const { return size == seen; }
};
inline MapBox map_box(const TileType& tile, const GlobalRef& view) {
  MapBox box{.rank = conv_rank(tile)};
  // Of six dimensions the view has the outer five.
  const std::size_t skipped = box.rank > view.shape.size() ? 0 : view.shape.size() - box.rank;
  for (std::size_t i = 0; i < box.rank; ++i) {
    box.size[i] = tile.conv_dims[i];
    const bool in_view = skipped + i < view.shape.size();
    box.seen[i] = in_view ? view.shape[skipped + i] : tile.conv_dims[i];
    box.stride[i] = in_view ? view.stride[skipped + i] : 1;
  }
  return box;
}

template <class F>
void for_map_bursts(const TileRef& tile, const GlobalRef& view, F f) {
  constexpr std::uint32_t kMostBursts = 4095;
  const MapBox box = map_box(tile.type, view);
  const std::uint64_t size = tile.elem_bytes();
  // What stands together on both sides is one run; the dimension around it is the runs of a burst.
  std::uint64_t run = box.size[box.rank - 1];
  std::size_t around = box.rank - 1;
  while (around > 0 && box.stride[around - 1] == run) run *= box.size[--around];
  const std::uint64_t runs = around == 0 ? 1 : box.size[around - 1], apart = around == 0 ? run : box.stride[around - 1];
  std::uint64_t bursts = 1;
  for (std::size_t i = 0; i + 1 < around; ++i) bursts *= box.size[i];
  for (std::uint64_t burst = 0; burst < bursts; ++burst) {
    std::uint64_t left = burst, at = 0;
    for (std::size_t i = around < 2 ? 0 : around - 1; i-- > 0;) {
      at += left % box.size[i] * box.stride[i];
      left /= box.size[i];
    }
    for (std::uint64_t first = 0; first < runs; first += kMostBursts) {
      const auto n = static_cast<std::uint32_t>(std::min<std::uint64_t>(kMostBursts, runs - first));
      f(MapBurst{n, static_cast<std::uint32_t>(run * size), view.address + (at + first * apart) * size,
                 tile.address + static_cast<std::uint32_t>((burst * runs + first) * run * size), apart * size,
                 static_cast<std::uint32_t>(run * size)});
    }
  }
}

// A view of channels: how many images, and so on, it has, and how far they are from each other.
struct ChannelView {
  struct Dimension {
    std::uint64_t size = 1, stride = 0;
  };
  Dimension image, channel, depth, row, col;
};
inline ChannelView channel_view(const GlobalRef& view) {
  const auto dimension = [&](std::size_t i) { return ChannelView::Dimension{view.shape[i], view.stride[i]}; };
  switch (view.layout) {
    case GlobalLayout::NHWC: return {dimension(1), dimension(4), {}, dimension(2), dimension(3)};
    case GlobalLayout::NCHW: return {dimension(1), dimension(2), {}, dimension(3), dimension(4)};
    default: return {dimension(0), dimension(1), dimension(2), dimension(3), dimension(4)};  // NCDHW
  }
}

// Whether A5 makes groups of channels for this tile of that view.
inline bool groups_channels(const TileType& tile, GlobalLayout layout) {
  using enum GlobalLayout;
  switch (tile.conv) {
    case ConvLayout::NC1HWC0: return layout == NHWC || layout == NCHW;
    case ConvLayout::FractalZ: return layout == NCHW;
    case ConvLayout::NDC1HWC0:
    case ConvLayout::FractalZ3D: return layout == NCDHW;
    case ConvLayout::None: break;
  }
  return false;
}
inline bool is_filter(const TileType& tile) {
  return tile.conv == ConvLayout::FractalZ || tile.conv == ConvLayout::FractalZ3D;
}
// Filters that stand beside each other for each of their places and channels.
inline std::uint64_t filters_in(const TileType& tile) {
  const std::size_t rank = conv_rank(tile);
  return rank == 5 ? tile.conv_dims[3] : std::uint64_t{tile.conv_dims[1]} * tile.conv_dims[2];
}

// f(MapLines). Of a filter the order of dimensions is depth, group, row, column, filter, lane (that depth is the outermost
// one is unverified).
template <class F>
void for_map_lines(const TileRef& tile, const GlobalRef& view, F f) {
  const ChannelView its = channel_view(view);
  const std::uint64_t size = tile.elem_bytes(), lanes = BLK / size, groups = (its.channel.size + lanes - 1) / lanes;
  const bool filter = is_filter(tile.type);
  const std::uint64_t line = filter ? filters_in(tile.type) : 1;
  const auto emit = [&](std::uint64_t from, std::uint64_t block, const ChannelView::Dimension& lines) {
    f(MapLines{view.address + from * size, tile.address + static_cast<std::uint32_t>(block * BLK),
               static_cast<std::uint32_t>(its.row.size * its.col.size * line * BLK), lines.stride * size,
               its.channel.stride * size, static_cast<std::uint32_t>(lines.size),
               static_cast<std::uint32_t>(its.channel.size)});
  };
  const std::uint64_t outer = filter ? 1 : its.image.size;
  for (std::uint64_t image = 0; image < outer; ++image)
    for (std::uint64_t depth = 0; depth < its.depth.size; ++depth)
      for (std::uint64_t row = 0; row < its.row.size; ++row) {
        const std::uint64_t from = image * its.image.stride + depth * its.depth.stride + row * its.row.stride,
                            block = ((image * its.depth.size + depth) * groups * its.row.size + row) * its.col.size;
        if (!filter) emit(from, block, its.col);
        for (std::uint64_t col = 0; filter && col < its.col.size; ++col)
          emit(from + col * its.col.stride, (block + col) * line, its.image);
      }
}

// Whether view and tile go together. False: told, by the ids of layout, shape and bounds.
bool check_map_transfer(RuleCheck& check, const char* layout_rule, const char* shape_rule, const char* bounds_rule);

}  // namespace ts
