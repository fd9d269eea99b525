// Two sources of which one may be smaller than dst. TPARTADD, TPARTMUL, TPARTMAX, TPARTMIN: dst[r][c] = src0[r][c] op
// src1[r][c] where both are valid, else the element of the one that is. TPARTARGMAX, TPARTARGMIN: the larger or smaller
// element and the index that belongs to it. TPAIRREDUCESUM: dst[r][k] = src[r][2k] + src[r][2k + 1].
#include <fmt/format.h>

#include "core/instructions/vector_family.h"

namespace ts {
namespace {

using namespace vec;

// --- which source is valid where

struct Parts {
  explicit Parts(const Bound& bound) : dst(bound.tile("dst")), src0(bound.tile("src0")), src1(bound.tile("src1")) {}

  static bool covers(const TileRef& tile, const TileRef& dst) {
    return tile.valid_rows == dst.valid_rows && tile.valid_cols == dst.valid_cols;
  }
  bool first_full() const { return covers(src0, dst); }
  bool second_full() const { return covers(src1, dst); }

  TileRef dst, src0, src1;
};

// How many of a row's first columns are valid in both, and in one; and which one that is.
struct RowParts {
  std::uint32_t both, one;
  bool second_wider;
};
RowParts row_parts(const Parts& parts, std::uint32_t row, std::uint32_t cols) {
  const auto valid = [&](const TileRef& tile) { return row < tile.valid_rows ? std::min(tile.valid_cols, cols) : 0; };
  const std::uint32_t first = valid(parts.src0), second = valid(parts.src1);
  return {std::min(first, second), std::max(first, second), second > first};
}
std::uint32_t behind(std::uint32_t end, std::uint32_t col) { return end > col ? end - col : 0; }

// What stands where no source is valid; Kept: what stood there.
enum class Nothing : std::uint8_t { Kept, Lowest, Largest };
LaneScalar filler(DType type, Nothing nothing) {
  const bool largest = nothing == Nothing::Largest;
  if (size_bytes(type) == 8)
    return {is_signed_int(type) ? (largest ? ~0ull >> 1 : 1ull << 63) : (largest ? ~0ull : 0), type, 0};
  const TileType extreme{.dtype = type, .pad = largest ? PadKind::Max : PadKind::Min, .finite_pad = true};
  return {extreme.pad_bits(), type, 0};
}

// --- the four operations on A5: registers of elements, or pairs of registers with the words of 64-bit ones

struct PlainLanes {
  using Value = Reg;
  A5& m;
  std::uint32_t step() const { return m.lanes(); }
  Pred first(std::uint32_t lanes) const { return m.plt(lanes); }
  Reg load(const TileRef& tile, const Cell& cell) const { return m.vlds(tile.ub(), cell.in(tile)); }
  Reg spread(const LaneScalar& scalar) const { return m.vdup(scalar, m.pset_all(m.ty())); }
  Reg select(const Reg& on, const Reg& off, const Pred& pred) const { return m.vsel(on, off, pred); }
  void store(const Reg& value, const TileRef& tile, const Cell& cell, const Pred& active) const {
    m.vsts(value, tile.ub(), cell.in(tile), active);
  }
};
struct WideLanes {
  using Value = Words;
  A5& m;
  static std::uint32_t step() { return kWordStep; }
  Pred first(std::uint32_t lanes) const { return m.plt(AnyLane{DType::U32}, lanes); }
  Words load(const TileRef& tile, const Cell& cell) const { return load_words(m, tile, cell); }
  Words spread(const LaneScalar& scalar) const { return words_of(m, scalar); }
  Words select(const Words& on, const Words& off, const Pred& pred) const {
    return {m.vsel<std::uint32_t>(on.lo, off.lo, pred), m.vsel<std::uint32_t>(on.hi, off.hi, pred)};
  }
  void store(const Words& words, const TileRef& tile, const Cell& cell, const Pred& active) const {
    store_words(m, words, tile, cell, active);
  }
};

template <class Lanes, class F>
void join_rows(const Lanes& lanes, const Parts& parts, std::uint32_t cols, Nothing nothing, F f) {
  const std::uint32_t step = lanes.step();
  for (std::uint32_t row = 0; row < parts.dst.valid_rows; ++row) {
    const RowParts of_row = row_parts(parts, row, cols);
    const TileRef& wider = of_row.second_wider ? parts.src1 : parts.src0;
    const std::uint32_t end = nothing == Nothing::Kept ? of_row.one : cols;
    for (std::uint32_t col = 0; col < end; col += step) {
      const Cell cell{row, col};
      const std::uint32_t both = behind(of_row.both, col), one = behind(of_row.one, col);
      typename Lanes::Value value;
      if (both > 0) {
        const Pred common = lanes.first(both);
        const auto a = lanes.load(parts.src0, cell), b = lanes.load(parts.src1, cell);
        value = f(a, b, common);
        if (both < std::min(one, step)) value = lanes.select(value, of_row.second_wider ? b : a, common);
      } else if (one > 0) {
        value = lanes.load(wider, cell);
      } else {
        value = lanes.spread(filler(parts.dst.type.dtype, nothing));
      }
      if (one > 0 && one < std::min(end - col, step))
        value = lanes.select(value, lanes.spread(filler(parts.dst.type.dtype, nothing)), lanes.first(one));
      lanes.store(value, parts.dst, cell, lanes.first(end - col));
    }
  }
}

template <A5Two op, LaneOp wide, Nothing nothing>
void join_a5(A5& m, const Bound& bound) {
  const Parts parts(bound);
  const std::uint32_t cols = parts.dst.valid_cols;
  if (m.bytes() == 8)
    return join_rows(WideLanes{m}, parts, m.options().quirk_words64 ? std::min(cols, kWordStep) : cols, nothing,
                     [&](const Words& a, const Words& b, const Pred&) {
                       return m.emu_words(wide, m.dtype(), bound.row->name, a, b);
                     });
  join_rows(PlainLanes{m}, parts, cols, nothing,
            [&](const Reg& a, const Reg& b, const Pred& active) { return (lanes_of(m).*op)(m.ty(), a, b, active); });
}

// --- on A2A3: the operation where both are valid, copies elsewhere

template <A3Two op>
void in_region(A2A3& m, const TileRef& dst, const TileRef& a, const TileRef& b, std::uint32_t rows,
               std::uint32_t cols) {
  TileRef region = dst;
  region.valid_rows = rows;
  region.valid_cols = cols;
  if (cols != dst.valid_cols) region.type.valid_cols = kDynamic;
  binary_a2a3(m, region, a, b, [&](Ub d, Ub x, Ub y, std::uint32_t n, Strides ds, Strides xs, Strides ys) {
    (lanes_of(m).*op)(m.ty(), d, x, y, n, ds, xs, ys);
  });
}
// From row `first` on. The library copies rows to their ends where both tiles are equally wide.
void copy_rows(A2A3& m, const TileRef& dst, const TileRef& src, std::uint32_t first) {
  const std::uint32_t cols = m.options().quirk_blocks && src.cols() == dst.cols() ? dst.cols() : dst.valid_cols;
  for (std::uint32_t row = first; row < dst.valid_rows; ++row) copy_row(m, {dst.at(row, 0)}, {src.at(row, 0)}, cols);
}
void move_elements(A2A3& m, const TileRef& dst, const TileRef& src, std::uint32_t row, std::uint32_t first,
                   std::uint32_t end) {
  const std::uint32_t size = dst.elem_bytes();
  // In units of the instruction's elements: indices may be twice as wide.
  const std::uint32_t units = (end - first) * size / m.bytes();
  if (units > 0)
    m.emu_move({Space::Ub, dst.at(row, first), m.bytes()}, {Space::Ub, src.at(row, first), m.bytes()}, units);
}
// Where neither source is as large as dst the library's way is not defined; the emulator goes row by row.
template <A3Two op>
void join_uneven(A2A3& m, const Parts& parts, Nothing nothing) {
  const TileRef& dst = parts.dst;
  in_region<op>(m, dst, parts.src0, parts.src1,
                std::min({parts.src0.valid_rows, parts.src1.valid_rows, dst.valid_rows}),
                std::min({parts.src0.valid_cols, parts.src1.valid_cols, dst.valid_cols}));
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    const RowParts of_row = row_parts(parts, row, dst.valid_cols);
    move_elements(m, dst, of_row.second_wider ? parts.src1 : parts.src0, row, of_row.both, of_row.one);
    for (std::uint32_t col = of_row.one; col < dst.valid_cols && nothing != Nothing::Kept; ++col)
      m.store_element({dst.at(row, col)}, filler(dst.type.dtype, nothing));
  }
}
template <A3Two op, Nothing nothing>
void join_a2a3(A2A3& m, const Bound& bound) {
  const Parts parts(bound);
  const TileRef& dst = parts.dst;
  const bool first_full = parts.first_full(), second_full = parts.second_full();
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
  if (!first_full && !second_full) return join_uneven<op>(m, parts, nothing);
  const TileRef &full = first_full ? parts.src0 : parts.src1, &part = first_full ? parts.src1 : parts.src0;
  const std::uint32_t rows = std::min(part.valid_rows, dst.valid_rows);
  if (part.valid_cols < dst.valid_cols) {
    copy_rows(m, dst, full, 0);
    m.pipe_barrier();
    in_region<op>(m, dst, part, dst, rows, part.valid_cols);
  } else {
    in_region<op>(m, dst, parts.src0, parts.src1, rows, dst.valid_cols);
    copy_rows(m, dst, full, rows);
  }
}

// --- elements with their indices

// Lanes of one register's worth: the second source where its lane of `second` is on.
template <class U>
void choose_lanes(A5& m, const TileRef& dst, const TileRef& src0, const TileRef& src1, const Cell& cell,
                  const Pred& second, std::uint32_t both, std::uint32_t one, bool second_wider) {
  Reg value;
  if (both > 0) {
    const Reg a = m.vlds<U>(src0.ub(), cell.in(src0)), b = m.vlds<U>(src1.ub(), cell.in(src1));
    value = m.vsel<U>(b, a, second);
  } else {
    const TileRef& wider = second_wider ? src1 : src0;
    value = m.vlds<U>(wider.ub(), cell.in(wider));
  }
  m.vsts<U>(value, dst.ub(), cell.in(dst), m.plt<U>(one));
}
void choose_indices(A5& m, const Bound& bound, const Cell& cell, const Pred& second, std::uint32_t both,
                    std::uint32_t one, bool second_wider) {
  const TileRef index = bound.tile("index"), index0 = bound.tile("index0"), index1 = bound.tile("index1");
  if (index.elem_bytes() == m.bytes())
    return choose_lanes<AnyLane>(m, index, index0, index1, cell, second, both, one, second_wider);
  constexpr std::uint32_t kStep = VL / 4;
  const AnyPredPair halves = m.pintlv_b16(second, second);
  for (std::uint32_t done = 0; done < std::min(one, 2 * kStep); done += kStep)
    choose_lanes<std::uint32_t>(m, index, index0, index1, {cell.row, cell.col + done},
                                done == 0 ? halves.lo : halves.hi, behind(both, done), one - done, second_wider);
}
template <CompareOp better>
void choose_a5(A5& m, const Bound& bound) {
  const Parts parts(bound);
  for (std::uint32_t row = 0; row < parts.dst.valid_rows; ++row) {
    const RowParts of_row = row_parts(parts, row, parts.dst.valid_cols);
    for (std::uint32_t col = 0; col < of_row.one; col += m.lanes()) {
      const Cell cell{row, col};
      std::uint32_t both = behind(of_row.both, col), one = of_row.one - col;
      const std::uint32_t common_lanes = both, lanes = one;
      Pred second;
      if (both > 0) {
        const Pred common = m.plt(both), any = m.plt(one);
        const Reg a = m.vlds(parts.src0.ub(), cell.in(parts.src0)), b = m.vlds(parts.src1.ub(), cell.in(parts.src1));
        second = m.vcmp(m.ty(), better, b, a, common);
        if (of_row.second_wider && common_lanes < std::min(lanes, m.lanes()))
          second = m.por(second, m.pnot(common, any), any);
      } else {
        second = m.pset_all(m.ty());
      }
      choose_lanes<AnyLane>(m, parts.dst, parts.src0, parts.src1, cell, second, common_lanes, lanes,
                            of_row.second_wider);
      choose_indices(m, bound, cell, second, common_lanes, lanes, of_row.second_wider);
    }
  }
}

// Chunks of as many columns as both values and indices have lanes. The library steps twice as far where indices are wider.
template <CompareOp keeps>
void choose_a2a3(A2A3& m, const Bound& bound) {
  const Parts parts(bound);
  const TileRef index = bound.tile("index"), index0 = bound.tile("index0"), index1 = bound.tile("index1");
  const AnyLane index_lane{index.type.dtype};
  const bool mixed = index_lane.bytes() > m.bytes();
  const std::uint32_t step = mixed ? index_lane.lanes() : m.lanes();
  const std::uint32_t half_done = mixed && m.options().quirk_tpartarg
                                      ? std::min(parts.src0.valid_cols, parts.src1.valid_cols) / m.lanes() * m.lanes()
                                      : 0;
  for (std::uint32_t row = 0; row < parts.dst.valid_rows; ++row) {
    const RowParts of_row = row_parts(parts, row, parts.dst.valid_cols);
    for (std::uint32_t col = 0; col < of_row.both; col += step) {
      if (col < half_done && col % m.lanes() != 0) continue;
      m.set_mask_first(std::min(of_row.both - col, step));
      const Ub a{parts.src0.at(row, col)}, b{parts.src1.at(row, col)};
      m.vcmp(m.ty(), keeps, a, b);
      m.vsel_mask(m.ty(), {parts.dst.at(row, col)}, a, b, 1, {}, {}, {});
      m.vsel_mask(index_lane, {index.at(row, col)}, {index0.at(row, col)}, {index1.at(row, col)}, 1, {}, {}, {});
    }
    move_elements(m, parts.dst, of_row.second_wider ? parts.src1 : parts.src0, row, of_row.both, of_row.one);
    move_elements(m, index, of_row.second_wider ? index1 : index0, row, of_row.both, of_row.one);
  }
  m.set_mask_all();
}

// --- pairs

bool full_by_type(const TileRef& tile) { return tile.type.valid_cols == static_cast<std::int32_t>(tile.cols()); }

// What the documents want behind the sums.
template <class M>
void clear_tail(M& m, const TileRef& dst, std::uint32_t row) {
  const std::uint32_t sums = ceil_div(dst.valid_cols, 2);
  if (sums < dst.valid_cols) m.emu_fill({dst.at(row, sums)}, (dst.valid_cols - sums) * dst.elem_bytes(), 0);
}
void tpairreducesum_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  const bool packs = m.options().quirk_pairsum && full_by_type(src) && full_by_type(dst),
             clears = m.options().pairsum_zero_tail && !packs;
  const std::uint32_t rows = packs ? 1 : src.valid_rows,
                      cols = packs ? src.valid_rows * src.valid_cols : src.valid_cols;
  for (std::uint32_t row = 0; row < rows; ++row) {
    std::uint32_t left = cols;
    for (std::uint32_t col = 0; col < cols; col += m.lanes()) {
      const std::uint32_t lanes = std::min(left, m.lanes());
      const Pred active = m.plt(left);
      const Reg sums = m.vcpadd(m.ty(), m.vlds(src.ub(), row * src.row_stride() + col), active);
      std::uint32_t pairs = clears ? ceil_div(lanes, 2) : lanes / 2;
      m.vsts(sums, dst.ub(), row * dst.row_stride() + col / 2, m.plt(pairs));
    }
    if (clears) clear_tail(m, dst, row);
  }
}
void tpairreducesum_a2a3(A2A3& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  const std::uint32_t rows = src.valid_rows, cols = src.valid_cols, whole = cols / m.lanes() * m.lanes();
  const bool clears = m.options().pairsum_zero_tail;
  const bool repeats = src.pitch_bytes() / BLK <= A2A3::kMaxStride && dst.pitch_bytes() / BLK <= A2A3::kMaxStride;
  for (std::uint32_t col = 0; col < whole; col += m.lanes()) {
    const std::uint32_t at_once = repeats ? A2A3::kMaxRepeat : 1;
    for (std::uint32_t row = 0; row < rows; row += at_once)
      m.vcpadd(m.ty(), {dst.at(row, col / 2)}, {src.at(row, col)}, std::min(rows - row, at_once), dst.pitch_bytes(),
               {1, repeats ? src.pitch_bytes() / BLK : 8});
  }
  const std::uint32_t rest = clears ? cols - whole : (cols - whole) / 2 * 2;
  if (rest > 0)
    counted_rows(m, rows, rest, [&](std::uint32_t row) {
      m.vcpadd(m.ty(), {dst.at(row, whole / 2)}, {src.at(row, whole)}, 1, VL / 2, {});
    });
  for (std::uint32_t row = 0; row < rows && clears; ++row) clear_tail(m, dst, row);
}

// --- rows

// R4: one source is as large as dst, and none larger.
bool parts_fit(const Parts& parts) {
  const auto fits = [&](const TileRef& tile) {
    return tile.valid_rows <= parts.dst.valid_rows && tile.valid_cols <= parts.dst.valid_cols;
  };
  return (parts.first_full() || parts.second_full()) && fits(parts.src0) && fits(parts.src1);
}
std::string shapes_text(const Parts& parts) {
  return fmt::format("src0 valid {}x{}, src1 {}x{}, dst {}x{}", parts.src0.valid_rows, parts.src0.valid_cols,
                     parts.src1.valid_rows, parts.src1.valid_cols, parts.dst.valid_rows, parts.dst.valid_cols);
}
constexpr const char* kFit = "one source has the valid shape of dst, and the other is not larger";

void join_rules(RuleCheck& check) {
  const Parts parts(check.bound());
  same_types(check, {"src0", "src1"});
  row_major(check, {"dst", "src0", "src1"});
  if (!parts_fit(parts)) check.documented(check.own("R4"), "dst", shapes_text(parts), kFit);
  warn_words(check);
  check.warn_overlap("dst", "src0", parts.first_full());
  check.warn_overlap("dst", "src1", parts.second_full());
}

void choose_overlaps(RuleCheck& check) {
  for (const char* src : {"src0", "src1"}) check.warn_overlap("dst", src, true);
  for (const char* src : {"index0", "index1"}) check.warn_overlap("index", src, true);
  for (const char* other : {"index0", "index1", "index"}) check.warn_overlap("dst", other, false);
  for (const char* other : {"src0", "src1"}) check.warn_overlap("index", other, false);
}
void choose_rules(RuleCheck& check) {
  const Parts parts(check.bound());
  same_types(check, {"src0", "src1"});
  same_types(check, {"index0", "index1"}, "index");
  row_major(check, {"dst", "src0", "src1", "index", "index0", "index1"});
  if (!parts_fit(parts)) check.error(check.own("R4"), "dst", shapes_text(parts), kFit);
  same_valid(check, {"index"}, "dst");
  same_valid(check, {"index0"}, "src0");
  same_valid(check, {"index1"}, "src1");
  if (check.target() == Target::A2A3) not_empty(check);
  choose_overlaps(check);
  const DType value = parts.dst.type.dtype, index = check.tile("index").type.dtype;
  const DTypeSet narrow = value == DType::F16 ? DTypeSet{DType::I16, DType::U16} : DTypeSet{},
                 types = narrow | DTypeSet{DType::I32, DType::U32};
  if (!types.contains(index))
    check.error(check.own("R8"), "index", fmt::format("indices of {} for values of {}", name(index), name(value)),
                fmt::format("{} takes {}", name(value), types.list()));
  if (check.target() == Target::A2A3 && value == DType::F16 && size_bytes(index) == 4 && parts.dst.valid_cols >= VL / 2)
    check.warn(check.own("W1"), "index",
               fmt::format("f16 with {} and {} columns; the library leaves out columns 64..127 of every 128",
                           name(index), parts.dst.valid_cols),
               check.options().quirk_tpartarg
                   ? ""
                   : "all are done; option quirks.tpartarg leaves them out, 16-bit indices are safe");
}

void tpairreducesum_rules(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &src = check.tile("src");
  same_types(check, {"src"});
  row_major(check, {"dst", "src"});
  same_valid(check, {"src"});
  check.warn_overlap("dst", "src", false);
  if (check.target() == Target::A5 && dst.valid_rows > 1 && full_by_type(dst) && full_by_type(src))
    check.warn(
        check.own("W1"), "dst", fmt::format("{} rows, full by their type; the library packs them", dst.valid_rows),
        check.options().quirk_pairsum ? "" : "rows stay where they are; option quirks.tpairreducesum packs them");
}

InstructionRow joining(const char* name, const char* summary, const char* cpp,
                       DTypeSet (*types)(Target, const Options&), Machines machines) {
  return {.name = name,
          .summary = summary,
          .forms = {{"", {in("src0"), in("src1"), out("dst")}, cpp}},
          .typed_by = "dst",
          .types = types,
          .draw = Drawing::Lanes,
          .rules = join_rules,
          .machines = machines};
}
InstructionRow choosing(const char* name, const char* summary, const char* cpp, Machines machines) {
  return {.name = name,
          .summary = summary,
          .forms = {{"", {in("src0"), in("src1"), in("index0"), in("index1"), out("dst"), out("index")}, cpp}},
          .typed_by = "dst",
          .types = types_of<kF16AndF32, kF16AndF32>,
          .draw = Drawing::Lanes,
          .rules = choose_rules,
          .moves = true,
          .machines = machines};
}

const InstructionRow tpartadd =
    joining("tpartadd", "Adds where both sources are valid and copies where only one is.", "TPARTADD(dst, src0, src1)",
            types_of<kAllTypes, kA2A3Types>,
            machines_of<join_a5<&A5::vadd, LaneOp::Add, Nothing::Kept>, join_a2a3<&A2A3::vadd, Nothing::Kept>>());
const InstructionRow tpartmul =
    joining("tpartmul", "Multiplies where both sources are valid and copies where only one is.",
            "TPARTMUL(dst, src0, src1)", types_of<kTypesTo32, kA2A3Types>,
            machines_of<join_a5<&A5::vmul, LaneOp::Mul, Nothing::Kept>, join_a2a3<&A2A3::vmul, Nothing::Kept>>());
const InstructionRow tpartmax =
    joining("tpartmax", "Takes the larger element where both sources are valid and copies where only one is.",
            "TPARTMAX(dst, src0, src1)", types_of<kAllTypes, kA2A3Types>,
            machines_of<join_a5<&A5::vmax, LaneOp::Max, Nothing::Lowest>, join_a2a3<&A2A3::vmax, Nothing::Lowest>>());
const InstructionRow tpartmin =
    joining("tpartmin", "Takes the smaller element where both sources are valid and copies where only one is.",
            "TPARTMIN(dst, src0, src1)", types_of<kAllTypes, kA2A3Types>,
            machines_of<join_a5<&A5::vmin, LaneOp::Min, Nothing::Largest>, join_a2a3<&A2A3::vmin, Nothing::Largest>>());
const InstructionRow tpartargmax =
    choosing("tpartargmax",
             "Takes the larger element with its index where both sources are valid, and copies both where only one is.",
             "TPARTARGMAX(dst, src0, src1, index, index0, index1)",
             machines_of<choose_a5<CompareOp::Gt>, choose_a2a3<CompareOp::Ge>>());
const InstructionRow tpartargmin = choosing(
    "tpartargmin",
    "Takes the smaller element with its index where both sources are valid, and copies both where only one is.",
    "TPARTARGMIN(dst, src0, src1, index, index0, index1)",
    machines_of<choose_a5<CompareOp::Lt>, choose_a2a3<CompareOp::Le>>());
const InstructionRow tpairreducesum{
    .name = "tpairreducesum",
    .summary = "Adds the elements of each pair of neighbouring columns.",
    .forms = {{"", {in("src"), out("dst")}, "TPAIRREDUCESUM(dst, src)"}},
    .typed_by = "dst",
    .types = types_of<kF16AndF32, kF16AndF32>,
    .draw = Drawing::Reduce,
    .rules = tpairreducesum_rules,
    .machines = machines_of<tpairreducesum_a5, tpairreducesum_a2a3>(),
};

const Registered registered[] = {Registered(tpartadd),      Registered(tpartmul),    Registered(tpartmax),
                                 Registered(tpartmin),      Registered(tpartargmax), Registered(tpartargmin),
                                 Registered(tpairreducesum)};

}  // namespace
}  // namespace ts
