// What an instruction works on when it runs: tiles at their addresses, views of global memory, scalars.
#pragma once

#include <array>
#include <cstdint>

#include "core/isa/dtype.h"
#include "core/memory/memory.h"
#include "core/tile/tile_type.h"

namespace ts {

// An address in UB; typed, so that a lowering cannot mix it up with a count or an element offset.
struct Ub {
  std::uint32_t address = 0;
};
struct Gm {
  std::uint32_t address = 0;
};

// A tile where it stands: its type, its address in the memory of its location, and its valid shape at this moment.
struct TileRef {
  TileType type;
  std::uint32_t address = 0;
  std::uint32_t valid_rows = 0, valid_cols = 0;
  CoreId core = 0;  // whose memory it stands in

  Space space() const { return type.space(); }
  std::uint32_t rows() const { return type.rows; }
  std::uint32_t cols() const { return type.cols; }
  // Of the bytes that hold one element: see size_bytes.
  std::uint32_t elem_bytes() const { return size_bytes(type.dtype); }
  // Elements from one row to the next; only meaningful for row-major tiles.
  std::uint32_t row_stride() const { return type.line_pitch(); }
  std::uint32_t pitch_bytes() const { return static_cast<std::uint32_t>(bytes_for(type.dtype, type.line_pitch())); }
  // From one strip of boxes to the next.
  std::uint32_t strip_bytes() const { return static_cast<std::uint32_t>(bytes_for(type.dtype, type.strip_pitch())); }
  Ub ub() const { return {address}; }
  // Byte address of an element, or of the byte that it is half of.
  std::uint32_t at(std::uint32_t row, std::uint32_t col) const { return place_of(row, col).address; }
  ByteRange place_of(std::uint32_t row, std::uint32_t col) const {
    ByteRange place = element_place(space(), address, type.dtype, element_index(type, row, col));
    place.core = core;
    return place;
  }
  // Of a tile of packed bits: the byte with the bit of a lane, which is bit col % 8 of it.
  std::uint32_t mask_byte_at(std::uint32_t row, std::uint32_t col) const {
    return address + row * pitch_bytes() + col / 8;
  }
  ByteRange range() const {
    return {space(), address, static_cast<std::uint32_t>(type.size_bytes()), BytePart::Whole, core};
  }
  bool operator==(const TileRef&) const = default;
};
// See in_bytes of types.
TileRef in_bytes(TileRef tile);

// Those of maps and filters, from NHWC on, name their dimensions, behind dimensions of one where they have less than five.
// Of NDC1HWC0 the elements of C0 stand beside each other behind the fifth one (unverified).
enum class GlobalLayout : std::uint8_t { ND, DN, NZ, NHWC, NCHW, NCDHW, NC1HWC0, NDC1HWC0, FractalZ, FractalZ3D };
inline constexpr GlobalLayout kGlobalLayouts[] = {
    GlobalLayout::ND,       GlobalLayout::DN,        GlobalLayout::NZ,      GlobalLayout::NHWC,
    GlobalLayout::NCHW,     GlobalLayout::NCDHW,     GlobalLayout::NC1HWC0, GlobalLayout::NDC1HWC0,
    GlobalLayout::FractalZ, GlobalLayout::FractalZ3D};
const char* name(GlobalLayout layout);
inline bool is_map(GlobalLayout layout) { return layout >= GlobalLayout::NHWC; }

// A view of global memory: five dimensions, strides in elements, inside one buffer.
struct GlobalRef {
  DType dtype = DType::F32;
  GlobalLayout layout = GlobalLayout::ND;
  std::uint32_t address = 0;  // of element [0,0,0,0,0]
  std::array<std::uint32_t, 5> shape{1, 1, 1, 1, 1};
  std::array<std::uint32_t, 5> stride{1, 1, 1, 1, 1};
  std::uint32_t buffer_begin = 0, buffer_end = 0;  // the buffer's bytes in gm

  // The matrix this view is to a tile. Of a map: a row for each of its points, a column for each channel.
  std::uint32_t rows() const;
  std::uint32_t cols() const;
  // Columns that stand beside each other in the innermost dimension of a map of groups of channels; else 1.
  std::uint32_t group() const;
  // Where the matrix element (row, col) stands: its number from the view's first element on, and its byte address, or
  // that of the byte which it is half of.
  std::uint64_t number_of(std::uint32_t row, std::uint32_t col) const;
  std::uint64_t at(std::uint32_t row, std::uint32_t col) const {
    return address + number_of(row, col) * size_bits(dtype) / 8;
  }
  bool operator==(const GlobalRef&) const = default;
};
// The dimension whose elements stand beside each other: columns of ND and NZ views, rows of DN ones.
std::size_t inner_dimension(const GlobalRef& view);
// A view of packed elements as one of the bytes that they stand in; every line of it begins with a byte.
GlobalRef in_bytes(GlobalRef view);

struct Scalar {
  DType dtype = DType::F32;
  std::uint64_t bits = 0;
  bool operator==(const Scalar&) const = default;
};
Scalar scalar_of(DType dtype, double value);

}  // namespace ts
