// A tile and a scalar, element by element: quotients, reciprocals, bits.
#include <fmt/format.h>

#include "core/instructions/vector_family.h"

namespace ts {
namespace {

using namespace vec;

// TDIVS: dst = src / scalar, or scalar / src (form "reversed"). TRECIP: 1 / src.
struct Quotient {
  LaneScalar scalar;
  bool reversed;
};

void quotient_a5(A5& m, const Bound& bound, const Quotient& q) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  if (q.reversed) watch_divisor(m, src);
  const LaneOp divide = m.options().int_div_zero ? LaneOp::DivZero : LaneOp::Div;
  if (m.bytes() == 8)
    return each_words(m, dst, false, [&](const Cell& cell, const Pred& active) {
      const Words a = load_words(m, src, cell), x = words_of(m, q.scalar);
      store_words(m, m.emu_words(LaneOp::DivZero, m.dtype(), "quotient", q.reversed ? x : a, q.reversed ? a : x), dst,
                  cell, active);
    });
  const bool precise = high_precision(bound);
  unary_a5(m, dst, src, [&](const Reg& a, const Pred& active) {
    const Reg x = m.vdup(q.scalar, active);
    const Reg &above = q.reversed ? x : a, &below = q.reversed ? a : x;
    if (!is_float(m.dtype())) return m.emu_lanes(divide, m.ty(), "scalar pipe: a / b", above, below, active);
    return precise ? m.emu_lanes(LaneOp::DivPlainNan, m.ty(), "precise division", above, below, active)
                   : m.vdiv(m.ty(), above, below, active);
  });
}
void quotient_a2a3(A2A3& m, const Bound& bound, const Quotient& q) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
  if (!is_float(m.dtype())) {
    if (q.reversed) m.watch_zeros(src);
    m.sync(Pipe::V, Pipe::S);
    for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
      m.scalar_op("a / b", m.options().int_div_zero ? LaneOp::DivZero : LaneOp::Div, m.ty(), {dst.at(row, 0)},
                  {src.at(row, 0)}, q.scalar, q.reversed, dst.valid_cols);
    return m.sync(Pipe::S, Pipe::V);
  }
  if (dst.address == src.address && !q.reversed) {
    const bool reciprocal = m.options().quirk_tdivs != 0;
    LaneScalar factor = q.scalar;
    if (reciprocal)
      factor.bits = from_double(factor.dtype,
                                static_cast<double>(1.0f / static_cast<float>(to_double(factor.dtype, factor.bits))));
    return single_a2a3(m, Shape::Scalar, dst, src, [&](Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) {
      reciprocal ? m.vmuls(m.ty(), d, s, factor, n, ds, ss) : m.emu_divs(m.ty(), d, s, q.scalar, n, ds, ss);
    });
  }
  counted_rows(m, dst.valid_rows, dst.valid_cols,
               [&](std::uint32_t row) { m.vector_dup(m.ty(), {dst.at(row, 0)}, q.scalar, 1, {}); });
  binary_a2a3(m, dst, src, dst, [&](Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
    q.reversed ? m.vdiv(m.ty(), d, b, a, n, ds, bs, as) : m.vdiv(m.ty(), d, a, b, n, ds, as, bs);
  });
}
Quotient tdivs_quotient(const Bound& bound) { return {lane_scalar(bound, "scalar"), bound.form == 1}; }
Quotient trecip_quotient(const Bound& bound) { return {{from_double(bound.dtype(), 1), bound.dtype(), 0}, true}; }
template <auto quotient_of>
void divided_a5(A5& m, const Bound& bound) {
  quotient_a5(m, bound, quotient_of(bound));
}
template <auto quotient_of>
void divided_a2a3(A2A3& m, const Bound& bound) {
  quotient_a2a3(m, bound, quotient_of(bound));
}

// TANDS, TORS, TXORS. A5 has the scalar in a register; A2A3 fills dst (or tmp) with it and knows 16-bit lanes only.
template <A5Two op>
void bits_a5(A5& m, const Bound& bound) {
  const LaneScalar scalar = lane_scalar(bound, "scalar");
  unary_a5(m, bound.tile("dst"), bound.tile("src"), [&](const Reg& a, const Pred& active) {
    return (lanes_of(m).*op)(m.ty(), a, m.vdup(scalar, active), active);
  });
}
// The scalar as 16-bit lanes: a byte twice, a word in two halves, which only whole lanes of 32 bits can write.
void fill(A2A3& m, const TileRef& dst, LaneScalar scalar) {
  const bool bytes = dst.elem_bytes() == 1;
  if (bytes) scalar.bits = (scalar.bits & 0xFF) * 0x0101;
  const AnyLane lane{bytes ? DType::U16 : bits_of(dst.type.dtype)};
  scalar.dtype = lane;
  counted_rows(m, dst.valid_rows, bytes ? (dst.valid_cols + 1) / 2 : dst.valid_cols,
               [&](std::uint32_t row) { m.vector_dup(lane, {dst.at(row, 0)}, scalar, 1, {}); });
}
template <A3Two op>
void bitwise_a2a3(A2A3& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  fill(m, dst, lane_scalar(bound, "scalar"));
  bits_a2a3<op>(m, dst, src, dst);
}
// tmp = src | scalar, dst = ~(src & scalar) & tmp.
void txors_a2a3(A2A3& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
  const TileRef tmp = valid_as(bound.tile("tmp"), dst);
  const LaneScalar scalar = lane_scalar(bound, "scalar");
  fill(m, tmp, scalar);
  bits_a2a3<&A2A3::vor>(m, tmp, src, tmp);
  fill(m, dst, scalar);
  bits_a2a3<&A2A3::vand>(m, dst, src, dst);
  not_a2a3(m, dst, dst);
  bits_a2a3<&A2A3::vand>(m, dst, dst, tmp);
  leave_scratch(m, bound);
}

// --- rows

void tdivs_rules(RuleCheck& check) {
  elementwise_rules(check, {"src"});
  scalar_type(check, "scalar", "dst");
  warn_words(check);
  if (check.target() == Target::A2A3 && check.bound().form == 1) distinct(check, "dst", "src");
  if (check.bound().form == 0) warn_zero_scalar(check, Division::Quotient);
}
void by_elements(RuleCheck& check, const Memory& before) { warn_zero(check, before, Division::Quotient, "src"); }
void trecip_rules(RuleCheck& check) {
  elementwise_rules(check, {"src"});
  warn_words(check);
  if (check.target() == Target::A2A3) distinct(check, "dst", "src");
}
void bit_rules(RuleCheck& check) {
  elementwise_rules(check, {"src"});
  scalar_type(check, "scalar", "dst");
  if (check.target() == Target::A2A3) distinct(check, "dst", "src");
}
void txors_rules(RuleCheck& check) {
  bit_rules(check);
  if (check.target() == Target::A5 || !check.bound().has("tmp")) return;
  for (const char* other : {"dst", "src"}) distinct(check, "tmp", other);
  scratch_like_dst(check);
}

const InstructionRow tdivs{
    .name = "tdivs",
    .summary = "Divides each element by a scalar, or a scalar by each element.",
    .forms = {{"tile / scalar", {in("src"), scalar("scalar"), out("dst")}, "TDIVS(dst, src, scalar)"},
              {"reversed", {scalar("scalar"), in("src"), out("dst")}, "TDIVS(dst, scalar, src)"}},
    .attributes = {kPrecision},
    .typed_by = "dst",
    .types = types_of<kA5DividedTypes, kA2A3Types>,
    .draw = Drawing::Lanes,
    .rules = tdivs_rules,
    .data_rules = by_elements,
    .machines = machines_of<divided_a5<tdivs_quotient>, divided_a2a3<tdivs_quotient>>(),
};
const InstructionRow trecip{
    .name = "trecip",
    .summary = "1 divided by each element.",
    .forms = {{"", {in("src"), out("dst")}, "TRECIP(dst, src)"}},
    .attributes = {kPrecision},
    .typed_by = "dst",
    .types = types_of<kA5DividedTypes, kA2A3Types>,
    .draw = Drawing::Lanes,
    .rules = trecip_rules,
    .data_rules = by_elements,
    .machines = machines_of<divided_a5<trecip_quotient>, divided_a2a3<trecip_quotient>>(),
};
InstructionRow bits(const char* name, const char* summary, const char* cpp, Machines machines) {
  return {.name = name,
          .summary = summary,
          .forms = {{"", {in("src"), scalar("scalar"), out("dst")}, cpp}},
          .typed_by = "dst",
          .types = types_of<kIntegersTo32, kIntegersTo32>,
          .draw = Drawing::Lanes,
          .rules = bit_rules,
          .machines = machines};
}
const InstructionRow tands = bits("tands", "And with an integer, bit by bit.", "TANDS(dst, src, scalar)",
                                  machines_of<bits_a5<&A5::vand>, bitwise_a2a3<&A2A3::vand>>());
const InstructionRow tors = bits("tors", "Or with an integer, bit by bit.", "TORS(dst, src, scalar)",
                                 machines_of<bits_a5<&A5::vor>, bitwise_a2a3<&A2A3::vor>>());
const InstructionRow txors = [] {
  InstructionRow row = bits("txors", "Exclusive or with an integer, bit by bit.", "TXORS(dst, src, scalar, tmp)",
                            machines_of<bits_a5<&A5::vxor>, txors_a2a3>());
  row.forms[0].operands = {in("src"), scalar("scalar"), optional_tmp("tmp"), out("dst")};
  row.rules = txors_rules;
  row.scratch = [](const Bound& bound) { return like(bound, "dst"); };
  return row;
}();

const Registered registered[] = {Registered(tdivs), Registered(trecip), Registered(tands), Registered(tors),
                                 Registered(txors)};

}  // namespace
}  // namespace ts
