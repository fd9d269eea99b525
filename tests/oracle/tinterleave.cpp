// TINTERLEAVE: a row's stream is src0[r][0], src1[r][0], src0[r][1], src1[r][1], ...; dst0's row is its first half and
// dst1's row its second. Of an odd number of columns dst1's half starts at source column (columns / 2, rounded down), so
// the middle column comes twice, and the registers that a half is stored by may end one column before it does.
#include <algorithm>

#include "tests/oracle/effects.h"

namespace ts::oracle {
namespace {

Effects tinterleave(const Bound& bound, const Before& before) {
  const TileRef &dst0 = bound.tile("dst0"), &dst1 = bound.tile("dst1"), &src0 = bound.tile("src0"),
                &src1 = bound.tile("src1");
  const std::uint32_t cols = dst0.valid_cols, middle = cols / 2;
  const std::uint32_t lanes = 256 / size_bytes(dst0.type.dtype), pairs = (middle + lanes - 1) / lanes;
  const std::uint32_t stored = cols % 2 == 0 ? cols : std::min(cols, pairs * 2 * lanes);
  Effects effects;
  for (std::uint32_t row = 0; row < dst0.valid_rows; ++row) {
    for (std::uint32_t col = 0; col < stored; ++col) {
      const char* name = col % 2 == 0 ? "src0" : "src1";
      const TileRef& src = col % 2 == 0 ? src0 : src1;
      effects.written.push_back(copied(before, "dst0", dst0, row, col, element_origin(name, src, row, col / 2)));
      effects.written.push_back(
          copied(before, "dst1", dst1, row, col, element_origin(name, src, row, middle + col / 2)));
    }
  }
  return effects;
}

const Oracles tinterleave_oracles{{"tinterleave", tinterleave}};

}  // namespace
}  // namespace ts::oracle
