// The static type of a tile: shape, layout, padding; and where its elements stand in its bytes.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/isa/diagnostic.h"
#include "core/isa/dtype.h"
#include "core/isa/target.h"

namespace ts {

// Register: a vector register, a mask (as the bytes of its bits) or the state of a stream, which programs name like tiles.
enum class TileLoc : std::uint8_t { Vec, Mat, Left, Right, Acc, Bias, Scaling, Register };
enum class BoxOrder : std::uint8_t { RowMajor, ColMajor };          // blayout
enum class InnerOrder : std::uint8_t { None, RowMajor, ColMajor };  // slayout
enum class PadKind : std::uint8_t { Null, Zero, Max, Min, Custom };

// The shape of a tile of the convolution unit. Its bytes are row-major over all dimensions; to everything but the
// convolution itself it is a matrix of the last dimension's width.
enum class ConvLayout : std::uint8_t { None, NC1HWC0, FractalZ, NDC1HWC0, FractalZ3D };
inline constexpr ConvLayout kConvLayouts[] = {ConvLayout::NC1HWC0, ConvLayout::FractalZ, ConvLayout::NDC1HWC0,
                                              ConvLayout::FractalZ3D};

const char* name(TileLoc loc);
const char* name(ConvLayout layout);

inline constexpr std::int32_t kDynamic = -1;

struct TileType {
  TileLoc loc = TileLoc::Vec;
  DType dtype = DType::F32;
  std::uint32_t rows = 1, cols = 1;
  std::int32_t valid_rows = kDynamic, valid_cols = kDynamic;  // static sizes, or kDynamic: known when it runs
  BoxOrder blayout = BoxOrder::RowMajor;
  InnerOrder slayout = InnerOrder::None;
  std::uint32_t fractal = 512;
  PadKind pad = PadKind::Null;
  std::uint32_t custom_pad = 0;
  bool finite_pad = false;  // max and min of floats are the largest finite numbers, not infinities
  // Elements from line to line, or from strip to strip of boxes, where that is more than one has; 0: they stand side by
  // side.
  std::uint32_t pitch = 0;
  ConvLayout conv = ConvLayout::None;
  std::array<std::uint32_t, 6> conv_dims{};  // 0: no such dimension

  bool operator==(const TileType&) const = default;

  // The static valid sizes, or the whole tile's where only running tells.
  std::uint32_t widest_rows() const { return valid_rows == kDynamic ? rows : static_cast<std::uint32_t>(valid_rows); }
  std::uint32_t widest_cols() const { return valid_cols == kDynamic ? cols : static_cast<std::uint32_t>(valid_cols); }
  // From the first byte to the last; a part of a tile has other bytes between its lines.
  std::uint64_t size_bytes() const;
  // Of a tile without boxes: elements from row to row, or from column to column.
  std::uint32_t line_pitch() const { return pitch != 0 ? pitch : blayout == BoxOrder::RowMajor ? cols : rows; }
  bool row_major() const { return blayout == BoxOrder::RowMajor && slayout == InnerOrder::None; }
  bool col_major() const { return blayout == BoxOrder::ColMajor && slayout == InnerOrder::None; }
  bool boxed() const { return slayout != InnerOrder::None; }
  // Whether boxes say where its elements stand. Those of one row do so side by side, also where its type has boxes.
  bool in_boxes() const { return boxed() && (rows != 1 || pitch != 0); }
  // Of a tile in boxes: elements from one row of boxes to the next, or, col_major, from column to column.
  std::uint32_t strip_pitch() const;
  // Exponents that products share, in boxes of 32 bytes: of left operands with rows inside, of right ones with columns.
  bool in_scale_boxes() const { return boxed() && fractal == 32; }
  Space space() const;
  std::string layout_name() const;  // row_major, col_major, nz, zn, zz, nn
  std::string describe() const;     // "vec 16x128 f32 row_major, valid 16x?"
  std::uint64_t pad_bits() const;   // the bits of one padding element
};

// Rows and columns of one box; 1x1 where the tile has none.
struct Box {
  std::uint32_t rows, cols;
};
Box box_of(const TileType& type);

// A row-major Vec tile type, the usual case.
TileType vec_tile(DType dtype, std::uint32_t rows, std::uint32_t cols);
TileType vec_tile(DType dtype, std::uint32_t rows, std::uint32_t cols, std::int32_t valid_rows,
                  std::int32_t valid_cols);
// A Mat tile of the convolution unit; its last dimension, of at most six, is the innermost.
TileType conv_tile(DType dtype, ConvLayout layout, std::span<const std::uint32_t> dims);
TileType conv_tile(DType dtype, ConvLayout layout, std::initializer_list<std::uint32_t> dims);
std::size_t conv_rank(const TileType& type);

// Whether elements that stand beside each other in memory are those of a row, and not of a column.
bool rows_run_on(const TileType& type);
// A tile of packed elements as the bytes that they stand in: half as wide, or half as high, where columns run on. What is
// no packed tile is what it was.
TileType in_bytes(TileType type);

// The type of a part, rows x cols, of a tile: its lines or strips of boxes are as far apart as those of the whole.
TileType part_of(const TileType& whole, std::uint32_t rows, std::uint32_t cols);
// Whether a part that begins at this element has its boxes at one distance. Strips of rows (or of columns) of their boxes go
// on without a gap, so that these may begin with any.
bool may_begin_at(const TileType& whole, std::int64_t row, std::int64_t col);

// Index of element (row, col) in storage order, and back; row < rows, col < cols.
std::uint64_t element_index(const TileType& type, std::uint32_t row, std::uint32_t col);
std::pair<std::uint32_t, std::uint32_t> element_at(const TileType& type, std::uint64_t index);

// The rules every tile type obeys whatever instruction uses it.
void check_tile_type(const TileType& type, const std::string& operand, SourcePos pos, Diagnostics& out);

}  // namespace ts
