// TIMG2COL: dst[r][c] is what a filter sees of a map. With m = pos_m + r counted as image, depth, place of the filter down,
// place across, and k = pos_k + c as group of channels, row of the filter, column of the filter, lane:
//   y = down * stride_h - pad_top + row * dilation_h,  x = across * stride_w - pad_left + column * dilation_w
// dst[r][c] = map[image][depth][group][y][x][lane], or pad_value where y or x is outside of the map, or the channel is one of
// those behind channel_size. Columns up to the end of the last group of lanes are written. The automatic modes leave sizes and
// padding in the registers; the manual ones take them from there.
// SETFMATRIX, SET_IMG2COL_RPT, SET_IMG2COL_PADDING: those registers.
#include "core/isa/special_registers.h"
#include "tests/oracle/work.h"

namespace ts::oracle {
namespace {

std::uint64_t said(const Bound& bound, const char* name, std::uint64_t otherwise = 0) {
  const std::uint64_t bits = bound.has(name) ? bound.scalar(name).bits & 0xFFFFFFFF : 0;
  return bits == 0 ? otherwise : bits;
}

// Of the tile: the dimensions behind images and depth are the last four.
std::uint32_t dimension(const TileType& map, int from_behind) {
  const std::size_t rank = map.conv == ConvLayout::NC1HWC0 ? 5 : 6;
  return map.conv_dims[rank - static_cast<std::size_t>(from_behind)];
}

std::uint64_t sizes_word(const Bound& bound) {
  const TileType& map = bound.tile("src").type;
  return said(bound, "fmap_w", dimension(map, 2)) + (said(bound, "fmap_h", dimension(map, 3)) << 16) +
         (said(bound, "pad_left") << 32) + (said(bound, "pad_right") << 40) + (said(bound, "pad_top") << 48) +
         (said(bound, "pad_bottom") << 56);
}
std::uint64_t padding_word(const Bound& bound) {
  const std::uint64_t value = said(bound, "pad_value");
  switch (size_bytes(bound.tile("src").type.dtype)) {
    case 1: return (value & 0xFF) * 0x101;
    case 2: return value & 0xFFFF;
    default: return value;
  }
}
ByteRange sizes_place(const Bound& bound) {
  return {Space::Spr, bound.attribute("fmatrixMode") % 2 == 0 ? kFmatrix : kFmatrixB, 8};
}
constexpr ByteRange kRepeatPlace{Space::Spr, kImg2colRepeat, 8}, kPaddingPlace{Space::Spr, kImg2colPadding, 8};

Effects timg2col(const Bound& bound, const Before& before) {
  const TileRef &dst = bound.tile("dst"), &src = bound.tile("src");
  Effects effects;
  const bool manual = bound.attribute("fmatrixMode") > 1;
  const std::uint64_t sizes = manual ? before.read(sizes_place(bound)) : sizes_word(bound);
  const std::uint64_t padding = manual ? before.read(kPaddingPlace) : padding_word(bound);
  if (!manual) effects.registers = {{sizes_place(bound), sizes}, {kRepeatPlace, 1u << 16}, {kPaddingPlace, padding}};
  const auto wide = static_cast<std::int64_t>(sizes & 0xFFFF), high = static_cast<std::int64_t>(sizes >> 16 & 0xFFFF);
  const std::int64_t left = sizes >> 32 & 0xFF, right = sizes >> 40 & 0xFF, top = sizes >> 48 & 0xFF,
                     bottom = sizes >> 56 & 0xFF;
  const auto number = [&](const char* name) { return static_cast<std::int64_t>(said(bound, name, 1)); };
  const std::int64_t across =
      (wide + left + right - number("dilation_w") * (number("filter_w") - 1) - 1) / number("stride_w") + 1;
  const std::int64_t down =
      (high + top + bottom - number("dilation_h") * (number("filter_h") - 1) - 1) / number("stride_h") + 1;
  const std::int64_t lanes = dimension(src.type, 1), groups = dimension(src.type, 4),
                     depths = src.type.conv == ConvLayout::NC1HWC0 ? 1 : src.type.conv_dims[1];
  const std::int64_t pos_m = bound.has("pos_m") ? static_cast<std::int64_t>(bound.scalar("pos_m").bits) : 0,
                     pos_k = bound.has("pos_k") ? static_cast<std::int64_t>(bound.scalar("pos_k").bits) : 0;
  const auto channels =
      static_cast<std::int64_t>(said(bound, "channel_size", static_cast<std::uint64_t>(groups * lanes)));
  std::int64_t last = pos_k + dst.valid_cols;
  while (dst.valid_cols != 0 && last % lanes != 0 && last - pos_k < dst.type.cols) ++last;
  for (std::uint32_t r = 0; r < dst.valid_rows; ++r)
    for (std::int64_t k = pos_k; k < last; ++k) {
      const std::int64_t m = pos_m + r, x0 = m % across, y0 = m / across % down, plane = m / across / down;
      const std::int64_t lane = k % lanes, fx = k / lanes % number("filter_w"),
                         fy = k / lanes / number("filter_w") % number("filter_h"),
                         group = k / lanes / number("filter_w") / number("filter_h");
      const std::int64_t y = y0 * number("stride_h") - top + fy * number("dilation_h"),
                         x = x0 * number("stride_w") - left + fx * number("dilation_w");
      const auto col = static_cast<std::uint32_t>(k - pos_k);
      if (y < 0 || x < 0 || y >= high || x >= wide || group * lanes + lane >= channels) {
        const std::uint64_t mask =
            size_bytes(dst.type.dtype) == 4 ? 0xFFFFFFFF : (1u << 8 * size_bytes(dst.type.dtype)) - 1;
        effects.written.push_back({.place = element_place(dst, r, col),
                                   .bits = padding & mask,
                                   .operand = "dst",
                                   .row = r,
                                   .col = col,
                                   .from = {}});
        continue;
      }
      const std::int64_t image = plane / depths, depth = plane % depths;
      const auto element = static_cast<std::uint32_t>(
          ((((image * depths + depth) * groups + group) * high + y) * wide + x) * lanes + lane);
      effects.written.push_back(copied(before, "dst", dst, r, col,
                                       element_origin("src", src, element / static_cast<std::uint32_t>(lanes),
                                                      element % static_cast<std::uint32_t>(lanes))));
    }
  return effects;
}

Effects setfmatrix(const Bound& bound, const Before&) {
  Effects effects;
  effects.registers = {{sizes_place(bound), sizes_word(bound)}};
  return effects;
}
Effects set_img2col_rpt(const Bound& bound, const Before&) {
  Effects effects;
  effects.registers = {{kRepeatPlace, said(bound, "repeat_stride") + (said(bound, "repeat_time", 1) << 16) +
                                          (said(bound, "repeat_mode") << 24)}};
  return effects;
}
Effects set_img2col_padding(const Bound& bound, const Before&) {
  Effects effects;
  effects.registers = {{kPaddingPlace, padding_word(bound)}};
  return effects;
}

const Oracles convolution_oracles{{"timg2col", timg2col},
                                  {"setfmatrix", setfmatrix},
                                  {"set_img2col_rpt", set_img2col_rpt},
                                  {"set_img2col_padding", set_img2col_padding}};

}  // namespace
}  // namespace ts::oracle
