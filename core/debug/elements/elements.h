// Elements copied out of a memory or a file, row by row: what is counted, compared and shown.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "core/data/npy.h"
#include "core/isa/element.h"
#include "core/isa/refusal.h"
#include "core/memory/memory.h"
#include "core/program/program.h"
#include "core/tile/operands.h"

namespace ts {

enum class Region : std::uint8_t { Valid, All };

struct Elements {
  const ElementFormat* format = &element_format(DType::F32);
  std::uint32_t rows = 0, cols = 0, valid_rows = 0, valid_cols = 0;
  std::vector<std::uint64_t> bits = {};
  std::vector<Definedness> worth = {};  // empty: all written

  std::size_t index(std::uint32_t row, std::uint32_t col) const { return std::size_t{row} * cols + col; }
  std::uint64_t at(std::uint32_t row, std::uint32_t col) const { return bits[index(row, col)]; }
  Definedness worth_at(std::uint32_t row, std::uint32_t col) const {
    return worth.empty() ? Definedness::Written : worth[index(row, col)];
  }
  std::uint32_t rows_of(Region region) const { return region == Region::Valid ? valid_rows : rows; }
  std::uint32_t cols_of(Region region) const { return region == Region::Valid ? valid_cols : cols; }
};

// Bytes copied out of a memory, and what each of them is worth.
struct CopiedBytes {
  explicit CopiedBytes(ByteRange from) : place(from), bytes(from.size), worth(from.size) {}
  ByteRange place;
  std::vector<std::byte> bytes;
  std::vector<Definedness> worth;
};
CopiedBytes copy_of(const Memory& memory, ByteRange place);

// From the first byte of a tile's elements to the last.
ByteRange extent_of(const TileRef& tile);
// `bytes` are those of the tile's extent.
// How the elements of a tile are written.
const ElementFormat& format_of(const TileType& type);
Elements elements_of(const CopiedBytes& bytes, const TileRef& tile);
Elements elements_of(const Memory& memory, const TileRef& tile);
// Of a whole buffer: rows of the last dimension of its first view, or one row.
Elements elements_of(const Memory& memory, const BufferDecl& buffer);
// Rows of a buffer, `pitch` elements apart, after the first `before` elements.
Elements elements_of(const CopiedBytes& bytes, DType dtype, std::uint32_t rows, std::uint32_t cols, std::uint32_t pitch,
                     std::uint32_t before = 0);
// Rows of the last dimension. Refused where the type is none of ours, or the array is too large.
std::variant<Elements, Refusal> elements_of(const data::Array& array);
// The same, where NumPy does not say which type it is, and this is the one that is meant.
std::variant<Elements, Refusal> elements_of(const data::Array& array, DType type);

// Rows and columns of a buffer, as above.
struct BufferShape {
  std::uint32_t rows, cols;
};
BufferShape shape_of(const BufferDecl& buffer);

}  // namespace ts
