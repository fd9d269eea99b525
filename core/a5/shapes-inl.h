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
inline bool contiguous(std::initializer_list<const TileRef*> tiles) {
  bool full_rows = true, one_row = true;
  for (const TileRef* tile : tiles) {
    full_rows = full_rows && tile->type.valid_cols == static_cast<std::int32_t>(tile->cols());
    one_row = one_row && tile->rows() == 1;
  }
  return full_rows || one_row;
}

// Calls chunk(first element of dst, of src0, of src1, predicate) for every register's worth of the valid region.
template <class M, class Chunk>
HWY_INLINE void elementwise(M& m, const TileRef& dst, const TileRef& src0, const TileRef& src1, Chunk chunk) {
  const std::uint32_t rows = dst.valid_rows, cols = dst.valid_cols;
  if (contiguous({&dst, &src0, &src1})) {
    std::uint32_t left = rows * cols;
    for (std::uint32_t at = 0, end = left; at < end; at += M::kLanes) {
      const auto active = m.plt(left);
      chunk(at, at, at, active);
    }
    return;
  }
  for (std::uint32_t row = 0; row < rows; ++row) {
    std::uint32_t left = cols;
    for (std::uint32_t col = 0; col < cols; col += M::kLanes) {
      const auto active = m.plt(left);
      chunk(row * dst.row_stride() + col, row * src0.row_stride() + col, row * src1.row_stride() + col, active);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
