// Columns to one element each: dst[0][c] is the sum, the largest, the smallest or the product of column c of src. Only row 0
// of dst is written. The order of the rows: one by one on A2A3, in twos on A5; tcolsum with isBinary: pairs of pairs.
#include <fmt/format.h>

#include "core/instructions/reduce_family.h"

namespace ts {
namespace {

using namespace vec;

bool is_empty(const TileRef& src) { return src.valid_rows == 0 || src.valid_cols == 0; }

// --- A5: down the rows, register by register

// The sum of words carries; what is compared has no sequence that a document shows.
template <LaneOp op>
Words join_words(A5& m, const Words& a, const Words& b, const Pred& active) {
  if (op != LaneOp::Add) return m.emu_words(op, m.dtype(), "join", a, b);
  const AnySum low = m.vaddc(a.lo, b.lo, active), high = m.vaddcs(a.hi, b.hi, low.carry, active);
  return {low.sum, high.sum};
}
// The first row; then two rows join before they join it; then a single one. Of 64 bits one by one.
template <A5Two op, LaneOp wide>
void reduce_a5(A5& m, const Bound& bound) {
  const TileRef src = bound.tile("src"), dst = bound.tile("dst");
  if (is_empty(src)) return;
  TileRef line = dst;
  line.valid_rows = 1;
  line.valid_cols = src.valid_cols;
  if (m.bytes() == 8)
    return each_words(m, line, false, [&](const Cell& cell, const Pred& active) {
      Words result = load_words(m, src, cell);
      for (std::uint32_t row = 1; row < src.valid_rows; ++row)
        result = join_words<wide>(m, result, load_words(m, src, {row, cell.col}), active);
      store_words(m, result, dst, cell, active);
    });
  each_register(m, line, {&line}, [&](const Cell& cell, const Pred& active) {
    const auto row_of = [&](std::uint32_t row) { return m.vlds(src.ub(), Cell{row, cell.col}.in(src)); };
    Reg result = row_of(0);
    for (std::uint32_t row = 1; row < src.valid_rows; row += 2) {
      Reg next = row_of(row);
      if (row + 1 < src.valid_rows) next = (lanes_of(m).*op)(m.ty(), next, row_of(row + 1), active);
      result = (lanes_of(m).*op)(m.ty(), result, next, active);
    }
    m.vsts(result, dst.ub(), cell.in(dst), active);
  });
}
constexpr auto kAddA5 = static_cast<A5Two>(&A5::vadd);

// Level by level in tmp; a row without a pair joins the last one.
void tree_a5(A5& m, const TileRef& src, const TileRef& dst, const TileRef& tmp) {
  std::uint32_t left = src.valid_cols;
  for (std::uint32_t col = 0; col < src.valid_cols; col += m.lanes()) {
    const Pred active = m.plt(left);
    const auto load = [&](const TileRef& tile, std::uint32_t row) {
      return m.vlds(tile.ub(), Cell{row, col}.in(tile));
    };
    const auto add = [&](const TileRef& a, std::uint32_t row_a, const TileRef& b, std::uint32_t row_b,
                         std::uint32_t to) {
      const Reg x = load(a, row_a), y = load(b, row_b);
      m.vsts(m.vadd(m.ty(), x, y, active), tmp.ub(), Cell{to, col}.in(tmp), active);
    };
    const TileRef* from = &src;
    for (std::uint32_t rows = src.valid_rows; rows > 1; rows /= 2, from = &tmp) {
      for (std::uint32_t k = 0; k < rows / 2; ++k) add(*from, 2 * k, *from, 2 * k + 1, k);
      if (rows % 2 == 1) add(tmp, rows / 2 - 1, *from, rows - 1, rows / 2 - 1);
    }
    m.vsts(load(*from, 0), dst.ub(), Cell{0, col}.in(dst), active);
  }
}
void tcolsum_a5(A5& m, const Bound& bound) {
  if (bound.attribute("isBinary") == 0) return reduce_a5<kAddA5, LaneOp::Add>(m, bound);
  const TileRef src = bound.tile("src"), tmp = bound.tile("tmp");
  if (is_empty(src)) return;
  tree_a5(m, src, bound.tile("dst"), tmp);
  m.emu_unspecified(tmp.ub(), static_cast<std::uint32_t>(tmp.type.size_bytes()), "scratch of the instruction");
}

// --- A2A3: row 0 is copied, and every further row joins it

// The library copies whole blocks.
void copy_row(A2A3& m, const TileRef& src, const TileRef& dst, bool in_blocks) {
  const std::uint32_t size = m.bytes();
  if (in_blocks) m.copy_ubuf_to_ubuf(dst.ub(), src.ub(), 1, ceil_div(src.valid_cols * size, BLK), 0, 0);
  else m.emu_move({Space::Ub, dst.address, size}, {Space::Ub, src.address, size}, src.valid_cols);
}
Ub row_at(const TileRef& tile, std::uint32_t row) { return {tile.at(row, 0)}; }

// Sums count all columns of a row; the others whole repeats, and mask the tail.
template <A3Two op>
void reduce_a2a3(A2A3& m, const Bound& bound) {
  const TileRef src = bound.tile("src"), dst = bound.tile("dst");
  if (is_empty(src)) return;
  copy_row(m, src, dst, bound.options->quirk_blocks != 0);
  const std::uint32_t rows = src.valid_rows - 1, tail = src.valid_cols % m.lanes(), whole = src.valid_cols - tail;
  counted_rows(m, rows, whole, [&](std::uint32_t row) {
    (lanes_of(m).*op)(m.ty(), dst.ub(), dst.ub(), row_at(src, row + 1), 1, {}, {}, {});
  });
  if (tail == 0 || rows == 0) return;
  m.set_mask_first(tail);
  const Ub to{dst.at(0, whole)};
  for (std::uint32_t row = 1; row <= rows; ++row)
    (lanes_of(m).*op)(m.ty(), to, to, {src.at(row, whole)}, 1, {}, {}, {});
  m.set_mask_all();
}
void add_rows(A2A3& m, const TileRef& src, const TileRef& dst) {
  copy_row(m, src, dst, m.options().quirk_blocks != 0);
  counted_rows(m, src.valid_rows - 1, src.valid_cols,
               [&](std::uint32_t row) { m.vadd(m.ty(), dst.ub(), dst.ub(), row_at(src, row + 1), 1, {}, {}, {}); });
}
// Level by level in tmp; a row without a pair joins the first one.
void add_pairs(A2A3& m, const TileRef& src, const TileRef& dst, const TileRef& tmp) {
  if (src.valid_rows == 1) return copy_row(m, src, dst, m.options().quirk_blocks != 0);
  const auto add = [&](std::uint32_t to, Ub a, Ub b) { m.vadd(m.ty(), row_at(tmp, to), a, b, 1, {}, {}, {}); };
  m.set_mask_count();
  m.set_vector_mask(0, src.valid_cols);
  const TileRef* from = &src;
  for (std::uint32_t rows = src.valid_rows; rows > 1; rows /= 2, from = &tmp) {
    for (std::uint32_t k = 0; k < rows / 2; ++k) add(k, row_at(*from, 2 * k), row_at(*from, 2 * k + 1));
    if (rows % 2 == 1) add(0, row_at(tmp, 0), row_at(*from, rows - 1));
  }
  m.set_mask_norm();
  m.set_mask_all();
  TileRef sum = tmp;
  sum.valid_cols = src.valid_cols;
  copy_row(m, sum, dst, false);
}
void tcolsum_a2a3(A2A3& m, const Bound& bound) {
  const TileRef src = bound.tile("src"), dst = bound.tile("dst");
  if (is_empty(src)) return;
  if (bound.attribute("isBinary") == 0) return add_rows(m, src, dst);
  add_pairs(m, src, dst, bound.tile("tmp"));
  leave_scratch(m, bound);
}

// --- rules and rows

void rules(RuleCheck& check) {
  column_result_rules(check, {"dst"});
  same_types(check, {"dst"}, "src");
  warn_words(check, "src");
}
void tcolsum_rules(RuleCheck& check) {
  const Bound& bound = check.bound();
  rules(check);
  if (!bound.has("tmp")) return;
  const TileRef &src = check.tile("src"), &tmp = check.tile("tmp");
  if (src.elem_bytes() == 8)
    check.error(check.own("R1"), "src", fmt::format("{} with a tmp is not supported", name(src.type.dtype)),
                "leave tmp and isBinary out");
  same_types(check, {"tmp"}, "src");
  row_major(check, {"tmp"});
  if (bound.attribute("isBinary") == 0) return;
  const std::uint32_t rows = ceil_div(src.valid_rows, 2);
  if (tmp.rows() < rows || tmp.cols() < src.valid_cols)
    check.error(check.own("R7"), "tmp",
                fmt::format("tmp is {}x{}, the sums of pairs are {}x{}", tmp.rows(), tmp.cols(), rows, src.valid_cols),
                "make it larger");
}
// Both targets add in tmp.
TileType tcolsum_scratch(const Bound& bound) {
  if (bound.attribute("isBinary") == 0) return no_scratch();
  const TileType& src = bound.tile("src").type;
  const std::uint32_t lanes = BLK / size_bytes(src.dtype);
  return vec_tile(src.dtype, std::max(1u, ceil_div(src.widest_rows(), 2)),
                  std::max(1u, ceil_div(src.cols, lanes)) * lanes);
}

constexpr DTypeSet kProducts = kIntegers16And32 | DTypeSet{DType::F16, DType::BF16, DType::F32};

template <const DTypeSet& a5>
InstructionRow row_of(const char* name, const char* summary, const char* cpp, Machines machines) {
  return {.name = name,
          .summary = summary,
          .forms = {{"", {in("src"), out("dst")}, cpp}},
          .typed_by = "src",
          .types = types_of<a5, kA2A3Types>,
          .draw = Drawing::Reduce,
          .rules = rules,
          .machines = machines};
}

const InstructionRow tcolsum{
    .name = "tcolsum",
    .summary = "Adds up each column.",
    .forms = {{"", {in("src"), optional_tmp("tmp"), out("dst")}, "TCOLSUM(dst, src, tmp, isBinary)"}},
    .attributes = {{"isBinary", "false|true"}},
    .typed_by = "src",
    .types = types_of<kAllTypes, kA2A3Types>,
    .draw = Drawing::Reduce,
    .rules = tcolsum_rules,
    .scratch = tcolsum_scratch,
    .machines = machines_of<tcolsum_a5, tcolsum_a2a3>(),
};
const InstructionRow tcolmax =
    row_of<kAllTypes>("tcolmax", "Finds the largest element of each column.", "TCOLMAX(dst, src)",
                      machines_of<reduce_a5<&A5::vmax, LaneOp::Max>, reduce_a2a3<&A2A3::vmax>>());
const InstructionRow tcolmin =
    row_of<kAllTypes>("tcolmin", "Finds the smallest element of each column.", "TCOLMIN(dst, src)",
                      machines_of<reduce_a5<&A5::vmin, LaneOp::Min>, reduce_a2a3<&A2A3::vmin>>());
const InstructionRow tcolprod =
    row_of<kProducts>("tcolprod", "Multiplies the elements of each column.", "TCOLPROD(dst, src)",
                      machines_of<reduce_a5<&A5::vmul, LaneOp::Mul>, reduce_a2a3<&A2A3::vmul>>());

const Registered registered[] = {Registered(tcolsum), Registered(tcolmax), Registered(tcolmin), Registered(tcolprod)};

}  // namespace
}  // namespace ts
