// What moves: its element types, and which way of moving data fits a view of global memory and a tile.
#pragma once

#include <algorithm>

#include "core/catalogue/row.h"

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
};

inline TransferKind transfer_kind(const TileType& tile, const GlobalRef& view) {
  const bool nd = view.layout == GlobalLayout::ND, dn = view.layout == GlobalLayout::DN;
  if (tile.conv != ConvLayout::None) return TransferKind::None;
  if ((nd && tile.row_major()) || (dn && tile.col_major())) return TransferKind::Lines;
  const bool nz = tile.slayout == InnerOrder::RowMajor && tile.blayout == BoxOrder::ColMajor;
  const bool zn = tile.slayout == InnerOrder::ColMajor && tile.blayout == BoxOrder::RowMajor;
  if (tile.fractal != 512) return TransferKind::None;
  if (nz && view.layout == GlobalLayout::NZ) return TransferKind::Groups;
  if (nz) return nd ? TransferKind::NdToNz : TransferKind::DnToNz;
  return zn && dn ? TransferKind::DnToZn : TransferKind::None;
}

// A row or a column has the same bytes either way: it may go to a view of the other layout.
inline bool is_vector(const TileType& tile) { return !tile.boxed() && (tile.rows == 1 || tile.cols == 1); }
inline TileType laid_out_as(TileType tile, GlobalLayout layout) {
  tile.blayout = layout == GlobalLayout::ND ? BoxOrder::RowMajor : BoxOrder::ColMajor;
  return tile;
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

}  // namespace ts
