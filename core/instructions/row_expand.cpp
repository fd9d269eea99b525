// One value for each row. TROWEXPAND: dst[r][c] = src[r][0]. TROWEXPANDADD and the like: dst[r][c] = src0[r][c] op e(r, c),
// or e(r, c) op src1[r][c]: e is the small source's value for the row, or a block of values, repeated along the row.
#include <fmt/format.h>

#include "core/instructions/expand.h"

namespace ts {
namespace {

using namespace vec;

// --- TROWEXPAND

void trowexpand_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  if (dst.valid_cols == 0) return;
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    Reg first;
    if (src.type.col_major()) {
      m.vldas(src.ub(), row);
      first = m.vldus(src.ub(), row);
    } else {
      first = m.vlds(src.ub(), row * src.row_stride());
    }
    const Reg value = m.vdup_lowest(first);
    std::uint32_t left = dst.valid_cols;
    for (std::uint32_t col = 0; col < dst.valid_cols; col += m.lanes()) {
      const Pred active = m.plt(left);
      m.vsts(value, dst.ub(), row * dst.row_stride() + col, active);
    }
  }
}

// Where each row of dst is one block and src a full column, a spreading instruction does eight rows at once.
bool spreads_blocks(const TileRef& dst, const TileRef& src) {
  const auto full = [](const TileRef& tile) {
    return tile.type.valid_rows == static_cast<std::int32_t>(tile.rows()) &&
           tile.type.valid_cols == static_cast<std::int32_t>(tile.cols());
  };
  return dst.elem_bytes() > 1 && full(dst) && full(src) && dst.pitch_bytes() == BLK && src.type.col_major() &&
         src.cols() == 1 && dst.rows() % 8 == 0;
}
void trowexpand_a2a3(A2A3& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
  if (spreads_blocks(dst, src)) {
    constexpr std::uint32_t kRepeats = 254;
    for (std::uint32_t done = 0; done < dst.valid_rows / 8; done += kRepeats)
      m.vbrcb(bits_of(m.ty()), {dst.at(8 * done, 0)}, {src.at(8 * done, 0)}, 1, 8,
              std::min(dst.valid_rows / 8 - done, kRepeats));
    return;
  }
  // Bytes travel in pairs.
  const bool pairs = m.bytes() == 1;
  m.sync(Pipe::V, Pipe::S);
  m.set_mask_count();
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    const Reg value = m.scalar_load(bits_of(m.ty()), {src.at(row, 0)});
    m.sync(Pipe::S, Pipe::V);
    m.set_vector_mask(0, pairs ? ceil_div(dst.valid_cols, 2) : dst.valid_cols);
    m.vector_dup(pairs ? AnyLane{DType::U16} : bits_of(m.ty()), {dst.at(row, 0)}, value, 1, {});
  }
  m.set_mask_norm();
  m.set_mask_all();
}

// --- the others

// How the small source gives a row's value.
enum class Giver : std::uint8_t { Column, Element, Block };

struct RowSpread : SpreadSources {
  Giver giver;
};
// From row to row, in elements, as the library counts it.
std::uint32_t library_stride(const TileRef& tile) {
  return tile.type.blayout == BoxOrder::RowMajor ? tile.type.cols : 1;
}

RowSpread row_spread(const Bound& bound) {
  const TileRef &src0 = bound.tile("src0"), &src1 = bound.tile("src1"), &dst = bound.tile("dst");
  bool first = has_shape_of(src0, dst);
  if (first && bound.target == Target::A2A3 && has_shape_of(src1, dst))
    first = library_stride(src0) >= library_stride(src1);
  const SpreadSources from = spread_sources(first);
  const TileRef& small = bound.tile(from.small);
  const std::uint32_t block = BLK / dst.elem_bytes();
  if (small.type.blayout == BoxOrder::ColMajor) return {from, Giver::Column};
  const bool asks = bound.options->rowexpand_tiled || bound.attribute("src1Col") == block;
  return {from, asks && small.valid_cols == block ? Giver::Block : Giver::Element};
}
// The first element counts, of a block that holds others too.
bool ignores_lanes(const RowSpread& from, const TileRef& small) {
  return from.giver == Giver::Element && small.valid_cols == BLK / small.elem_bytes();
}

template <SpreadOp op>
void spread_a5(A5& m, const Bound& bound) {
  const RowSpread from = row_spread(bound);
  const TileRef dst = bound.tile("dst"), full = bound.tile(from.full), small = bound.tile(from.small);
  if (dst.valid_cols == 0) return;
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    const std::uint32_t at = from.giver == Giver::Column ? row : row * small.row_stride();
    if (ignores_lanes(from, small)) m.watch_block(m.ty(), small.ub(), at);
    const Reg value = from.giver == Giver::Block ? m.vlds_blk(small.ub(), at) : m.vlds_brc(small.ub(), at);
    std::uint32_t left = dst.valid_cols;
    for (std::uint32_t col = 0; col < dst.valid_cols; col += m.lanes()) {
      const Pred active = m.plt(left);
      const Reg elements = m.vlds(full.ub(), row * full.row_stride() + col);
      const Reg result =
          from.full_first ? op(m, bound, elements, value, active) : op(m, bound, value, elements, active);
      m.vsts(result, dst.ub(), row * dst.row_stride() + col, active);
    }
  }
}

// Rows [first, first + rows): with a block for each row, `step` blocks apart.
template <A3Two op>
void with_blocks(A2A3& m, const RowSpread& from, const TileRef& dst, const TileRef& full, Ub blocks, std::uint32_t step,
                 std::uint32_t first, std::uint32_t rows) {
  const auto call = [&](std::uint32_t row, std::uint32_t col, Ub block, std::uint32_t n, Strides ds, Strides fs,
                        Strides bs) {
    const Ub d{dst.at(row, col)}, f{full.at(row, col)};
    if (from.full_first) {
      (lanes_of(m).*op)(m.ty(), d, f, block, n, ds, fs, bs);
    } else {
      (lanes_of(m).*op)(m.ty(), d, block, f, n, ds, bs, fs);
    }
  };
  const std::uint32_t d_blocks = dst.pitch_bytes() / BLK, f_blocks = full.pitch_bytes() / BLK;
  if (std::max(d_blocks, f_blocks) > A2A3::kMaxStride || dst.valid_cols / m.lanes() > dst.valid_rows)
    return counted_rows(m, rows, dst.valid_cols, [&](std::uint32_t row) {
      call(first + row, 0, {blocks.address + row * step * BLK}, 1, {}, {}, {0, 0});
    });
  for (std::uint32_t col = 0; col < dst.valid_cols; col += m.lanes()) {
    const std::uint32_t lanes = std::min(dst.valid_cols - col, m.lanes());
    if (lanes < m.lanes()) m.set_mask_first(lanes);
    call(first, col, blocks, rows, {1, d_blocks}, {1, f_blocks}, {0, step});
    if (lanes < m.lanes()) m.set_mask_all();
  }
}

template <A3Two op, LaneOp lanes>
void spread_rows(A2A3& m, const Bound& bound, const RowSpread& from) {
  const TileRef dst = bound.tile("dst"), full = bound.tile(from.full), small = bound.tile(from.small);
  if (from.giver == Giver::Element) {
    counted_rows(m, dst.valid_rows, dst.valid_cols, [&](std::uint32_t row) {
      const Ub value{small.at(row, 0)};
      if (ignores_lanes(from, small)) m.watch_block(m.ty(), value);
      m.emu_with_element(lanes, m.ty(), {dst.at(row, 0)}, {full.at(row, 0)}, value, !from.full_first);
    });
    return;
  }
  constexpr std::uint32_t kRowsAtOnce = 240;
  const std::uint32_t most = dst.valid_rows < 256 ? A2A3::kMaxRepeat : kRowsAtOnce;
  for (std::uint32_t row = 0; row < dst.valid_rows; row += most) {
    const std::uint32_t rows = std::min(dst.valid_rows - row, most);
    if (from.giver == Giver::Block) {
      with_blocks<op>(m, from, dst, full, {small.at(row, 0)}, small.pitch_bytes() / BLK, row, rows);
    } else {
      const Ub blocks = bound.tile("tmp").ub();
      m.vbrcb(bits_of(m.ty()), blocks, {small.at(row, 0)}, 1, 8, ceil_div(rows, 8));
      m.pipe_barrier();
      with_blocks<op>(m, from, dst, full, blocks, 1, row, rows);
    }
  }
}

template <A3Two op, LaneOp lanes, bool then_exp = false>
void spread_a2a3(A2A3& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst");
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
  const RowSpread from = row_spread(bound);
  spread_rows<op, lanes>(m, bound, from);
  if (then_exp) exp_in_place(m, dst);
  if (from.giver == Giver::Column) leave_scratch(m, bound);
}

// --- rows

void trowexpand_rules(RuleCheck& check) {
  const TileRef &src = check.tile("src"), &dst = check.tile("dst");
  same_types(check, {"src"});
  row_major(check, {"dst"});
  if (src.type.boxed())
    check.error(check.own("R3"), "src", fmt::format("src is {}, needs row_major or col_major", src.type.layout_name()),
                "declare it without boxes");
  if (src.valid_rows != dst.valid_rows)
    check.error(check.own("R4"), "src", fmt::format("src has {} valid rows, dst {}", src.valid_rows, dst.valid_rows),
                "a value for each row of dst");
  not_empty(check);
  check.warn_overlap("dst", "src", false);
  if (check.target() == Target::A5 && src.valid_cols > 1)
    check.warn(check.own("W1"), "src",
               fmt::format("src has {} valid columns, and only column 0 counts", src.valid_cols),
               "say so in its valid shape");
}

std::uint64_t scratch_needed(std::uint32_t rows) { return rows < 256 ? 256 * ceil_div(rows, 8) : 7680; }

void row_spread_rules(RuleCheck& check) {
  const RowSpread from = row_spread(check.bound());
  if (!spread_rules(check, from)) return;
  const TileRef &dst = check.tile("dst"), &small = check.tile(from.small);
  const std::uint32_t block = BLK / dst.elem_bytes();
  const bool blocks = small.type.row_major() && small.valid_cols == block && small.cols() == block;
  if (small.type.boxed() || small.valid_rows != dst.valid_rows || (small.valid_cols != 1 && !blocks))
    check.error(check.own("R8"), from.small,
                fmt::format("{} is {}, valid {}x{}, and dst has {} rows", from.small, small.type.layout_name(),
                            small.valid_rows, small.valid_cols, dst.valid_rows),
                fmt::format("it gives a value for each row: col_major {}x1, or row_major with one block of {} columns",
                            dst.valid_rows, block));
  if (check.target() == Target::A5 || from.giver != Giver::Column) return;
  scratch_bytes(check, scratch_needed(dst.valid_rows), "it takes a block for each row");
  for (const char* other : {"src0", "src1", "dst"}) check.warn_overlap("tmp", other, false);
}

// W1: the first block that is not one element repeated.
void row_spread_data_rules(RuleCheck& check, const Memory& before) {
  const RowSpread from = row_spread(check.bound());
  const TileRef& small = check.tile(from.small);
  if (!ignores_lanes(from, small)) return;
  const auto element = [&](std::uint32_t row, std::uint32_t col) { return before.element(small.place_of(row, col)); };
  for (std::uint32_t row = 0; row < small.valid_rows; ++row) {
    for (std::uint32_t col = 1; col < small.valid_cols; ++col) {
      if (element(row, col) == element(row, 0)) continue;
      check.warn(check.own("W1"), from.small,
                 fmt::format("{}[{},{}] is not {}[{},0]; the library repeats the whole block along the row", from.small,
                             row, col, from.small, row),
                 "the first element counts here; src1Col or option rowexpand.block repeats the block");
      return check.about(FindingKind::Rule, DiagnosticElement{row, col});
    }
  }
}
void row_division_data_rules(RuleCheck& check, const Memory& before) {
  row_spread_data_rules(check, before);
  const TileRef& dst = check.tile("dst");
  if (is_float(dst.type.dtype)) return;
  const RowSpread from = row_spread(check.bound());
  const std::uint32_t values = from.giver == Giver::Block ? std::min(dst.valid_cols, BLK / dst.elem_bytes()) : 1;
  warn_zero(check, before, Division::Quotient, "src1", dst.valid_rows, from.full_first ? values : dst.valid_cols);
}

// Only a column needs it. How high the tile can be decides, for its valid rows may differ from run to run.
TileType row_spread_scratch(const Bound& bound) {
  if (!bound.tile("src0").type.col_major() && !bound.tile("src1").type.col_major()) return no_scratch();
  const TileRef& dst = bound.tile("dst");
  return scratch_of(bound, dst.type.dtype, std::min(ceil_div(dst.rows(), 8), 32u), 256);
}

constexpr AttributeSpec kBlockColumns{
    "src1Col", "0|1|2|3|4|5|6|7|8|9|10|11|12|13|14|15|16|17|18|19|20|21|22|23|24|25|26|27|28|29|30|31|32"};

InstructionRow row_spread_row(const char* name, const char* summary, const char* cpp,
                              DTypeSet (*types)(Target, const Options&), Machines machines) {
  return {.name = name,
          .summary = summary,
          .forms = {{"", {in("src0"), in("src1"), optional_tmp("tmp"), out("dst")}, cpp}},
          .attributes = {kBlockColumns},
          .typed_by = "dst",
          .types = types,
          .draw = Drawing::Broadcast,
          .rules = row_spread_rules,
          .data_rules = row_spread_data_rules,
          .scratch = row_spread_scratch,
          .machines = machines};
}

const InstructionRow trowexpand{
    .name = "trowexpand",
    .summary = "Repeats the first element of each row along the row.",
    .forms = {{"", {in("src"), out("dst")}, "TROWEXPAND(dst, src)"}},
    .typed_by = "dst",
    .types = types_of<kTypesTo32, kTypesTo32>,
    .draw = Drawing::Broadcast,
    .rules = trowexpand_rules,
    .moves = true,
    .machines = machines_of<trowexpand_a5, trowexpand_a2a3>(),
};
const InstructionRow trowexpandadd = row_spread_row(
    "trowexpandadd", "Adds one value per row.", "TROWEXPANDADD(dst, src0, src1, tmp)", types_of<kTypesTo32, kA2A3Types>,
    machines_of<spread_a5<plain_a5<&A5::vadd>>, spread_a2a3<&A2A3::vadd, LaneOp::Add>>());
const InstructionRow trowexpandsub =
    row_spread_row("trowexpandsub", "Subtracts one value per row.", "TROWEXPANDSUB(dst, src0, src1, tmp)",
                   types_of<kTypesTo32, kA2A3Types>,
                   machines_of<spread_a5<plain_a5<&A5::vsub>>, spread_a2a3<&A2A3::vsub, LaneOp::Sub>>());
const InstructionRow trowexpandmul =
    row_spread_row("trowexpandmul", "Multiplies by one value per row.", "TROWEXPANDMUL(dst, src0, src1, tmp)",
                   types_of<kTypesTo32, kA2A3Types>,
                   machines_of<spread_a5<plain_a5<&A5::vmul>>, spread_a2a3<&A2A3::vmul, LaneOp::Mul>>());
const InstructionRow trowexpanddiv = [] {
  InstructionRow row = row_spread_row(
      "trowexpanddiv", "Divides by one value per row.", "TROWEXPANDDIV(dst, src0, src1, tmp)", division_types,
      machines_of<divide_a5<spread_a5<quotient_a5>>, spread_a2a3<&A2A3::vdiv, LaneOp::Div>>());
  row.attributes.push_back(kPrecision);
  row.data_rules = row_division_data_rules;
  return row;
}();
const InstructionRow trowexpandmax =
    row_spread_row("trowexpandmax", "Takes the larger of element and one value per row.",
                   "TROWEXPANDMAX(dst, src0, src1, tmp)", types_of<kTypesTo32, kA2A3Types>,
                   machines_of<spread_a5<plain_a5<&A5::vmax>>, spread_a2a3<&A2A3::vmax, LaneOp::Max>>());
const InstructionRow trowexpandmin =
    row_spread_row("trowexpandmin", "Takes the smaller of element and one value per row.",
                   "TROWEXPANDMIN(dst, src0, src1, tmp)", types_of<kTypesTo32, kA2A3Types>,
                   machines_of<spread_a5<plain_a5<&A5::vmin>>, spread_a2a3<&A2A3::vmin, LaneOp::Min>>());
const InstructionRow trowexpandexpdif =
    row_spread_row("trowexpandexpdif", "Computes exp(element - one value per row).",
                   "TROWEXPANDEXPDIF(dst, src0, src1, tmp)", types_of<kF16AndF32, kF16AndF32>,
                   machines_of<spread_a5<exp_of_difference_a5>, spread_a2a3<&A2A3::vsub, LaneOp::Sub, true>>());

const Registered registered[] = {Registered(trowexpand),    Registered(trowexpandadd),   Registered(trowexpandsub),
                                 Registered(trowexpandmul), Registered(trowexpanddiv),   Registered(trowexpandmax),
                                 Registered(trowexpandmin), Registered(trowexpandexpdif)};

}  // namespace
}  // namespace ts
