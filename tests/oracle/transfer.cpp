// TLOAD and TSTORE between a view of global memory and a row-major (nd) or col-major (dn) vec tile.
//   TLOAD:  dst[r][c] = view[r][c] over dst's valid region. Without padding, the bytes from the end of each line's data
//           to the next multiple of 32 are promised by nobody. With padding, A2A3 puts the pad value there; A5 puts it up
//           to the tile's line end (option tload.pad = block: as A2A3). Nothing else changes.
//   TSTORE: view[r][c] = src[r][c] over src's valid region. Nothing else changes.
#include "tests/oracle/effects.h"

namespace ts::oracle {
namespace {

ByteRange view_place(const GlobalRef& view, std::uint32_t row, std::uint32_t col) {
  // A "line" is what is contiguous: a row (nd) or a column (dn). Lines are counted over the outer three dimensions too.
  const bool rows = view.layout == GlobalLayout::ND;
  const std::uint32_t inner = rows ? view.shape[3] : view.shape[4];
  const std::uint32_t line = rows ? row : col, along = rows ? col : row;
  const std::uint32_t m = line % inner, k = line / inner % view.shape[2], j = line / inner / view.shape[2] % view.shape[1],
                      i = line / inner / view.shape[2] / view.shape[1];
  const std::uint32_t element =
      i * view.stride[0] + j * view.stride[1] + k * view.stride[2] + m * (rows ? view.stride[3] : view.stride[4]) + along;
  const std::uint32_t size = size_bytes(view.dtype);
  return {Space::Gm, view.address + element * size, size};
}

Origin view_origin(const char* operand, const GlobalRef& view, std::uint32_t row, std::uint32_t col) {
  const ByteRange place = view_place(view, row, col);
  // Elements of views are numbered from the buffer's begin.
  return {Origin::Kind::Element, operand, 0, (place.address - view.buffer_begin) / place.size, place, 0};
}

// The values of the pad kinds, by the table of the tile model.
std::uint64_t pad_value(const TileType& type) {
  const std::uint32_t bits = 8 * size_bytes(type.dtype);
  if (bits == 64 || type.pad == PadKind::Zero) return 0;
  if (type.pad == PadKind::Custom) return bits == 32 ? type.custom_pad : type.custom_pad & ((1u << bits) - 1);
  const bool max = type.pad == PadKind::Max;
  switch (type.dtype) {
    case DType::F32: return max ? 0x7F800000 : 0xFF800000;
    case DType::F16: return max ? 0x7C00 : 0xFC00;
    case DType::BF16: return max ? 0x7F80 : 0xFF80;
    case DType::I32: return max ? 0x7FFFFFFF : 0x80000000;
    case DType::I16: return max ? 0x7FFF : 0x8000;
    case DType::I8: return max ? 0x7F : 0x80;
    case DType::U32: return max ? 0xFFFFFFFF : 0;
    case DType::U16: return max ? 0xFFFF : 0;
    case DType::U8: return max ? 0xFF : 0;
    default: return 0;
  }
}

}  // namespace

Effects tload(const Bound& bound, const Before& before) {
  const TileRef& dst = bound.tile("dst");
  const GlobalRef& src = bound.global("src");
  const bool rows = dst.type.blayout == BoxOrder::RowMajor;
  const std::uint32_t lines = rows ? dst.valid_rows : dst.valid_cols, data = rows ? dst.valid_cols : dst.valid_rows;
  const std::uint32_t whole = rows ? dst.type.cols : dst.type.rows, size = size_bytes(dst.type.dtype);
  Effects effects;
  if (lines == 0 || data == 0) return effects;
  const auto place = [&](std::uint32_t line, std::uint32_t at) { return rows ? element_place(dst, line, at) : element_place(dst, at, line); };
  for (std::uint32_t line = 0; line < lines; ++line) {
    for (std::uint32_t at = 0; at < data; ++at) {
      const std::uint32_t row = rows ? line : at, col = rows ? at : line;
      const Origin from = view_origin("src", src, row, col);
      Element element{.place = place(line, at), .bits = before.read(from.place), .operand = "dst", .row = row, .col = col, .from = {}};
      element.made_of(from);
      effects.written.push_back(element);
    }
    const bool to_line_end = bound.target == Target::A5 && dst.type.pad != PadKind::Null && !bound.options->pad_to_block;
    for (std::uint32_t at = data; at < whole && (to_line_end || at * size % 32 != 0); ++at) {
      if (dst.type.pad == PadKind::Null) {
        effects.unspecified.push_back(place(line, at));
      } else {
        effects.written.push_back({.place = place(line, at), .bits = pad_value(dst.type), .operand = "dst", .row = rows ? line : at, .col = rows ? at : line, .from = {}});
      }
    }
  }
  return effects;
}

Effects tstore(const Bound& bound, const Before& before) {
  const TileRef& src = bound.tile("src");
  const GlobalRef& dst = bound.global("dst");
  Effects effects;
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    for (std::uint32_t col = 0; col < src.valid_cols; ++col) {
      const Origin from = element_origin("src", src, row, col);
      Element element{.place = view_place(dst, row, col), .bits = before.read(from.place), .operand = "dst", .row = row, .col = col, .from = {}};
      element.made_of(from);
      effects.written.push_back(element);
    }
  }
  return effects;
}

}  // namespace ts::oracle
