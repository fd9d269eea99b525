// What may be loaded into tiles of the convolution unit.
#include "core/instructions/cube/map_transfer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ts {
namespace {

std::string sizes_text(std::span<const std::uint64_t> sizes) { return fmt::format("{}", fmt::join(sizes, "x")); }

// What the tile's dimensions are to be, for all of a view of channels.
std::vector<std::uint64_t> wanted_sizes(const TileType& tile, const ChannelView& its, std::uint64_t lanes) {
  const std::uint64_t groups = (its.channel.size + lanes - 1) / lanes, filters = (its.image.size + 15) / 16;
  switch (tile.conv) {
    case ConvLayout::NC1HWC0: return {its.image.size, groups, its.row.size, its.col.size, lanes};
    case ConvLayout::NDC1HWC0: return {its.image.size, its.depth.size, groups, its.row.size, its.col.size, lanes};
    case ConvLayout::FractalZ:
      if (conv_rank(tile) == 5) return {groups, its.row.size, its.col.size, filters * 16, lanes};
      return {groups * its.row.size * its.col.size, filters, 16, lanes};
    default: return {its.depth.size * groups * its.row.size * its.col.size, filters, 16, lanes};
  }
}

// The last byte that is read, counted from the view's first.
std::uint64_t last_element(const MapBox& box) {
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < box.rank; ++i) last += (box.size[i] - 1) * box.stride[i];
  return last;
}
std::uint64_t last_element(const ChannelView& its) {
  std::uint64_t last = 0;
  for (const auto& one : {its.image, its.channel, its.depth, its.row, its.col})
    last += (std::max<std::uint64_t>(one.size, 1) - 1) * one.stride;
  return last;
}

bool check_layouts_of_map(RuleCheck& check, const char* rule) {
  const TileRef& tile = check.tile("dst");
  const GlobalRef& view = check.bound().global("src");
  const bool a5 = check.target() == Target::A5;
  // A5 has the same layout on both sides for maps and filters of two dimensions alone.
  const bool three = tile.type.conv == ConvLayout::NDC1HWC0 || tile.type.conv == ConvLayout::FractalZ3D;
  const bool same = is_same_map(tile.type, view.layout);
  const bool fits = same ? !(a5 && three) : a5 && groups_channels(tile.type, view.layout);
  if (!fits) {
    check.error(
        rule, "dst",
        fmt::format("{} view and {} tile do not go together on {}", name(view.layout), tile.type.layout_name(),
                    name(check.target())),
        a5 ? "nc1hwc0 takes nc1hwc0, nhwc and nchw; fractal_z takes fractal_z and nchw; ndc1hwc0 and fractal_z_3d "
             "take ncdhw"
           : "view and tile have the same layout");
    return false;
  }
  if (!a5 && tile.elem_bytes() == 8) {
    check.error(rule, "dst", fmt::format("a2a3 loads no maps of {}", name(tile.type.dtype)),
                "elements of 64 bits are loaded into rows and columns alone");
    return false;
  }
  if (is_packed(tile.type.dtype) || tile.elem_bytes() == 8) {
    check.error("E-EMULATE", "dst", fmt::format("maps of {} are not emulated yet", name(tile.type.dtype)),
                "elements of 8, 16 and 32 bits are");
    return false;
  }
  const std::uint32_t lanes = BLK / tile.elem_bytes();
  if (tile.type.cols == lanes) return true;
  check.error(rule, "dst",
              fmt::format("the last dimension of {} has {} elements", tile.type.describe(), tile.type.cols),
              fmt::format("{} of {} fill a block of 32 bytes", lanes, name(tile.type.dtype)));
  return false;
}

}  // namespace

bool check_map_transfer(RuleCheck& check, const char* layout_rule, const char* shape_rule, const char* bounds_rule) {
  if (!check_layouts_of_map(check, layout_rule)) return false;
  const TileRef& tile = check.tile("dst");
  const GlobalRef& view = check.bound().global("src");
  std::uint64_t last = 0;
  if (is_same_map(tile.type, view.layout)) {
    const MapBox box = map_box(tile.type, view);
    bool fits = true;
    for (std::size_t i = 0; i < box.rank; ++i) fits = fits && box.seen[i] >= box.size[i];
    if (!fits) {
      check.error(shape_rule, "src",
                  fmt::format("src is {}, dst {}", sizes_text({box.seen.data(), box.rank}),
                              sizes_text({box.size.data(), box.rank})),
                  "each dimension of the view is at least as large as that of the tile");
      return false;
    }
    if (box.stride[box.rank - 1] != 1) {
      check.error(layout_rule, "src",
                  fmt::format("elements of the last dimension are {} apart", box.stride[box.rank - 1]),
                  "the DMA takes them as neighbours");
      return false;
    }
    last = last_element(box);
  } else {
    const ChannelView its = channel_view(view);
    const std::vector<std::uint64_t> wanted = wanted_sizes(tile.type, its, BLK / tile.elem_bytes());
    const bool nested = (view.layout == GlobalLayout::NHWC || view.layout == GlobalLayout::NCHW) && view.shape[0] != 1;
    const bool fits =
        wanted.size() == conv_rank(tile.type) && std::equal(wanted.begin(), wanted.end(), tile.type.conv_dims.begin());
    if (!fits || nested) {
      check.error(shape_rule, "dst",
                  fmt::format("dst is {}; what the view has becomes {}", tile.type.describe(), sizes_text(wanted)),
                  nested ? "a view of four dimensions has 1 in front" : "declare the tile so");
      return false;
    }
    last = last_element(its);
  }
  const std::uint64_t end = view.address + (last + 1) * tile.elem_bytes();
  if (end <= view.buffer_end && view.address >= view.buffer_begin) return true;
  check.error(bounds_rule, "src",
              fmt::format("src reaches byte {} of a buffer of {}", end - view.buffer_begin,
                          view.buffer_end - view.buffer_begin),
              "check the offsets and strides of the view");
  return false;
}

}  // namespace ts
