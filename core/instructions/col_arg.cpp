// Where a column has its largest or smallest element: dst[0][c] is the row of the first one; with a value tile, the element
// itself comes too. Only row 0 of the results is written.
#include <fmt/format.h>

#include "core/instructions/reduce_family.h"

namespace ts {
namespace {

using namespace vec;

constexpr AnyLane kWord{DType::U32}, kHalf{DType::U16};

// --- A5: down the rows, each register's best elements and their rows

// What was found in the columns of a register so far.
struct Found {
  Reg best, row;
};
void improve(A5& m, ReduceOp what, AnyLane lane, Found& found, const Reg& elements, std::uint32_t row,
             const Pred& active) {
  const Pred better = m.vcmp(lane, what == ReduceOp::Max ? CompareOp::Gt : CompareOp::Lt, elements, found.best, active);
  const bool half = lane.bytes() == 2;
  const Reg here = m.vdup(half ? kHalf : kWord, LaneScalar{row, half ? DType::U16 : DType::U32, 0}, active);
  found.best =
      half ? m.vsel<std::uint16_t>(elements, found.best, better) : m.vsel<std::uint32_t>(elements, found.best, better);
  found.row = half ? m.vsel<std::uint16_t>(here, found.row, better) : m.vsel<std::uint32_t>(here, found.row, better);
}
// 16-bit indices as 32-bit ones: with zeros behind each.
void store_widened(A5& m, const Reg& indices, const TileRef& dst, std::uint32_t col, std::uint32_t count) {
  const Reg zeros = m.vdup(kHalf, LaneScalar{0, DType::U16, 0}, m.pset_all(kHalf));
  const Words words = m.vintlv<std::uint16_t>(indices, zeros);
  const Reg halves[] = {words.lo, words.hi};
  for (std::uint32_t k = 0; k < 2 && count > 0; ++k) {
    const Pred active = m.plt(kWord, count);
    m.vsts<std::uint32_t>(halves[k], dst.ub(), col + k * kWord.lanes(), active);
  }
}

// Bytes are widened to 16 bits, even and odd ones apart.
void search_bytes_a5(A5& m, ReduceOp what, const TileRef& src, const TileRef& dst) {
  const AnyLane wide{m.dtype() == DType::I8 ? DType::I16 : DType::U16};
  const Pred all = m.pset_all(), halves = m.pset_all(wide);
  const Reg zero = m.vdup(wide, LaneScalar{0, wide.dtype, 0}, halves);
  for (std::uint32_t col = 0; col < src.valid_cols; col += m.lanes()) {
    Found found[2];
    for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
      const Reg bytes = m.vlds(src.ub(), Cell{row, col}.in(src));
      for (std::uint8_t part = 0; part < 2; ++part) {
        const Reg elements = m.vcvt(wide, m.ty(), {.part = part}, bytes, all);
        if (row == 0) found[part] = {elements, zero};
        else improve(m, what, wide, found[part], elements, row, halves);
      }
    }
    const Words rows = m.vintlv<std::uint16_t>(found[0].row, found[1].row);
    const std::uint32_t count = std::min(src.valid_cols - col, m.lanes()), first = std::min(count, wide.lanes());
    store_widened(m, rows.lo, dst, col, first);
    store_widened(m, rows.hi, dst, col + wide.lanes(), count - first);
  }
}
template <ReduceOp what>
void search_a5(A5& m, const Bound& bound) {
  const TileRef src = bound.tile("src"), dst = bound.tile("dst");
  if (src.valid_rows == 0 || src.valid_cols == 0) return;
  if (m.bytes() == 1) return search_bytes_a5(m, what, src, dst);
  const bool widened = dst.elem_bytes() > m.bytes();
  std::uint32_t left = src.valid_cols;
  for (std::uint32_t col = 0; col < src.valid_cols; col += m.lanes()) {
    const std::uint32_t count = std::min(left, m.lanes());
    const Pred active = m.plt(left);
    Found found{m.vlds(src.ub(), col), m.vdup(LaneScalar{0, m.dtype(), 0}, active)};
    for (std::uint32_t row = 1; row < src.valid_rows; ++row)
      improve(m, what, m.ty(), found, m.vlds(src.ub(), Cell{row, col}.in(src)), row, active);
    if (bound.has("value")) m.vsts(found.best, bound.tile("value").ub(), col, active);
    if (widened) store_widened(m, found.row, dst, col, count);
    else m.vsts(found.row, dst.ub(), col, active);
  }
}

// --- A2A3: repeat by repeat; tmp counts the rows and holds the best elements, and 16-bit indices on their way to 32 bits

std::uint32_t gap_of(DType type, std::uint32_t cols) {
  const std::uint32_t lanes = VL / size_bytes(type), block = BLK / size_bytes(type);
  return cols >= lanes ? lanes : ceil_div(cols, block) * block;
}
bool goes_through_f16(const Bound& bound, DType type) { return size_bytes(type) == 2 && !bound.has("value"); }

struct SearchA2A3 {
  A2A3& m;
  const ReduceOp what;
  const AnyLane lane;  // what elements are compared as
  const TileRef& src;
  const Ub counter, best;

  // The rows of the best ones of some columns to `index`.
  void columns(std::uint32_t col, Ub index) const {
    const bool half = m.bytes() == 2;
    const AnyLane number{half ? DType::I16 : DType::I32}, bits = bits_of(m.ty());
    const LaneScalar zero{0, number, 0}, one{1, number, 0};
    m.vector_dup(number, counter, zero, 1, {});
    m.vcopy(bits, best, {src.at(0, col)}, 1, {}, {});
    m.vector_dup(number, index, zero, 1, {});
    for (std::uint32_t row = 1; row < src.valid_rows; ++row) {
      const Ub here{src.at(row, col)};
      m.vadds(number, counter, counter, one, 1, {}, {});
      m.vcmp(lane, what == ReduceOp::Max ? CompareOp::Ge : CompareOp::Le, best, here);
      m.vsel_mask(bits, index, index, counter, 1, {}, {}, {});
      if (what == ReduceOp::Max) m.vmax(lane, best, best, here, 1, {}, {}, {});
      else m.vmin(lane, best, best, here, 1, {}, {}, {});
    }
  }
};

template <ReduceOp what>
void search_a2a3(A2A3& m, const Bound& bound) {
  const TileRef src = bound.tile("src"), dst = bound.tile("dst"), tmp = bound.tile("tmp");
  if (src.valid_rows == 0 || src.valid_cols == 0) return;
  const std::uint32_t gap = gap_of(m.dtype(), src.valid_cols) * m.bytes();
  const bool as_floats = bound.options->quirk_compare && !is_float(m.dtype()),
             by_f16 = goes_through_f16(bound, m.dtype());
  const AnyLane lane = !as_floats ? m.ty() : AnyLane{m.bytes() == 2 ? DType::F16 : DType::F32};
  const SearchA2A3 search{m, what, lane, src, tmp.ub(), {tmp.address + gap}};
  m.set_mask_count();
  for (std::uint32_t col = 0; col < src.valid_cols; col += m.lanes()) {
    const std::uint32_t count = std::min(src.valid_cols - col, m.lanes());
    const Ub result{dst.at(0, col)}, index = by_f16 ? Ub{tmp.address + 2 * gap} : result;
    m.set_vector_mask(0, count);
    search.columns(col, index);
    if (bound.has("value")) m.vcopy(bits_of(m.ty()), {bound.tile("value").at(0, col)}, search.best, 1, {}, {});
    if (!by_f16) continue;
    constexpr AnyLane kIndex{DType::I16}, kFloat{DType::F16}, kWide{DType::I32};
    m.vconv(kFloat, kIndex, {.rounding = Rounding::Away, .overflow = Overflow::Clamp}, index, index, 1, 8, 8);
    m.vconv(kWide, kFloat, {.overflow = Overflow::Clamp}, result, index, ceil_div(count, kWide.lanes()), 8, 4);
  }
  m.set_mask_norm();
  m.set_mask_all();
  leave_scratch(m, bound);
}

// --- rules and rows

std::uint32_t tmp_bytes(const Bound& bound, DType type, std::uint32_t cols) {
  return (goes_through_f16(bound, type) ? 3 : 2) * gap_of(type, cols) * size_bytes(type);
}
TileType scratch(const Bound& bound) {
  const TileType& src = bound.tile("src").type;
  return scratch_of(bound, src.dtype, 1, tmp_bytes(bound, src.dtype, src.widest_cols()));
}
void rules(RuleCheck& check) {
  const Bound& bound = check.bound();
  const TileRef& src = check.tile("src");
  const bool with_value = bound.has("value");
  if (with_value) {
    column_result_rules(check, {"value", "dst"});
    same_types(check, {"value"}, "src");
    check.warn_overlap("dst", "value", false);
    if (src.elem_bytes() == 1)
      check.error(check.own("R1"), "src", fmt::format("{} gives no value", name(src.type.dtype)),
                  "leave the value out");
  } else {
    column_result_rules(check, {"dst"});
  }
  if (bound.has("tmp")) same_types(check, {"tmp"}, "src");
  not_empty(check, "src");
  const bool narrow = with_value && src.elem_bytes() == 2;
  index_type(check, "dst", narrow, !narrow);
  if (check.target() == Target::A5) return;
  scratch_bytes(check, tmp_bytes(bound, src.type.dtype, src.valid_cols),
                "rows are counted there, and the best elements kept");
  if (!is_float(src.type.dtype))
    check.warn(check.own("W1"), "src",
               fmt::format("the library compares {} as floats of the same bits", name(src.type.dtype)),
               check.options().quirk_compare ? "" : "integers are compared; option quirks.compare does as the library");
}

constexpr DTypeSet kSearched{DType::U16, DType::U32, DType::F16, DType::F32};

template <ReduceOp what>
InstructionRow row_of(const char* name, const char* summary, const char* cpp, const char* cpp_with_value) {
  InstructionRow row = search_row(name, summary, cpp, cpp_with_value, types_of<kTypesTo32, kSearched>,
                                  machines_of<search_a5<what>, search_a2a3<what>>());
  row.rules = rules;
  row.scratch = scratch;
  return row;
}

const InstructionRow tcolargmax =
    row_of<ReduceOp::Max>("tcolargmax", "Finds the row of the largest element of each column.",
                          "TCOLARGMAX(dst, src, tmp)", "TCOLARGMAX(value, dst, src, tmp)");
const InstructionRow tcolargmin =
    row_of<ReduceOp::Min>("tcolargmin", "Finds the row of the smallest element of each column.",
                          "TCOLARGMIN(dst, src, tmp)", "TCOLARGMIN(value, dst, src, tmp)");

const Registered registered[] = {Registered(tcolargmax), Registered(tcolargmin)};

}  // namespace
}  // namespace ts
