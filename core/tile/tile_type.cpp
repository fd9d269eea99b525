// Tile types: names, element order for every layout, legality.
#include "core/tile/tile_type.h"

#include <fmt/format.h>

#include <algorithm>

namespace ts {
namespace {

constexpr const char* kLocNames[] = {"vec", "mat", "left", "right", "acc", "bias", "scaling", "register"};
constexpr Space kLocSpaces[] = {Space::Ub,  Space::L1,   Space::L0a,     Space::L0b,
                                Space::L0c, Space::Bias, Space::Fixpipe, Space::Reg};

std::string dim(std::int32_t value) { return value == kDynamic ? "?" : fmt::format("{}", value); }

}  // namespace

const char* name(TileLoc loc) { return kLocNames[static_cast<int>(loc)]; }

const char* name(ConvLayout layout) {
  constexpr const char* kNames[] = {"none", "nc1hwc0", "fractal_z", "ndc1hwc0", "fractal_z_3d"};
  return kNames[static_cast<int>(layout)];
}

Box box_of(const TileType& type) {
  const auto block = static_cast<std::uint32_t>(elements_in(type.dtype, BLK));
  if (type.slayout == InnerOrder::None) return {1, 1};
  if (type.fractal == 1024) return {16, 16};
  const bool rows_first = type.slayout == InnerOrder::RowMajor;
  if (type.fractal == 32) return rows_first ? Box{16, 2} : Box{2, 16};
  return rows_first ? Box{16, block} : Box{block, 16};
}

Space TileType::space() const {
  if (loc == TileLoc::Scaling && in_scale_boxes())
    return slayout == InnerOrder::RowMajor ? Space::L0aScales : Space::L0bScales;
  return kLocSpaces[static_cast<int>(loc)];
}

std::uint64_t TileType::size_bytes() const {
  if (pitch == 0 || rows == 0 || cols == 0) return bytes_for(dtype, std::uint64_t{rows} * cols);
  const bool by_rows = blayout == BoxOrder::RowMajor;
  const std::uint64_t lines = by_rows ? rows : cols;
  std::uint64_t line = by_rows ? cols : rows;
  if (!in_boxes()) return bytes_for(dtype, (lines - 1) * pitch + line);
  const Box box = box_of(*this);
  const std::uint64_t lines_a_strip = by_rows ? box.rows : box.cols, side = by_rows ? box.cols : box.rows;
  // Elements of a box that is cut short stand all over it, but where its lines lie across the strip.
  const bool across = (slayout == InnerOrder::RowMajor) != by_rows;
  if (!across) line = (line + side - 1) / side * side;
  return bytes_for(dtype, (lines + lines_a_strip - 1) / lines_a_strip * pitch - (pitch - line * lines_a_strip));
}

// Strips of columns stand rows * box.cols apart, even where a Vec tile's rows do not fill the last box.
std::uint32_t TileType::strip_pitch() const {
  if (pitch != 0) return pitch;
  const Box box = box_of(*this);
  return blayout == BoxOrder::RowMajor ? cols * box.rows : rows * box.cols;
}

std::string TileType::layout_name() const {
  if (conv != ConvLayout::None) return name(conv);
  if (slayout == InnerOrder::None) return blayout == BoxOrder::RowMajor ? "row_major" : "col_major";
  const char outer = blayout == BoxOrder::RowMajor ? 'z' : 'n';
  const char inner = slayout == InnerOrder::RowMajor ? 'z' : 'n';
  return {outer, inner};
}

std::string TileType::describe() const {
  std::string shape = fmt::format("{}x{}", rows, cols);
  if (conv != ConvLayout::None)
    shape = fmt::format("{}", fmt::join(conv_dims.begin(), conv_dims.begin() + conv_rank(*this), "x"));
  std::string text = fmt::format("{} {} {} {}", name(loc), shape, name(dtype), layout_name());
  if (valid_rows != static_cast<std::int32_t>(rows) || valid_cols != static_cast<std::int32_t>(cols))
    text += fmt::format(", valid {}x{}", dim(valid_rows), dim(valid_cols));
  return text;
}

std::uint64_t TileType::pad_bits() const {
  const std::uint32_t bits = size_bits(dtype);
  if (pad == PadKind::Null || pad == PadKind::Zero || bits == 64) return 0;
  const std::uint64_t mask = (1ull << bits) - 1;
  if (pad == PadKind::Custom) return custom_pad & mask;
  if (is_small_float(dtype) || is_packed(dtype)) return 0;
  const std::uint64_t sign = 1ull << (bits - 1);
  const std::uint64_t to_finite = finite_pad ? 1 : 0;  // the number below an infinity
  switch (dtype) {
    case DType::F32: return (pad == PadKind::Max ? 0x7F800000u : 0xFF800000u) - to_finite;
    case DType::F16: return (pad == PadKind::Max ? 0x7C00u : 0xFC00u) - to_finite;
    case DType::BF16: return (pad == PadKind::Max ? 0x7F80u : 0xFF80u) - to_finite;
    default: break;
  }
  if (is_signed_int(dtype)) return pad == PadKind::Max ? sign - 1 : sign;
  return pad == PadKind::Max ? mask : 0;
}

TileType vec_tile(DType dtype, std::uint32_t rows, std::uint32_t cols) {
  return vec_tile(dtype, rows, cols, static_cast<std::int32_t>(rows), static_cast<std::int32_t>(cols));
}

TileType vec_tile(DType dtype, std::uint32_t rows, std::uint32_t cols, std::int32_t valid_rows,
                  std::int32_t valid_cols) {
  return {.loc = TileLoc::Vec,
          .dtype = dtype,
          .rows = rows,
          .cols = cols,
          .valid_rows = valid_rows,
          .valid_cols = valid_cols};
}

std::size_t conv_rank(const TileType& type) {
  return static_cast<std::size_t>(std::ranges::find(type.conv_dims, 0u) - type.conv_dims.begin());
}

TileType conv_tile(DType dtype, ConvLayout layout, std::span<const std::uint32_t> dims) {
  TileType type{.loc = TileLoc::Mat, .dtype = dtype, .conv = layout};
  std::ranges::copy(dims, type.conv_dims.begin());
  type.cols = dims.back();
  type.rows = 1;
  for (const std::uint32_t dim : dims) type.rows *= dim;
  type.rows = type.cols == 0 ? 0 : type.rows / type.cols;
  type.valid_rows = static_cast<std::int32_t>(type.rows);
  type.valid_cols = static_cast<std::int32_t>(type.cols);
  return type;
}

TileType conv_tile(DType dtype, ConvLayout layout, std::initializer_list<std::uint32_t> dims) {
  return conv_tile(dtype, layout, std::span(dims.begin(), dims.size()));
}

bool rows_run_on(const TileType& type) {
  return type.boxed() ? type.slayout == InnerOrder::RowMajor : type.blayout == BoxOrder::RowMajor;
}

TileType in_bytes(TileType type) {
  if (!is_packed(type.dtype)) return type;
  const auto bytes = [&](std::uint32_t elements) {
    return static_cast<std::uint32_t>(bytes_for(type.dtype, elements));
  };
  const bool along_rows = rows_run_on(type);
  std::uint32_t& run = along_rows ? type.cols : type.rows;
  std::int32_t& valid = along_rows ? type.valid_cols : type.valid_rows;
  run = bytes(run);
  if (valid != kDynamic) valid = static_cast<std::int32_t>(bytes(static_cast<std::uint32_t>(valid)));
  type.pitch = bytes(type.pitch);
  if (type.pad != PadKind::Null) {
    type.custom_pad = static_cast<std::uint32_t>(type.pad_bits() * 0x11);  // in both halves of a byte
    type.pad = PadKind::Custom;
  }
  type.dtype = DType::U8;
  return type;
}

TileType part_of(const TileType& whole, std::uint32_t rows, std::uint32_t cols) {
  TileType part = whole;
  part.rows = rows;
  part.cols = cols;
  part.valid_rows = part.valid_cols = kDynamic;
  part.pitch = 0;
  const bool one_line = (whole.blayout == BoxOrder::RowMajor ? rows : cols) == 1;
  if (!whole.in_boxes()) {
    if (!one_line) part.pitch = whole.line_pitch();
  } else if (rows == 1 || part.strip_pitch() != whole.strip_pitch()) {
    part.pitch = whole.strip_pitch();
  }
  return part;
}

bool may_begin_at(const TileType& whole, std::int64_t row, std::int64_t col) {
  if (!whole.in_boxes()) return true;
  const Box box = box_of(whole);
  const bool rows_first = whole.slayout == InnerOrder::RowMajor, strips_of_rows = whole.blayout == BoxOrder::RowMajor;
  const bool any_row = !strips_of_rows && rows_first, any_col = strips_of_rows && !rows_first;
  return (any_row || row % box.rows == 0) && (any_col || col % box.cols == 0);
}

std::uint64_t element_index(const TileType& type, std::uint32_t row, std::uint32_t col) {
  if (!type.in_boxes())
    return type.blayout == BoxOrder::RowMajor ? std::uint64_t{row} * type.line_pitch() + col
                                              : std::uint64_t{col} * type.line_pitch() + row;
  const Box box = box_of(type);
  const std::uint64_t box_row = row / box.rows, in_row = row % box.rows, box_col = col / box.cols,
                      in_col = col % box.cols;
  const bool by_rows = type.blayout == BoxOrder::RowMajor;
  const std::uint64_t strip = by_rows ? box_row : box_col, in_strip = by_rows ? box_col : box_row;
  return strip * type.strip_pitch() + in_strip * box.rows * box.cols +
         (type.slayout == InnerOrder::RowMajor ? in_row * box.cols + in_col : in_col * box.rows + in_row);
}

std::pair<std::uint32_t, std::uint32_t> element_at(const TileType& type, std::uint64_t index) {
  const auto split = [](std::uint64_t row, std::uint64_t col) {
    return std::pair{static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(col)};
  };
  if (!type.in_boxes()) {
    const std::uint32_t pitch = type.line_pitch();
    return type.blayout == BoxOrder::RowMajor ? split(index / pitch, index % pitch)
                                              : split(index % pitch, index / pitch);
  }
  const Box box = box_of(type);
  const bool by_rows = type.blayout == BoxOrder::RowMajor;
  const std::uint64_t strip = type.strip_pitch(), box_elems = std::uint64_t{box.rows} * box.cols;
  const std::uint64_t major = index / strip, minor = index % strip / box_elems, inner = index % strip % box_elems;
  const std::uint64_t box_row = by_rows ? major : minor, box_col = by_rows ? minor : major;
  const bool rows_inner = type.slayout == InnerOrder::RowMajor;
  const std::uint64_t in_row = rows_inner ? inner / box.cols : inner % box.rows;
  const std::uint64_t in_col = rows_inner ? inner % box.cols : inner / box.rows;
  return split(box_row * box.rows + in_row, box_col * box.cols + in_col);
}

void check_tile_type(const TileType& type, const std::string& operand, SourcePos pos, Diagnostics& out) {
  const auto error = [&](const char* rule, std::string text, std::string hint) {
    out.push_back({rule, Severity::Error, pos, operand, std::move(text), std::move(hint)});
  };
  if (type.rows == 0 || type.cols == 0) {
    error("TILE-R1", fmt::format("{} is {}x{}; a tile has at least one element", operand, type.rows, type.cols),
          "give it a row and a column; its valid shape may be empty");
    return;
  }
  const auto exceeds = [](std::int32_t valid, std::uint32_t size) {
    return valid != kDynamic && (valid < 0 || static_cast<std::uint32_t>(valid) > size);
  };
  if (exceeds(type.valid_rows, type.rows) || exceeds(type.valid_cols, type.cols)) {
    error("G2",
          fmt::format("{} valid {}x{} exceeds static {}x{}", operand, dim(type.valid_rows), dim(type.valid_cols),
                      type.rows, type.cols),
          "make the valid shape no larger than the tile");
  }
  if (type.boxed()) {
    const Box box = box_of(type);
    // A part may end in the middle of its boxes.
    const bool any_rows = type.loc == TileLoc::Vec || type.fractal == 32 || type.rows == 1 || type.pitch != 0;
    if ((type.cols % box.cols != 0 && type.pitch == 0) || (type.rows % box.rows != 0 && !any_rows))
      error("TILE-R3",
            fmt::format("{} {}x{} is not a whole number of {}x{} boxes", operand, type.rows, type.cols, box.rows,
                        box.cols),
            "round the shape up to whole boxes and keep the valid shape");
    return;
  }
  if (type.conv != ConvLayout::None) return;
  const bool row_major = type.blayout == BoxOrder::RowMajor;
  const std::uint64_t line_bits = std::uint64_t{row_major ? type.cols : type.rows} * size_bits(type.dtype);
  if (line_bits % (8 * BLK) != 0) {
    error("TILE-R2",
          fmt::format("{} {} of {} bytes is not a multiple of {}", operand, row_major ? "row" : "column",
                      static_cast<double>(line_bits) / 8, BLK),
          row_major ? "pad Cols to a whole block and keep the valid shape; a column vector must be col_major"
                    : "pad Rows to a whole block and keep the valid shape");
  }
}

}  // namespace ts
