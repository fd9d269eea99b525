// How A2A3 reduces rows of floats: columns of repeats join in tmp, and one repeat a row is reduced at last; or, for four
// shapes, in groups of eight. Sums of f32 are compiled for the run machine too (row_sum.cpp).
#if defined(TS_INSTRUCTIONS_ROW_REDUCE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_INSTRUCTIONS_ROW_REDUCE_INL_H
#undef TS_INSTRUCTIONS_ROW_REDUCE_INL_H
#else
#define TS_INSTRUCTIONS_ROW_REDUCE_INL_H
#endif

#include <algorithm>
#include <bit>

#include "core/a2a3/shapes-inl.h"
#include "core/catalogue/row.h"
#include "core/instructions/row_result.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

// d = a op b, in repeats.
template <ReduceOp what, class M>
void join(M& m, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
  if constexpr (what == ReduceOp::Sum && std::is_same_v<typename M::T, AnyLane>) m.vadd(m.ty(), d, a, b, n, ds, as, bs);
  if constexpr (what == ReduceOp::Sum && !std::is_same_v<typename M::T, AnyLane>) m.vadd(d, a, b, n, ds, as, bs);
  if constexpr (what == ReduceOp::Max) m.vmax(m.ty(), d, a, b, n, ds, as, bs);
  if constexpr (what == ReduceOp::Min) m.vmin(m.ty(), d, a, b, n, ds, as, bs);
  if constexpr (what == ReduceOp::Prod) m.vmul(m.ty(), d, a, b, n, ds, as, bs);
}
// One result a repeat; and one of each block.
template <ReduceOp what, class M>
void across(M& m, Ub d, Ub s, std::uint32_t n, std::uint32_t step, Strides ss) {
  if constexpr (what == ReduceOp::Sum) m.vcadd(d, s, n, step, ss);
  if constexpr (what == ReduceOp::Max) m.vcmax(m.ty(), d, s, n, step, ss);
  if constexpr (what == ReduceOp::Min) m.vcmin(m.ty(), d, s, n, step, ss);
}
template <ReduceOp what, class M>
void eighths(M& m, Ub d, Ub s) {
  if constexpr (what == ReduceOp::Sum) {
    m.vcgadd(m.ty(), d, s, 0, 1, {});
  } else {
    m.vcgroup(what, m.ty(), d, s, 0, 1, {});
  }
}

// A column of repeats in rows that are `pitch` bytes apart.
struct Column {
  std::uint32_t address, pitch;
  Ub at(std::uint32_t row) const { return {address + row * pitch}; }
  Strides rows() const { return {1, pitch / BLK}; }
};
inline Column column_of(const TileRef& tile, std::uint32_t col) {
  return {tile.address + col * tile.elem_bytes(), tile.pitch_bytes()};
}

// d = a op b for a repeat of every row, under the mask.
template <ReduceOp what, class M>
void join_columns(M& m, std::uint32_t rows, const Column& d, const Column& a, const Column& b) {
  const bool fits = std::max({d.pitch, a.pitch, b.pitch}) / BLK <= M::kMaxStride;
  const std::uint32_t at_once = fits ? M::kMaxRepeat : 1;
  for (std::uint32_t row = 0; row < rows; row += at_once)
    join<what>(m, d.at(row), a.at(row), b.at(row), std::min(rows - row, at_once), d.rows(), a.rows(), b.rows());
}
// One repeat a row, of `cols` columns.
template <ReduceOp what, class M>
void reduce_column(M& m, const Column& from, std::uint32_t cols, const TileRef& dst, std::uint32_t rows) {
  const std::uint32_t step = row_step(dst);
  const bool whole = cols == m.lanes() && step <= kMaxStep;
  if (whole) {
    m.set_mask_count();
    m.set_vector_mask(0, rows * cols);
    across<what>(m, dst.ub(), from.at(0), 0, step, from.rows());
    m.set_mask_norm();
  } else {
    const std::uint32_t at_once = step <= kMaxStep ? M::kMaxRepeat : 1;
    m.set_mask_first(cols);
    for (std::uint32_t row = 0; row < rows; row += at_once)
      across<what>(m, Ub{dst.at(row, 0)}, from.at(row), std::min(rows - row, at_once), step, from.rows());
  }
  m.set_mask_all();
}

// Columns of tmp that a row needs.
inline std::uint32_t partial_columns(ReduceOp what, DType type, std::uint32_t cols) {
  const std::uint32_t lanes = VL / size_bytes(type);
  if (cols <= lanes) return 0;
  return what == ReduceOp::Sum ? std::max(1u, cols / lanes / 2) * lanes : lanes;
}
// Neighbours join; the last one without a neighbour joins the first pair or the last.
template <ReduceOp what, class M>
void join_neighbours(M& m, std::uint32_t rows, const Column& tmp, const Column& from, std::uint32_t& count,
                     bool lonely_joins_first) {
  const auto chunk = [](const Column& column, std::uint32_t k) {
    return Column{column.address + k * VL, column.pitch};
  };
  const std::uint32_t pairs = count / 2;
  for (std::uint32_t k = 0; k < pairs; ++k)
    join_columns<what>(m, rows, chunk(tmp, k), chunk(from, 2 * k), chunk(from, 2 * k + 1));
  const Column joined = chunk(tmp, lonely_joins_first ? 0 : pairs - 1);
  if (count % 2 == 1) join_columns<what>(m, rows, joined, joined, chunk(from, count - 1));
  count = pairs;
}

template <ReduceOp what, class M>
void fold_columns(M& m, const TileRef& src, const TileRef& dst, const TileRef& tmp) {
  const std::uint32_t rows = src.valid_rows, lanes = m.lanes(), whole = src.valid_cols / lanes,
                      tail = src.valid_cols % lanes;
  const std::uint32_t needed = partial_columns(what, m.dtype(), src.valid_cols) * m.bytes(), pitch = tmp.pitch_bytes();
  // A tmp of other rows than src's is taken as bytes.
  const bool fits = pitch >= needed && (rows - 1) * pitch + needed <= tmp.type.size_bytes();
  const Column sums{tmp.address, fits ? pitch : needed}, first = column_of(src, 0);
  std::uint32_t count = whole;
  if (whole == 1) {
    m.copy_ubuf_to_ubuf(sums.at(0), first.at(0), rows, VL / BLK, (first.pitch - VL) / BLK, (sums.pitch - VL) / BLK);
  } else if (what == ReduceOp::Sum) {
    join_neighbours<what>(m, rows, sums, first, count, true);
  } else {
    join_columns<what>(m, rows, sums, first, column_of(src, lanes));
  }
  if (tail != 0) {
    m.set_mask_first(tail);
    join_columns<what>(m, rows, sums, sums, column_of(src, whole * lanes));
    m.set_mask_all();
  }
  if (what == ReduceOp::Sum) {
    while (count > 1) join_neighbours<what>(m, rows, sums, sums, count, false);
  } else {
    for (std::uint32_t k = 2; k < whole; ++k) join_columns<what>(m, rows, sums, sums, column_of(src, k * lanes));
  }
  reduce_column<what>(m, sums, lanes, dst, rows);
}

// Four shapes of f32 whose rows are reduced in groups of eight: src is one run of bytes, and so are all results. As many
// rows at once as tmp holds; `groups` is what a row has left.
inline bool goes_by_groups(const TileRef& src, const TileRef& dst) {
  const TileType& type = src.type;
  const bool full = type.valid_rows == static_cast<std::int32_t>(type.rows) &&
                    type.valid_cols == static_cast<std::int32_t>(type.cols);
  return type.dtype == DType::F32 && full && type.rows * type.cols == 8192 && type.cols >= 128 && type.cols <= 1024 &&
         std::has_single_bit(type.cols) && dst.type.col_major() && dst.type.valid_cols == 1;
}
template <ReduceOp what, class M>
void fold_groups(M& m, const TileRef& src, const TileRef& dst, const TileRef& tmp) {
  const auto tmp_bytes = static_cast<std::uint32_t>(tmp.type.size_bytes());
  const std::uint32_t cols = src.valid_cols,
                      at_once = std::min(src.valid_rows, std::max(1u, tmp_bytes / (cols / 8 * 4)));
  const Ub t = tmp.ub();
  m.set_mask_count();
  for (std::uint32_t row = 0; row < src.valid_rows; row += at_once) {
    const std::uint32_t rows = std::min(src.valid_rows - row, at_once);
    const auto counted = [&](std::uint32_t a_row) HWY_ATTR { m.set_vector_mask(0, rows * a_row); };
    const auto counted_eighths = [&](Ub d, Ub s, std::uint32_t a_row) HWY_ATTR {
      counted(a_row);
      eighths<what>(m, d, s);
    };
    std::uint32_t groups = cols / 8;
    counted_eighths(t, {src.at(row, 0)}, cols);
    if (groups >= 64) {
      counted_eighths(t, t, groups);
      groups /= 8;
    }
    for (; groups > 8; groups /= 2) {
      counted(groups / 2);
      join<what>(m, t, t, Ub{t.address + BLK}, 0, {1, 8}, {2, 16}, {2, 16});
    }
    counted_eighths({dst.at(row, 0)}, t, 8);
  }
  m.set_mask_norm();
  m.set_mask_all();
}

// The library asks for rows of whole repeats, or returns.
inline bool gives_up(const Bound& bound, const TileRef& src) {
  const std::uint32_t lanes = VL / src.elem_bytes();
  return src.valid_cols > lanes && src.valid_cols < 2 * lanes && bound.has("tmp") &&
         bound.tile("tmp").pitch_bytes() < VL;
}
template <ReduceOp what, class M>
void reduce_floats_a2a3(M& m, const Bound& bound) {
  const TileRef &src = bound.tile("src"), &dst = bound.tile("dst");
  if (src.valid_rows == 0 || src.valid_cols == 0 || (bound.options->quirk_rowreduce && gives_up(bound, src))) return;
  if (goes_by_groups(src, dst)) {
    fold_groups<what>(m, src, dst, bound.tile("tmp"));
  } else if (src.valid_cols <= m.lanes()) {
    reduce_column<what>(m, column_of(src, 0), src.valid_cols, dst, src.valid_rows);
  } else {
    fold_columns<what>(m, src, dst, bound.tile("tmp"));
  }
  leave_scratch(m, bound);
}

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
