// One tile, element by element: dst[r][c] = f(src[r][c]) over dst's valid region.
#include "core/instructions/vector_family.h"

namespace ts {
namespace {

using namespace vec;

template <A5One op>
void one_a5(A5& m, const Bound& bound) {
  unary_a5(m, bound.tile("dst"), bound.tile("src"),
           [&](const Reg& a, const Pred& active) { return (lanes_of(m).*op)(m.ty(), a, active); });
}
// The library's high-precision steps are emulated by what they are meant to give: the correctly rounded result.
template <A5One op, LaneOp precise>
void function_a5(A5& m, const Bound& bound) {
  if (!high_precision(bound)) return one_a5<op>(m, bound);
  unary_a5(m, bound.tile("dst"), bound.tile("src"),
           [&](const Reg& a, const Pred& active) { return m.emu_lanes(precise, m.ty(), "high precision", a, active); });
}
template <A3One op>
void one_a2a3(A2A3& m, const Bound& bound) {
  single_a2a3(m, Shape::Unary, bound.tile("dst"), bound.tile("src"),
              [&](Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) { (lanes_of(m).*op)(m.ty(), d, s, n, ds, ss); });
}
void tnot_a2a3(A2A3& m, const Bound& bound) { not_a2a3(m, bound.tile("dst"), bound.tile("src")); }

// TNEG multiplies by -1: a NaN becomes quiet, and keeps its sign.
LaneScalar minus_one(DType type) { return {from_double(type, -1), type, 0}; }
void tneg_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  const LaneScalar factor = minus_one(m.dtype());
  if (m.bytes() == 8)
    return each_words(m, dst, false, [&](const Cell& cell, const Pred& active) {
      store_words(m, m.emu_words(LaneOp::Mul, m.dtype(), "tneg", load_words(m, src, cell), words_of(m, factor)), dst,
                  cell, active);
    });
  unary_a5(m, dst, src, [&](const Reg& a, const Pred& active) { return m.vmuls(m.ty(), a, factor, active); });
}
void tneg_a2a3(A2A3& m, const Bound& bound) {
  single_a2a3(m, Shape::Scalar, bound.tile("dst"), bound.tile("src"),
              [&](Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) {
                m.vmuls(m.ty(), d, s, minus_one(m.dtype()), n, ds, ss);
              });
}

// TRSQRT: 1 divided by the root, two roundings; A2A3 without a scratch tile has an operation for it.
LaneScalar one_of(DType type) { return {from_double(type, 1), type, 0}; }
void trsqrt_a5(A5& m, const Bound& bound) {
  const bool precise = high_precision(bound);
  unary_a5(m, bound.tile("dst"), bound.tile("src"), [&](const Reg& a, const Pred& active) {
    if (precise) return m.emu_lanes(LaneOp::Rsqrt, m.ty(), "high precision", a, active);
    return m.vdiv(m.ty(), m.vdup(one_of(m.dtype()), active), m.vsqrt(m.ty(), a, active), active);
  });
}
void trsqrt_a2a3(A2A3& m, const Bound& bound) {
  if (!bound.has("tmp")) return one_a2a3<&A2A3::vrsqrt>(m, bound);
  const TileRef dst = bound.tile("dst"), src = bound.tile("src"), tmp = bound.tile("tmp");
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
  m.set_mask_first(BLK / m.bytes());
  m.vector_dup(m.ty(), tmp.ub(), one_of(m.dtype()), 1, {});
  m.set_mask_all();
  counted_rows(m, dst.valid_rows, dst.valid_cols, [&](std::uint32_t row) {
    const Ub d{dst.at(row, 0)};
    m.vsqrt(m.ty(), d, {src.at(row, 0)}, 1, {}, {});
    m.vdiv(m.ty(), d, tmp.ub(), d, 1, {}, {0, 0}, {});
  });
  leave_scratch(m, bound);
}

// --- rows

void one_source(RuleCheck& check) { elementwise_rules(check, {"src"}); }
void tneg_rules(RuleCheck& check) {
  one_source(check);
  warn_words(check);
}
void trsqrt_rules(RuleCheck& check) {
  one_source(check);
  if (check.target() == Target::A5 || !check.bound().has("tmp")) return;
  check.need_same_type(check.own("R7"), "tmp", "dst");
  scratch_bytes(check, BLK, "it takes a block of ones");
  for (const char* other : {"dst", "src"}) check.warn_overlap("tmp", other, false);
}

const DTypeSet kAbs = kF16AndF32 | DTypeSet{DType::I8, DType::I16, DType::I32};
const DTypeSet kRelu = kF16AndF32 | DTypeSet{DType::I32};
DTypeSet tabs_types(Target target, const Options&) { return target == Target::A5 ? kAbs : kF16AndF32; }
DTypeSet trelu_types(Target, const Options&) { return kRelu; }
DTypeSet tneg_types(Target target, const Options& options) {
  if (target == Target::A2A3) return kA2A3Types;
  const DTypeSet types = kIntegers16And32 | kF16AndF32 | DTypeSet{DType::BF16};
  return options.library_types ? types | kIntegers64 : types;
}

InstructionRow one_tile(const char* name, const char* summary, const char* cpp,
                        DTypeSet (*types)(Target, const Options&), Machines machines, bool precision = false) {
  InstructionRow row{.name = name,
                     .summary = summary,
                     .forms = {{"", {in("src"), out("dst")}, cpp}},
                     .typed_by = "dst",
                     .types = types,
                     .draw = Drawing::Lanes,
                     .rules = one_source,
                     .machines = machines};
  if (precision) row.attributes = {kPrecision};
  return row;
}

const InstructionRow tabs = one_tile("tabs", "Takes the absolute value.", "TABS(dst, src)", tabs_types,
                                     machines_of<one_a5<&A5::vabs>, one_a2a3<&A2A3::vabs>>());
const InstructionRow tneg = [] {
  InstructionRow row =
      one_tile("tneg", "Changes the sign.", "TNEG(dst, src)", tneg_types, machines_of<tneg_a5, tneg_a2a3>());
  row.rules = tneg_rules;
  return row;
}();
const InstructionRow tnot =
    one_tile("tnot", "Inverts every bit.", "TNOT(dst, src)", types_of<kIntegersTo32, kIntegersTo32>,
             machines_of<one_a5<&A5::vnot>, tnot_a2a3>());
const InstructionRow texp =
    one_tile("texp", "e to the power of each element.", "TEXP(dst, src)", types_of<kF16AndF32, kF16AndF32>,
             machines_of<function_a5<&A5::vexp, LaneOp::Exp>, one_a2a3<&A2A3::vexp>>(), true);
const InstructionRow tlog =
    one_tile("tlog", "The natural logarithm of each element.", "TLOG(dst, src)", types_of<kF16AndF32, kF16AndF32>,
             machines_of<function_a5<&A5::vln, LaneOp::Ln>, one_a2a3<&A2A3::vln>>(), true);
const InstructionRow tsqrt =
    one_tile("tsqrt", "The square root of each element.", "TSQRT(dst, src)", types_of<kF16AndF32, kF16AndF32>,
             machines_of<function_a5<&A5::vsqrt, LaneOp::Sqrt>, one_a2a3<&A2A3::vsqrt>>(), true);
const InstructionRow trsqrt = [] {
  InstructionRow row = one_tile("trsqrt", "1 divided by the square root of each element.", "TRSQRT(dst, src, tmp)",
                                types_of<kF16AndF32, kF16AndF32>, machines_of<trsqrt_a5, trsqrt_a2a3>(), true);
  row.forms[0].operands = {in("src"), optional_tmp("tmp"), out("dst")};
  row.rules = trsqrt_rules;
  return row;
}();
const InstructionRow trelu = one_tile("trelu", "Keeps positive elements; 0 for the others.", "TRELU(dst, src)",
                                      trelu_types, machines_of<one_a5<&A5::vrelu>, one_a2a3<&A2A3::vrelu>>());

const Registered registered[] = {Registered(tabs), Registered(tneg),  Registered(tnot),   Registered(texp),
                                 Registered(tlog), Registered(tsqrt), Registered(trsqrt), Registered(trelu)};

}  // namespace
}  // namespace ts
