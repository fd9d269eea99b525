// TSEL: dst[r][c] = bit(r, c) ? src0[r][c] : src1[r][c] over dst's valid region, bits copied as they are; the mask's bits
// are those of TSELS. A2A3 also leaves in tmp, four (16-bit elements) or two (32-bit) times, the address of the last
// mask row. The library's steps on A5 (option quirks.tsel) take the mask's columns for its pitch in bytes, whatever their
// type, and for 8-bit elements go on by 16 bytes of the mask for each 256 columns.
#include "tests/oracle/effects.h"

namespace ts::oracle {
namespace {

Origin deciding_bit(const Bound& bound, std::uint32_t row, std::uint32_t col) {
  const TileRef& mask = bound.tile("mask");
  if (bound.target == Target::A2A3 || !bound.options->quirk_tsel)
    return mask_bit_origin(mask, mask.type.cols * size_bytes(mask.type.dtype), row, col);
  const bool bytes = size_bytes(bound.tile("dst").type.dtype) == 1;
  const std::uint32_t bit = bytes ? col / 256 * 128 + col % 256 : col;
  return mask_bit_origin(mask, mask.type.cols, row, bit);
}

void leave_address_in_tmp(const Bound& bound, Effects& effects) {
  const TileRef &tmp = bound.tile("tmp"), &dst = bound.tile("dst"), &mask = bound.tile("mask");
  const std::uint32_t words = size_bytes(dst.type.dtype) == 2 ? 4 : 2;
  const std::uint32_t address = mask.address + (dst.valid_rows - 1) * mask.type.cols * size_bytes(mask.type.dtype);
  for (std::uint32_t i = 0; i < words; ++i)
    effects.written.push_back({.place = {Space::Ub, tmp.address + 4 * i, 4},
                               .bits = address,
                               .operand = "tmp",
                               .row = 0,
                               .col = i,
                               .from = {}});
}

Effects tsel(const Bound& bound, const Before& before) {
  const TileRef &dst = bound.tile("dst"), &src0 = bound.tile("src0"), &src1 = bound.tile("src1");
  Effects effects;
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    for (std::uint32_t col = 0; col < dst.valid_cols; ++col) {
      const Origin bit = deciding_bit(bound, row, col);
      const bool first = (before.read(bit.place) >> bit.bit & 1) != 0;
      Element element =
          copied(before, "dst", dst, row, col, element_origin(first ? "src0" : "src1", first ? src0 : src1, row, col));
      element.made_of(bit);
      effects.written.push_back(element);
    }
  }
  if (bound.target == Target::A2A3 && !effects.written.empty()) leave_address_in_tmp(bound, effects);
  return effects;
}

const Oracles tsel_oracles{{"tsel", tsel}};

}  // namespace
}  // namespace ts::oracle
