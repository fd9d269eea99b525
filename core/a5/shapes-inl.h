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

TS_INLINE std::uint32_t ceil_div(std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; }

// The valid region lies in one run of bytes in every tile: static widths decide, as in the headers.
HWY_NOINLINE inline bool contiguous(std::initializer_list<const TileRef*> tiles) {
  bool full_rows = true, one_row = true;
  for (const TileRef* tile : tiles) {
    full_rows = full_rows && tile->type.valid_cols == static_cast<std::int32_t>(tile->cols());
    one_row = one_row && tile->rows() == 1;
  }
  return full_rows || one_row;
}

template <class Op, class M>
TS_INLINE void elementwise_step(M& m, const TileRef& dst, const TileRef& src0, const TileRef& src1, std::uint32_t to,
                                std::uint32_t from0, std::uint32_t from1, std::uint32_t& left) {
  auto active = m.plt(left);
  auto a = m.vlds(src0.ub(), from0);
  auto b = m.vlds(src1.ub(), from1);
  m.vsts(Op::apply(m, a, b, active), dst.ub(), to, active);
}

// Op::apply(m, a, b, predicate) gives the result register for every register's worth of the valid region. A type, not a
// lambda: a closure would hold the machine's address.
template <class Op, class M>
TS_INLINE void elementwise(M& m, const TileRef& dst, const TileRef& src0, const TileRef& src1) {
  // A contiguous region is one long row. One loop for both, so that the chunk is compiled once.
  const bool one_run = contiguous({&dst, &src0, &src1});
  const std::uint32_t rows = one_run ? 1 : dst.valid_rows,
                      cols = one_run ? dst.valid_rows * dst.valid_cols : dst.valid_cols;
  for (std::uint32_t row = 0; row < rows; ++row) {
    std::uint32_t to = row * dst.row_stride(), from0 = row * src0.row_stride(), from1 = row * src1.row_stride(),
                  left = cols;
    // Whole registers and the tail run the same sequence; apart, the compiler sees that the first ones need no mask.
    for (; left >= m.lanes(); to += m.lanes(), from0 += m.lanes(), from1 += m.lanes())
      elementwise_step<Op>(m, dst, src0, src1, to, from0, from1, left);
    if (left > 0) elementwise_step<Op>(m, dst, src0, src1, to, from0, from1, left);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
