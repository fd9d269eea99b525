// Views of global memory.
#include <fmt/format.h>

#include <algorithm>

#include "core/program/run_code.h"

namespace ts {
namespace {

// Elements or bytes: more than any buffer has. Numbers of a program may be anything, and what is made of them must not wrap.
constexpr std::int64_t kBeyond = std::int64_t{1} << 40;

// Of numbers that are not negative.
std::int64_t product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? kBeyond : std::min(result, kBeyond);
}

// Where the strides say so: rows or columns beside each other, or boxes. What is one line is rows.
GlobalLayout layout_of(const ViewValue& view) {
  const auto lanes = static_cast<std::int64_t>(elements_in(view.dtype, BLK));
  const auto& stride = view.stride;
  if (view.rank == 5 && view.shape[3] == 16 && view.shape[4] == lanes && stride[4] == 1 && stride[3] == lanes &&
      stride[2] == 16 * lanes && view.shape[1] > 1 && stride[1] == view.shape[2] * 16 * lanes)
    return GlobalLayout::NZ;
  if (stride[4] == 1 || view.rank < 2) return GlobalLayout::ND;
  return stride[3] == 1 ? GlobalLayout::DN : GlobalLayout::ND;
}

// Rows of one element beside each other are a column as well.
bool is_one_column(const ViewValue& view) {
  return view.layout == GlobalLayout::ND && view.rank >= 2 && view.shape[4] == 1 && view.stride[4] == 1 &&
         view.stride[3] == 1;
}

// Grows what the buffer must have, where its size is not given.
void reach(WalkState& state, const ViewValue& view) {
  if (state.checking && !state.view_shapes.contains(view.buffer)) {
    std::vector<std::uint32_t>& shape = state.view_shapes[view.buffer];
    for (std::size_t i = 5 - view.rank; i < 5; ++i) shape.push_back(clamped(view.shape[i]));
  }
  std::uint64_t elements = 1;
  for (std::size_t i = 0; i < 5; ++i) {
    if (view.shape[i] == 0) return;
    elements += static_cast<std::uint64_t>(product(view.shape[i] - 1, view.stride[i]));
  }
  std::uint64_t& extent = state.extents[view.buffer];
  extent = std::max(
      extent, static_cast<std::uint64_t>(std::max<std::int64_t>(view.offset, 0)) + bytes_for(view.dtype, elements));
}

}  // namespace

bool make_view(WalkState& state, const CodeOp& op) {
  if (!state.all_known(op)) {
    state.set_out(op, {});
    return true;
  }
  const std::size_t rank = op.type;
  const Value pointer = state.value_in(op, 0);
  const bool memref = pointer.kind == ValueKind::View;
  const ViewValue base =
      memref ? state.views[pointer.bits] : ViewValue{.buffer = pointer.buffer, .offset = pointer.number()};
  ViewValue view{.buffer = base.buffer,
                 .dtype = static_cast<DType>(op.data),
                 .rank = op.type,
                 .offset = std::clamp(base.offset, -kBeyond, kBeyond)};
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t shape = state.value_in(op, 1 + i).number(), stride = state.value_in(op, 1 + rank + i).number();
    view.shape[5 - rank + i] = shape;
    view.stride[5 - rank + i] = stride;
    if (shape < 0 || stride < 0)
      return state.fail(
          op.pos, "E-VIEW",
          fmt::format("dimension {} has {} elements, {} apart; neither may be negative", i, shape, stride));
    if (shape >= kBeyond || stride >= kBeyond)
      return state.fail(
          op.pos, "E-VIEW",
          fmt::format("dimension {} has {} elements, {} apart; global memory ends before", i, shape, stride));
  }
  // Dimensions of one in front: as far apart as all that is behind them.
  for (std::size_t i = 5 - rank; i-- > 0;) view.stride[i] = product(view.shape[i + 1], view.stride[i + 1]);
  view.layout = op.to == 0 ? layout_of(view) : static_cast<GlobalLayout>(op.to - 1);
  view.either = op.to == 0 && is_one_column(view);
  if (view.buffer < state.program.buffers.size()) reach(state, view);
  state.set_view(state.out(op), view);
  return true;
}

bool partition_view(WalkState& state, const CodeOp& op) {
  if (!state.all_known(op)) {
    state.set_out(op, {});
    return true;
  }
  const std::size_t rank = op.type;
  ViewValue view = state.views[state.value_in(op, 0).bits];
  bool beyond = false;
  std::int64_t first = 0;  // element
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t dim = 5 - rank + i;
    const std::int64_t offset = state.value_in(op, 1 + i).number(), size = state.value_in(op, 1 + rank + i).number();
    // A part without elements is legal: what works on it does nothing.
    if (offset < 0 || size < 0)
      return state.fail(op.pos, "V60-23",
                        fmt::format("dimension {}: offset {}, size {}; neither may be negative", i, offset, size),
                        "front ends clamp offsets with arith.maxsi");
    if (offset >= kBeyond || size >= kBeyond)
      return state.fail(op.pos, "E-VIEW",
                        fmt::format("dimension {}: offset {}, size {}; global memory ends before", i, offset, size));
    if (offset + size > view.shape[dim] && size > 0) {
      beyond = true;
      state.warn(op, FindingKind::Bounds, "V60-23",
                 fmt::format("dimension {}: elements {}..{} of {}", i, offset, offset + size, view.shape[dim]),
                 "the part reaches beyond the view; use what is left as its size");
    }
    first = std::min(first + product(offset, view.stride[dim]), kBeyond);
    view.shape[dim] = size;
  }
  if (is_packed(view.dtype) && first % 2 != 0)
    return state.fail(
        op.pos, "E-VIEW",
        fmt::format("the part begins with element {} of {}, in the middle of a byte", first, name(view.dtype)),
        "two of them share a byte: let it begin with an even one");
  view.offset = std::min(
      view.offset + static_cast<std::int64_t>(bytes_for(view.dtype, static_cast<std::uint64_t>(first))), kBeyond);
  // Where nobody said how large the buffer is, it may well go on behind the view.
  if (beyond && view.buffer < state.program.buffers.size()) reach(state, view);
  state.set_view(state.out(op), view);
  return true;
}

bool view_extent(WalkState& state, const CodeOp& op) {
  const Value view = state.value_in(op, 0), dim = state.value_in(op, 1);
  if (!view.known() || !dim.known()) {
    state.set_out(op, {});
    return true;
  }
  const ViewValue& its = state.views[view.bits];
  if (dim.number() < 0 || dim.number() >= its.rank)
    return state.fail(op.pos, "E-VIEW", fmt::format("dimension {} of a view of rank {}", dim.number(), its.rank),
                      fmt::format("dimensions are 0 to {}", its.rank - 1));
  const std::size_t at = 5u - its.rank + static_cast<std::size_t>(dim.bits);
  state.set_out(op, scalar_value(static_cast<std::uint64_t>(op.to == 0 ? its.shape[at] : its.stride[at])));
  return true;
}

bool same_extents(WalkState& state, const CodeOp& op) {
  if (!state.all_known(op)) return true;
  const ViewValue &a = state.views[state.value_in(op, 0).bits], &b = state.views[state.value_in(op, 1).bits];
  if (a.shape == b.shape) return true;
  const auto text = [](const ViewValue& view) {
    return fmt::format("{}", fmt::join(view.shape.end() - view.rank, view.shape.end(), "x"));
  };
  return state.fail(op.pos, "COMM-R2", fmt::format("the views are {} and {}", text(a), text(b)),
                    "what is copied has the shape of where it goes");
}

bool element_view(WalkState& state, const CodeOp& op) {
  if (!state.all_known(op)) {
    state.set_out(op, {});
    return true;
  }
  const Value pointer = state.value_in(op, 0);
  const auto dtype = static_cast<DType>(op.data);
  const std::uint32_t size = size_bytes(dtype);
  if (pointer.buffer >= state.program.buffers.size()) {
    if (!state.checking)
      return state.fail(op.pos, "E-EMULATE",
                        "not emulated: this pointer to global memory was made from a number, which names no buffer");
    state.set_out(op, {});
    return true;
  }
  const std::int64_t index = state.value_in(op, 1).number();
  std::int64_t offset = 0;
  const bool wraps = __builtin_mul_overflow(index, std::int64_t{size}, &offset) ||
                     __builtin_add_overflow(offset, pointer.number(), &offset);
  const BufferDecl& buffer = state.program.buffers[pointer.buffer];
  // Its size may be what this walk finds out.
  const bool sized = buffer.elements != 0 || !state.checking;
  if (wraps || offset < 0 || (sized && offset + size > buffer.size()))
    return outside_buffer(state, op, buffer, wraps ? kBeyond * size : offset, size);
  const ViewValue view{.buffer = pointer.buffer, .dtype = dtype, .rank = 1, .offset = offset};
  std::uint64_t& extent = state.extents[view.buffer];
  extent = std::max(extent, static_cast<std::uint64_t>(offset) + size);
  state.set_view(state.out(op), view);
  return true;
}

}  // namespace ts
