// TEXPANDS: dst[r][c] = scalar; over dst's valid region in UB, over the whole tile in L1.
// A2A3 fills bytes in pairs: where a row (row-major) or column (col-major) has an odd number of valid bytes, the one
// after them gets the scalar too. The library's code (option quirks.texpands) differs twice: on A2A3 a tile whose type
// says that its lines are valid in part is filled as one run of as many elements; and in L1 a negative i8 has 0xFF in
// every odd byte.
#include "tests/oracle/effects.h"

namespace ts::oracle {
namespace {

// Fills of one bound instruction, element by element.
struct Fill {
  explicit Fill(const Bound& bound) : dst(bound.tile("dst")), bits(bound.scalar("scalar").bits) {
    const std::uint32_t width = 8 * size_bytes(dst.type.dtype);
    if (width < 64) bits &= (1ull << width) - 1;
  }
  void put(std::uint32_t row, std::uint32_t col) { put(row, col, bits); }
  void put(std::uint32_t row, std::uint32_t col, std::uint64_t value) {
    Element element{
        .place = element_place(dst, row, col), .bits = value, .operand = "dst", .row = row, .col = col, .from = {}};
    element.made_of({.kind = Origin::Kind::Scalar, .operand = "scalar", .place = {}});
    effects.written.push_back(element);
  }
  // Element `at` of a line: a row of a row-major tile, a column of a col-major one.
  void put_in_line(std::uint32_t line, std::uint32_t at) {
    const bool rows = dst.type.blayout == BoxOrder::RowMajor;
    put(rows ? line : at, rows ? at : line);
  }

  const TileRef& dst;
  std::uint64_t bits;
  Effects effects;
};

void fill_whole_tile(const Bound& bound, Fill& fill) {
  const TileRef& dst = fill.dst;
  const bool sign_spreads = bound.options->quirk_texpands && dst.type.dtype == DType::I8 && (fill.bits & 0x80) != 0;
  for (std::uint32_t row = 0; row < dst.type.rows; ++row) {
    for (std::uint32_t col = 0; col < dst.type.cols; ++col) {
      const bool odd = (element_place(dst, row, col).address - dst.address) % 2 == 1;
      fill.put(row, col, sign_spreads && odd ? 0xFF : fill.bits);
    }
  }
}

void fill_valid_region(const Bound& bound, Fill& fill) {
  const TileRef& dst = fill.dst;
  const bool rows = dst.type.blayout == BoxOrder::RowMajor,
             pairs = bound.target == Target::A2A3 && size_bytes(dst.type.dtype) == 1;
  const std::uint32_t lines = rows ? dst.valid_rows : dst.valid_cols, valid = rows ? dst.valid_cols : dst.valid_rows;
  const std::uint32_t whole = rows ? dst.type.cols : dst.type.rows;
  if (lines == 0 || valid == 0) return;
  const bool known = (rows ? dst.type.valid_cols : dst.type.valid_rows) != kDynamic;
  if (bound.target == Target::A2A3 && bound.options->quirk_texpands && known) {
    const std::uint32_t count = lines * valid, filled = count + (pairs ? count % 2 : 0);
    for (std::uint32_t i = 0; i < filled; ++i) fill.put_in_line(i / whole, i % whole);
    return;
  }
  for (std::uint32_t line = 0; line < lines; ++line)
    for (std::uint32_t at = 0; at < valid + (pairs ? valid % 2 : 0); ++at) fill.put_in_line(line, at);
}

Effects texpands(const Bound& bound, const Before&) {
  Fill fill(bound);
  if (fill.dst.type.loc == TileLoc::Mat) {
    fill_whole_tile(bound, fill);
  } else {
    fill_valid_region(bound, fill);
  }
  return fill.effects;
}

const Oracles texpands_oracles{{"texpands", texpands}};

}  // namespace
}  // namespace ts::oracle
