// Rows to one element each: dst[r][0] is the sum, the largest, the smallest or the product of row r of src. Only column 0 of
// dst is written. Floats depend on the order, so each target keeps to its own.
#include <bit>
#include <fmt/format.h>

#include "core/instructions/reduce_family.h"

namespace ts {
namespace {

using namespace vec;

constexpr AnyLane kWord{DType::U32};

// What an empty row would be.
LaneScalar start_of(ReduceOp what, DType type) {
  if (what == ReduceOp::Max || what == ReduceOp::Min) return worst_of(what, type);
  return {what == ReduceOp::Sum ? 0 : from_double(type, 1), type, 0};
}

// --- A5: each register becomes one lane, which joins what came before

using Across = Reg (A5::*)(AnyLane, const Reg&, const Pred&);
struct StepsA5 {
  Across across;
  A5Two join;
};
constexpr StepsA5 steps_a5(ReduceOp what) {
  if (what == ReduceOp::Sum) return {&A5::vcadd, static_cast<A5Two>(&A5::vadd)};
  if (what == ReduceOp::Max) return {&A5::vcmax, &A5::vmax};
  return {&A5::vcmin, &A5::vmin};
}

// 64 bits as words. The quirk's 64 columns are one step.
template <ReduceOp what>
void reduce_words_a5(A5& m, const TileRef& src, const TileRef& dst) {
  constexpr LaneOp kJoin = what == ReduceOp::Sum ? LaneOp::Add : what == ReduceOp::Max ? LaneOp::Max : LaneOp::Min;
  const Words start = words_of(m, start_of(what, m.dtype()));
  std::uint32_t one = 1;
  const Pred lowest = m.plt(kWord, one);
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    TileRef line = src;
    line.valid_rows = 1;
    Words sum = start;
    each_words(m, line, false, [&](const Place& place, const Pred& active) {
      const Words words = load_words(m, src, {row, place.col}), part = m.emu_reduce_words(what, m.dtype(), words, active);
      sum = m.emu_words(kJoin, m.dtype(), "join", sum, part);
    });
    m.emu_vsts_intlv(sum, dst.ub(), dst.at(row, 0) - dst.address, lowest);
  }
}
// Bytes are widened, even and odd ones apart: u8 to u16, i8 to f16.
template <ReduceOp what>
void reduce_bytes_a5(A5& m, const TileRef& src, const TileRef& dst) {
  constexpr StepsA5 kSteps = steps_a5(what);
  const AnyLane wide{m.dtype() == DType::U8 ? DType::U16 : DType::F16};
  const Pred all = m.pset_all(wide);
  const Reg start = m.vdup(wide, worst_of(what, wide), all);
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    Reg best = start;
    std::uint32_t left = src.valid_cols;
    for (std::uint32_t col = 0; col < src.valid_cols; col += m.lanes()) {
      std::uint32_t odd_left = left / 2;
      const Pred active = m.plt(left), odd = m.plt(wide, odd_left);  // a lane of two bytes is on with its even one
      const Reg bytes = m.vlds(src.ub(), Place{row, col}.in(src)), even_ones = m.vcvt(wide, m.ty(), {.part = 0}, bytes, active);
      const Reg odd_ones = m.vcvt(wide, m.ty(), {.part = 1}, bytes, active);
      const Reg of_even = (m.*kSteps.across)(wide, even_ones, active), of_odd = (m.*kSteps.across)(wide, odd_ones, odd);
      best = (m.*kSteps.join)(wide, best, (m.*kSteps.join)(wide, of_even, of_odd, all), all);
    }
    m.vsts_1pt(m.ty(), m.vcvt(m.ty(), wide, {.overflow = Overflow::Clamp}, best, all), dst.ub(), first_of_row(dst, row));
  }
}
template <ReduceOp what>
void reduce_a5(A5& m, const Bound& bound) {
  const TileRef src = bound.tile("src"), dst = bound.tile("dst");
  if (src.valid_rows == 0 || src.valid_cols == 0) return;
  if (m.bytes() == 8) return reduce_words_a5<what>(m, src, dst);
  if (m.bytes() == 1) return reduce_bytes_a5<what>(m, src, dst);
  constexpr StepsA5 kSteps = steps_a5(what);
  // Sums of i16 come as i32, and are narrowed at the end.
  const bool widens = what == ReduceOp::Sum && m.dtype() == DType::I16;
  const AnyLane lane = widens ? AnyLane{DType::I32} : m.ty();
  const Pred all = m.pset_all(lane);
  const Reg start = m.vdup(lane, start_of(what, lane), all);
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    Reg result = start;
    std::uint32_t left = src.valid_cols;
    for (std::uint32_t col = 0; col < src.valid_cols; col += m.lanes()) {
      const Pred active = m.plt(left);
      const Reg part = (m.*kSteps.across)(m.ty(), m.vlds(src.ub(), Place{row, col}.in(src)), active);
      result = (m.*kSteps.join)(lane, result, part, all);
    }
    if (widens) result = m.vcvt(m.ty(), lane, {}, result, all);
    m.vsts_1pt(m.ty(), result, dst.ub(), first_of_row(dst, row));
  }
}

// Lane by lane over all registers; then lane i by lane i + half, which interleaving with ones brings together.
void product_a5(A5& m, const Bound& bound) {
  const TileRef src = bound.tile("src"), dst = bound.tile("dst");
  if (src.valid_rows == 0 || src.valid_cols == 0) return;
  const Pred all = m.pset_all();
  const Reg ones = m.vdup(start_of(ReduceOp::Prod, m.dtype()), all);
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    Reg product = ones;
    std::uint32_t left = src.valid_cols;
    for (std::uint32_t col = 0; col < src.valid_cols; col += m.lanes()) {
      const Pred active = m.plt(left);
      const Reg factors = m.vmul(m.ty(), product, m.vlds(src.ub(), Place{row, col}.in(src)), active);
      product = m.vsel(factors, product, active);
    }
    for (std::uint32_t lanes = m.lanes(); lanes > 1; lanes /= 2) {
      const Words halves = m.vintlv(product, ones);
      product = m.vmul(m.ty(), halves.lo, halves.hi, all);
    }
    m.vsts_1pt(m.ty(), product, dst.ub(), first_of_row(dst, row));
  }
}

// --- A2A3, floats: columns of repeats join in tmp, and one repeat a row is reduced at last

using AcrossA3 = void (A2A3::*)(AnyLane, Ub, Ub, std::uint32_t, std::uint32_t, Strides);
struct StepsA3 {
  AcrossA3 across;
  A3Two join;
};
constexpr StepsA3 steps_a2a3(ReduceOp what) {
  if (what == ReduceOp::Sum) return {&A2A3::vcadd, static_cast<A3Two>(&A2A3::vadd)};
  if (what == ReduceOp::Max) return {&A2A3::vcmax, &A2A3::vmax};
  if (what == ReduceOp::Min) return {&A2A3::vcmin, &A2A3::vmin};
  return {nullptr, &A2A3::vmul};
}

// A column of repeats in rows that are `pitch` bytes apart.
struct Column {
  std::uint32_t address, pitch;
  Ub at(std::uint32_t row) const { return {address + row * pitch}; }
  Strides rows() const { return {1, pitch / BLK}; }
};
Column column_of(const TileRef& tile, std::uint32_t col) { return {tile.address + col * tile.elem_bytes(), tile.pitch_bytes()}; }

// d = a op b for a repeat of every row, under the mask.
void join_columns(A2A3& m, A3Two join, std::uint32_t rows, const Column& d, const Column& a, const Column& b) {
  const bool fits = std::max({d.pitch, a.pitch, b.pitch}) / BLK <= A2A3::kMaxStride;
  const std::uint32_t at_once = fits ? A2A3::kMaxRepeat : 1;
  for (std::uint32_t row = 0; row < rows; row += at_once)
    (m.*join)(m.ty(), d.at(row), a.at(row), b.at(row), std::min(rows - row, at_once), d.rows(), a.rows(), b.rows());
}
// One repeat a row, of `cols` columns.
void reduce_column(A2A3& m, AcrossA3 across, const Column& from, std::uint32_t cols, const TileRef& dst, std::uint32_t rows) {
  const std::uint32_t step = row_step(dst);
  const bool whole = cols == m.lanes() && step <= kMaxStep;
  if (whole) {
    m.set_mask_count();
    m.set_vector_mask(0, rows * cols);
    (m.*across)(m.ty(), dst.ub(), from.at(0), 0, step, from.rows());
    m.set_mask_norm();
  } else {
    const std::uint32_t at_once = step <= kMaxStep ? A2A3::kMaxRepeat : 1;
    m.set_mask_first(cols);
    for (std::uint32_t row = 0; row < rows; row += at_once)
      (m.*across)(m.ty(), {dst.at(row, 0)}, from.at(row), std::min(rows - row, at_once), step, from.rows());
  }
  m.set_mask_all();
}

// Columns of tmp that a row needs.
std::uint32_t partial_columns(ReduceOp what, DType type, std::uint32_t cols) {
  const std::uint32_t lanes = VL / size_bytes(type);
  if (cols <= lanes) return 0;
  return what == ReduceOp::Sum ? std::max(1u, cols / lanes / 2) * lanes : lanes;
}
// Neighbours join; the last one without a neighbour joins the first pair or the last.
void join_neighbours(A2A3& m, A3Two join, std::uint32_t rows, const Column& tmp, const Column& from, std::uint32_t& count, bool lonely_joins_first) {
  const auto chunk = [](const Column& column, std::uint32_t k) { return Column{column.address + k * VL, column.pitch}; };
  const std::uint32_t pairs = count / 2;
  for (std::uint32_t k = 0; k < pairs; ++k) join_columns(m, join, rows, chunk(tmp, k), chunk(from, 2 * k), chunk(from, 2 * k + 1));
  const Column joined = chunk(tmp, lonely_joins_first ? 0 : pairs - 1);
  if (count % 2 == 1) join_columns(m, join, rows, joined, joined, chunk(from, count - 1));
  count = pairs;
}

template <ReduceOp what>
void fold_columns(A2A3& m, const TileRef& src, const TileRef& dst, const TileRef& tmp) {
  constexpr StepsA3 kSteps = steps_a2a3(what);
  const std::uint32_t rows = src.valid_rows, lanes = m.lanes(), whole = src.valid_cols / lanes, tail = src.valid_cols % lanes;
  const std::uint32_t needed = partial_columns(what, m.dtype(), src.valid_cols) * m.bytes(), pitch = tmp.pitch_bytes();
  // A tmp of other rows than src's is taken as bytes.
  const bool fits = pitch >= needed && (rows - 1) * pitch + needed <= tmp.type.size_bytes();
  const Column sums{tmp.address, fits ? pitch : needed}, first = column_of(src, 0);
  std::uint32_t count = whole;
  if (whole == 1) {
    m.copy_ubuf_to_ubuf(sums.at(0), first.at(0), rows, VL / BLK, (first.pitch - VL) / BLK, (sums.pitch - VL) / BLK);
  } else if (what == ReduceOp::Sum) {
    join_neighbours(m, kSteps.join, rows, sums, first, count, true);
  } else {
    join_columns(m, kSteps.join, rows, sums, first, column_of(src, lanes));
  }
  if (tail != 0) {
    m.set_mask_first(tail);
    join_columns(m, kSteps.join, rows, sums, sums, column_of(src, whole * lanes));
    m.set_mask_all();
  }
  if (what == ReduceOp::Sum) {
    while (count > 1) join_neighbours(m, kSteps.join, rows, sums, sums, count, false);
  } else {
    for (std::uint32_t k = 2; k < whole; ++k) join_columns(m, kSteps.join, rows, sums, sums, column_of(src, k * lanes));
  }
  reduce_column(m, kSteps.across, sums, lanes, dst, rows);
}

// Four shapes of f32 whose rows are reduced in groups of eight: src is one run of bytes, and so are all results. As many
// rows at once as tmp holds; `groups` is what a row has left.
bool goes_by_groups(const TileRef& src, const TileRef& dst) {
  const TileType& type = src.type;
  const bool full = type.valid_rows == static_cast<std::int32_t>(type.rows) && type.valid_cols == static_cast<std::int32_t>(type.cols);
  return type.dtype == DType::F32 && full && type.rows * type.cols == 8192 && type.cols >= 128 && type.cols <= 1024 && std::has_single_bit(type.cols) &&
         dst.type.col_major() && dst.type.valid_cols == 1;
}
void fold_groups(A2A3& m, ReduceOp what, A3Two join, const TileRef& src, const TileRef& dst, const TileRef& tmp) {
  const auto tmp_bytes = static_cast<std::uint32_t>(tmp.type.size_bytes());
  const std::uint32_t cols = src.valid_cols, at_once = std::min(src.valid_rows, std::max(1u, tmp_bytes / (cols / 8 * 4)));
  const Ub t = tmp.ub();
  m.set_mask_count();
  for (std::uint32_t row = 0; row < src.valid_rows; row += at_once) {
    const std::uint32_t rows = std::min(src.valid_rows - row, at_once);
    const auto counted = [&](std::uint32_t a_row) { m.set_vector_mask(0, rows * a_row); };
    const auto eighths = [&](Ub d, Ub s, std::uint32_t a_row) {
      counted(a_row);
      m.vcgroup(what, m.ty(), d, s, 0, 1, {});
    };
    std::uint32_t groups = cols / 8;
    eighths(t, {src.at(row, 0)}, cols);
    if (groups >= 64) {
      eighths(t, t, groups);
      groups /= 8;
    }
    for (; groups > 8; groups /= 2) {
      counted(groups / 2);
      (m.*join)(m.ty(), t, t, {t.address + BLK}, 0, {1, 8}, {2, 16}, {2, 16});
    }
    eighths({dst.at(row, 0)}, t, 8);
  }
  m.set_mask_norm();
  m.set_mask_all();
}

// --- A2A3, integers, and all products: the blocks of a row join in one block, whose lanes the scalar pipe joins

template <ReduceOp what>
void fold_blocks(A2A3& m, const TileRef& src, const TileRef& dst, Ub tmp) {
  constexpr A3Two kJoin = steps_a2a3(what).join;
  const LaneScalar start = start_of(what, m.dtype());
  const std::uint32_t lanes = BLK / m.bytes(), whole = src.valid_cols / lanes, tail = src.valid_cols % lanes;
  m.set_mask_count();
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    m.set_vector_mask(0, lanes);
    m.vector_dup(m.ty(), tmp, start, 1, {});
    for (std::uint32_t k = 0; k < whole; ++k) (m.*kJoin)(m.ty(), tmp, tmp, {src.at(row, k * lanes)}, 1, {}, {}, {});
    if (tail != 0) {
      m.set_vector_mask(0, tail);
      (m.*kJoin)(m.ty(), tmp, tmp, {src.at(row, whole * lanes)}, 1, {}, {}, {});
    }
    m.sync(Pipe::V, Pipe::S);
    m.scalar_fold(what, m.ty(), {dst.at(row, 0)}, tmp, lanes);
    m.sync(Pipe::S, Pipe::V);
  }
  m.set_mask_norm();
  m.set_mask_all();
}

bool by_blocks(ReduceOp what, DType type) { return what == ReduceOp::Prod || !is_float(type); }
// The library asks for rows of whole repeats, or returns.
bool gives_up(ReduceOp what, const Bound& bound, const TileRef& src) {
  const std::uint32_t lanes = VL / src.elem_bytes();
  return bound.target == Target::A2A3 && !by_blocks(what, src.type.dtype) && src.valid_cols > lanes && src.valid_cols < 2 * lanes && bound.has("tmp") &&
         bound.tile("tmp").pitch_bytes() < VL;
}

template <ReduceOp what>
void reduce_a2a3(A2A3& m, const Bound& bound) {
  const TileRef src = bound.tile("src"), dst = bound.tile("dst");
  if (src.valid_rows == 0 || src.valid_cols == 0) return;
  if (bound.options->quirk_rowreduce && gives_up(what, bound, src)) return;
  if (by_blocks(what, m.dtype())) {
    fold_blocks<what>(m, src, dst, bound.tile("tmp").ub());
  } else if (goes_by_groups(src, dst)) {
    fold_groups(m, what, steps_a2a3(what).join, src, dst, bound.tile("tmp"));
  } else if (src.valid_cols <= m.lanes()) {
    reduce_column(m, steps_a2a3(what).across, column_of(src, 0), src.valid_cols, dst, src.valid_rows);
  } else {
    fold_columns<what>(m, src, dst, bound.tile("tmp"));
  }
  leave_scratch(m, bound);
}

// --- rules and rows

template <ReduceOp what>
TileType scratch(const Bound& bound) {
  const TileType& src = bound.tile("src").type;
  if (by_blocks(what, src.dtype)) return scratch_of(bound, src.dtype, 1, BLK);
  const std::uint32_t columns = partial_columns(what, src.dtype, src.widest_cols());
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
  const std::uint64_t row_bytes = std::uint64_t{partial_columns(what, src.type.dtype, src.valid_cols)} * src.elem_bytes();
  scratch_bytes(check, src.valid_rows * row_bytes, "partial results of every row stand there; a tile like src is large enough");
  if (gives_up(what, check.bound(), src))
    check.warn(check.own("W1"), "tmp", fmt::format("rows of tmp have {} bytes, {} valid columns want {}", check.tile("tmp").pitch_bytes(), src.valid_cols, VL),
               check.options().quirk_rowreduce ? "the library returns and writes nothing; widen tmp" : "the library would write nothing; widen tmp");
}

constexpr DTypeSet kSums{DType::I16, DType::I32, DType::I64, DType::U64, DType::F16, DType::F32};
constexpr DTypeSet kExtrema = kSums | DTypeSet{DType::I8, DType::U8};

template <ReduceOp what, const DTypeSet& a5>
InstructionRow row_of(const char* name, const char* summary, const char* cpp, Machines machines) {
  return {.name = name, .summary = summary, .forms = {{"", {in("src"), optional_tmp("tmp"), out("dst")}, cpp}}, .typed_by = "src", .types = types_of<a5, kT3>,
          .draw = Drawing::Reduce, .rules = rules<what>, .scratch = scratch<what>, .machines = machines};
}
template <ReduceOp what>
Machines both() {
  return machines_of<reduce_a5<what>, reduce_a2a3<what>>();
}

const InstructionRow trowsum = row_of<ReduceOp::Sum, kSums>("trowsum", "Adds up each row.", "TROWSUM(dst, src, tmp)", both<ReduceOp::Sum>());
const InstructionRow trowmax = row_of<ReduceOp::Max, kExtrema>("trowmax", "Finds the largest element of each row.", "TROWMAX(dst, src, tmp)",
                                                               both<ReduceOp::Max>());
const InstructionRow trowmin = row_of<ReduceOp::Min, kExtrema>("trowmin", "Finds the smallest element of each row.", "TROWMIN(dst, src, tmp)",
                                                               both<ReduceOp::Min>());
const InstructionRow trowprod = row_of<ReduceOp::Prod, kT3>("trowprod", "Multiplies the elements of each row.", "TROWPROD(dst, src, tmp)",
                                                           machines_of<product_a5, reduce_a2a3<ReduceOp::Prod>>());

const Registered registered[] = {Registered(trowsum), Registered(trowmax), Registered(trowmin), Registered(trowprod)};

}  // namespace
}  // namespace ts
