// TLOAD and TSTORE between a view of global memory and a tile in UB or L1.
//   TLOAD:  dst[r][c] = view[r][c] over dst's valid region; of a view with more rows than are valid (nd; columns: dn), the
//           option tload.rows = view takes as many as the tile holds.
//           Unboxed tiles: without padding, the bytes from the end of each line's data to the next multiple of 32 are
//           promised by nobody. With padding they get the pad value; A5 puts it up to the line's end in UB (option
//           tload.pad = block: as A2A3). Boxed tiles from unboxed views: what is left of a row's (nz) or column's (zn)
//           last 32 bytes is zero. Nothing else changes.
//           Shared exponents (boxes of 32 bytes): whole boxes as they stand behind the view's first element.
//           Tiles of the convolution unit: the element of the same coordinates; channels in groups of 32 bytes, with zeros
//           behind the last.
//           Elements of 4 bits move as the bytes that they share: with an odd one the next one of its line.
//   TSTORE: view[r][c] = src[r][c] over src's valid region, or, by the attribute, view[r][c] + src[r][c]. Nothing else
//           changes.
#include <algorithm>
#include <array>

#include "tests/oracle/effects.h"
#include "tests/oracle/fixpipe.h"
#include "tests/oracle/number.h"
#include "tests/oracle/work.h"

namespace ts::oracle {
namespace {

// Row: the point (image, depth, y, x) of a map, counted in this order; column: the channel.
std::uint32_t map_number(const GlobalRef& view, std::uint32_t row, std::uint32_t channel) {
  const auto& [d0, d1, d2, d3, d4] = view.shape;
  const auto& [t0, t1, t2, t3, t4] = view.stride;
  const std::uint32_t block = elements_a_block(view.dtype);
  switch (view.layout) {
    case GlobalLayout::NHWC:
      return row / d3 / d2 / d1 * t0 + row / d3 / d2 % d1 * t1 + row / d3 % d2 * t2 + row % d3 * t3 + channel * t4;
    case GlobalLayout::NCHW:
      return row / d4 / d3 / d1 * t0 + row / d4 / d3 % d1 * t1 + channel * t2 + row / d4 % d3 * t3 + row % d4 * t4;
    case GlobalLayout::NCDHW:
      return row / d4 / d3 / d2 * t0 + channel * t1 + row / d4 / d3 % d2 * t2 + row / d4 % d3 * t3 + row % d4 * t4;
    case GlobalLayout::NC1HWC0:
      return row / d3 / d2 * t0 + channel / d4 * t1 + row / d3 % d2 * t2 + row % d3 * t3 + channel % d4 * t4;
    default:  // NDC1HWC0
      return row / d4 / d3 / d1 * t0 + row / d4 / d3 % d1 * t1 + channel / block * t2 + row / d4 % d3 * t3 +
             row % d4 * t4 + channel % block;
  }
}

std::uint32_t view_number(const GlobalRef& view, std::uint32_t row, std::uint32_t col) {
  const auto& [d0, d1, d2, d3, d4] = view.shape;
  const auto& [t0, t1, t2, t3, t4] = view.stride;
  std::uint32_t element = 0;
  if (view.layout >= GlobalLayout::NHWC) return map_number(view, row, col);
  if (view.layout == GlobalLayout::NZ) {
    // Columns of boxes, one 32-byte row under the other in each.
    const std::uint32_t wide = elements_a_block(view.dtype), box = col / wide;
    element = box / d1 * t0 + box % d1 * t1 + row * wide + col % wide;
  } else {
    // A "line" is what is contiguous: a row (nd) or a column (dn). Lines are counted over the outer three dimensions too.
    const bool rows = view.layout == GlobalLayout::ND;
    const std::uint32_t inner = rows ? d3 : d4, line = rows ? row : col, along = rows ? col : row;
    const std::uint32_t m = line % inner, k = line / inner % d2, j = line / inner / d2 % d1, i = line / inner / d2 / d1;
    element = i * t0 + j * t1 + k * t2 + m * (rows ? t3 : t4) + along;
  }
  return element;
}
ByteRange view_place(const GlobalRef& view, std::uint32_t row, std::uint32_t col) {
  return numbered_place(Space::Gm, view.address, view.dtype, view_number(view, row, col));
}

Origin view_origin(const char* operand, const GlobalRef& view, std::uint32_t row, std::uint32_t col) {
  const ByteRange place = view_place(view, row, col);
  // Elements of views are numbered from the buffer's begin.
  const std::uint32_t before = (view.address - view.buffer_begin) * elements_a_block(view.dtype) / 32;
  return {Origin::Kind::Element, operand, 0, before + view_number(view, row, col), place, 0};
}

// The values of the pad kinds, by the table of the tile model.
std::uint64_t loaded_pad(const TileType& type) {
  const std::uint32_t bits = 8 * size_bytes(type.dtype);
  if (bits == 64 || type.pad == PadKind::Zero) return 0;
  if (type.pad == PadKind::Custom && elements_a_block(type.dtype) == 64) return type.custom_pad % 16;
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

class Load {
 public:
  Load(const Bound& bound, const Before& before)
      : before_(before),
        dst_(bound.tile("dst")),
        src_(bound.global("src")),
        rows_(dst_.valid_rows),
        cols_(dst_.valid_cols) {
    if (bound.options->load_view_rows) take_lines_of_view();
    (lines_are_rows() ? cols_ : rows_) = whole_bytes(dst_.type.dtype, lines_are_rows() ? cols_ : rows_);
    to_line_end_ = bound.target == Target::A5 && dst_.type.loc == TileLoc::Vec && dst_.type.pad != PadKind::Null &&
                   !bound.options->pad_to_block;
  }

  Effects run() {
    if (dst_.valid_rows == 0 || dst_.valid_cols == 0) return {};
    if (dst_.type.fractal == 32 && dst_.type.boxed()) return whole_boxes();
    for (std::uint32_t row = 0; row < rows_; ++row)
      for (std::uint32_t col = 0; col < cols_; ++col)
        effects_.written.push_back(copied(before_, "dst", dst_, row, col, view_origin("src", src_, row, col)));
    if (!dst_.type.boxed()) {
      fill_up_lines();
    } else if (src_.layout != GlobalLayout::NZ) {
      zero_rest_of_boxes();
    }
    return effects_;
  }

 private:
  bool lines_are_rows() const {
    const InnerOrder inner = dst_.type.slayout;
    return inner == InnerOrder::None ? dst_.type.blayout == BoxOrder::RowMajor : inner == InnerOrder::RowMajor;
  }

  // A view's lines are its rows (nd) or columns (dn); into nz boxes go rows, whichever the view has.
  void take_lines_of_view() {
    const auto& [d0, d1, d2, d3, d4] = src_.shape;
    const bool nz = dst_.type.slayout == InnerOrder::RowMajor;
    if (src_.layout == GlobalLayout::ND) rows_ = std::min(d0 * d1 * d2 * d3, dst_.type.rows);
    if (src_.layout == GlobalLayout::DN && nz) rows_ = std::min(d3, dst_.type.rows);
    if (src_.layout == GlobalLayout::DN && !nz) cols_ = std::min(d0 * d1 * d2 * d4, dst_.type.cols);
  }

  // Exponents: the boxes of the valid region, byte by byte as they stand behind the view's first one.
  Effects whole_boxes() {
    const bool left = dst_.type.slayout == InnerOrder::RowMajor;
    const bool one_row = dst_.type.rows == 1;  // its elements stand side by side
    const std::uint32_t end_row = one_row ? 1
                                  : left  ? rounded_up(dst_.valid_rows, 16)
                                          : dst_.type.rows,
                        end_col = one_row ? dst_.valid_cols
                                  : left  ? dst_.type.cols
                                          : rounded_up(dst_.valid_cols, 16);
    for (std::uint32_t row = 0; row < end_row; ++row)
      for (std::uint32_t col = 0; col < end_col; ++col) {
        const ByteRange to = element_place(dst_, row, col),
                        from{Space::Gm, src_.address + to.address - dst_.address, 1};
        const std::uint32_t number = from.address - src_.buffer_begin;
        effects_.written.push_back(
            copied(before_, "dst", dst_, row, col, {Origin::Kind::Element, "src", 0, number, from, 0}));
      }
    return effects_;
  }

  void put(std::uint32_t row, std::uint32_t col, std::uint64_t bits) {
    effects_.written.push_back(
        {.place = element_place(dst_, row, col), .bits = bits, .operand = "dst", .row = row, .col = col, .from = {}});
  }

  void fill_up_lines() {
    const bool across = dst_.type.blayout == BoxOrder::RowMajor;
    const std::uint32_t lines = across ? rows_ : cols_, data = across ? cols_ : rows_,
                        whole = across ? dst_.type.cols : dst_.type.rows;
    for (std::uint32_t line = 0; line < lines; ++line) {
      for (std::uint32_t at = data; at < (to_line_end_ ? whole : rounded_up(data, lanes_)); ++at) {
        const std::uint32_t row = across ? line : at, col = across ? at : line;
        if (dst_.type.pad == PadKind::Null) {
          effects_.unspecified.push_back(element_place(dst_, row, col));
        } else {
          put(row, col, loaded_pad(dst_.type));
        }
      }
    }
  }

  void zero_rest_of_boxes() {
    const bool row_of_32_bytes = dst_.type.slayout == InnerOrder::RowMajor;
    for (std::uint32_t row = 0; row < rows_ && row_of_32_bytes; ++row)
      for (std::uint32_t col = cols_; col < rounded_up(cols_, lanes_); ++col) put(row, col, 0);
    for (std::uint32_t col = 0; col < cols_ && !row_of_32_bytes; ++col)
      for (std::uint32_t row = rows_; row < rounded_up(rows_, lanes_); ++row) put(row, col, 0);
  }

  const Before& before_;
  const TileRef& dst_;
  const GlobalRef& src_;
  std::uint32_t rows_, cols_;  // what moves
  const std::uint32_t lanes_ = elements_a_block(dst_.type.dtype);
  bool to_line_end_ = false;
  Effects effects_;
};

// Of tiles of the convolution unit every element is named by its coordinates.
using Coordinates = std::array<std::uint32_t, 6>;

// The number of the view's element that goes there; -1: none does, and it becomes zero; -2: it stays as it was.
std::int64_t map_source(const GlobalRef& view, const TileType& tile, const Coordinates& at) {
  const auto& d = tile.conv_dims;
  const auto& t = view.stride;
  const auto& s = view.shape;
  const std::uint32_t lanes = elements_a_block(tile.dtype);
  const std::size_t rank = static_cast<std::size_t>(std::ranges::find(d, 0u) - d.begin());
  using enum GlobalLayout;
  if (view.layout == NC1HWC0 || view.layout == NDC1HWC0 || view.layout == FractalZ || view.layout == FractalZ3D) {
    std::int64_t number = 0;
    for (std::size_t i = 0; i < rank; ++i) {
      const std::int64_t stride = rank == 6 ? (i == 5 ? 1 : t[i]) : t[5 - rank + i];
      number += stride * at[i];
    }
    return number;
  }
  const std::uint32_t high = view.layout == NHWC ? s[2] : s[3], wide = view.layout == NHWC ? s[3] : s[4],
                      channels = view.layout == NHWC   ? s[4]
                                 : view.layout == NCHW ? s[2]
                                                       : s[1],
                      groups = (channels + lanes - 1) / lanes;
  std::uint32_t n = 0, c1 = 0, depth = 0, y = 0, x = 0, lane = at[rank - 1];
  if (tile.conv == ConvLayout::NC1HWC0) n = at[0], c1 = at[1], y = at[2], x = at[3];
  if (tile.conv == ConvLayout::NDC1HWC0) n = at[0], depth = at[1], c1 = at[2], y = at[3], x = at[4];
  if (tile.conv == ConvLayout::FractalZ && rank == 5) c1 = at[0], y = at[1], x = at[2], n = at[3];
  if (tile.conv == ConvLayout::FractalZ && rank == 4)
    c1 = at[0] / (high * wide), y = at[0] / wide % high, x = at[0] % wide, n = at[1] * 16 + at[2];
  if (tile.conv == ConvLayout::FractalZ3D)
    depth = at[0] / (groups * high * wide), c1 = at[0] / (high * wide) % groups, y = at[0] / wide % high,
    x = at[0] % wide, n = at[1] * 16 + at[2];
  const std::uint32_t images = view.layout == NCDHW ? s[0] : s[1], channel = c1 * lanes + lane;
  if (n >= images) return -2;
  if (channel >= channels) return -1;
  if (view.layout == NHWC) return std::int64_t{n} * t[1] + y * t[2] + x * t[3] + channel * t[4];
  if (view.layout == NCHW) return std::int64_t{n} * t[1] + channel * t[2] + y * t[3] + x * t[4];
  return std::int64_t{n} * t[0] + channel * t[1] + depth * t[2] + y * t[3] + x * t[4];
}

Effects load_map(const Bound& bound, const Before& before) {
  const TileRef& dst = bound.tile("dst");
  const GlobalRef& view = bound.global("src");
  const std::uint32_t size = size_bytes(dst.type.dtype);
  Effects effects;
  for (std::uint32_t index = 0; index < dst.type.rows * dst.type.cols; ++index) {
    Coordinates at{};
    std::size_t rank = 0;
    while (rank < 6 && dst.type.conv_dims[rank] != 0) ++rank;
    for (std::uint32_t left = index, i = static_cast<std::uint32_t>(rank); i-- > 0;) {
      at[i] = left % dst.type.conv_dims[i];
      left /= dst.type.conv_dims[i];
    }
    const std::int64_t number = map_source(view, dst.type, at);
    const std::uint32_t row = index / dst.type.cols, col = index % dst.type.cols;
    if (number == -2) continue;
    if (number == -1) {
      effects.written.push_back(
          {.place = element_place(dst, row, col), .bits = 0, .operand = "dst", .row = row, .col = col, .from = {}});
      continue;
    }
    const auto from = static_cast<std::uint32_t>(number);
    effects.written.push_back(copied(before, "dst", dst, row, col,
                                     {Origin::Kind::Element,
                                      "src",
                                      0,
                                      (view.address - view.buffer_begin) / size + from,
                                      {Space::Gm, view.address + from * size, size},
                                      0}));
  }
  return effects;
}

Effects tload(const Bound& bound, const Before& before) {
  if (bound.tile("dst").type.conv != ConvLayout::None) return load_map(bound, before);
  return Load(bound, before).run();
}

Effects tstore(const Bound& bound, const Before& before) {
  const TileRef& src = bound.tile("src");
  const GlobalRef& dst = bound.global("dst");
  const bool from_acc = src.type.loc == TileLoc::Acc;
  const bool atomic_add = !bound.attributes.empty() && bound.attribute("atomicType") != 0;
  const Work work(bound, before);
  Effects effects;
  const bool rows = dst.layout != GlobalLayout::DN;
  // One row goes to a view of as many elements row by row.
  const bool fills_rows = !from_acc && src.type.rows == 1 && dst.layout == GlobalLayout::ND && dst.rows() > 1 &&
                          std::uint64_t{dst.rows()} * dst.cols() == src.valid_cols;
  const std::uint32_t end_row = rows ? src.valid_rows : whole_bytes(src.type.dtype, src.valid_rows),
                      end_col = rows ? whole_bytes(src.type.dtype, src.valid_cols) : src.valid_cols;
  for (std::uint32_t row = 0; row < (src.valid_cols == 0 ? 0 : end_row); ++row) {
    for (std::uint32_t col = 0; col < end_col; ++col) {
      const Origin from = element_origin("src", src, row, col),
                   old = fills_rows ? view_origin("dst", dst, col / dst.cols(), col % dst.cols())
                                    : view_origin("dst", dst, row, col);
      const Value value = from_acc ? through_fixpipe(work, bound, dst.dtype, row, col) : work.at(from);
      Element element{
          .place = old.place, .bits = value.bits, .operand = "dst", .row = row, .col = col, .from = value.from};
      if (atomic_add) {
        element.bits = add(from_acc ? dst.dtype : src.type.dtype, before.read(old.place), element.bits);
        element.made_of(old);
      }
      effects.written.push_back(element);
    }
  }
  return effects;
}

const Oracles transfer_oracles{{"tload", tload}, {"tstore", tstore}};

}  // namespace
}  // namespace ts::oracle
