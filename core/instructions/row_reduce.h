// What TROWSUM and the other reductions of rows share: 64-bit elements, integers of A2A3, rules and rows.
#pragma once

#include <fmt/format.h>

#include "core/instructions/reduce_family.h"
#include "core/instructions/row_reduce-inl.h"

namespace ts::vec {

// What an empty row would be.
inline LaneScalar start_of(ReduceOp what, DType type) {
  if (what == ReduceOp::Max || what == ReduceOp::Min) return worst_of(what, type);
  return {what == ReduceOp::Sum ? 0 : from_double(type, 1), type, 0};
}

// 64 bits as words. The quirk's 64 columns are one step.
template <ReduceOp what>
void reduce_words_a5(A5& m, const TileRef& src, const TileRef& dst) {
  constexpr LaneOp kJoin = what == ReduceOp::Sum ? LaneOp::Add : what == ReduceOp::Max ? LaneOp::Max : LaneOp::Min;
  const Words start = words_of(m, start_of(what, m.dtype()));
  std::uint32_t one = 1;
  const Pred lowest = m.plt(AnyLane{DType::U32}, one);
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    TileRef line = src;
    line.valid_rows = 1;
    Words sum = start;
    each_words(m, line, false, [&](const Cell& cell, const Pred& active) {
      const Words words = load_words(m, src, {row, cell.col}),
                  part = m.emu_reduce_words(what, m.dtype(), words, active);
      sum = m.emu_words(kJoin, m.dtype(), "join", sum, part);
    });
    m.emu_vsts_intlv(sum, dst.ub(), dst.at(row, 0) - dst.address, lowest);
  }
}

// --- A2A3, integers, and all products: the blocks of a row join in one block, whose lanes the scalar pipe joins

template <ReduceOp what>
void fold_blocks(A2A3& m, const TileRef& src, const TileRef& dst, Ub tmp) {
  const LaneScalar start = start_of(what, m.dtype());
  const std::uint32_t lanes = BLK / m.bytes(), whole = src.valid_cols / lanes, tail = src.valid_cols % lanes;
  m.set_mask_count();
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    m.set_vector_mask(0, lanes);
    m.vector_dup(m.ty(), tmp, start, 1, {});
    for (std::uint32_t k = 0; k < whole; ++k)
      HWY_NAMESPACE::join<what>(m, tmp, tmp, Ub{src.at(row, k * lanes)}, 1, {}, {}, {});
    if (tail != 0) {
      m.set_vector_mask(0, tail);
      HWY_NAMESPACE::join<what>(m, tmp, tmp, Ub{src.at(row, whole * lanes)}, 1, {}, {}, {});
    }
    m.sync(Pipe::V, Pipe::S);
    m.scalar_fold(what, m.ty(), {dst.at(row, 0)}, tmp, lanes);
    m.sync(Pipe::S, Pipe::V);
  }
  m.set_mask_norm();
  m.set_mask_all();
}

inline bool by_blocks(ReduceOp what, DType type) { return what == ReduceOp::Prod || !is_float(type); }

template <ReduceOp what>
void reduce_a2a3(A2A3& m, const Bound& bound) {
  const TileRef &src = bound.tile("src"), &dst = bound.tile("dst");
  if (!by_blocks(what, m.dtype())) return HWY_NAMESPACE::reduce_floats_a2a3<what>(m, bound);
  if (src.valid_rows == 0 || src.valid_cols == 0) return;
  fold_blocks<what>(m, src, dst, bound.tile("tmp").ub());
  leave_scratch(m, bound);
}

// --- rules and rows

template <ReduceOp what>
TileType scratch(const Bound& bound) {
  const TileType& src = bound.tile("src").type;
  if (by_blocks(what, src.dtype)) return scratch_of(bound, src.dtype, 1, BLK);
  const std::uint32_t columns = HWY_NAMESPACE::partial_columns(what, src.dtype, src.widest_cols());
  return columns == 0 ? no_scratch() : scratch_of(bound, src.dtype, src.widest_rows(), columns * size_bytes(src.dtype));
}
template <ReduceOp what>
void rules(RuleCheck& check) {
  const TileRef& src = check.tile("src");
  row_result_rules(check, {"dst"});
  same_types(check, {"dst"}, "src");
  if (what != ReduceOp::Prod) warn_words(check, "src", "W2");
  if (check.target() == Target::A5) return;
  if (by_blocks(what, src.type.dtype)) return scratch_bytes(check, BLK, "one block takes the partial results");
  const std::uint64_t row_bytes =
      std::uint64_t{HWY_NAMESPACE::partial_columns(what, src.type.dtype, src.valid_cols)} * src.elem_bytes();
  scratch_bytes(check, src.valid_rows * row_bytes,
                "partial results of every row stand there; a tile like src is large enough");
  if (HWY_NAMESPACE::gives_up(check.bound(), src))
    check.warn(check.own("W1"), "tmp",
               fmt::format("rows of tmp have {} bytes, {} valid columns want {}", check.tile("tmp").pitch_bytes(),
                           src.valid_cols, VL),
               check.options().quirk_rowreduce ? "the library returns and writes nothing; widen tmp"
                                               : "the library would write nothing; widen tmp");
}

template <ReduceOp what, const DTypeSet& a5>
InstructionRow row_of(const char* name, const char* summary, const char* cpp, Machines machines) {
  return {.name = name,
          .summary = summary,
          .forms = {{"", {in("src"), optional_tmp("tmp"), out("dst")}, cpp}},
          .typed_by = "src",
          .types = types_of<a5, kA2A3Types>,
          .draw = Drawing::Reduce,
          .rules = rules<what>,
          .scratch = scratch<what>,
          .machines = machines};
}

}  // namespace ts::vec
