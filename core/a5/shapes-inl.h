// How A5 lowerings walk over tiles: the loop shapes that whole families share.
#if defined(TS_A5_SHAPES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_A5_SHAPES_INL_H
#undef TS_A5_SHAPES_INL_H
#else
#define TS_A5_SHAPES_INL_H
#endif

#include <initializer_list>

#include "core/engine/vector-inl.h"
#include "core/tile/operands.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

HWY_INLINE std::uint32_t ceil_div(std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; }

// The valid region lies in one run of bytes in every tile: static widths decide, as in the headers.
HWY_NOINLINE inline bool contiguous(std::initializer_list<const TileRef*> tiles) {
  bool full_rows = true, one_row = true;
  for (const TileRef* tile : tiles) {
    full_rows = full_rows && tile->type.valid_cols == static_cast<std::int32_t>(tile->cols());
    one_row = one_row && tile->rows() == 1;
  }
  return full_rows || one_row;
}

// Op::apply(m, a, b, predicate) gives the result register for every register's worth of the valid region. A type, not a
// lambda: a closure would hold the machine's address.
template <class Op, class M>
HWY_INLINE void elementwise(M& m, const TileRef& dst, const TileRef& src0, const TileRef& src1) {
  // A contiguous region is one long row. One loop for both, so that the chunk is compiled once.
  const bool one_run = contiguous({&dst, &src0, &src1});
  const std::uint32_t rows = one_run ? 1 : dst.valid_rows, cols = one_run ? dst.valid_rows * dst.valid_cols : dst.valid_cols;
  for (std::uint32_t row = 0; row < rows; ++row) {
    std::uint32_t left = cols;
    for (std::uint32_t col = 0; col < cols; col += M::kLanes) {
      auto active = m.plt(left);
      auto a = m.vlds(src0.ub(), row * src0.row_stride() + col);
      auto b = m.vlds(src1.ub(), row * src1.row_stride() + col);
      m.vsts(Op::apply(m, a, b, active), dst.ub(), row * dst.row_stride() + col, active);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
