// What moves: its element types, and which way of moving data fits a view of global memory and a tile.
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "core/catalogue/row.h"
#include "core/catalogue/rules.h"

namespace ts {

// Of what moves elements and computes nothing.
inline DTypeSet every_type(Target target, const Options&) {
  return target == Target::A5 ? kAllTypes | kSmallFloats | kFloats4 : kAllTypes;
}
// Of what gives bytes another name: no page lists types of it.
inline DTypeSet any_bits(Target target, const Options& options) { return every_type(target, options) | kInts4; }

enum class TransferKind : std::uint8_t {
  None,
  Lines,   // rows of both, or columns of both
  Groups,  // boxes on both sides: columns of blocks
  NdToNz,  // rows of elements into boxes
  DnToZn,  // columns of elements into boxes
  DnToNz,  // columns of elements, turned over into boxes
  Scales,  // whole boxes of shared exponents, as they stand in global memory
  Map,     // a map or a filter: see cube/map_transfer.h
};

inline TransferKind transfer_kind(const TileType& tile, const GlobalRef& view) {
  const bool nd = view.layout == GlobalLayout::ND, dn = view.layout == GlobalLayout::DN;
  if (tile.conv != ConvLayout::None && is_map(view.layout)) return TransferKind::Map;
  if (tile.conv != ConvLayout::None || is_map(view.layout)) return TransferKind::None;
  if ((nd && tile.row_major()) || (dn && tile.col_major())) return TransferKind::Lines;
  if (tile.loc == TileLoc::Mat && tile.in_scale_boxes() && nd) return TransferKind::Scales;
  const bool nz = tile.slayout == InnerOrder::RowMajor && tile.blayout == BoxOrder::ColMajor;
  const bool zn = tile.slayout == InnerOrder::ColMajor && tile.blayout == BoxOrder::RowMajor;
  if (tile.fractal != 512) return TransferKind::None;
  if (nz && view.layout == GlobalLayout::NZ) return TransferKind::Groups;
  if (nz) return nd ? TransferKind::NdToNz : TransferKind::DnToNz;
  return zn && dn ? TransferKind::DnToZn : TransferKind::None;
}

// A row or a column has the same bytes either way: it may go to a view of the other layout. Boxes of one row are a row.
inline bool is_vector(const TileType& tile) {
  return tile.boxed() ? !tile.in_boxes() : tile.rows == 1 || tile.cols == 1;
}
inline TileType laid_out_as(TileType tile, GlobalLayout layout) {
  tile.blayout = layout == GlobalLayout::ND ? BoxOrder::RowMajor : BoxOrder::ColMajor;
  tile.slayout = InnerOrder::None;
  return tile;
}
// A row fills a view of as many elements row by row.
inline bool fills_rows(const TileRef& tile, const GlobalRef& view) {
  return tile.rows() == 1 && view.layout == GlobalLayout::ND && view.rows() > 1 && !is_packed(tile.type.dtype) &&
         std::uint64_t{view.rows()} * view.cols() == tile.valid_cols;
}
inline TileRef in_rows_of(TileRef tile, const GlobalRef& view) {
  tile.type.rows = tile.valid_rows = view.rows();
  tile.type.cols = tile.valid_cols = view.cols();
  return tile;
}

// Bytes of the boxes that hold the valid region of a tile of shared exponents; those of one row stand side by side.
inline std::uint32_t bytes_of_scales(const TileRef& tile) {
  const auto whole = [](std::uint32_t count) { return (count + 15) / 16 * 16; };
  if (tile.valid_rows == 0 || tile.valid_cols == 0) return 0;
  if (tile.rows() == 1) return tile.valid_cols;
  if (tile.type.slayout == InnerOrder::RowMajor) return std::min(whole(tile.valid_rows), tile.rows()) * tile.cols();
  return tile.rows() * std::min(whole(tile.valid_cols), tile.cols());
}

// Rows and columns that move: the tile's valid ones; by option, when loading, all lines that the view has and the tile
// holds. An empty region stays empty.
inline Extent transfer_extent(const TileRef& tile, const GlobalRef& view, bool view_rows) {
  Extent extent{tile.valid_rows, tile.valid_cols};
  const TransferKind kind = transfer_kind(tile.type, view);
  if (!view_rows || kind == TransferKind::Groups || extent.rows == 0 || extent.cols == 0) return extent;
  const bool rows = view.layout == GlobalLayout::ND || kind == TransferKind::DnToNz;
  if (rows) extent.rows = std::max(extent.rows, std::min(view.rows(), tile.rows()));
  if (!rows) extent.cols = std::max(extent.cols, std::min(view.cols(), tile.cols()));
  return extent;
}

// A view is no smaller than the valid region of the tile. False: told.
inline bool check_view_size(RuleCheck& check, const char* tile, const char* view, std::string_view rule) {
  const TileRef& held = check.tile(tile);
  const GlobalRef& seen = check.bound().global(view);
  if (seen.rows() >= held.valid_rows && seen.cols() >= held.valid_cols) return true;
  check.error(rule, view,
              fmt::format("{} {}x{} is smaller than {} valid {}x{}", view, seen.rows(), seen.cols(), tile,
                          held.valid_rows, held.valid_cols),
              "make the view at least as large as the valid region");
  return false;
}

// So much of a view lies inside its buffer.
inline void check_inside_buffer(RuleCheck& check, const char* view, Extent moved, std::string_view rule) {
  if (moved.rows == 0 || moved.cols == 0) return;
  const GlobalRef& seen = check.bound().global(view);
  const std::uint64_t end = seen.at(moved.rows - 1, moved.cols - 1) + size_bytes(seen.dtype);
  if (end > seen.buffer_end || seen.address < seen.buffer_begin)
    check.error(rule, view,
                fmt::format("{} reaches byte {} of a buffer of {}", view, end - seen.buffer_begin,
                            seen.buffer_end - seen.buffer_begin),
                "check the offsets and strides of the view");
}

}  // namespace ts
