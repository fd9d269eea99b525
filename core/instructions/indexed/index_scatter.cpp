// TSCATTER. All of dst becomes zero first. By index: the element of dst with the number indices[r][c] = src[r][c], one after
// the other. By a pattern: every second or fourth column, or row, of dst is the next one of src.
#include "core/instructions/indexed/index_family.h"

namespace ts {
namespace {

using namespace vec;

constexpr AnyLane kWord{DType::U32}, kHalf{DType::U16};
LaneScalar word(std::uint64_t bits) { return {bits, DType::U32, 0}; }
std::uint32_t words_of(const TileRef& tile) { return static_cast<std::uint32_t>(tile.type.size_bytes() / 4); }
bool names_rows(const Bound& bound) { return bound.options->scatter_rows != 0; }
std::uint32_t end_of_indices(const Bound& bound) {
  const TileRef& dst = bound.tile("dst");
  return names_rows(bound) ? dst.rows() : elements_of(dst);
}
// What the rules on data look for: rows share an element where their column is the same one, too.
template <class M>
void watch(M& m, const Bound& bound) {
  const TileRef& indices = bound.tile("indices");
  const IndexList list = index_list(indices, indices.valid_rows, indices.valid_cols);
  m.watch_indices(list, end_of_indices(bound), true);
}

// --- A5

void clear_a5(A5& m, const TileRef& dst) {
  const Reg zero = m.vdup(kWord, word(0), m.pset_all(kWord));
  std::uint32_t left = words_of(dst);
  for (std::uint32_t at = 0; at < words_of(dst); at += kWord.lanes()) {
    const Pred active = m.plt(kWord, left);
    m.vsts(kWord, zero, dst.ub(), at, active);
  }
}

// Elements and indices in lanes of one width: bytes and halves have indices of 16 bits, and are words where those are rows.
AnyLane scatter_lane(const Bound& bound, const A5& m) { return m.bytes() <= 2 && !names_rows(bound) ? kHalf : kWord; }
Reg load_values(A5& m, AnyLane lane, const TileRef& src, const Cell& cell) {
  if (m.bytes() == lane.bytes()) return m.vlds(src.ub(), cell.in(src));
  if (lane.bytes() == 2) return m.vlds_unpk_b8(src.ub(), cell.in(src));
  return m.bytes() == 2 ? m.vlds_unpk_b16(src.ub(), cell.in(src)) : m.vlds_unpk4_b8(src.ub(), cell.in(src));
}
Reg load_indices(A5& m, AnyLane lane, const TileRef& indices, const Cell& cell) {
  if (indices.elem_bytes() < lane.bytes()) return m.vlds_unpk_b16(indices.ub(), cell.in(indices));
  return lane.bytes() == 2 ? m.vlds<std::uint16_t>(indices.ub(), cell.in(indices))
                           : m.vlds<std::uint32_t>(indices.ub(), cell.in(indices));
}
void scatter_words(A5& m, const TileRef& src, const TileRef& dst, const Cell& cell, const Reg& index,
                   const Pred& inside) {
  const Pred all = m.pset_all(kWord);
  const Words value = load_words(m, src, cell);
  const Reg low = m.vshls(kWord, index, word(1), all), high = m.vadds(kWord, low, word(1), all);
  m.vscatter(kWord, kWord, value.lo, dst, low, inside);
  m.vscatter(kWord, kWord, value.hi, dst, high, inside);
}
void scatter_indices_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src"), indices = bound.tile("indices");
  watch(m, bound);
  clear_a5(m, dst);
  const AnyLane lane = scatter_lane(bound, m);
  const std::uint32_t end = end_of_indices(bound);
  for (std::uint32_t row = 0; row < indices.valid_rows; ++row) {
    std::uint32_t left = indices.valid_cols;
    for (std::uint32_t col = 0; col < indices.valid_cols; col += lane.lanes()) {
      const Cell cell{row, col};
      const Pred active = m.plt(lane, left);
      Reg index = load_indices(m, lane, indices, cell);
      const bool all = m.options().scatter_outside == 0 || (lane.bytes() == 2 && end > 0xFFFF);
      const Pred inside = all ? active : m.vcmps(lane, CompareOp::Lt, index, {end, lane, 0}, active);
      if (names_rows(bound))
        index = m.vadd(kWord, m.vmuls(kWord, index, word(dst.row_stride()), active), m.vci(kWord, word(col), false),
                       active);
      if (m.bytes() == 8) scatter_words(m, src, dst, cell, index, inside);
      else m.vscatter(m.ty(), lane, load_values(m, lane, src, cell), dst, index, inside);
    }
  }
}

// Every second or fourth lane is the next one of v, the others are zero: as many registers as `step`.
std::vector<Reg> spread(A5& m, const MaskPattern& pattern, const Reg& v, const Reg& zero) {
  std::vector<Reg> out{v};
  for (std::uint32_t bit = pattern.step / 2; bit > 0; bit /= 2) {
    std::vector<Reg> wider;
    for (const Reg& one : out) {
      const Words both = (pattern.first & bit) == 0 ? m.vintlv(one, zero) : m.vintlv(zero, one);
      wider.push_back(both.lo);
      wider.push_back(both.hi);
    }
    out = std::move(wider);
  }
  return out;
}
bool along_rows(const Bound& bound) { return bound.attribute("scatterAxis") == 0; }
void scatter_pattern_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  const MaskPattern pattern = pattern_of(bound);
  clear_a5(m, dst);
  const Reg zero = m.vdup({0, m.dtype(), 0}, m.pset_all());
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    for (std::uint32_t col = 0; col < src.valid_cols; col += m.lanes()) {
      const std::uint32_t lanes = std::min(m.lanes(), src.valid_cols - col);
      const Reg v = m.vlds(src.ub(), row * src.row_stride() + col);
      if (!along_rows(bound)) {
        std::uint32_t left = lanes;
        const std::uint32_t to = (row * pattern.step + pattern.first) * dst.row_stride() + col;
        m.vsts(v, dst.ub(), to, m.plt(left));
        continue;
      }
      std::uint32_t at = row * dst.row_stride() + col * pattern.step, left = lanes * pattern.step;
      for (const Reg& part : spread(m, pattern, v, zero)) {
        if (left == 0) break;
        m.vsts(part, dst.ub(), at, m.plt(left));
        at += m.lanes();
      }
    }
  }
}

// --- A2A3

void clear_a2a3(A2A3& m, const TileRef& dst) {
  m.set_mask_count();
  m.set_vector_mask(0, words_of(dst));
  m.vector_dup(kWord, dst.ub(), word(0), 1, {});
  m.set_mask_norm();
  m.set_mask_all();
  m.sync(Pipe::V, Pipe::S);
}
void scatter_indices_a2a3(A2A3& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src"), indices = bound.tile("indices");
  watch(m, bound);
  clear_a2a3(m, dst);
  for (std::uint32_t row = 0; row < indices.valid_rows; ++row)
    m.scalar_scatter(m.ty(), {indices.type.dtype}, dst, {src.at(row, 0)}, {indices.at(row, 0)}, end_of_indices(bound),
                     names_rows(bound), indices.valid_cols);
  m.sync(Pipe::S, Pipe::V);
}
void scatter_pattern_a2a3(A2A3& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  const MaskPattern pattern = pattern_of(bound);
  clear_a2a3(m, dst);
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    const bool rows = along_rows(bound);
    const Ub to{rows ? dst.at(row, pattern.first) : dst.at(row * pattern.step + pattern.first, 0)};
    m.scalar_loop(to, (rows ? pattern.step : 1) * m.bytes(), {src.at(row, 0)}, m.bytes(), src.valid_cols);
  }
  m.sync(Pipe::S, Pipe::V);
}

void tscatter_a5(A5& m, const Bound& bound) {
  return bound.has("indices") ? scatter_indices_a5(m, bound) : scatter_pattern_a5(m, bound);
}
void tscatter_a2a3(A2A3& m, const Bound& bound) {
  return bound.has("indices") ? scatter_indices_a2a3(m, bound) : scatter_pattern_a2a3(m, bound);
}

// --- rules

void index_rules(RuleCheck& check) {
  const TileRef &src = check.tile("src"), &indices = check.tile("indices");
  row_major(check, {"indices"});
  index_type(check, src.elem_bytes() < 4 ? kIndices16 : kIndices32,
             src.elem_bytes() < 4 ? "elements of one and two bytes have indices of two"
                                  : "elements of this size have indices of four bytes");
  if (src.valid_rows < indices.valid_rows || src.valid_cols < indices.valid_cols)
    check.error(check.own("R4"), "src",
                fmt::format("src valid {}x{} is smaller than indices valid {}x{}", src.valid_rows, src.valid_cols,
                            indices.valid_rows, indices.valid_cols),
                "an element for each index");
  if (names_rows(check.bound()) && indices.valid_cols > check.tile("dst").cols())
    check.error(check.own("R4"), "indices",
                fmt::format("indices has {} valid columns, dst {}", indices.valid_cols, check.tile("dst").cols()),
                "an index names a row here (option tscatter.index), and its column is its own");
  apart(check, {"src", "indices"});
}
// Rows, or columns, of dst are `step` times those of src, by their types or by their valid regions.
void pattern_rules(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &src = check.tile("src");
  const MaskPattern pattern = pattern_of(check.bound());
  const bool rows = along_rows(check.bound());
  const auto fits = [&](std::uint32_t of_dst, std::uint32_t of_src, std::uint32_t step) {
    return of_dst == step * of_src;
  };
  const std::uint32_t down = rows ? 1 : pattern.step, across = rows ? pattern.step : 1;
  apart(check, {"src"});
  if ((!fits(dst.valid_rows, src.valid_rows, down) && !fits(dst.rows(), src.rows(), down)) ||
      (!fits(dst.valid_cols, src.valid_cols, across) && !fits(dst.cols(), src.cols(), across)))
    check.error(check.own("R10"), "dst",
                fmt::format("dst is {}x{} (valid {}x{}), src {}x{} (valid {}x{})", dst.rows(), dst.cols(),
                            dst.valid_rows, dst.valid_cols, src.rows(), src.cols(), src.valid_rows, src.valid_cols),
                fmt::format("dst has {} times the rows of src, and {} times the columns", down, across));
  else if (src.valid_rows * down > dst.rows() || src.valid_cols * across > dst.cols())
    check.error(check.own("R10"), "dst",
                fmt::format("dst {}x{} has no room for {} rows of {}", dst.rows(), dst.cols(), src.valid_rows * down,
                            src.valid_cols * across),
                "make dst as large");
}
void tscatter_rules(RuleCheck& check) {
  if (!pattern_fits(check, "indices")) return;
  same_types(check, {"src"});
  row_major(check, {"dst", "src"});
  return check.bound().has("indices") ? index_rules(check) : pattern_rules(check);
}

// --- rules on data

// The number of the element of dst that an index means.
std::uint64_t number_of(const Bound& bound, const DiagnosticElement& at, std::uint64_t index) {
  return names_rows(bound) ? index * bound.tile("dst").cols() + at.col : index;
}
void outside_rule(RuleCheck& check, const IndexList& list, const Memory& before) {
  const TileRef &dst = check.tile("dst"), &indices = check.tile("indices");
  each_index(list, before, [&](const DiagnosticElement& at, std::uint64_t index) {
    if (index < end_of_indices(check.bound())) return false;
    const std::string text = fmt::format(
        "{}{} is outside dst of {} ({}x{})", index_text(at, index), as_signed(indices, index),
        names_rows(check.bound()) ? fmt::format("{} rows", dst.rows()) : fmt::format("{} elements", elements_of(dst)),
        dst.rows(), dst.cols());
    if (check.options().scatter_outside)
      check.warn(check.own("R13"), "indices", text, "it is left out (option tscatter.outside)");
    else
      check.error(check.own("R13"), "indices", text,
                  names_rows(check.bound()) ? "an index is a row of dst (option tscatter.index)"
                                            : "an index is the number of an element in memory: row * Cols + column");
    check.about(FindingKind::Offset, at);
    return true;
  });
}
void collision_rule(RuleCheck& check, const IndexList& list, const Memory& before) {
  const TileRef& src = check.tile("src");
  Collisions collisions;
  each_index(list, before, [&](const DiagnosticElement& at, std::uint64_t index) {
    if (index < end_of_indices(check.bound()))
      collisions.add(number_of(check.bound(), at, index), at, at, before.element(src.place_of(at.row, at.col)));
    return false;
  });
  collisions.tell(check, "dst", check.tile("dst").cols());
}
void tscatter_data_rules(RuleCheck& check, const Memory& before) {
  const TileRef& indices = check.tile("indices");
  const IndexList list = index_list(indices, indices.valid_rows, indices.valid_cols);
  outside_rule(check, list, before);
  collision_rule(check, list, before);
}

// --- row

constexpr DTypeSet kScattered = kTypesTo32 | kIntegers64;

const InstructionRow tscatter{
    .name = "tscatter",
    .summary = "Scatters elements to where their indices say, or to every second or fourth place; zero elsewhere.",
    .forms = {{"index", {in("src"), offsets("indices"), out("dst")}, "TSCATTER(dst, src, indices)"},
              {"pattern", {in("src"), out("dst")}, "TSCATTER<pattern, axis>(dst, src)"}},
    .attributes = {kMaskPattern, {"scatterAxis", "row|col", "scatter_row=row|scatter_col=col"}},
    .typed_by = "src",
    .types = types_of<kScattered, kTypesTo32>,
    .draw = Drawing::Scatter,
    .rules = tscatter_rules,
    .data_rules = tscatter_data_rules,
    .moves = true,
    .machines = machines_of<tscatter_a5, tscatter_a2a3>(),
};
const Registered registered(tscatter);

}  // namespace
}  // namespace ts
