// One value for each column. TCOLEXPAND: dst[r][c] = src[0][c]. TCOLEXPANDADD and the like: dst[r][c] = src0[r][c] op
// src1[0][c], or src0[0][c] op src1[r][c], whichever source has the shape of dst.
#include <fmt/format.h>

#include "core/instructions/expand.h"

namespace ts {
namespace {

using namespace vec;

// --- TCOLEXPAND

void tcolexpand_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  if (dst.valid_rows == 0) return;
  std::uint32_t left = dst.valid_cols;
  for (std::uint32_t col = 0; col < dst.valid_cols; col += m.lanes()) {
    const Pred active = m.plt(left);
    const Reg values = m.vlds(src.ub(), col);
    for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
      m.vsts(values, dst.ub(), row * dst.row_stride() + col, active);
  }
}
void tcolexpand_a2a3(A2A3& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
    copy_row(m, {dst.at(row, 0)}, {src.at(0, 0)}, dst.valid_cols);
}

// --- the others

SpreadSources col_sources(const Bound& bound) {
  return spread_sources(has_shape_of(bound.tile("src0"), bound.tile("dst")));
}

template <SpreadOp op>
void spread_a5(A5& m, const Bound& bound) {
  const SpreadSources from = col_sources(bound);
  const TileRef dst = bound.tile("dst"), full = bound.tile(from.full), small = bound.tile(from.small);
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    std::uint32_t left = dst.valid_cols;
    for (std::uint32_t col = 0; col < dst.valid_cols; col += m.lanes()) {
      const Pred active = m.plt(left);
      const Reg elements = m.vlds(full.ub(), row * full.row_stride() + col), values = m.vlds(small.ub(), col);
      const Reg result =
          from.full_first ? op(m, bound, elements, values, active) : op(m, bound, values, elements, active);
      m.vsts(result, dst.ub(), row * dst.row_stride() + col, active);
    }
  }
}

// The shape of tiles whose rows are full by their type; its number of repeats has 8 bits.
bool full_by_type(const TileRef& dst) {
  return dst.type.valid_cols == static_cast<std::int32_t>(dst.cols()) || dst.rows() == 1;
}

template <A3Two op>
void spread_rows(A2A3& m, const SpreadSources& from, const TileRef& dst, const TileRef& full, const TileRef& small) {
  const auto call = [&](std::uint32_t row, std::uint32_t col, std::uint32_t n, Strides ds, Strides fs, Strides ss) {
    const Ub d{dst.at(row, col)}, f{full.at(row, col)}, s{small.at(0, col)};
    if (from.full_first) {
      (lanes_of(m).*op)(m.ty(), d, f, s, n, ds, fs, ss);
    } else {
      (lanes_of(m).*op)(m.ty(), d, s, f, n, ds, ss, fs);
    }
  };
  const std::uint32_t d_blocks = dst.pitch_bytes() / BLK, f_blocks = full.pitch_bytes() / BLK;
  if (!full_by_type(dst) || std::max(d_blocks, f_blocks) > A2A3::kMaxStride)
    return counted_rows(m, dst.valid_rows, dst.valid_cols, [&](std::uint32_t row) { call(row, 0, 1, {}, {}, {}); });
  for (std::uint32_t col = 0; col < dst.valid_cols; col += m.lanes()) {
    const std::uint32_t lanes = std::min(dst.valid_cols - col, m.lanes());
    if (lanes < m.lanes()) m.set_mask_first(lanes);
    for (std::uint32_t row = 0; row < dst.valid_rows; row += A2A3::kMaxRepeat)
      call(row, col, std::min(dst.valid_rows - row, A2A3::kMaxRepeat), {1, d_blocks}, {1, f_blocks}, {1, 0});
    if (lanes < m.lanes()) m.set_mask_all();
  }
}
template <A3Two op, bool then_exp = false>
void spread_a2a3(A2A3& m, const Bound& bound) {
  const SpreadSources from = col_sources(bound);
  TileRef dst = bound.tile("dst");
  if (full_by_type(dst) && m.options().quirk_colexpand) dst.valid_rows %= 256;
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
  spread_rows<op>(m, from, dst, bound.tile(from.full), bound.tile(from.small));
  if (then_exp) exp_in_place(m, dst);
}

// --- rows

void tcolexpand_rules(RuleCheck& check) {
  const TileRef &src = check.tile("src"), &dst = check.tile("dst");
  same_types(check, {"src"});
  row_major(check, {"dst", "src"});
  if (src.valid_cols != dst.valid_cols)
    check.error(check.own("R4"), "src", fmt::format("src has {} valid columns, dst {}", src.valid_cols, dst.valid_cols),
                "a value for each column of dst");
  if (check.target() == Target::A5) not_empty(check);
  check.warn_overlap("dst", "src", true);
}

void col_spread_rules(RuleCheck& check) {
  const SpreadSources from = col_sources(check.bound());
  row_major(check, {from.small});
  if (!spread_rules(check, from)) return;
  const TileRef &dst = check.tile("dst"), &small = check.tile(from.small);
  const bool nothing = dst.valid_rows == 0 || dst.valid_cols == 0;
  if (!nothing && (small.valid_rows == 0 || small.valid_cols < dst.valid_cols))
    check.error(check.own("R8"), from.small,
                fmt::format("{} valid {}x{} gives no value for each of {} columns", from.small, small.valid_rows,
                            small.valid_cols, dst.valid_cols),
                "give it a valid row, as wide as dst");
  if (check.target() == Target::A2A3 && dst.valid_rows > A2A3::kMaxRepeat && full_by_type(dst))
    check.warn(check.own("W1"), "dst",
               fmt::format("{} rows, full by their type; the library does {}", dst.valid_rows, dst.valid_rows % 256),
               check.options().quirk_colexpand ? "" : "all are done; option quirks.colexpand leaves the others alone");
}
void col_division_data_rules(RuleCheck& check, const Memory& before) {
  const TileRef& dst = check.tile("dst");
  if (!is_float(dst.type.dtype))
    warn_zero(check, before, Division::Quotient, "src1", col_sources(check.bound()).full_first ? 1 : dst.valid_rows,
              dst.valid_cols);
}

InstructionRow col_spread_row(const char* name, const char* summary, const char* cpp,
                              DTypeSet (*types)(Target, const Options&), Machines machines) {
  return {.name = name,
          .summary = summary,
          .forms = {{"", {in("src0"), in("src1"), out("dst")}, cpp}},
          .typed_by = "dst",
          .types = types,
          .draw = Drawing::Broadcast,
          .rules = col_spread_rules,
          .machines = machines};
}

const InstructionRow tcolexpand{
    .name = "tcolexpand",
    .summary = "Repeats the first row in every row.",
    .forms = {{"", {in("src"), out("dst")}, "TCOLEXPAND(dst, src)"}},
    .typed_by = "dst",
    .types = types_of<kTypesTo32, kTypesTo32>,
    .draw = Drawing::Broadcast,
    .rules = tcolexpand_rules,
    .moves = true,
    .machines = machines_of<tcolexpand_a5, tcolexpand_a2a3>(),
};
const InstructionRow tcolexpandadd = col_spread_row(
    "tcolexpandadd", "Adds one value per column.", "TCOLEXPANDADD(dst, src0, src1)", types_of<kTypesTo32, kA2A3Types>,
    machines_of<spread_a5<plain_a5<&A5::vadd>>, spread_a2a3<&A2A3::vadd>>());
const InstructionRow tcolexpandsub = col_spread_row(
    "tcolexpandsub", "Subtracts one value per column.", "TCOLEXPANDSUB(dst, src0, src1)",
    types_of<kTypesTo32, kA2A3Types>, machines_of<spread_a5<plain_a5<&A5::vsub>>, spread_a2a3<&A2A3::vsub>>());
const InstructionRow tcolexpandmul = col_spread_row(
    "tcolexpandmul", "Multiplies by one value per column.", "TCOLEXPANDMUL(dst, src0, src1)",
    types_of<kTypesTo32, kA2A3Types>, machines_of<spread_a5<plain_a5<&A5::vmul>>, spread_a2a3<&A2A3::vmul>>());
const InstructionRow tcolexpanddiv = [] {
  InstructionRow row =
      col_spread_row("tcolexpanddiv", "Divides by one value per column.", "TCOLEXPANDDIV(dst, src0, src1)",
                     division_types, machines_of<divide_a5<spread_a5<quotient_a5>>, spread_a2a3<&A2A3::vdiv>>());
  row.attributes = {kPrecision};
  row.data_rules = col_division_data_rules;
  return row;
}();
const InstructionRow tcolexpandmax = col_spread_row(
    "tcolexpandmax", "Takes the larger of element and one value per column.", "TCOLEXPANDMAX(dst, src0, src1)",
    types_of<kTypesTo32, kA2A3Types>, machines_of<spread_a5<plain_a5<&A5::vmax>>, spread_a2a3<&A2A3::vmax>>());
const InstructionRow tcolexpandmin = col_spread_row(
    "tcolexpandmin", "Takes the smaller of element and one value per column.", "TCOLEXPANDMIN(dst, src0, src1)",
    types_of<kTypesTo32, kA2A3Types>, machines_of<spread_a5<plain_a5<&A5::vmin>>, spread_a2a3<&A2A3::vmin>>());
const InstructionRow tcolexpandexpdif = col_spread_row(
    "tcolexpandexpdif", "Computes exp(element - one value per column).", "TCOLEXPANDEXPDIF(dst, src0, src1)",
    types_of<kF16AndF32, kF16AndF32>, machines_of<spread_a5<exp_of_difference_a5>, spread_a2a3<&A2A3::vsub, true>>());

const Registered registered[] = {Registered(tcolexpand),    Registered(tcolexpandadd),   Registered(tcolexpandsub),
                                 Registered(tcolexpandmul), Registered(tcolexpanddiv),   Registered(tcolexpandmax),
                                 Registered(tcolexpandmin), Registered(tcolexpandexpdif)};

}  // namespace
}  // namespace ts
