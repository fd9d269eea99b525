// How A2A3 lowerings cover a tile with repeats, masks and counts: the header's decision tables. The choice never changes
// a result, but it is what the step view shows.
#if defined(TS_A2A3_SHAPES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_A2A3_SHAPES_INL_H
#undef TS_A2A3_SHAPES_INL_H
#else
#define TS_A2A3_SHAPES_INL_H
#endif

#include <algorithm>

#include "core/a2a3/machine-inl.h"
#include "core/catalogue/row.h"
#include "core/tile/operands.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

// Which of the header's tables decides: two tiles and one; a tile and a scalar; a single tile.
enum class Shape : std::uint8_t { Binary, Scalar, Unary };

// Two sources, one destination. `Op` is called as op(d, a, b, repeats, d strides, a strides, b strides).
template <class M, class Op>
class BinaryShape {
 public:
  TS_INLINE BinaryShape(M& m, const TileRef& dst, const TileRef& src0, const TileRef& src1, Op op, std::uint32_t lanes,
                        Shape shape)
      : m_(m), lanes_(lanes), shape_(shape), dst_(dst), src0_(src0), src1_(src1), op_(op) {}

  TS_INLINE void run() {
    const std::uint32_t rows = dst_.valid_rows, cols = dst_.valid_cols;
    if (rows == 0 || cols == 0) return;
    const std::uint32_t pitch = dst_.row_stride();
    if (pitch != src0_.row_stride() || pitch != src1_.row_stride()) return heads_and_tail();
    const bool static_full = pitch == static_cast<std::uint32_t>(dst_.type.valid_cols) || dst_.rows() == 1;
    const std::uint32_t registers = pitch / lanes_;
    if (shape_ == Shape::Binary && dst_.rows() <= M::kMaxRepeat && pitch < lanes_) return small();
    if (static_full) return linear(dst_.rows() * pitch, pitch);
    if (cols == pitch || rows == 1) return linear(rows * cols, cols);
    if (registers > 1 && dst_.rows() * registers < 4) return count_rows();
    if (dst_.rows() < registers + 1) return cols % lanes_ != 0 ? count_rows() : whole_rows();
    if (dst_.rows() <= M::kMaxRepeat && row_blocks(dst_) <= M::kMaxStride) return column_chunks();
    heads_and_tail();
  }

 private:
  static TS_INLINE Ub at(const TileRef& tile, std::uint32_t row, std::uint32_t col) {
    return {tile.address + (row * tile.row_stride() + col) * tile.elem_bytes()};
  }
  static TS_INLINE std::uint32_t row_blocks(const TileRef& tile) { return tile.pitch_bytes() / BLK; }
  static TS_INLINE Strides by_rows(const TileRef& tile) { return {1, row_blocks(tile)}; }

  TS_INLINE void call(std::uint32_t row, std::uint32_t col, std::uint32_t repeats, bool repeat_is_row) {
    const Strides dense{1, 8};
    op_(at(dst_, row, col), at(src0_, row, col), at(src1_, row, col), repeats, repeat_is_row ? by_rows(dst_) : dense,
        repeat_is_row ? by_rows(src0_) : dense, repeat_is_row ? by_rows(src1_) : dense);
  }

  // A row is less than a repeat: one instruction, one repeat a row.
  TS_INLINE void small() {
    m_.set_mask_first(dst_.valid_cols);
    call(0, 0, dst_.valid_rows, true);
    m_.set_mask_all();
  }
  // One run of bytes: one instruction in counter mode, or whole repeats and a masked tail.
  TS_INLINE void linear(std::uint32_t decides, std::uint32_t width) {
    const std::uint32_t total = dst_.valid_rows * dst_.valid_cols;
    if ((shape_ != Shape::Unary && width > lanes_ && width % lanes_ != 0) ||
        (decides + lanes_ - 1) / lanes_ > M::kMaxRepeat) {
      m_.set_mask_count();
      m_.set_vector_mask(0, total);
      call(0, 0, 0, false);
      m_.set_mask_norm();
      m_.set_mask_all();
      return;
    }
    const std::uint32_t whole = total / lanes_, tail = total % lanes_;
    if (whole > 0) call(0, 0, whole, false);
    if (tail == 0) return;
    m_.set_mask_first(tail);
    const std::uint32_t done = whole * lanes_;
    // The run is contiguous, so the tail's element number is its place in row 0.
    call(0, done, 1, false);
    m_.set_mask_all();
  }
  TS_INLINE void count_rows() {
    m_.set_mask_count();
    m_.set_vector_mask(0, dst_.valid_cols);
    for (std::uint32_t row = 0; row < dst_.valid_rows; ++row) call(row, 0, 0, false);
    m_.set_mask_norm();
    m_.set_mask_all();
  }
  TS_INLINE void whole_rows() {
    for (std::uint32_t row = 0; row < dst_.valid_rows; ++row) call(row, 0, dst_.valid_cols / lanes_, false);
  }
  // One instruction per column of repeats; the repeats walk down the rows.
  TS_INLINE void column_chunks() {
    const std::uint32_t tail = dst_.valid_cols % lanes_;
    std::uint32_t col = 0;
    for (; col + lanes_ <= dst_.valid_cols; col += lanes_) call(0, col, dst_.valid_rows, true);
    if (tail == 0) return;
    m_.set_mask_first(tail);
    call(0, col, dst_.valid_rows, true);
    m_.set_mask_all();
  }
  // The general form: per row whole repeats, then all rows' tails under one mask. The pages word the header as running the
  // heads only where the tile has more rows than a repeat has lanes; that would lose whole registers, so they always run.
  TS_INLINE void heads_and_tail() {
    const std::uint32_t whole = dst_.valid_cols / lanes_, tail = dst_.valid_cols % lanes_;
    for (std::uint32_t row = 0; row < dst_.valid_rows && whole > 0; ++row)
      for (std::uint32_t done = 0; done < whole; done += M::kMaxRepeat)
        call(row, done * lanes_, std::min(whole - done, M::kMaxRepeat), false);
    if (tail == 0) return;
    m_.set_mask_first(tail);
    const bool strides_fit = std::max({row_blocks(dst_), row_blocks(src0_), row_blocks(src1_)}) <= M::kMaxStride;
    const std::uint32_t rows_a_call = strides_fit ? M::kMaxRepeat : 1;
    for (std::uint32_t row = 0; row < dst_.valid_rows; row += rows_a_call)
      call(row, whole * lanes_, std::min(dst_.valid_rows - row, rows_a_call), strides_fit);
    m_.set_mask_all();
  }

  M& m_;
  const std::uint32_t lanes_;
  const Shape shape_;
  const TileRef &dst_, &src0_, &src1_;
  Op op_;
};

template <class M, class Op>
TS_INLINE void binary_shape(M& m, const TileRef& dst, const TileRef& src0, const TileRef& src1, Op op,
                            std::uint32_t lanes, Shape shape) {
  BinaryShape<M, Op>(m, dst, src0, src1, op, lanes, shape).run();
}
template <class M, class Op>
TS_INLINE void binary_shape(M& m, const TileRef& dst, const TileRef& src0, const TileRef& src1, Op op) {
  binary_shape(m, dst, src0, src1, op, m.lanes(), Shape::Binary);
}

// What an A2A3 lowering leaves in its scratch is nobody's business.
template <class M>
void leave_scratch(M& m, const Bound& bound, const char* tmp = "tmp") {
  if (!bound.has(tmp)) return;
  const TileRef& tile = bound.tile(tmp);
  m.emu_unspecified(tile.ub(), static_cast<std::uint32_t>(tile.type.size_bytes()), "scratch of the instruction");
}

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
