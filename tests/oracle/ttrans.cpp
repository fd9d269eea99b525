// TTRANS: dst[c][r] = src[r][c]. A5: over src's whole tile (option ttrans.a5_domain = valid: its valid region); A2A3: over
// its valid region. Nothing else changes, except where A2A3 goes by way of tmp, which it does when dst's rows are whole
// sub-tiles: then tmp holds the transposed rows at a pitch of whole sub-tiles, for every column of whole source blocks,
// and dst's rows get their last block whole. What fills up those two comes from the bytes of UB that begin at address 0
// (option ttrans.a2a3_tail = poison: 0xCD), and no page promises it.
#include <algorithm>

#include "tests/oracle/effects.h"
#include "tests/oracle/work.h"

namespace ts::oracle {
namespace {

void transpose(const Bound& bound, const Before& before, std::uint32_t rows, std::uint32_t cols, Effects& effects) {
  const TileRef &dst = bound.tile("dst"), &src = bound.tile("src");
  for (std::uint32_t row = 0; row < rows; ++row)
    for (std::uint32_t col = 0; col < cols; ++col)
      effects.written.push_back(copied(before, "dst", dst, col, row, element_origin("src", src, row, col)));
}

// The detour through tmp.
class Detour {
 public:
  Detour(const Bound& bound, const Before& before, Effects& effects)
      : src_(bound.tile("src")),
        dst_(bound.tile("dst")),
        tmp_(bound.tile("tmp")),
        poison_(bound.options->ttrans_poison_tail != 0),
        before_(before),
        effects_(effects) {}

  void leave_traces() {
    const std::uint32_t block = 32 / size_, rows = src_.valid_rows, cols = rounded_up(src_.valid_cols, block);
    const std::uint32_t pitch = rounded_up(rows, size_ == 1 ? 32 : 16);
    for (std::uint32_t col = 0; col < cols; ++col) {
      for (std::uint32_t row = 0; row < rows; ++row)
        hold_in_tmp(col * pitch + row, element_origin("src", src_, row, col));
      for (std::uint32_t row = rows; row < pitch; ++row)
        fill_up({Space::Ub, tmp_.address + (col * pitch + row) * size_, size_}, col);
    }
    for (std::uint32_t col = 0; col < src_.valid_cols; ++col)
      for (std::uint32_t row = rows; row < rounded_up(rows, block); ++row) fill_up(element_place(dst_, col, row), col);
    // Fillers that the detour itself writes over on the way depend on its order, which no page gives.
    if (!poison_ && tmp_.address < cols * size_) effects_.unspecified_bits.clear();
  }

 private:
  void hold_in_tmp(std::uint32_t index, const Origin& from) {
    Element element{.place = {Space::Ub, tmp_.address + index * size_, size_},
                    .bits = before_.read(from.place),
                    .operand = "tmp",
                    .row = index / tmp_.type.cols,
                    .col = index % tmp_.type.cols,
                    .from = {}};
    element.made_of(from);
    effects_.written.push_back(element);
  }
  // A missing source row reads as if it stood at UB address 0.
  void fill_up(const ByteRange& place, std::uint32_t col) {
    effects_.unspecified.push_back(place);
    effects_.unspecified_bits.push_back(poison_ ? 0xCDCDCDCD : before_.read({Space::Ub, col * size_, size_}));
  }

  const TileRef &src_, &dst_, &tmp_;
  const std::uint32_t size_ = size_bytes(src_.type.dtype);
  const bool poison_;
  const Before& before_;
  Effects& effects_;
};

bool goes_by_way_of_tmp(const Bound& bound) {
  const TileRef &dst = bound.tile("dst"), &src = bound.tile("src");
  // Tiles that are not row-major run by the formula alone (option ttrans.colmajor).
  if (bound.target != Target::A2A3 || !dst.type.row_major() || !src.type.row_major()) return false;
  const std::uint32_t size = size_bytes(dst.type.dtype);
  return dst.type.cols % (size == 1 ? 32 : 16) == 0 && src.type.cols % (32 / size) == 0;
}

Effects ttrans(const Bound& bound, const Before& before) {
  const TileRef& src = bound.tile("src");
  const bool whole = bound.target == Target::A5 && !bound.options->ttrans_valid_domain;
  const std::uint32_t rows = whole ? src.type.rows : src.valid_rows, cols = whole ? src.type.cols : src.valid_cols;
  Effects effects;
  if (rows == 0 || cols == 0) return effects;
  transpose(bound, before, rows, cols, effects);
  if (goes_by_way_of_tmp(bound)) Detour(bound, before, effects).leave_traces();
  return effects;
}

const Oracles ttrans_oracles{{"ttrans", ttrans}};

}  // namespace
}  // namespace ts::oracle
