// Where a row has its largest or smallest element: dst[r][0] is the column of the first one; with a value tile, the element
// itself comes too. Only column 0 of the results is written.
#include <fmt/format.h>

#include "core/instructions/reduce_family.h"

namespace ts {
namespace {

using namespace vec;

constexpr AnyLane kWord{DType::U32};

// --- A5: the best lane of each register, if it is better than what came before

template <ReduceOp what>
void search_a5(A5& m, const Bound& bound) {
  const TileRef src = bound.tile("src"), dst = bound.tile("dst");
  if (src.valid_rows == 0 || src.valid_cols == 0) return;
  constexpr CompareOp kBetter = what == ReduceOp::Max ? CompareOp::Gt : CompareOp::Lt;
  const bool with_value = bound.has("value");
  const TileRef value = bound.tile(with_value ? "value" : "dst");
  std::uint32_t one = 1;
  const Pred all = m.pset_all(), lowest = m.plt(kWord, one);
  const Reg start = m.vdup(worst_of(what, m.dtype()), all),
            zero = m.vdup(kWord, LaneScalar{0, DType::U32, 0}, m.pset_all(kWord));
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    Reg best = start, index = zero;
    std::uint32_t left = src.valid_cols;
    for (std::uint32_t col = 0; col < src.valid_cols; col += m.lanes()) {
      const Pred active = m.plt(left);
      const Reg elements = m.vlds(src.ub(), Cell{row, col}.in(src));
      // Lane 0 is the element, lane 1 its number.
      const Reg found = what == ReduceOp::Max ? m.vcmax(m.ty(), elements, active) : m.vcmin(m.ty(), elements, active);
      Reg lane = m.vdintlv(found, found).hi;
      if (m.bytes() == 2) lane = m.vintlv(lane, zero).lo;
      lane = m.vadds(kWord, lane, LaneScalar{col, DType::U32, 0}, lowest);
      const Pred better = m.vcmp(m.ty(), kBetter, found, best, lowest);
      best = m.vsel(found, best, better);
      index = m.vsel<std::uint32_t>(lane, index, better);
    }
    if (with_value) m.vsts_1pt(m.ty(), best, value.ub(), first_of_row(value, row));
    m.vsts_1pt(AnyLane{dst.type.dtype}, index, dst.ub(), first_of_row(dst, row));
  }
}

// --- A2A3: pairs of an element and its number in its repeat, level upon level

// Elements of tmp that a row needs: pairs, which then give way to the numbers alone, and values. Each begins with a block.
struct Room {
  std::uint32_t repeats, pairs, row;
};
Room room_of(DType type, std::uint32_t cols) {
  const std::uint32_t block = BLK / size_bytes(type), repeats = ceil_div(cols, VL / size_bytes(type));
  const auto up = [&](std::uint32_t n) { return ceil_div(n, block) * block; };
  return {repeats, up(2 * repeats), up(2 * repeats) + up(repeats)};
}

// One repeat a row: the numbers go straight to dst; with a value, pairs to tmp, which the scalar pipe parts.
void search_repeat(A2A3& m, ReduceOp what, const Bound& bound) {
  const TileRef src = bound.tile("src"), dst = bound.tile("dst");
  const bool with_value = bound.has("value");
  const std::uint32_t rows = src.valid_rows, size = m.bytes(), step = row_step(dst);
  const std::uint32_t at_once = with_value || step <= kMaxStep ? A2A3::kMaxRepeat : 1;
  const Strides by_rows{1, src.pitch_bytes() / BLK};
  const Ub pairs = with_value ? bound.tile("tmp").ub() : Ub{};
  m.set_mask_first(src.valid_cols);
  for (std::uint32_t row = 0; row < rows; row += at_once) {
    const std::uint32_t n = std::min(rows - row, at_once);
    if (with_value) m.vcext_pairs(what, m.ty(), {pairs.address + row * 2 * size}, {src.at(row, 0)}, n, 1, by_rows);
    else m.vcext_index(what, m.ty(), {dst.at(row, 0)}, {src.at(row, 0)}, n, step, by_rows);
  }
  m.set_mask_all();
  if (!with_value) return;
  const TileRef value = bound.tile("value");
  const Ub numbers{pairs.address + size};
  m.sync(Pipe::V, Pipe::S);
  m.scalar_loop(value.ub(), row_step(value) * size, pairs, 2 * size, rows);
  if (dst.elem_bytes() == size) return m.scalar_loop(dst.ub(), step * size, numbers, 2 * size, rows);
  for (std::uint32_t row = 0; row < rows; ++row)
    m.scalar_index({dst.type.dtype}, m.ty(), {dst.at(row, 0)}, {numbers.address + row * 2 * size}, numbers, 0, 1);
}

// A row of several repeats. Each level's pairs are parted into values, of which the next level finds the best, and numbers,
// of which it then takes one.
class RowSearch {
 public:
  RowSearch(A2A3& m, ReduceOp what, const Room& room, std::uint32_t cols, Ub tmp)
      : m_(m), what_(what), room_(room), cols_(cols), pairs_(tmp), values_(after(tmp, room.pairs)) {}

  // *dst is the column; what is left at the returned place is the value.
  Ub run(Ub from, AnyLane index, Ub dst) {
    const std::uint32_t lanes = m_.lanes();
    pairs_of(pairs_, from, cols_);
    part(pairs_, room_.repeats);
    if (room_.repeats > lanes) {
      const std::uint32_t repeats = ceil_div(room_.repeats, lanes), block = BLK / m_.bytes();
      const Ub second = after(pairs_, ceil_div(room_.repeats, block) * block);
      pairs_of(second, values_, room_.repeats);
      part(second, repeats);
      pairs_of(values_, values_, repeats);
      m_.sync(Pipe::V, Pipe::S);
      m_.scalar_index(m_.ty(), m_.ty(), after(values_, 1), after(values_, 1), second, repeats, lanes);
    } else {
      pairs_of(values_, values_, room_.repeats);
      m_.sync(Pipe::V, Pipe::S);
    }
    m_.scalar_index(index, m_.ty(), dst, after(values_, 1), pairs_, room_.repeats, lanes);
    return values_;
  }

 private:
  Ub after(Ub at, std::uint32_t elements) const { return {at.address + elements * m_.bytes()}; }
  void pairs_of(Ub d, Ub s, std::uint32_t elements) {
    m_.set_vector_mask(0, elements);
    m_.vcext_pairs(what_, m_.ty(), d, s, ceil_div(elements, m_.lanes()), 1, {});
  }
  void part(Ub pairs, std::uint32_t count) {
    m_.set_vector_mask(0, 2 * count);
    m_.vreducev2(m_.ty(), values_, pairs, 1, 2 * count);
    m_.vreducev2(m_.ty(), pairs, pairs, 2, 2 * count);
  }

  A2A3& m_;
  const ReduceOp what_;
  const Room room_;
  const std::uint32_t cols_;
  const Ub pairs_, values_;
};

void search_rows(A2A3& m, ReduceOp what, const Bound& bound) {
  const TileRef src = bound.tile("src"), dst = bound.tile("dst"), tmp = bound.tile("tmp");
  const Room room = room_of(m.dtype(), src.valid_cols);
  m.set_mask_count();
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    RowSearch search(m, what, room, src.valid_cols, {tmp.address + row * room.row * m.bytes()});
    const Ub best = search.run({src.at(row, 0)}, {dst.type.dtype}, {dst.at(row, 0)});
    if (bound.has("value")) m.scalar_loop({bound.tile("value").at(row, 0)}, m.bytes(), best, m.bytes(), 1);
  }
  m.set_mask_norm();
  m.set_mask_all();
}

template <ReduceOp what>
void search_a2a3(A2A3& m, const Bound& bound) {
  const TileRef& src = bound.tile("src");
  if (src.valid_rows == 0 || src.valid_cols == 0) return;
  if (src.valid_cols <= m.lanes()) search_repeat(m, what, bound);
  else search_rows(m, what, bound);
  leave_scratch(m, bound);
}

// --- rules and rows

std::uint32_t row_bytes(const Bound& bound, DType type, std::uint32_t cols) {
  const std::uint32_t size = size_bytes(type);
  if (cols <= VL / size) return bound.has("value") ? 2 * size : 0;
  return room_of(type, cols).row * size;
}
TileType scratch(const Bound& bound) {
  const TileType& src = bound.tile("src").type;
  const std::uint32_t bytes = row_bytes(bound, src.dtype, src.widest_cols());
  return bytes == 0 ? no_scratch() : scratch_of(bound, src.dtype, src.widest_rows(), bytes);
}
void rules(RuleCheck& check) {
  const Bound& bound = check.bound();
  const TileRef &src = check.tile("src"), &dst = check.tile("dst");
  const bool with_value = bound.has("value");
  if (with_value) {
    row_result_rules(check, {"value", "dst"});
    same_types(check, {"value"}, "src");
    check.warn_overlap("dst", "value", false);
  } else {
    row_result_rules(check, {"dst"});
  }
  index_type(check, "dst", with_value && src.elem_bytes() == 2, true);
  if (check.target() == Target::A5 || dst.valid_rows == 0) return;
  const std::uint64_t needed = std::uint64_t{src.valid_rows} * row_bytes(bound, src.type.dtype, src.valid_cols);
  scratch_bytes(check, needed, "pairs of every row stand there; a tile like src is large enough");
}

constexpr DTypeSet kSearched = kIntegers16And32 | DTypeSet{DType::F16, DType::BF16, DType::F32};

template <ReduceOp what>
InstructionRow row_of(const char* name, const char* summary, const char* cpp, const char* cpp_with_value) {
  InstructionRow row = search_row(name, summary, cpp, cpp_with_value, types_of<kSearched, kA2A3Types>,
                                  machines_of<search_a5<what>, search_a2a3<what>>());
  row.rules = rules;
  row.scratch = scratch;
  return row;
}

const InstructionRow trowargmax =
    row_of<ReduceOp::Max>("trowargmax", "Finds the column of the largest element of each row.",
                          "TROWARGMAX(dst, src, tmp)", "TROWARGMAX(value, dst, src, tmp)");
const InstructionRow trowargmin =
    row_of<ReduceOp::Min>("trowargmin", "Finds the column of the smallest element of each row.",
                          "TROWARGMIN(dst, src, tmp)", "TROWARGMIN(value, dst, src, tmp)");

const Registered registered[] = {Registered(trowargmax), Registered(trowargmin)};

}  // namespace
}  // namespace ts
