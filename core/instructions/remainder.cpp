// Remainders, by a tile and by a scalar. TREM, TREMS: the sign of the divisor; TFMOD, TFMODS: that of the dividend.
// Floats: a - q * b with q the rounded quotient made whole, every step rounded; A5 has an exact form for f32. What is
// left by rounding down may have the wrong sign: trem, and A2A3's trems, then add the divisor.
#include <fmt/format.h>

#include "core/instructions/vector_family.h"

namespace ts {
namespace {

using namespace vec;

constexpr AnyLane kF32{DType::F32}, kI32{DType::I32}, kF16{DType::F16};
constexpr LaneScalar kZero{0, DType::F32, 0};
constexpr std::uint32_t kChunk = VL / 4;  // 32-bit elements of a repeat

// --- A5

Reg rest_a5(A5& m, Rounding whole, const Reg& a, const Reg& b, const Pred& active) {
  const Reg q = m.vtrc(kF32, whole, m.vdiv(kF32, a, b, active), active);
  return m.vsub(kF32, a, m.vmul(kF32, q, b, active), active);
}
// f16 computes in f32; the rest is cut towards zero.
Reg half_rest_a5(A5& m, Rounding whole, const Reg& a, const Reg& b, const Pred& active) {
  const Reg rest = rest_a5(m, whole, m.vcvt(kF32, kF16, {}, a, active), m.vcvt(kF32, kF16, {}, b, active), active);
  return m.vcvt(kF16, kF32, {.rounding = Rounding::Zero, .overflow = Overflow::ClampAll}, rest, active);
}
// b is added where the rest's sign is not b's, by the sign of their product.
Reg with_sign_a5(A5& m, const Reg& rest, const Reg& b, const Pred& active) {
  const AnyLane lane = m.ty();
  const Pred wrong = m.vcmps(lane, CompareOp::Lt, m.vmul(lane, rest, b, active), {0, lane, 0}, active);
  return m.vsel(m.vadd(lane, rest, b, active), rest, wrong);
}
template <Rounding whole, bool signs>
void float_rem_a5(A5& m, const Bound& bound) {
  const TwoInputs in = two_inputs(bound);
  if (m.bytes() == 2)
    return half_pairs_a5(m, in, [&](const Reg& a, const Reg& b, const Pred& active) {
      const Reg rest = half_rest_a5(m, whole, a, b, active);
      return signs ? with_sign_a5(m, rest, b, active) : rest;
    });
  const bool precise = high_precision(bound), sign_step = precise ? whole == Rounding::Down : signs;
  pairs_a5(m, in, [&](const Reg& a, const Reg& b, const Pred& active) {
    const Reg rest = precise ? m.emu_lanes(LaneOp::ExactMod, kF32, "exact remainder", a, b, active)
                             : rest_a5(m, whole, a, b, active);
    return sign_step ? with_sign_a5(m, rest, b, active) : rest;
  });
}
// 64 bits: the sign of the dividend.
void wide_rem_a5(A5& m, const Bound& bound) {
  const TwoInputs in = two_inputs(bound);
  const Words scalar = in.scalar ? words_of(m, *in.scalar) : Words{};
  each_words(m, in.dst, false, [&](const Cell& cell, const Pred& active) {
    const Words a = load_words(m, in.first, cell), b = in.scalar ? scalar : load_words(m, in.second, cell);
    store_words(m, m.emu_words(LaneOp::TruncMod, m.dtype(), "remainder", a, b), in.dst, cell, active);
  });
}
template <class M>
void watch_second(M& m, const Bound& bound) {
  if (bound.has("src1")) watch_divisor(m, bound.tile("src1"));
}
template <bool signs>
void rem_a5(A5& m, const Bound& bound) {
  watch_second(m, bound);
  if (is_float(m.dtype())) return float_rem_a5<Rounding::Down, signs>(m, bound);
  if (m.bytes() == 8) return wide_rem_a5(m, bound);
  pairs_a5(m, two_inputs(bound),
           [&](const Reg& a, const Reg& b, const Pred& active) { return m.vmod(m.ty(), a, b, active); });
}
void fmod_a5(A5& m, const Bound& bound) {
  watch_second(m, bound);
  if (is_float(m.dtype())) return float_rem_a5<Rounding::Zero, false>(m, bound);
  const AnyLane lane = m.ty();
  pairs_a5(m, two_inputs(bound), [&](const Reg& a, const Reg& b, const Pred& active) {
    return m.vsub(lane, a, m.vmul(lane, m.vdiv(lane, a, b, active), b, active), active);
  });
}

// --- A2A3: row by row, in counter mode

constexpr Conversion kNearest{.overflow = Overflow::Clamp},
    kFloor{.rounding = Rounding::Down, .overflow = Overflow::Clamp};

void to_f32(A2A3& m, Ub d, Ub s) { m.vconv(kF32, kI32, kNearest, d, s, 1, 8, 8); }
void to_i32(A2A3& m, Ub d, Ub s, const Conversion& how = kNearest) { m.vconv(kI32, kF32, how, d, s, 1, 8, 8); }
Ub plus(Ub base, std::uint32_t elements) { return {base.address + elements * 4}; }
LaneScalar as_f32(const LaneScalar& i32) {
  return {std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(i32.bits))), DType::F32,
          i32.origin};
}

// The same in one step, where the library's own cannot be taken: for want of room, or because sources are to stay as they
// are. An i32 becomes an f32 and an i32 again on its way; not so a scalar divisor.
struct Quotient {
  Reg rest, divisor;  // as floats
};
Quotient quotient(AnyCore& core, const Pred& on, bool ints, const Reg& a, const Reg& b, bool scalar) {
  const Reg x = ints ? core.convert(kF32, kI32, kNearest, on, a) : a,
            y = ints ? core.convert(kF32, kI32, kNearest, on, b) : b;
  const Reg q = core.lanewise(LaneOp::RoundDown, kF32, on, core.lanewise(LaneOp::Div, kF32, on, x, y));
  if (!ints) return {core.lanewise(LaneOp::Sub, kF32, on, x, core.lanewise(LaneOp::Mul, kF32, on, q, y)), y};
  const Reg whole = core.convert(kI32, kF32, kFloor, on, q),
            back = scalar ? b : core.convert(kI32, kF32, kNearest, on, y);
  const Reg rest = core.lanewise(LaneOp::Sub, kI32, on, core.convert(kI32, kF32, kNearest, on, x),
                                 core.lanewise(LaneOp::Mul, kI32, on, whole, back));
  return {core.convert(kF32, kI32, kNearest, on, rest), y};
}
Pred sign_is_wrong(AnyCore& core, const Pred& on, const Quotient& q) {
  return core.compare(CompareOp::Lt, kF32, on, core.lanewise(LaneOp::Mul, kF32, on, q.rest, q.divisor), core.zero());
}
Reg with_sign(AnyCore& core, const Pred& on, const Quotient& q, const Pred& wrong, bool ints) {
  const Reg rest = core.select(DType::U32, wrong, core.lanewise(LaneOp::Add, kF32, on, q.rest, q.divisor), q.rest);
  return ints ? core.convert(kI32, kF32, kNearest, on, rest) : rest;
}

// One row: where its elements stand, and scratch.
struct RemRow {
  Ub d, a, b, t, spare;
  std::uint32_t cols;
};
// t = t + b where t * b is negative; `to` takes it. A repeat at a time, in `spare`.
void sign_step(A2A3& m, const RemRow& row, Ub to) {
  for (std::uint32_t col = 0; col < row.cols; col += kChunk) {
    const Ub rest = plus(row.t, col), b = plus(row.b, col);
    m.set_vector_mask(0, std::min(row.cols - col, kChunk));
    m.vmul(kF32, row.spare, rest, b, 1, {}, {}, {});
    m.vcmpvs(kF32, CompareOp::Lt, row.spare, row.spare, kZero, 1, {});
    m.set_cmpmask(row.spare);
    m.vadd(kF32, row.spare, rest, b, 1, {}, {}, {});
    m.vsel_mask(kF32, plus(to, col), row.spare, rest, 1, {}, {}, {});
  }
  m.set_vector_mask(0, row.cols);
}
void float_row(A2A3& m, const RemRow& row) {
  m.vdiv(kF32, row.t, row.a, row.b, 1, {}, {}, {});
  m.vconv_same(kF32, Rounding::Down, row.t, row.t, 1, {}, {});
  m.vmul(kF32, row.t, row.t, row.b, 1, {}, {}, {});
  m.vsub(kF32, row.t, row.a, row.t, 1, {}, {}, {});
  sign_step(m, row, row.d);
}
// The sources are f32 for a while, in place.
void int_row(A2A3& m, const RemRow& row) {
  const bool one_source = row.a.address == row.b.address;
  to_f32(m, row.a, row.a);
  if (!one_source) to_f32(m, row.b, row.b);
  m.vdiv(kF32, row.t, row.a, row.b, 1, {}, {}, {});
  to_i32(m, row.t, row.t, kFloor);
  to_i32(m, row.a, row.a);
  if (!one_source) to_i32(m, row.b, row.b);
  m.vmul(kI32, row.t, row.t, row.b, 1, {}, {}, {});
  m.vsub(kI32, row.t, row.a, row.t, 1, {}, {}, {});
  to_f32(m, row.t, row.t);
  to_f32(m, row.b, row.b);
  sign_step(m, row, row.t);
  to_i32(m, row.b, row.b);
  to_i32(m, row.d, row.t);
}
// What the steps above leave in a source.
void round_source(A2A3& m, Ub source, Ub d) {
  if (m.options().keep_sources || source.address == d.address) return;
  to_f32(m, source, source);
  to_i32(m, source, source);
}
void emu_row(A2A3& m, const RemRow& row, bool ints) {
  m.emu_lanes("trem", m.ty(), row.d, {row.a, row.b}, row.cols, [&](AnyCore& core, const Pred& on, const Reg(&in)[2]) {
    const Quotient q = quotient(core, on, ints, in[0], in[1], false);
    return with_sign(core, on, q, sign_is_wrong(core, on, q), ints);
  });
  if (!ints) return;
  round_source(m, row.a, row.d);
  if (row.a.address != row.b.address) round_source(m, row.b, row.d);
}
void trem_a2a3(A2A3& m, const Bound& bound) {
  watch_second(m, bound);
  const TileRef dst = bound.tile("dst"), src0 = bound.tile("src0"), src1 = bound.tile("src1"), tmp = bound.tile("tmp");
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
  const bool ints = m.dtype() == DType::I32;
  const bool by_steps = tmp.type.size_bytes() >= dst.pitch_bytes() + VL && !(ints && m.options().keep_sources);
  counted_rows(m, dst.valid_rows, dst.valid_cols, [&](std::uint32_t r) {
    const RemRow row{{dst.at(r, 0)}, {src0.at(r, 0)}, {src1.at(r, 0)}, tmp.ub(), {tmp.address + dst.pitch_bytes()},
                     dst.valid_cols};
    if (!by_steps) return emu_row(m, row, ints);
    ints ? int_row(m, row) : float_row(m, row);
  });
  leave_scratch(m, bound);
}

// By a scalar: the rest stands in d, and t is what it is compared and added in. The library takes the answers of columns
// 0..63 for every 64 columns.
void scalar_sign_step(A2A3& m, const RemRow& row, const LaneScalar& b) {
  for (std::uint32_t col = 0; col < row.cols; col += kChunk) {
    const Ub rest = plus(row.d, col), t = plus(row.t, col);
    m.set_vector_mask(0, std::min(row.cols - col, kChunk));
    if (col == 0 || !m.options().quirk_trems) {
      m.vmuls(kF32, t, rest, b, 1, {}, {});
      m.vcmpvs(kF32, CompareOp::Lt, t, t, kZero, 1, {});
      m.set_cmpmask(t);
    }
    m.vadds(kF32, t, rest, b, 1, {}, {});
    m.vsel_mask(kF32, rest, t, rest, 1, {}, {}, {});
  }
  m.set_vector_mask(0, row.cols);
}
void scalar_float_row(A2A3& m, const RemRow& row, const LaneScalar& b) {
  m.vector_dup(kF32, row.t, b, 1, {});
  m.vdiv(kF32, row.t, row.a, row.t, 1, {}, {}, {});
  m.vconv_same(kF32, Rounding::Down, row.t, row.t, 1, {}, {});
  m.vmuls(kF32, row.t, row.t, b, 1, {}, {});
  m.vsub(kF32, row.d, row.a, row.t, 1, {}, {}, {});
  scalar_sign_step(m, row, b);
}
void scalar_int_row(A2A3& m, const RemRow& row, const LaneScalar& b) {
  const LaneScalar floating = as_f32(b);
  to_f32(m, row.a, row.a);
  m.vector_dup(kF32, row.t, floating, 1, {});
  m.vdiv(kF32, row.t, row.a, row.t, 1, {}, {}, {});
  to_i32(m, row.t, row.t, kFloor);
  to_i32(m, row.a, row.a);
  m.vmuls(kI32, row.t, row.t, b, 1, {}, {});
  m.vsub(kI32, row.d, row.a, row.t, 1, {}, {}, {});
  to_f32(m, row.d, row.d);
  scalar_sign_step(m, row, floating);
  to_i32(m, row.d, row.d);
}
void scalar_emu_row(A2A3& m, const RemRow& row, const LaneScalar& b, bool ints) {
  Pred first;
  bool known = false;
  m.emu_lanes("trems", m.ty(), row.d, {row.a}, row.cols, [&](AnyCore& core, const Pred& on, const Reg(&in)[1]) {
    const Quotient q = quotient(core, on, ints, in[0], core.broadcast(DType::U32, b, on), true);
    if (!known || !m.options().quirk_trems) first = sign_is_wrong(core, on, q);
    known = true;
    return with_sign(core, on, q, first, ints);
  });
  if (ints) round_source(m, row.a, row.d);
}
void trems_a2a3(A2A3& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src"), tmp = bound.tile("tmp");
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
  const LaneScalar b = lane_scalar(bound, "scalar");
  const bool ints = m.dtype() == DType::I32;
  // A comparison reads whole repeats.
  const std::uint32_t read_end = tmp.address + (dst.valid_cols + kChunk - 1) / kChunk * VL;
  const bool by_steps = read_end <= capacity_bytes(Target::A2A3, Space::Ub) && !(ints && m.options().keep_sources);
  counted_rows(m, dst.valid_rows, dst.valid_cols, [&](std::uint32_t r) {
    const RemRow row{{dst.at(r, 0)}, {src.at(r, 0)}, {}, tmp.ub(), {}, dst.valid_cols};
    if (!by_steps) return scalar_emu_row(m, row, b, ints);
    ints ? scalar_int_row(m, row, b) : scalar_float_row(m, row, b);
  });
  leave_scratch(m, bound);
}

void fmod_a2a3(A2A3& m, const Bound& bound) {
  const TwoInputs in = two_inputs(bound);
  counted_rows(m, in.dst.valid_rows, in.dst.valid_cols, [&](std::uint32_t row) {
    const Ub d{in.dst.at(row, 0)}, a{in.first.at(row, 0)}, b{in.scalar ? d.address : in.second.at(row, 0)};
    if (in.scalar) m.vector_dup(kF32, d, *in.scalar, 1, {});
    m.vdiv(kF32, d, a, b, 1, {}, {}, {});
    m.vconv_same(kF32, Rounding::Zero, d, d, 1, {}, {});
    in.scalar ? m.vmuls(kF32, d, d, *in.scalar, 1, {}, {}) : m.vmul(kF32, d, d, b, 1, {}, {}, {});
    m.vsub(kF32, d, a, d, 1, {}, {}, {});
  });
}

// --- rows

void tiles_rules(RuleCheck& check) { elementwise_rules(check, {"src0", "src1"}); }
void scalar_rules(RuleCheck& check) {
  elementwise_rules(check, {"src"});
  scalar_type(check, "scalar", "dst");
  if (check.target() == Target::A2A3) not_empty(check);
  warn_zero_scalar(check, Division::Remainder);
}
void trem_rules(RuleCheck& check) {
  tiles_rules(check);
  warn_words(check);
  if (check.target() == Target::A5 || !check.bound().has("tmp")) return;
  const TileRef &tmp = check.tile("tmp"), &dst = check.tile("dst");
  const std::uint32_t needed = dst.row_stride() + (dst.type.dtype == DType::F32 ? kChunk : dst.valid_cols);
  if (tmp.type.size_bytes() < std::uint64_t{needed} * 4)
    check.warn(check.own("R7"), "tmp",
               fmt::format("tmp has {} elements; the library writes {}", tmp.type.size_bytes() / 4, needed),
               "the emulator stays inside it");
  for (const char* other : {"src0", "src1", "dst"}) check.warn_overlap("tmp", other, false);
}
void trems_rules(RuleCheck& check) {
  scalar_rules(check);
  warn_words(check);
  if (check.target() == Target::A5 || !check.bound().has("tmp")) return;
  const TileRef &tmp = check.tile("tmp"), &dst = check.tile("dst");
  check.need_same_type(check.own("R7"), "tmp", "dst");
  if (tmp.cols() < dst.valid_cols)
    check.error(check.own("R7"), "tmp",
                fmt::format("tmp has {} columns, dst {} valid ones", tmp.cols(), dst.valid_cols),
                "it holds a row of dst");
  for (const char* other : {"src", "dst"}) check.warn_overlap("tmp", other, false);
}
void by_second(RuleCheck& check, const Memory& before) {
  if (check.bound().has("src1")) warn_zero(check, before, Division::Remainder, "src1");
}
void tfmod_rules(RuleCheck& check) {
  tiles_rules(check);
  if (check.target() == Target::A2A3)
    for (const char* source : {"src0", "src1"}) distinct(check, "dst", source);
}
void tfmods_rules(RuleCheck& check) {
  scalar_rules(check);
  if (check.target() == Target::A2A3) distinct(check, "dst", "src");
}

constexpr DTypeSet kRemA2A3{DType::I32, DType::F32}, kFmodA2A3{DType::F32}, kFmodA5 = kIntegers16And32 | kF16AndF32;

InstructionRow remainder(const char* name, const char* summary, FormRow form, DTypeSet (*types)(Target, const Options&),
                         void (*rules)(RuleCheck&), Machines machines) {
  return {.name = name,
          .summary = summary,
          .forms = {std::move(form)},
          .attributes = {kPrecision},
          .typed_by = "dst",
          .types = types,
          .draw = Drawing::Lanes,
          .rules = rules,
          .data_rules = by_second,
          .machines = machines};
}

const InstructionRow trem = [] {
  InstructionRow row = remainder(
      "trem", "Remainder of src0 / src1 with the sign of src1.",
      {"", {overwritten("src0"), overwritten("src1"), optional_tmp("tmp"), out("dst")}, "TREM(dst, src0, src1, tmp)"},
      types_of<kA5DividedTypes, kRemA2A3>, trem_rules, machines_of<rem_a5<true>, trem_a2a3>());
  row.scratch = [](const Bound& bound) {
    const TileRef& dst = bound.tile("dst");
    return scratch_of(bound, dst.type.dtype, 1, dst.pitch_bytes() + std::max(VL, dst.cols() * dst.elem_bytes()));
  };
  return row;
}();
const InstructionRow trems = [] {
  InstructionRow row = remainder(
      "trems", "Remainder of element / scalar with the sign of the scalar.",
      {"", {overwritten("src"), scalar("scalar"), optional_tmp("tmp"), out("dst")}, "TREMS(dst, src, scalar, tmp)"},
      types_of<kA5DividedTypes, kRemA2A3>, trems_rules, machines_of<rem_a5<false>, trems_a2a3>());
  row.scratch = [](const Bound& bound) {
    const TileRef& dst = bound.tile("dst");
    return scratch_of(bound, dst.type.dtype, 1, dst.cols() * dst.elem_bytes());
  };
  return row;
}();
const InstructionRow tfmod = remainder("tfmod", "Remainder of src0 / src1 with the sign of src0.",
                                       {"", {in("src0"), in("src1"), out("dst")}, "TFMOD(dst, src0, src1)"},
                                       types_of<kFmodA5, kFmodA2A3>, tfmod_rules, machines_of<fmod_a5, fmod_a2a3>());
const InstructionRow tfmods = remainder("tfmods", "Remainder of element / scalar with the sign of the element.",
                                        {"", {in("src"), scalar("scalar"), out("dst")}, "TFMODS(dst, src, scalar)"},
                                        types_of<kFmodA5, kFmodA2A3>, tfmods_rules, machines_of<fmod_a5, fmod_a2a3>());

const Registered registered[] = {Registered(trem), Registered(trems), Registered(tfmod), Registered(tfmods)};

}  // namespace
}  // namespace ts
