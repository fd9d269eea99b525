// Two tiles, element by element: arithmetic and bits. dst[r][c] = src0[r][c] op src1[r][c] over dst's valid region.
#include <fmt/format.h>

#include "core/instructions/vector_family.h"

namespace ts {
namespace {

using namespace vec;

// --- A5: register by register; 64-bit elements as words

template <A5Two op, LaneOp wide>
void two_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src0 = bound.tile("src0"), src1 = bound.tile("src1");
  if (m.bytes() == 8)
    return binary_words_a5(m, dst, src0, src1, true, [&](const Words& a, const Words& b, const Pred&) {
      return m.emu_words(wide, m.dtype(), bound.row->name, a, b);
    });
  binary_a5(m, dst, src0, src1,
            [&](const Reg& a, const Reg& b, const Pred& active) { return (lanes_of(m).*op)(m.ty(), a, b, active); });
}

// What is borrowed from the low words is taken from the high ones.
void tsub_a5(A5& m, const Bound& bound) {
  if (m.bytes() < 8) return two_a5<&A5::vsub, LaneOp::Sub>(m, bound);
  binary_words_a5(m, bound.tile("dst"), bound.tile("src0"), bound.tile("src1"), true,
                  [&](const Words& a, const Words& b, const Pred& active) {
                    const AnySum low = m.vsubc(a.lo, b.lo, active), high = m.vsubcs(a.hi, b.hi, low.carry, active);
                    return Words{low.sum, high.sum};
                  });
}
// The product of the low words, and the mixed products in its high word.
void tmul_a5(A5& m, const Bound& bound) {
  if (m.bytes() < 8) return two_a5<&A5::vmul, LaneOp::Mul>(m, bound);
  binary_words_a5(
      m, bound.tile("dst"), bound.tile("src0"), bound.tile("src1"), true,
      [&](const Words& a, const Words& b, const Pred& active) {
        constexpr AnyLane kWord{DType::U32};
        const Words product = m.vmull(kWord, a.lo, b.lo, active);
        return Words{product.lo, m.vmula(kWord, m.vmula(kWord, product.hi, a.lo, b.hi, active), a.hi, b.lo, active)};
      });
}
void tdiv_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src0 = bound.tile("src0"), src1 = bound.tile("src1");
  watch_divisor(m, src1);
  if (m.bytes() == 8)
    return binary_words_a5(m, dst, src0, src1, false, [&](const Words& a, const Words& b, const Pred&) {
      return m.emu_words(LaneOp::DivZero, m.dtype(), "tdiv", a, b);
    });
  const bool precise = high_precision(bound) && is_float(m.dtype());
  binary_a5(m, dst, src0, src1, [&](const Reg& a, const Reg& b, const Pred& active) {
    const LaneOp divide = m.dtype() == DType::F16 ? LaneOp::DivPlainNan : LaneOp::Div;
    return precise ? m.emu_lanes(divide, m.ty(), "precise division", a, b, active) : m.vdiv(m.ty(), a, b, active);
  });
}

// --- A2A3: in the header's choice of repeats

template <A3Two op>
void bitwise_a2a3(A2A3& m, const Bound& bound) {
  bits_a2a3<op>(m, bound.tile("dst"), bound.tile("src0"), bound.tile("src1"));
}
// a ^ b = (a | b) & ~(a & b).
void txor_a2a3(A2A3& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src0 = bound.tile("src0"), src1 = bound.tile("src1"),
                scratch = valid_as(bound.tile("tmp"), dst);
  bits_a2a3<&A2A3::vor>(m, scratch, src0, src1);
  bits_a2a3<&A2A3::vand>(m, dst, src0, src1);
  not_a2a3(m, dst, dst);
  bits_a2a3<&A2A3::vand>(m, dst, dst, scratch);
  leave_scratch(m, bound);
}

// --- rows

void division(RuleCheck& check) {
  two_sources(check);
  warn_words(check);
}
void exclusive_or(RuleCheck& check) {
  two_sources(check);
  if (check.target() == Target::A5) return;
  for (const char* other : {"src0", "src1", "tmp"}) distinct(check, "dst", other);
  for (const char* other : {"src0", "src1"}) distinct(check, "tmp", other);
  if (check.bound().has("tmp")) scratch_like_dst(check);
}

InstructionRow two_tiles(const char* name, const char* summary, const char* cpp,
                         DTypeSet (*types)(Target, const Options&), Machines machines,
                         void (*rules)(RuleCheck&) = two_sources) {
  return {.name = name,
          .summary = summary,
          .forms = {{"", {in("src0"), in("src1"), out("dst")}, cpp}},
          .typed_by = "dst",
          .types = types,
          .draw = Drawing::Lanes,
          .rules = rules,
          .machines = machines};
}

const InstructionRow tsub = two_tiles("tsub", "Subtracts src1 from src0 element by element.", "TSUB(dst, src0, src1)",
                                      types_of<kAllTypes, kA2A3Types>, machines_of<tsub_a5, two_a2a3<&A2A3::vsub>>());
const InstructionRow tmul =
    two_tiles("tmul", "Multiplies two tiles element by element.", "TMUL(dst, src0, src1)",
              types_of<kA5TypesFrom16, kA2A3Types>, machines_of<tmul_a5, two_a2a3<&A2A3::vmul>>());
const InstructionRow tdiv = [] {
  InstructionRow row =
      two_tiles("tdiv", "Divides src0 by src1 element by element.", "TDIV(dst, src0, src1)",
                types_of<kA5DividedTypes, kF16AndF32>, machines_of<tdiv_a5, two_a2a3<&A2A3::vdiv>>(), division);
  row.attributes = {kPrecision};
  row.data_rules = [](RuleCheck& check, const Memory& before) { warn_zero(check, before, Division::Quotient, "src1"); };
  return row;
}();
const InstructionRow tmax =
    two_tiles("tmax", "Takes the larger of two elements.", "TMAX(dst, src0, src1)", types_of<kAllTypes, kA2A3Types>,
              machines_of<two_a5<&A5::vmax, LaneOp::Max>, two_a2a3<&A2A3::vmax>>());
const InstructionRow tmin =
    two_tiles("tmin", "Takes the smaller of two elements.", "TMIN(dst, src0, src1)", types_of<kAllTypes, kA2A3Types>,
              machines_of<two_a5<&A5::vmin, LaneOp::Min>, two_a2a3<&A2A3::vmin>>());
const InstructionRow tand =
    two_tiles("tand", "And of two tiles, bit by bit.", "TAND(dst, src0, src1)", types_of<kIntegersTo32, kIntegersTo32>,
              machines_of<two_a5<&A5::vand, LaneOp::And>, bitwise_a2a3<&A2A3::vand>>());
const InstructionRow tor =
    two_tiles("tor", "Or of two tiles, bit by bit.", "TOR(dst, src0, src1)", types_of<kIntegersTo32, kIntegersTo32>,
              machines_of<two_a5<&A5::vor, LaneOp::Or>, bitwise_a2a3<&A2A3::vor>>());
const InstructionRow txor = [] {
  InstructionRow row = two_tiles("txor", "Exclusive or of two tiles, bit by bit.", "TXOR(dst, src0, src1, tmp)",
                                 types_of<kIntegersTo32, kIntegersTo32>,
                                 machines_of<two_a5<&A5::vxor, LaneOp::Xor>, txor_a2a3>(), exclusive_or);
  row.forms[0].operands = {in("src0"), in("src1"), optional_tmp("tmp"), out("dst")};
  row.scratch = [](const Bound& bound) { return like(bound, "dst"); };
  return row;
}();

const Registered registered[] = {Registered(tsub), Registered(tmul), Registered(tdiv), Registered(tmax),
                                 Registered(tmin), Registered(tand), Registered(tor),  Registered(txor)};

}  // namespace
}  // namespace ts
