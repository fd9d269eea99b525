// Two or three tiles, element by element: shifts, slopes, and sums of three.
#include <fmt/format.h>

#include "core/instructions/vector_family.h"

namespace ts {
namespace {

using namespace vec;

// TSHL, TSHR: dst = src shifted by count, element by element; signed elements keep their sign to the right.

template <A5Two op, LaneOp all, LaneOp modulo>
void shift_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src"), count = bound.tile("count");
  // 64-bit counts are always taken modulo 64.
  if (m.bytes() == 8)
    return binary_words_a5(m, dst, src, count, true,
                           [&](const Words& a, const Words& b, const Pred&) { return shift_words(m, modulo, a, b); });
  binary_a5(m, dst, src, count,
            [&](const Reg& a, const Reg& b, const Pred& active) { return (lanes_of(m).*op)(m.ty(), a, b, active); });
}
template <LaneOp all, LaneOp modulo>
void shift_a2a3(A2A3& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src"), count = bound.tile("count");
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
  m.sync(Pipe::V, Pipe::S);
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
    m.scalar_op(bound.row->name, m.options().shift_modulo ? modulo : all, m.ty(), {dst.at(row, 0)}, {src.at(row, 0)},
                {count.at(row, 0)}, dst.valid_cols);
  m.sync(Pipe::S, Pipe::V);
}

// TPRELU: dst = src where it is positive, else src * slope.
void tprelu_a5(A5& m, const Bound& bound) {
  binary_a5(m, bound.tile("dst"), bound.tile("src"), bound.tile("slope"),
            [&](const Reg& a, const Reg& b, const Pred& active) { return m.vprelu(m.ty(), a, b, active); });
}
// The product everywhere, then what is positive from src; the bits stand in tmp, a row of them for each row.
void tprelu_a2a3(A2A3& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src"), slope = bound.tile("slope"), tmp = bound.tile("tmp");
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
  binary_a2a3(m, dst, src, slope, [&](Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
    m.vmul(m.ty(), d, a, b, n, ds, as, bs);
  });
  const LaneScalar zero{0, dst.type.dtype, 0};
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
    m.vcmpvs(m.ty(), CompareOp::Gt, {tmp.at(row, 0)}, {src.at(row, 0)}, zero, ceil_div(dst.valid_cols, m.lanes()), {});
  select_rows(m, dst, tmp, src, dst, {tmp.at(dst.valid_rows, 0)});
  leave_scratch(m, bound);
}

// TSUBRELU: dst = max(src0 - src1, 0).
void tsubrelu_a5(A5& m, const Bound& bound) {
  binary_a5(m, bound.tile("dst"), bound.tile("src0"), bound.tile("src1"),
            [&](const Reg& a, const Reg& b, const Pred& active) {
              return m.vrelu(m.ty(), m.vsub(m.ty(), a, b, active), active);
            });
}
void tsubrelu_a2a3(A2A3& m, const Bound& bound) {
  binary_a2a3(m, bound.tile("dst"), bound.tile("src0"), bound.tile("src1"),
              [&](Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
                m.vsubrelu(m.ty(), d, a, b, n, ds, as, bs);
              });
}

// TADDC dst = src0 + src1 + src2, TSUBC dst = src0 - src1 + src2, TADDSC and TSUBSC with a scalar in the middle: no library
// has them, so both targets run the two steps that their meaning asks for.
template <LaneOp first>
AnyReg chain_lanes(A5& m, const Reg& a, const Reg& b, const Reg& c, const Pred& active) {
  const Reg sum = first == LaneOp::Add ? m.vadd(m.ty(), a, b, active) : m.vsub(m.ty(), a, b, active);
  return m.vadd(m.ty(), sum, c, active);
}
template <LaneOp first>
Words chain_words(A5& m, const Words& a, const Words& b, const Words& c) {
  return m.emu_words(LaneOp::Add, m.dtype(), "sum", m.emu_words(first, m.dtype(), "sum", a, b), c);
}
template <LaneOp first, bool with_scalar>
void chain_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src0 = bound.tile("src0"), last = bound.tile(with_scalar ? "src1" : "src2");
  const TileRef middle = with_scalar ? src0 : bound.tile("src1");
  const LaneScalar scalar = with_scalar ? lane_scalar(bound, "scalar") : LaneScalar{};
  if (m.bytes() == 8) {
    each_words(m, dst, true, [&](const Cell& cell, const Pred& active) {
      const Words b = with_scalar ? words_of(m, scalar) : load_words(m, middle, cell);
      store_words(m, chain_words<first>(m, load_words(m, src0, cell), b, load_words(m, last, cell)), dst, cell, active);
    });
    return;
  }
  each_register(m, dst, {&dst, &src0, &middle, &last}, [&](const Cell& cell, const Pred& active) {
    const Reg a = m.vlds(src0.ub(), cell.in(src0)), c = m.vlds(last.ub(), cell.in(last));
    const Reg b = with_scalar ? m.vdup(scalar, active) : m.vlds(middle.ub(), cell.in(middle));
    m.vsts(chain_lanes<first>(m, a, b, c, active), dst.ub(), cell.in(dst), active);
  });
}
template <LaneOp first, bool with_scalar>
void chain_a2a3(A2A3& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src0 = bound.tile("src0"), last = bound.tile(with_scalar ? "src1" : "src2");
  counted_rows(m, dst.valid_rows, dst.valid_cols, [&](std::uint32_t row) {
    const Ub d{dst.at(row, 0)}, a{src0.at(row, 0)}, c{last.at(row, 0)};
    if constexpr (with_scalar) {
      m.emu_chain(first, d, a, lane_scalar(bound, "scalar"), c);
    } else {
      m.emu_chain(first, d, a, Ub{bound.tile("src1").at(row, 0)}, c);
    }
  });
}

// --- rows

void shift_rules(RuleCheck& check) { elementwise_rules(check, {"src", "count"}); }
void no_library(RuleCheck& check) {
  check.warn(check.own("W1"), "", fmt::format("{} is documented, but neither library has it", check.bound().row->name),
             "two instructions do the same and compile");
}
void three_sources(RuleCheck& check) {
  elementwise_rules(check, {"src0", "src1", "src2"});
  no_library(check);
}
void scalar_between(RuleCheck& check) {
  two_sources(check);
  scalar_type(check, "scalar", "dst");
  no_library(check);
}
void tprelu_rules(RuleCheck& check) {
  elementwise_rules(check, {"src", "slope"});
  if (check.target() == Target::A5 || !check.bound().has("tmp")) return;
  for (const char* other : {"src", "slope", "tmp"}) distinct(check, "dst", other);
  for (const char* other : {"src", "slope"}) distinct(check, "tmp", other);
  const TileRef &tmp = check.tile("tmp"), &dst = check.tile("dst");
  const std::uint32_t needed =
      ceil_div(std::max(dst.valid_cols, 1u), VL / dst.elem_bytes()) * (VL / dst.elem_bytes()) / 8;
  check.need_row_major(check.own("R7"), "tmp");
  if (tmp.type.dtype != DType::U8 || tmp.rows() <= dst.valid_rows || tmp.pitch_bytes() < needed)
    check.error(check.own("R7"), "tmp",
                fmt::format("tmp {}x{} {}, needs u8, more than {} rows of {} bytes", tmp.rows(), tmp.cols(),
                            name(tmp.type.dtype), dst.valid_rows, needed),
                "a row of mask bits for each row, and one for their address");
}
TileType tprelu_scratch(const Bound& bound) {
  const TileRef& dst = bound.tile("dst");
  const std::uint32_t lanes = VL / dst.elem_bytes();
  return scratch_of(bound, DType::U8, dst.valid_rows + 1, ceil_div(std::max(dst.cols(), 1u), lanes) * lanes / 8);
}

InstructionRow shift(const char* name, const char* summary, const char* cpp, Machines machines) {
  return {.name = name,
          .summary = summary,
          .forms = {{"", {in("src"), in("count"), out("dst")}, cpp}},
          .typed_by = "dst",
          .types = types_of<kIntegers, kIntegersTo32>,
          .draw = Drawing::Lanes,
          .rules = shift_rules,
          .machines = machines};
}
InstructionRow three(const char* name, const char* summary, const char* cpp, Machines machines) {
  return {.name = name,
          .summary = summary,
          .forms = {{"", {in("src0"), in("src1"), in("src2"), out("dst")}, cpp}},
          .typed_by = "dst",
          .types = types_of<kAllTypes, kA2A3Types>,
          .draw = Drawing::Lanes,
          .rules = three_sources,
          .machines = machines};
}
InstructionRow between(const char* name, const char* summary, const char* cpp, Machines machines) {
  return {.name = name,
          .summary = summary,
          .forms = {{"", {in("src0"), scalar("scalar"), in("src1"), out("dst")}, cpp}},
          .typed_by = "dst",
          .types = types_of<kA2A3Types, kA2A3Types>,
          .draw = Drawing::Lanes,
          .rules = scalar_between,
          .machines = machines};
}

const InstructionRow tshl = shift(
    "tshl", "Shifts each element left by its count.", "TSHL(dst, src, count)",
    machines_of<shift_a5<&A5::vshl, LaneOp::Shl, LaneOp::ShlModulo>, shift_a2a3<LaneOp::Shl, LaneOp::ShlModulo>>());
const InstructionRow tshr = shift(
    "tshr", "Shifts each element right by its count; signed ones keep their sign.", "TSHR(dst, src, count)",
    machines_of<shift_a5<&A5::vshr, LaneOp::Shr, LaneOp::ShrModulo>, shift_a2a3<LaneOp::Shr, LaneOp::ShrModulo>>());
const InstructionRow tprelu{
    .name = "tprelu",
    .summary = "Keeps positive elements and multiplies the others by their slope.",
    .forms = {{"", {in("src"), in("slope"), optional_tmp("tmp"), out("dst")}, "TPRELU(dst, src, slope, tmp)"}},
    .typed_by = "dst",
    .types = types_of<kF16AndF32, kF16AndF32>,
    .draw = Drawing::Lanes,
    .rules = tprelu_rules,
    .scratch = tprelu_scratch,
    .machines = machines_of<tprelu_a5, tprelu_a2a3>(),
};
const InstructionRow tsubrelu{
    .name = "tsubrelu",
    .summary = "Subtracts src1 from src0; 0 where that is negative.",
    .forms = {{"", {in("src0"), in("src1"), out("dst")}, "TSUBRELU(dst, src0, src1)"}},
    .typed_by = "dst",
    .types = types_of<kF16AndF32, kF16AndF32>,
    .draw = Drawing::Lanes,
    .rules = two_sources,
    .machines = machines_of<tsubrelu_a5, tsubrelu_a2a3>(),
};
const InstructionRow taddc = three("taddc", "Adds three tiles, from left to right.", "TADDC(dst, src0, src1, src2)",
                                   machines_of<chain_a5<LaneOp::Add, false>, chain_a2a3<LaneOp::Add, false>>());
const InstructionRow tsubc = three("tsubc", "src0 - src1 + src2, from left to right.", "TSUBC(dst, src0, src1, src2)",
                                   machines_of<chain_a5<LaneOp::Sub, false>, chain_a2a3<LaneOp::Sub, false>>());
const InstructionRow taddsc =
    between("taddsc", "src0 + scalar + src1, from left to right.", "TADDSC(dst, src0, scalar, src1)",
            machines_of<chain_a5<LaneOp::Add, true>, chain_a2a3<LaneOp::Add, true>>());
const InstructionRow tsubsc =
    between("tsubsc", "src0 - scalar + src1, from left to right.", "TSUBSC(dst, src0, scalar, src1)",
            machines_of<chain_a5<LaneOp::Sub, true>, chain_a2a3<LaneOp::Sub, true>>());

const Registered registered[] = {Registered(tshl),  Registered(tshr),  Registered(tprelu), Registered(tsubrelu),
                                 Registered(taddc), Registered(tsubc), Registered(taddsc), Registered(tsubsc)};

}  // namespace
}  // namespace ts
