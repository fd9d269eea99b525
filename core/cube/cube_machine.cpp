// The cube core's micro-operations.
#include "core/cube/cube_machine.h"

#include <algorithm>

#include "core/cube/micro_ops.h"
#include "core/engine/shared_ops.h"

namespace ts {
namespace {

// Lanes of one register that each take a factor of 64 bits.
constexpr std::uint32_t kMostFactors = VL / 8;

AddressArg place(const TileRef& tile, std::uint32_t row, std::uint32_t col) {
  return {tile.space(), tile.at(row, col), 0, tile.elem_bytes()};
}

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
  if (!tile.type.in_boxes()) return size - at;
  const Box box = box_of(tile.type);
  const std::uint32_t of_box = along_row ? box.cols : box.rows;
  return std::min(of_box - at % of_box, size - at);
}

// f(run) for all elements of the window, along the lines of dst.
template <class F>
void for_runs(const TileRef& dst, const TileRef& src, const Window& window, F f) {
  const bool along_rows = rows_run_on(dst.type);
  const std::uint32_t size = dst.elem_bytes(), lines = along_rows ? window.rows : window.cols,
                      length = along_rows ? window.cols : window.rows;
  const std::uint32_t to_begin = along_rows ? window.to_col : window.to_row,
                      from_begin = along_rows ? window.from_col : window.from_row;
  const auto to = [&](std::uint32_t line, std::uint32_t at) {
    return along_rows ? dst.at(window.to_row + line, to_begin + at) : dst.at(to_begin + at, window.to_col + line);
  };
  const auto from = [&](std::uint32_t line, std::uint32_t at) {
    return along_rows ? src.at(window.from_row + line, from_begin + at)
                      : src.at(from_begin + at, window.from_col + line);
  };
  for (std::uint32_t first = 0, strip = 0; first < length; first += strip) {
    strip = std::min(left_in_line(dst, along_rows, to_begin + first), length - first);
    for (std::uint32_t line = 0; line < lines; ++line)
      for (std::uint32_t at = first, count = 0; at < first + strip; at += count) {
        count = std::min(first + strip - at, left_in_line(src, along_rows, from_begin + at));
        const std::uint32_t begin = from(line, at), next = count == 1 ? begin + size : from(line, at + 1);
        f(Run{to(line, at), begin, next - begin, count});
      }
  }
}

}  // namespace

Window in_bytes(Window window, const TileType& type) {
  if (!is_packed(type.dtype)) return window;
  const bool along_rows = rows_run_on(type);
  for (std::uint32_t* at : {along_rows ? &window.from_col : &window.from_row,
                            along_rows ? &window.to_col : &window.to_row, along_rows ? &window.cols : &window.rows})
    *at = static_cast<std::uint32_t>(bytes_for(type.dtype, *at));
  return window;
}

const MicroOp& CubeMachine::operand_op(const TileRef& dst, bool turned) const {
  const bool left = dst.space() == Space::L0a;
  if (bound_.target == Target::A5) return left ? cube::op("load_cbuf_to_ca") : cube::op("load_cbuf_to_cb");
  if (!left) return turned ? cube::op("load_cbuf_to_cb_transpose") : cube::op("load_cbuf_to_cb");
  if (dst.rows() == 1) return cube::op("load_cbuf_to_ca");
  return turned && dst.elem_bytes() == 1 ? cube::op("load_cbuf_to_ca_transpose") : cube::op("img2colv2_cbuf_to_ca");
}

void CubeMachine::move_elements(const MicroOp& op, const TileRef& dst, const TileRef& src, const Window& window) {
  const std::uint32_t size = dst.elem_bytes();
  const auto move = [&](const Run& run) {
    if (run.step == size) return core_.copy(op, dst.space(), run.to, src.space(), run.from, run.count * size);
    core_.copy_elements(op, {dst.space(), run.to, size}, {src.space(), run.from, run.step}, size, run.count);
  };
  Run open{};
  for_runs(dst, src, window, [&](const Run& run) {
    if (open.count != 0 && open.is_followed_by(run, size)) {
      open.count += run.count;
      return;
    }
    if (open.count != 0) move(open);
    open = run;
  });
  if (open.count != 0) move(open);
}

void CubeMachine::l1_to_operand(const TileRef& dst, const TileRef& src, const Window& window) {
  const MicroOp& op = operand_op(dst, rows_run_on(dst.type) != rows_run_on(src.type));
  core_.micro(op, dst.type.dtype, place(dst, 0, 0), place(src, window.from_row, window.from_col),
              CountArg{"rows", window.rows}, CountArg{"cols", window.cols});
  move_elements(op, in_bytes(dst), in_bytes(src), in_bytes(window, dst.type));
}

// Lane by lane of a group as far as neither a box of dst nor the map's channels end.
void CubeMachine::windows_to_operand(const TileRef& dst, const TileRef& map, const MapWindows& how, std::uint32_t row,
                                     std::uint32_t col) {
  const MicroOp& op = cube::op("img2colv2_cbuf_to_ca");
  core_.micro(op, dst.type.dtype, place(dst, 0, 0), place(map, 0, 0), CountArg{"m", dst.valid_rows},
              CountArg{"k", dst.valid_cols});
  const std::uint32_t size = dst.elem_bytes(), box = box_of(dst.type).cols,
                      cols = std::min((col + dst.valid_cols + how.lanes - 1) / how.lanes * how.lanes - col, dst.cols());
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
  // From `from` to `to`; points beside each other, from row to row of dst, move together.
  struct {
    std::uint64_t to = 0, from = 0;
    std::uint32_t bytes = 0;
  } open;
  const auto move_open = [&] {
    if (open.bytes != 0) core_.copy(op, dst.space(), open.to, map.space(), open.from, open.bytes);
    open.bytes = 0;
  };
  for (std::uint32_t first = 0, count = 0; first < cols; first += count) {
    count = std::min({cols - first, box - first % box, how.lanes - (col + first) % how.lanes});
    for (std::uint32_t r = 0; r < dst.valid_rows; ++r) {
      const MapWindows::Place from = how.place(row + r, col + first);
      const std::uint64_t channel = std::uint64_t{from.group} * how.lanes + from.lane;
      const bool on_map = how.is_inside(from);
      const std::uint32_t inside =
          !on_map             ? 0
          : how.channels == 0 ? count
                              : static_cast<std::uint32_t>(std::min<std::uint64_t>(count, how.channels - channel));
      const std::uint64_t to = dst.at(r, first), at = on_map ? map.address + how.number(from) * size : 0;
      const bool goes_on =
          open.bytes != 0 && inside == count && to == open.to + open.bytes && at == open.from + open.bytes;
      if (goes_on) {
        open.bytes += count * size;
        continue;
      }
      move_open();
      if (inside != 0) open = {to, at, inside * size};
      if (inside == count) continue;
      move_open();
      core_.fill(op, dst.space(), to + inside * size, size, count - inside, LaneScalar{how.outside, dst.type.dtype, 0});
    }
  }
  move_open();
}

void CubeMachine::set_register(const MicroOp& op, std::uint32_t address, std::uint64_t bits) {
  const LaneScalar scalar{bits, DType::U64, 0};
  core_.micro(op, DType::U64, scalar);
  core_.store_scalar(op, Space::Spr, address, 8, scalar);
}

void CubeMachine::l1_to_scales(const TileRef& dst, const TileRef& src, const Window& window) {
  const MicroOp& op = dst.space() == Space::L0aScales ? cube::op("load_cbuf_to_ca_mx") : cube::op("load_cbuf_to_cb_mx");
  core_.micro(op, dst.type.dtype, place(dst, 0, 0), place(src, window.from_row, window.from_col),
              CountArg{"rows", window.rows}, CountArg{"cols", window.cols});
  move_elements(op, dst, src, window);
}

void CubeMachine::ub_to_tile(const TileRef& dst, const TileRef& src, const Window& window) {
  const MicroOp& op = dst.space() == Space::L1 ? cube::op("copy_ubuf_to_cbuf") : cube::op("copy_ubuf_to_ubuf");
  core_.micro(op, dst.type.dtype, place(dst, window.to_row, window.to_col),
              place(src, window.from_row, window.from_col), CountArg{"rows", window.rows},
              CountArg{"cols", window.cols});
  move_elements(op, dst, src, window);
}

// Bytes as words of four.
void CubeMachine::zero_blocks(const TileRef& tile, std::uint32_t address, std::uint32_t blocks) {
  const MicroOp& op = shared::op("create_cbuf_matrix");
  const DType type = tile.elem_bytes() == 1 ? DType::U32 : tile.type.dtype;
  const LaneScalar zero{0, type, 0};
  const std::uint32_t size = size_bytes(type);
  core_.micro(op, type, AddressArg{tile.space(), address, 0, size}, CountArg{"cfg", blocks | 1u << 16}, zero);
  core_.fill(op, tile.space(), address, size, blocks * BLK / size, zero);
}

void CubeMachine::zeros(const TileRef& tile, std::uint32_t first_row, std::uint32_t rows) {
  const MicroOp& op = cube::op("vector_dup");
  core_.micro(op, tile.type.dtype, place(tile, first_row, 0), CountArg{"rows", rows}, CountArg{"cols", tile.cols()});
  for (std::uint32_t row = first_row; row < first_row + rows; ++row)
    core_.fill(op, tile.space(), tile.at(row, 0), tile.elem_bytes(), tile.cols(), LaneScalar{0, tile.type.dtype, 0});
}

void CubeMachine::l1_to_fixpipe(const TileRef& dst, const TileRef& src) {
  const MicroOp& op = cube::op("copy_cbuf_to_fbuf");
  const std::uint32_t bytes = dst.cols() * dst.elem_bytes();
  core_.micro(op, dst.type.dtype, place(dst, 0, 0), place(src, 0, 0), CountArg{"len", bytes});
  core_.copy(op, dst.space(), dst.address, src.space(), src.address, bytes);
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
  if (all_rows == rows && all_cols == cols) return;
  for_row_runs(tile, all_rows, all_cols, [&](std::uint32_t, std::uint32_t row, std::uint32_t col, std::uint32_t count) {
    const std::uint32_t first = row < rows ? std::max(col, cols) : col;
    if (first >= col + count) return;
    core_.unspecified(tile.space(), tile.at(row, first), (col + count - first) * tile.elem_bytes(),
                      "the cube core writes whole boxes");
  });
}

void CubeMachine::mad(const Product& product) {
  const MicroOp& op = product.left_scales ? cube::op("mad_mx") : cube::op("mad");
  core_.micro(op, product.left.type.dtype, place(product.acc, 0, 0), place(product.left, 0, 0),
              place(product.right, 0, 0), CountArg{"m", product.m}, CountArg{"k", product.k}, CountArg{"n", product.n});
  core_.multiply(op, product);
  unspecified_rest_of_boxes(product.acc, product.m, product.n);
}

// Elements of one row that are side by side in the accumulator move together where they are so in `dst`, too.
template <class Dst>
void CubeMachine::l0c_out(const MicroOp& op, Space space, const Dst& dst, const TileRef& src, const Window& window,
                          const Fixpipe& how) {
  const std::uint32_t size = size_bytes(how.to), sum = src.elem_bytes();
  if (how.of_columns) core_.watch_data();
  FixpipeLanes fixpipe(core_, op, how, src.type.dtype);
  const auto to = [&](std::uint32_t row, std::uint32_t col) {
    return std::uint64_t{dst.at(window.to_row + row, window.to_col + col)};
  };
  const auto from = [&](std::uint32_t row, std::uint32_t col) {
    return src.at(window.from_row + row, window.from_col + col);
  };
  // In every layout a row gives one part of an element's address and a column the other: which elements are side by side
  // is the same in all rows.
  const auto together = [&](std::uint32_t col) {
    const std::uint32_t most = std::min(window.cols - col, kMostFactors);
    const std::uint64_t to_first = to(0, col), from_first = from(0, col);
    std::uint32_t n = 1;
    while (n < most && to(0, col + n) == to_first + n * size && from(0, col + n) == from_first + n * sum) ++n;
    return n;
  };
  const auto store = [&](std::uint32_t row, std::uint32_t col, std::uint32_t count) {
    AnyReg value =
        core_.load<LoadKind::Some>(src.type.dtype, op, src.space(), from(row, col), count * sum, 1, count * sum);
    value = fixpipe.converted(value, col, count);
    if (how.adding) {
      const AnyReg there = core_.load<LoadKind::Some>(how.to, op, space, to(row, col), count * size, 1, count * size);
      value = core_.lanewise<LaneOp::Add>(how.to, core_.predicate(first_lanes_of(size, count)), there, value);
    }
    core_.store_span(op, space, to(row, col), value, count * size);
  };
  if (window.rows == 0) return;
  const std::uint32_t strip = box_of(src.type).cols;
  std::vector<std::uint32_t> runs;  // elements of each, in the strip
  for (std::uint32_t first = 0, next = 0; first < window.cols; first = next) {
    next = std::min(first + strip - (window.from_col + first) % strip, window.cols);
    runs.clear();
    for (std::uint32_t col = first; col < next; col += runs.back()) runs.push_back(std::min(together(col), next - col));
    for (std::uint32_t row = 0; row < window.rows; ++row) {
      std::uint32_t col = first;
      for (const std::uint32_t count : runs) {
        store(row, col, count);
        col += count;
      }
    }
  }
}

void CubeMachine::l0c_to_gm(const GlobalRef& dst, const TileRef& src, const Fixpipe& how) {
  const MicroOp& op = cube::op("copy_matrix_cc_to_gm");
  core_.micro(op, how.to, AddressArg{Space::Gm, dst.address, 0, size_bytes(how.to)}, place(src, 0, 0),
              CountArg{"m", src.valid_rows}, CountArg{"n", src.valid_cols});
  l0c_out(op, Space::Gm, dst, src, {.rows = src.valid_rows, .cols = src.valid_cols}, how);
}

void CubeMachine::l0c_to_tile(const TileRef& dst, const TileRef& src, const Window& window, const Fixpipe& how) {
  l0c_to_tile(dst, src, window, how, dst.space());
}

void CubeMachine::l0c_to_tile(const TileRef& dst, const TileRef& src, const Window& window, const Fixpipe& how,
                              Space space) {
  const MicroOp& op = space == Space::L1 ? cube::op("copy_matrix_cc_to_cbuf") : cube::op("copy_matrix_cc_to_ub");
  core_.micro(op, how.to, place(dst, window.to_row, window.to_col), place(src, window.from_row, window.from_col),
              CountArg{"m", window.rows}, CountArg{"n", window.cols});
  l0c_out(op, space, dst, src, window, how);
}

}  // namespace ts
