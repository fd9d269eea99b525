// Products that are added to, and sums that are cut and converted on the way.
#include <fmt/format.h>

#include "core/instructions/vector_family.h"

namespace ts {
namespace {

using namespace vec;

// TFUSEDMULADD dst = src0 * dst + src1, TFUSEDMULADDRELU the same and 0 where that is negative, TMULADDDST dst = src0 * src1 +
// dst. A5 rounds f32 once; f16, and A2A3 all, round product and sum, unless options say otherwise.
enum class Fused { MulAdd, MulAddRelu, AddProduct };

template <Fused what>
Reg multiply_add_of(A5& m, const Reg& old, const Reg& a, const Reg& b, const Pred& active) {
  constexpr bool kAccumulates = what == Fused::AddProduct;
  if (m.dtype() == DType::F32 || m.options().a5_fused)
    return kAccumulates ? m.vmula(m.ty(), old, a, b, active) : m.vmadd(m.ty(), old, a, b, active);
  const Reg product = m.vmul(m.ty(), a, kAccumulates ? b : old, active);
  return m.vadd(m.ty(), product, kAccumulates ? old : b, active);
}
template <Fused what>
void multiply_add_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src0 = bound.tile("src0"), src1 = bound.tile("src1");
  each_register(m, dst, {&dst, &src0, &src1}, [&](const Cell& cell, const Pred& active) {
    const Reg a = m.vlds(src0.ub(), cell.in(src0)), b = m.vlds(src1.ub(), cell.in(src1)),
              old = m.vlds(dst.ub(), cell.in(dst));
    Reg made = multiply_add_of<what>(m, old, a, b, active);
    if (what == Fused::MulAddRelu) made = m.vrelu(m.ty(), made, active);
    m.vsts(made, dst.ub(), cell.in(dst), active);
  });
}
// TAXPY: dst = dst + src * scalar. The source may be f16 where dst is f32.
void axpy_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  const bool mixed = src.type.dtype != dst.type.dtype;
  LaneScalar scalar = lane_scalar(bound, "scalar");
  if (mixed) scalar = {from_double(DType::F32, to_double(scalar.dtype, scalar.bits)), DType::F32, scalar.origin};
  constexpr AnyLane kHalf{DType::F16};
  each_register(m, dst, {&dst, &src}, [&](const Cell& cell, const Pred& active) {
    const Reg x = mixed ? m.vcvt(m.ty(), kHalf, {}, m.vlds_unpk_b16(src.ub(), cell.in(src)), active)
                        : m.vlds(src.ub(), cell.in(src));
    m.vsts(m.vaxpy(m.ty(), x, m.vlds(dst.ub(), cell.in(dst)), scalar, active), dst.ub(), cell.in(dst), active);
  });
}
void axpy_a2a3(A2A3& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  const LaneScalar scalar = lane_scalar(bound, "scalar");
  if (src.type.dtype != dst.type.dtype)
    return counted_rows(m, dst.valid_rows, dst.valid_cols, [&](std::uint32_t row) {
      m.vaxpy_mixed(m.ty(), AnyLane{src.type.dtype}, {dst.at(row, 0)}, {src.at(row, 0)}, scalar);
    });
  single_a2a3(m, Shape::Scalar, dst, src,
              [&](Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) { m.vaxpy(m.ty(), d, s, scalar, n, ds, ss); });
}

// TADDRELUCONV, TSUBRELUCONV: dst = src0 + src1 (or -), 0 where that is negative, in a narrower type. The sum of i16 does not
// wrap, unless an option says so.
template <bool subtract>
void reluconv_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src0 = bound.tile("src0"), src1 = bound.tile("src1");
  const AnyLane to{dst.type.dtype}, from = m.ty();
  const LaneScalar zero{0, from, 0}, most{127, from, 0};
  const bool shorts = from.dtype == DType::I16, clamped = shorts && !m.options().reluconv_wrap;
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    std::uint32_t left = dst.valid_cols;
    for (std::uint32_t col = 0; col < dst.valid_cols; col += m.lanes()) {
      const Cell cell{row, col};
      const Pred active = m.plt(left);
      const Reg a = m.vlds(src0.ub(), cell.in(src0)), b = m.vlds(src1.ub(), cell.in(src1));
      Reg sum = clamped ? m.emu_lanes(subtract ? LaneOp::SubClamp : LaneOp::AddClamp, from, "exact sum", a, b, active)
                        : (subtract ? m.vsub(from, a, b, active) : m.vadd(from, a, b, active));
      sum = m.vmaxs(from, sum, zero, active);
      if (shorts) sum = m.vmins(from, sum, most, active);
      const Reg made = m.vcvt(to, from, {.overflow = is_float(to) ? Overflow::Wrap : Overflow::Clamp}, sum, active);
      is_float(to) ? m.vsts_pk_b32(made, dst.ub(), cell.in(dst), active)
                   : m.vsts_pk_b16(made, dst.ub(), cell.in(dst), active);
    }
  }
}
template <bool subtract>
void reluconv_a2a3(A2A3& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src0 = bound.tile("src0"), src1 = bound.tile("src1");
  const AnyLane to{dst.type.dtype}, from = m.ty();
  const std::uint32_t whole = dst.valid_cols / m.lanes(), tail = dst.valid_cols % m.lanes();
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    if (whole > 0) m.vaddreluconv(subtract, to, from, {dst.at(row, 0)}, {src0.at(row, 0)}, {src1.at(row, 0)}, whole);
    if (tail == 0) continue;
    const std::uint32_t col = whole * m.lanes();
    m.set_mask_first(tail);
    m.vaddreluconv(subtract, to, from, {dst.at(row, col)}, {src0.at(row, col)}, {src1.at(row, col)}, 1);
    m.set_mask_all();
  }
}

// TADDDEQRELU: dst = f16(max((src0 + src1) * 2^-17 * scale * 2^17, 0)).
constexpr AnyLane kF32{DType::F32}, kI32{DType::I32}, kHalf{DType::F16};
LaneScalar constant(float value) { return {from_double(DType::F32, static_cast<double>(value)), DType::F32, 0}; }
Overflow deq_overflow(const Options& options, Target target) {
  if (options.deqrelu_inf) return Overflow::Wrap;
  return target == Target::A5 ? Overflow::ClampAll : Overflow::ClampInf;
}
void tadddeqrelu_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src0 = bound.tile("src0"), src1 = bound.tile("src1");
  const LaneScalar scale = lane_scalar(bound, "scale");
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    std::uint32_t left = dst.valid_cols;
    for (std::uint32_t col = 0; col < dst.valid_cols; col += kF32.lanes()) {
      const Cell cell{row, col};
      const Pred active = m.plt(kF32, left);
      Reg sum = m.vadd(kI32, m.vlds(src0.ub(), cell.in(src0)), m.vlds(src1.ub(), cell.in(src1)), active);
      sum = m.vcvt(kF32, kI32, {}, sum, active);
      for (const LaneScalar& factor : {constant(0x1p-17f), scale, constant(0x1p17f)})
        sum = m.vmuls(kF32, sum, factor, active);
      sum = m.vmaxs(kF32, sum, constant(0), active);
      m.vsts_pk_b32(m.vcvt(kHalf, kF32, {.overflow = deq_overflow(m.options(), Target::A5)}, sum, active), dst.ub(),
                    cell.in(dst), active);
    }
  }
}
// The sum becomes floats in src0, and what is not negative of them stands in src1: both sources are gone afterwards.
void tadddeqrelu_a2a3(A2A3& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src0 = bound.tile("src0"), src1 = bound.tile("src1"), tmp = bound.tile("tmp");
  const LaneScalar scale = lane_scalar(bound, "scale");
  const bool keep = m.options().keep_sources != 0;
  counted_rows(m, dst.valid_rows, dst.valid_cols, [&](std::uint32_t row) {
    const Ub sum{tmp.at(row, 0)}, floats = keep ? sum : Ub{src0.at(row, 0)}, kept = keep ? sum : Ub{src1.at(row, 0)};
    m.vadd(kI32, sum, {src0.at(row, 0)}, {src1.at(row, 0)}, 1, {}, {}, {});
    m.vconv(kF32, kI32, {}, floats, sum, 1, 8, 8);
    for (const LaneScalar& factor : {constant(0x1p-17f), scale, constant(0x1p17f)})
      m.vmuls(kF32, floats, floats, factor, 1, {}, {});
    if (keep) {
      m.vmaxs(kF32, kept, floats, constant(0), 1, {}, {});
    } else {
      m.vector_dup(kF32, sum, constant(0), 1, {});
      m.vmax(kF32, kept, floats, sum, 1, {}, {}, {});
    }
    m.vconv(kHalf, kF32, {.overflow = deq_overflow(m.options(), Target::A2A3)}, {dst.at(row, 0)}, kept, 1, 4, 8);
  });
  if (dst.valid_rows != 0 && dst.valid_cols != 0) leave_scratch(m, bound);
}

// --- rows

void taxpy_rules(RuleCheck& check) {
  const DType dst = check.tile("dst").type.dtype, src = check.tile("src").type.dtype,
              scalar = check.bound().scalar("scalar").dtype;
  if (dst != src && !(dst == DType::F32 && src == DType::F16))
    check.error(check.own("R2"), "src", fmt::format("src {} with dst {}", name(src), name(dst)),
                "the types are equal, or f16 with an f32 dst");
  if (scalar != src)
    check.error(check.own("R2"), "scalar", fmt::format("scalar {} vs src {}", name(scalar), name(src)),
                fmt::format("give the scalar the type {}", name(src)));
  row_major(check, {"dst", "src"});
  same_valid(check, {"src"});
  may_be_in_place(check, {"src"});
}
// Pairs of source and result.
bool reluconv_pair(DType from, DType to) {
  return (from == DType::F32 && to == DType::F16) || ((from == DType::F16 || from == DType::I16) && to == DType::I8);
}
void reluconv_rules(RuleCheck& check) {
  const DType from = check.tile("src0").type.dtype, to = check.tile("dst").type.dtype;
  if (!reluconv_pair(from, to))
    check.error(check.own("R1"), "dst",
                fmt::format("{} to {} is no pair of {}", name(from), name(to), check.bound().row->name),
                "f32 to f16, f16 to i8 and i16 to i8 are; else use tcvt");
  same_types(check, {"src1"}, "src0");
  row_major(check, {"dst", "src0", "src1"});
  same_valid(check, {"src0", "src1"});
  not_empty(check);
  for (const char* source : {"src0", "src1"}) check.warn_overlap("dst", source, false);
}
void tadddeqrelu_rules(RuleCheck& check) {
  if (check.tile("dst").type.dtype != DType::F16)
    check.error(check.own("R1"), "dst", fmt::format("dst is {}, needs f16", name(check.tile("dst").type.dtype)),
                "convert with tcvt");
  if (check.tile("src1").type.dtype != DType::I32)
    check.error(check.own("R1"), "src1", fmt::format("src1 is {}, needs i32", name(check.tile("src1").type.dtype)),
                "convert with tcvt");
  row_major(check, {"dst", "src0", "src1"});
  same_valid(check, {"src0", "src1"});
  not_empty(check);
  if (check.bound().scalar("scale").dtype != DType::F32)
    check.error(check.own("R8"), "scale",
                fmt::format("scale is {}, needs f32", name(check.bound().scalar("scale").dtype)), "convert the scalar");
  for (const char* source : {"src0", "src1"}) check.warn_overlap("dst", source, false);
  if (check.target() == Target::A5 || !check.bound().has("tmp")) return;
  const TileRef &tmp = check.tile("tmp"), &dst = check.tile("dst");
  check.need_row_major(check.own("R7"), "tmp");
  if (tmp.type.dtype != DType::I32 || tmp.rows() < dst.valid_rows || tmp.cols() < dst.valid_cols)
    check.error(check.own("R7"), "tmp",
                fmt::format("tmp {}x{} {}, needs i32 of at least {}x{}", tmp.rows(), tmp.cols(), name(tmp.type.dtype),
                            dst.valid_rows, dst.valid_cols),
                "give it the type of src0");
  for (const char* other : {"dst", "src0", "src1"}) check.warn_overlap("tmp", other, false);
}

DTypeSet reluconv_types(Target, const Options&) { return kF16AndF32 | DTypeSet{DType::I16}; }
DTypeSet deq_types(Target, const Options&) { return {DType::I32}; }

InstructionRow fused(const char* name, const char* summary, const char* cpp, Machines machines) {
  return {.name = name,
          .summary = summary,
          .forms = {{"", {in("src0"), in("src1"), in_out("dst")}, cpp}},
          .typed_by = "dst",
          .types = types_of<kF16AndF32, kF16AndF32>,
          .draw = Drawing::Lanes,
          .rules = two_sources,
          .machines = machines};
}
InstructionRow reluconv(const char* name, const char* summary, const char* cpp, Machines machines) {
  return {.name = name,
          .summary = summary,
          .forms = {{"", {in("src0"), in("src1"), out("dst")}, cpp}},
          .typed_by = "src0",
          .types = reluconv_types,
          .draw = Drawing::Lanes,
          .rules = reluconv_rules,
          .machines = machines};
}

const InstructionRow tfusedmuladd = fused("tfusedmuladd", "dst = src0 * dst + src1.", "TFUSEDMULADD(dst, src0, src1)",
                                          machines_of<multiply_add_a5<Fused::MulAdd>, two_a2a3<&A2A3::vmadd>>());
const InstructionRow tfusedmuladdrelu = fused(
    "tfusedmuladdrelu", "dst = src0 * dst + src1, and 0 where that is negative.", "TFUSEDMULADDRELU(dst, src0, src1)",
    machines_of<multiply_add_a5<Fused::MulAddRelu>, two_a2a3<&A2A3::vmaddrelu>>());
const InstructionRow tmuladddst = fused("tmuladddst", "dst = src0 * src1 + dst.", "TMULADDDST(dst, src0, src1)",
                                        machines_of<multiply_add_a5<Fused::AddProduct>, two_a2a3<&A2A3::vmla>>());
const InstructionRow taxpy{
    .name = "taxpy",
    .summary = "Adds src * scalar to what dst holds.",
    .forms = {{"", {in("src"), scalar("scalar"), in_out("dst")}, "TAXPY(dst, src, scalar)"}},
    .typed_by = "dst",
    .types = types_of<kF16AndF32, kF16AndF32>,
    .draw = Drawing::Lanes,
    .rules = taxpy_rules,
    .machines = machines_of<axpy_a5, axpy_a2a3>(),
};
const InstructionRow taddreluconv =
    reluconv("taddreluconv", "src0 + src1, 0 where that is negative, in a narrower type.",
             "TADDRELUCONV(dst, src0, src1)", machines_of<reluconv_a5<false>, reluconv_a2a3<false>>());
const InstructionRow tsubreluconv =
    reluconv("tsubreluconv", "src0 - src1, 0 where that is negative, in a narrower type.",
             "TSUBRELUCONV(dst, src0, src1)", machines_of<reluconv_a5<true>, reluconv_a2a3<true>>());
const InstructionRow tadddeqrelu{
    .name = "tadddeqrelu",
    .summary = "Scales the sum of two integer tiles to f16; 0 where it is negative.",
    .forms = {{"",
               {overwritten("src0"), overwritten("src1"), scalar("scale"), optional_tmp("tmp"), out("dst")},
               "TADDDEQRELU(dst, src0, src1, scale, tmp)"}},
    .typed_by = "src0",
    .types = deq_types,
    .draw = Drawing::Lanes,
    .rules = tadddeqrelu_rules,
    .scratch = [](const Bound& bound) { return like(bound, "src0"); },
    .machines = machines_of<tadddeqrelu_a5, tadddeqrelu_a2a3>(),
};

const Registered registered[] = {Registered(tfusedmuladd), Registered(tfusedmuladdrelu), Registered(tmuladddst),
                                 Registered(taxpy),        Registered(taddreluconv),     Registered(tsubreluconv),
                                 Registered(tadddeqrelu)};

}  // namespace
}  // namespace ts
