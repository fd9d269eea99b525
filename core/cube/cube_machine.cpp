// The cube core's micro-operations.
#include "core/cube/cube_machine.h"

#include <algorithm>

#include "core/cube/micro_ops.h"

namespace ts {
namespace {

AddressArg place(const TileRef& tile, std::uint32_t row, std::uint32_t col) {
  return {tile.space(), tile.at(row, col), 0, tile.elem_bytes()};
}

bool rows_inside(const TileRef& tile) { return tile.type.slayout == InnerOrder::RowMajor || tile.type.row_major(); }

// Elements that stand side by side where they go, and evenly spaced where they come from.
struct Run {
  std::uint64_t to, from;
  std::uint32_t step, count;  // bytes; elements

  bool is_followed_by(const Run& next, std::uint32_t size) const {
    return step == size && next.step == size && next.to == to + std::uint64_t{count} * size &&
           next.from == from + std::uint64_t{count} * size;
  }
};

// So many elements of `tile` follow each other from here on, along the row or down the column.
std::uint32_t left_in_line(const TileRef& tile, bool along_row, std::uint32_t at) {
  const std::uint32_t size = along_row ? tile.cols() : tile.rows();
  if (!tile.type.boxed() || tile.rows() == 1) return size - at;
  const Box box = box_of(tile.type);
  const std::uint32_t of_box = along_row ? box.cols : box.rows;
  return std::min(of_box - at % of_box, size - at);
}

// f(run) for all elements of dst, each from (row, col) further on in src.
template <class F>
void for_runs(const TileRef& dst, const TileRef& src, std::uint32_t row, std::uint32_t col, F f) {
  const bool along_rows = rows_inside(dst);
  const std::uint32_t size = dst.elem_bytes(), lines = along_rows ? dst.rows() : dst.cols(),
                      length = along_rows ? dst.cols() : dst.rows();
  const std::uint32_t strip = left_in_line(dst, along_rows, 0);
  for (std::uint32_t first = 0; first < length; first += strip)
    for (std::uint32_t line = 0; line < lines; ++line)
      for (std::uint32_t at = first; at < std::min(first + strip, length);) {
        const std::uint32_t r = along_rows ? line : at, c = along_rows ? at : line;
        const std::uint32_t count =
            std::min({first + strip - at, length - at, left_in_line(src, along_rows, along_rows ? col + c : row + r)});
        const std::uint32_t from = src.at(row + r, col + c);
        const std::uint32_t next = count == 1   ? from + size
                                   : along_rows ? src.at(row + r, col + c + 1)
                                                : src.at(row + r + 1, col + c);
        f(Run{dst.at(r, c), from, next - from, count});
        at += count;
      }
}

}  // namespace

const MicroOp& CubeMachine::operand_op(const TileRef& dst, bool turned) const {
  const bool left = dst.space() == Space::L0a;
  if (bound_.target == Target::A5) return left ? cube::op("load_cbuf_to_ca") : cube::op("load_cbuf_to_cb");
  if (!left) return turned ? cube::op("load_cbuf_to_cb_transpose") : cube::op("load_cbuf_to_cb");
  if (dst.rows() == 1) return cube::op("load_cbuf_to_ca");
  return turned && dst.elem_bytes() == 1 ? cube::op("load_cbuf_to_ca_transpose") : cube::op("img2colv2_cbuf_to_ca");
}

void CubeMachine::l1_to_operand(const TileRef& dst, const TileRef& src, std::uint32_t row, std::uint32_t col) {
  const MicroOp& op = operand_op(dst, rows_inside(dst) != rows_inside(src));
  core_.micro(op, dst.type.dtype, place(dst, 0, 0), place(src, row, col), CountArg{"rows", dst.rows()},
              CountArg{"cols", dst.cols()});
  const std::uint32_t size = dst.elem_bytes();
  const auto move = [&](const Run& run) {
    if (run.step == size) return core_.copy(op, dst.space(), run.to, src.space(), run.from, run.count * size);
    core_.copy_elements(op, {dst.space(), run.to, size}, {src.space(), run.from, run.step}, size, run.count);
  };
  Run open{};
  for_runs(dst, src, row, col, [&](const Run& run) {
    if (open.count != 0 && open.is_followed_by(run, size)) {
      open.count += run.count;
      return;
    }
    if (open.count != 0) move(open);
    open = run;
  });
  if (open.count != 0) move(open);
}

void CubeMachine::l1_to_bias(const TileRef& dst, const TileRef& src) {
  const MicroOp& op = cube::op("copy_cbuf_to_bt");
  const DType from = src.type.dtype, to = dst.type.dtype;
  core_.micro(op, to, place(dst, 0, 0), place(src, 0, 0), CountArg{"len", dst.cols() * src.elem_bytes()});
  if (from == to)
    return core_.copy(op, dst.space(), dst.address, src.space(), src.address, dst.cols() * dst.elem_bytes());
  const std::uint32_t lanes = VL / dst.elem_bytes();
  for (std::uint32_t col = 0; col < dst.cols(); col += lanes) {
    const std::uint32_t count = std::min(lanes, dst.cols() - col), bytes = count * src.elem_bytes();
    AnyReg narrow = core_.load<LoadKind::Some>(from, op, src.space(), src.at(0, col), bytes, 1, bytes);
    AnyReg spread = core_.move<Move::WidenZero>(DType::U16, 0, narrow, narrow);
    const AnyPred on = core_.predicate(first_lanes_of(dst.elem_bytes(), count));
    AnyReg wide = core_.convert(to, from, {}, on, spread);
    core_.store_span(op, dst.space(), dst.at(0, col), wide, count * dst.elem_bytes());
  }
}

// Boxes are written whole; what no product stands for is nobody's promise.
void CubeMachine::unspecified_rest_of_boxes(const TileRef& tile, std::uint32_t rows, std::uint32_t cols) {
  if (!tile.type.boxed()) return;
  const Box box = box_of(tile.type);
  const std::uint32_t all_rows = std::min((rows + box.rows - 1) / box.rows * box.rows, tile.rows()),
                      all_cols = std::min((cols + box.cols - 1) / box.cols * box.cols, tile.cols());
  for_row_runs(tile, all_rows, all_cols, [&](std::uint32_t, std::uint32_t row, std::uint32_t col, std::uint32_t count) {
    const std::uint32_t first = row < rows ? std::max(col, cols) : col;
    if (first >= col + count) return;
    core_.unspecified(tile.space(), tile.at(row, first), (col + count - first) * tile.elem_bytes(),
                      "the cube core writes whole boxes");
  });
}

void CubeMachine::mad(const Product& product) {
  const MicroOp& op = cube::op("mad");
  core_.micro(op, product.left.type.dtype, place(product.acc, 0, 0), place(product.left, 0, 0),
              place(product.right, 0, 0), CountArg{"m", product.m}, CountArg{"k", product.k}, CountArg{"n", product.n});
  core_.multiply(op, product);
  unspecified_rest_of_boxes(product.acc, product.m, product.n);
}

// `count` sums in f32 or i32 as elements of the result's type, close together.
AnyReg CubeMachine::through_fixpipe(const AnyReg& sums, std::uint32_t count, const TileRef& src, const Fixpipe& how) {
  const DType from = src.type.dtype;
  const AnyPred on = core_.predicate(first_lanes_of(src.elem_bytes(), count));
  AnyReg value = sums;
  if (how.relu) value = core_.lanewise<LaneOp::Relu>(from, on, value);
  if (how.to == from) return value;
  value = core_.convert(how.to, from, {.rounding = Rounding::Even, .overflow = Overflow::Clamp}, on, value);
  return core_.move<Move::PackHalf>(DType::U32, 0, value, value);
}

void CubeMachine::l0c_to_gm(const GlobalRef& dst, const TileRef& src, const Fixpipe& how) {
  const MicroOp& op = cube::op("copy_matrix_cc_to_gm");
  const std::uint32_t size = size_bytes(how.to);
  core_.micro(op, how.to, AddressArg{Space::Gm, dst.address, 0, size}, place(src, 0, 0), CountArg{"m", src.valid_rows},
              CountArg{"n", src.valid_cols});
  const auto store = [&](std::uint32_t address, std::uint32_t row, std::uint32_t col, std::uint32_t count) {
    const std::uint32_t bytes = count * src.elem_bytes();
    AnyReg value = core_.load<LoadKind::Some>(src.type.dtype, op, src.space(), address, bytes, 1, bytes);
    value = through_fixpipe(value, count, src, how);
    const std::uint64_t to = dst.at(row, col);
    if (how.adding) {
      AnyReg there = core_.load<LoadKind::Some>(how.to, op, Space::Gm, to, count * size, 1, count * size);
      value = core_.lanewise<LaneOp::Add>(how.to, core_.predicate(first_lanes_of(size, count)), there, value);
    }
    core_.store_span(op, Space::Gm, to, value, count * size);
  };
  // What is side by side on both sides moves together.
  const auto together = [&](std::uint32_t row, std::uint32_t col, std::uint32_t count) {
    std::uint32_t n = 1;
    while (n < std::min(count, VL / src.elem_bytes()) && dst.at(row, col + n) == dst.at(row, col) + n * size) ++n;
    return n;
  };
  for_row_runs(src, src.valid_rows, src.valid_cols,
               [&](std::uint32_t address, std::uint32_t row, std::uint32_t col, std::uint32_t count) {
                 for (std::uint32_t done = 0, n = 0; done < count; done += n) {
                   n = together(row, col + done, count - done);
                   store(address + done * src.elem_bytes(), row, col + done, n);
                 }
               });
}

}  // namespace ts
