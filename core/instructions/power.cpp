// TPOW, TPOWS: base ^ exponent, element by element. Integers: modulo 2^n; negative exponents give 0, but for bases of 1 and
// -1. Floats: exp(exponent * ln |base|) in f32, and then what zeros, infinities, NaNs and negative bases need.
#include <fmt/format.h>

#include "core/instructions/vector_family.h"

namespace ts {
namespace {

using namespace vec;

constexpr AnyLane kF32{DType::F32}, kU32{DType::U32};
constexpr std::uint32_t kOne = 0x3F800000, kInfinity = 0x7F800000, kDefaultNan = 0x7FC00000;
constexpr LaneScalar number(float value) { return {std::bit_cast<std::uint32_t>(value), DType::F32, 0}; }
constexpr LaneScalar number_of(std::uint32_t bits) { return {bits, DType::F32, 0}; }

// --- A5

// The special cases of f32, the later ones first: what a later step chooses wins.
class PowerA5 {
 public:
  PowerA5(A5& m, const Reg& base, const Reg& exponent, const Pred& active)
      : m_(m), b_(base), e_(exponent), on_(active) {}

  // |base| ^ exponent, rounded three times.
  Reg by_logarithm() { return m_.vexp(kF32, m_.vmul(kF32, m_.vln(kF32, m_.vabs(kF32, b_, on_), on_), e_, on_), on_); }

  Reg with_special_cases(Reg r) {
    const Pred odd = is_odd(), negative = compare(CompareOp::Lt, b_, 0);
    const Reg e_size = m_.vabs(kF32, e_, on_), b_size = m_.vabs(kF32, b_, on_);
    const Pred e_infinite = m_.vcmps(kF32, CompareOp::Eq, e_size, number_of(kInfinity), on_);
    r = choose(m_.pand(negative, odd, on_), m_.vneg(kF32, r, on_), r);
    const Pred fraction = m_.vcmp(kF32, CompareOp::Ne, m_.vtrc(kF32, Rounding::Zero, e_, on_), e_, on_);
    r = choose(m_.pand(negative, fraction, on_), constant(kDefaultNan), r);
    r = choose(m_.pand(compare(CompareOp::Eq, b_, -1), e_infinite, on_), constant(kOne), r);
    const Pred b_infinite = m_.vcmps(kF32, CompareOp::Eq, b_size, number_of(kInfinity), on_);
    r = choose(m_.por(compare(CompareOp::Eq, b_, 0), b_infinite, on_), of_zero_or_infinity(odd), r);
    const Pred nan = m_.por(m_.vcmp(kF32, CompareOp::Ne, b_, b_, on_), m_.vcmp(kF32, CompareOp::Ne, e_, e_, on_), on_);
    r = choose(nan, constant(kDefaultNan), r);
    return choose(m_.por(compare(CompareOp::Eq, e_, 0), compare(CompareOp::Eq, b_, 1), on_), constant(kOne), r);
  }

 private:
  Reg constant(std::uint32_t bits) { return m_.vdup(kF32, number_of(bits), on_); }
  Pred compare(CompareOp mode, const Reg& a, float with) { return m_.vcmps(kF32, mode, a, number(with), on_); }
  Reg choose(const Pred& pred, const Reg& on, const Reg& off) { return m_.vsel<float>(on, off, pred); }
  // e - 2 * floor(e / 2) is 1.
  Pred is_odd() {
    const Reg half = m_.vtrc(kF32, Rounding::Down, m_.vmuls(kF32, e_, number(0.5f), on_), on_);
    return compare(CompareOp::Eq, m_.vsub(kF32, e_, m_.vmuls(kF32, half, number(2), on_), on_), 1);
  }
  // A negative exponent swaps 0 and infinity; an odd one keeps the base's sign.
  Reg of_zero_or_infinity(const Pred& odd) {
    const Reg swapped = m_.vxor(kU32, b_, constant(kInfinity), on_);
    const Reg value = choose(compare(CompareOp::Lt, e_, 0), swapped, b_);
    return choose(odd, value, m_.vabs(kF32, value, on_));
  }

  A5& m_;
  const Reg &b_, &e_;
  const Pred& on_;
};

constexpr const char* kPrecise = "power, rounded once";

// f16 and bf16 in f32.
Reg half_power_a5(A5& m, bool precise, const Reg& base, const Reg& exponent, const Pred& active) {
  const AnyLane type = m.ty();
  const Reg b = m.vcvt(kF32, type, {}, base, active), e = m.vcvt(kF32, type, {}, exponent, active);
  PowerA5 power(m, b, e, active);
  const Reg r =
      precise ? m.vcvt(kF32, type, {},
                       m.emu_lanes(LaneOp::Power, type, kPrecise, m.vabs(type, base, active), exponent, active), active)
              : power.by_logarithm();
  return m.vcvt(type, kF32, {}, power.with_special_cases(r), active);
}
Reg power_a5(A5& m, bool precise, const Reg& b, const Reg& e, const Pred& active) {
  PowerA5 power(m, b, e, active);
  return power.with_special_cases(
      precise ? m.emu_lanes(LaneOp::Power, kF32, kPrecise, m.vabs(kF32, b, active), e, active) : power.by_logarithm());
}
void tpow_a5(A5& m, const Bound& bound) {
  const TwoInputs in = two_inputs(bound);
  const bool precise = high_precision(bound);
  if (!is_float(m.dtype()))
    return pairs_a5(m, in, [&](const Reg& a, const Reg& b, const Pred& active) {
      return m.emu_lanes(LaneOp::Power, m.ty(), "integer power", a, b, active);
    });
  if (m.bytes() == 2)
    return half_pairs_a5(
        m, in, [&](const Reg& a, const Reg& b, const Pred& active) { return half_power_a5(m, precise, a, b, active); });
  pairs_a5(m, in, [&](const Reg& a, const Reg& b, const Pred& active) { return power_a5(m, precise, a, b, active); });
}

// --- A2A3: f32 as passes over the tile, then the scalar pipe decides element by element

// d = exp(ln(s) * exponent), from `s` or |s|.
void logarithm_pass(A2A3& m, const TwoInputs& in, const TileRef& d, bool of_size) {
  const auto one = [&](A3One op, const TileRef& from) {
    single_a2a3(m, Shape::Unary, d, from, [&](Ub to, Ub s, std::uint32_t n, Strides ds, Strides ss) {
      (lanes_of(m).*op)(kF32, to, s, n, ds, ss);
    });
  };
  if (of_size) one(&A2A3::vabs, in.first);
  one(&A2A3::vln, of_size ? d : in.first);
  if (in.scalar) {
    single_a2a3(m, Shape::Scalar, d, d, [&](Ub to, Ub s, std::uint32_t n, Strides ds, Strides ss) {
      m.vmuls(kF32, to, s, *in.scalar, n, ds, ss);
    });
  } else {
    binary_a2a3(m, d, d, in.second, [&](Ub to, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
      m.vmul(kF32, to, a, b, n, ds, as, bs);
    });
  }
  one(&A2A3::vexp, d);
}

// What the scalar pipe makes of |b| ^ e in `t` and b ^ e in `d`. Exponents that an i32 does not hold count as even.
Reg special_cases(AnyCore& core, const Pred& on, const Reg& b, const Reg& e, const Reg& t, const Reg& d) {
  const auto constant = [&](std::uint32_t bits) { return core.broadcast(DType::U32, number_of(bits), on); };
  const auto real = [&](float value) { return core.broadcast(DType::U32, number(value), on); };
  const auto both = [&](const Pred& x, const Pred& y) { return core.combine_predicates(PredLogic::And, x, y, on); };
  const auto choose = [&](const Pred& pred, const Reg& x, const Reg& y) { return core.select(DType::U32, pred, x, y); };
  const auto compare = [&](CompareOp mode, const Reg& x, const Reg& y) { return core.compare(mode, kF32, on, x, y); };
  const Reg zero = core.zero(), one = constant(kOne), infinity = constant(kInfinity),
            size = core.lanewise(LaneOp::Abs, kF32, on, e);
  const Pred finite = compare(CompareOp::Lt, size, infinity),
             whole = both(finite, compare(CompareOp::Eq, core.lanewise(LaneOp::RoundZero, kF32, on, e), e));
  const Reg half = core.lanewise(LaneOp::RoundDown, kF32, on, core.lanewise(LaneOp::Mul, kF32, on, e, real(0.5f)));
  const Reg parity = core.lanewise(LaneOp::Sub, kF32, on, e, core.lanewise(LaneOp::Mul, kF32, on, half, real(2)));
  const Pred odd = both(compare(CompareOp::Eq, parity, one), compare(CompareOp::Lt, size, real(0x1p31f)));
  const Reg magnitude = choose(both(odd, compare(CompareOp::Lt, b, zero)), core.lanewise(LaneOp::Neg, kF32, on, t), t);
  Reg r = choose(whole, magnitude, d);
  r = choose(both(compare(CompareOp::Eq, b, real(-1)), compare(CompareOp::Eq, size, infinity)), one, r);
  // Base or exponent zero: 1 for an exponent of zero.
  const Pred none = compare(CompareOp::Eq, e, zero),
             either = core.combine_predicates(PredLogic::Or, none, compare(CompareOp::Eq, b, zero), on);
  return choose(either, choose(none, one, choose(compare(CompareOp::Gt, e, zero), zero, infinity)), r);
}

void float_power_a2a3(A2A3& m, const Bound& bound) {
  const TwoInputs in = two_inputs(bound);
  const TileRef tmp = valid_as(bound.tile("tmp"), in.dst);
  logarithm_pass(m, in, tmp, true);
  // In place there is nothing left to decide by once b ^ e stands in dst: then the last step computes that, too.
  const bool in_place = in.dst.range().overlaps(in.first.range()) || in.dst.range().overlaps(in.second.range());
  if (!in_place) logarithm_pass(m, in, in.dst, false);
  const LaneOp exp = m.options().exp_flush ? LaneOp::ExpFlush : LaneOp::Exp;
  const auto decide = [&](AnyCore& core, const Pred& on, const Reg(&from)[4]) {
    const Reg &b = from[0], t = from[2];
    const Reg e = in.scalar ? core.broadcast(DType::U32, *in.scalar, on) : from[1];
    if (!in_place) return special_cases(core, on, b, e, t, from[3]);
    return special_cases(
        core, on, b, e, t,
        core.lanewise(exp, kF32, on, core.lanewise(LaneOp::Mul, kF32, on, core.lanewise(LaneOp::Ln, kF32, on, b), e)));
  };
  m.sync(Pipe::V, Pipe::S);
  for (std::uint32_t row = 0; row < in.dst.valid_rows; ++row) {
    const Ub d{in.dst.at(row, 0)};
    m.scalar_lanes("special cases of base ^ exponent", kF32, d,
                   {Ub{in.first.at(row, 0)}, Ub{in.second.at(row, 0)}, Ub{tmp.at(row, 0)}, d}, in.dst.valid_cols,
                   decide);
  }
  m.sync(Pipe::S, Pipe::V);
  leave_scratch(m, bound);
}

// In 32 bits with a sign, whatever the type.
void int_power_a2a3(A2A3& m, const Bound& bound) {
  const TwoInputs in = two_inputs(bound);
  const AnyLane lane = m.dtype() == DType::U32 ? AnyLane{DType::I32} : m.ty();
  m.sync(Pipe::V, Pipe::S);
  for (std::uint32_t row = 0; row < in.dst.valid_rows; ++row) {
    const Ub d{in.dst.at(row, 0)}, base{in.first.at(row, 0)};
    if (in.scalar) {
      m.scalar_op("power", LaneOp::Power, lane, d, base, *in.scalar, false, in.dst.valid_cols);
    } else {
      m.scalar_op("power", LaneOp::Power, lane, d, base, {in.second.at(row, 0)}, in.dst.valid_cols);
    }
  }
  m.sync(Pipe::S, Pipe::V);
}
void tpow_a2a3(A2A3& m, const Bound& bound) {
  const TileRef& dst = bound.tile("dst");
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
  is_float(m.dtype()) ? float_power_a2a3(m, bound) : int_power_a2a3(m, bound);
}

// --- rows

void scratch_rules(RuleCheck& check, std::initializer_list<const char*> others) {
  const Operand* operand = check.bound().find("tmp");
  const TileRef& dst = check.tile("dst");
  if (check.target() == Target::A5 || operand == nullptr || operand->implicit || !is_float(dst.type.dtype)) return;
  check.need_same_type(check.own("R7"), "tmp", "dst");
  check.need_row_major(check.own("R7"), "tmp");
  check.need_same_valid(check.own("R7"), "tmp", "dst");
  for (const char* other : others) check.warn_overlap("tmp", other, false);
}
void tpow_rules(RuleCheck& check) {
  elementwise_rules(check, {"base", "exponent"});
  scratch_rules(check, {"base", "exponent", "dst"});
}
void tpows_rules(RuleCheck& check) {
  elementwise_rules(check, {"src"});
  scalar_type(check, "exponent", "dst");
  scratch_rules(check, {"src", "dst"});
}
TileType tpow_scratch(const Bound& bound) {
  return is_float(bound.tile("dst").type.dtype) ? like(bound, "dst") : no_scratch();
}

constexpr DTypeSet kPowerA2A3 = kIntegersTo32 | DTypeSet{DType::F32};

InstructionRow power(const char* name, const char* summary, FormRow form, void (*rules)(RuleCheck&)) {
  return {.name = name,
          .summary = summary,
          .forms = {std::move(form)},
          .attributes = {kPrecision},
          .typed_by = "dst",
          .types = types_of<kTypesTo32, kPowerA2A3>,
          .draw = Drawing::Lanes,
          .rules = rules,
          .scratch = tpow_scratch,
          .machines = machines_of<tpow_a5, tpow_a2a3>()};
}

const InstructionRow tpow = power(
    "tpow", "Raises base to the power of exponent.",
    {"", {in("base"), in("exponent"), optional_tmp("tmp"), out("dst")}, "TPOW(dst, base, exponent, tmp)"}, tpow_rules);
const InstructionRow tpows =
    power("tpows", "Raises each element to the power of a scalar.",
          {"", {in("src"), scalar("exponent"), optional_tmp("tmp"), out("dst")}, "TPOWS(dst, src, exponent, tmp)"},
          tpows_rules);

const Registered registered[] = {Registered(tpow), Registered(tpows)};

}  // namespace
}  // namespace ts
