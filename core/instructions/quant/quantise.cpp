// Integers of 8 bits for floats, and floats for integers, with a scale and an offset for each row.
#include "core/instructions/quant/factors.h"

namespace ts {
namespace {

using namespace vec;

// TQUANT: v = src[r][c] * scale[r] (+ offset[r]), each rounded to f32; dst[r][c] = v rounded to the nearest integer, ties
// to even, then clamped to i8 (or, with an offset, u8).
constexpr Conversion kNearest{.rounding = Rounding::Even, .overflow = Overflow::Clamp};

void tquant_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src"), scale = bound.tile("scale");
  const bool shifted = bound.has("offset");
  const AnyLane to{dst.type.dtype};
  m.watch_factors(scale, true);
  if (shifted) m.watch_factors(bound.tile("offset"), false);
  for (std::uint32_t row = 0; row < dst.valid_rows && dst.valid_cols != 0; ++row) {
    const Reg factor = row_factor(m, scale, row), offset = shifted ? row_factor(m, bound.tile("offset"), row) : Reg{};
    std::uint32_t left = dst.valid_cols;
    for (std::uint32_t col = 0; col < dst.valid_cols; col += kQuantF32.lanes()) {
      const Cell cell{row, col};
      const Pred active = m.plt(kQuantF32, left);
      Reg v = m.vmul(kQuantF32, m.vlds(src.ub(), cell.in(src)), factor, active);
      if (shifted) v = m.vadd(kQuantF32, v, offset, active);
      v = m.vcvt(kQuantI32, kQuantF32, kNearest, v, active);
      v = m.vcvt(kQuantF32, kQuantI32, kNearest, v, active);
      v = m.vcvt(kQuantF16, kQuantF32, kNearest, v, active);
      m.vsts_pk4_b32(m.vcvt(to, kQuantF16, kNearest, v, active), dst.ub(), cell.in(dst), active);
    }
  }
}

// The source becomes the scaled value, and then its f16: nobody says where those stand, so it holds nothing afterwards.
void tquant_a2a3(A2A3& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src"), scale = bound.tile("scale"), tmp = bound.tile("tmp");
  const bool shifted = bound.has("offset"), keep = m.options().keep_sources != 0;
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
  m.watch_factors(scale, true);
  if (shifted) m.watch_factors(bound.tile("offset"), false);
  m.sync(Pipe::V, Pipe::S);
  counted_rows(m, dst.valid_rows, dst.valid_cols, [&](std::uint32_t row) {
    const Ub work{(keep ? tmp : src).at(row, 0)}, words{tmp.at(row, 0)};
    const Reg factor = m.scalar_load(kQuantF32, factor_at(scale, row)),
              offset = shifted ? m.scalar_load(kQuantF32, factor_at(bound.tile("offset"), row)) : Reg{};
    m.sync(Pipe::S, Pipe::V);
    m.vmuls(kQuantF32, work, {src.at(row, 0)}, factor, 1, {}, {});
    if (shifted) m.vadds(kQuantF32, work, work, offset, 1, {}, {});
    m.vconv(kQuantI32, kQuantF32, kNearest, words, work, 1, 8, 8);
    m.vconv(kQuantF16, kQuantI32, kNearest, work, words, 1, 4, 8);
    m.vconv(AnyLane{dst.type.dtype}, kQuantF16, kNearest, {dst.at(row, 0)}, work, 1, 4, 8);
  });
  if (!keep) m.emu_unspecified(src.ub(), static_cast<std::uint32_t>(src.type.size_bytes()), "scratch of tquant");
  leave_scratch(m, bound);
}

// TDEQUANT: dst[r][c] = (src[r][c] - offset[r]) * scale[r], the difference and the product rounded to f32.
void tdequant_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src"), scale = bound.tile("scale"),
                offset = bound.tile("offset");
  m.watch_factors(scale, true);
  m.watch_factors(offset, false);
  for (std::uint32_t row = 0; row < dst.valid_rows && dst.valid_cols != 0; ++row) {
    const Reg factor = row_factor(m, scale, row), zero = row_factor(m, offset, row);
    std::uint32_t left = dst.valid_cols;
    for (std::uint32_t col = 0; col < dst.valid_cols; col += kQuantF32.lanes()) {
      const Cell cell{row, col};
      const Pred active = m.plt(kQuantF32, left);
      Reg v = m.bytes() == 1 ? m.vlds_unpk4_b8(src.ub(), cell.in(src)) : m.vlds_unpk_b16(src.ub(), cell.in(src));
      if (m.bytes() == 1) v = m.vcvt(kQuantI32, m.ty(), {}, v, active);
      v = m.vcvt(kQuantF32, m.bytes() == 1 ? kQuantI32 : m.ty(), {}, v, active);
      v = m.vmul(kQuantF32, m.vsub(kQuantF32, v, zero, active), factor, active);
      m.vsts(kQuantF32, v, dst.ub(), cell.in(dst), active);
    }
  }
}

// Bytes become f16 first, in every second block of the row, so that each repeat of the second conversion writes where it
// has read.
void tdequant_a2a3(A2A3& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src"), scale = bound.tile("scale"),
                offset = bound.tile("offset");
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
  m.watch_factors(scale, true);
  m.watch_factors(offset, false);
  m.sync(Pipe::V, Pipe::S);
  counted_rows(m, dst.valid_rows, dst.valid_cols, [&](std::uint32_t row) {
    const Ub d{dst.at(row, 0)}, s{src.at(row, 0)};
    if (m.bytes() == 1) {
      m.vconv(kQuantF16, m.ty(), {}, d, s, 1, {2, 16}, {1, 4});
      m.vconv(kQuantF32, kQuantF16, {}, d, d, 1, {1, 8}, {2, 8});
    } else {
      m.vconv(kQuantF32, m.ty(), {}, d, s, 1, 8, 4);
    }
    const Reg zero = m.scalar_load_negated(kQuantF32, factor_at(offset, row)),
              factor = m.scalar_load(kQuantF32, factor_at(scale, row));
    m.sync(Pipe::S, Pipe::V);
    m.vadds(kQuantF32, d, d, zero, 1, {}, {});
    m.vmuls(kQuantF32, d, d, factor, 1, {}, {});
  });
}

// --- rows

enum class QuantType : std::uint8_t { ByOffset, Symmetric, Asymmetric };

void scratch_of_source(RuleCheck& check) {
  if (check.target() == Target::A5 || !check.bound().has("tmp")) return;
  const TileRef &tmp = check.tile("tmp"), &dst = check.tile("dst");
  check.need_row_major(check.own("R7"), "tmp");
  if (tmp.type.dtype != DType::F32 || tmp.rows() < dst.valid_rows || tmp.cols() < dst.valid_cols)
    check.error(check.own("R7"), "tmp",
                fmt::format("tmp {}x{} {}, needs f32 of at least {}x{}", tmp.rows(), tmp.cols(), name(tmp.type.dtype),
                            dst.valid_rows, dst.valid_cols),
                "give it the type of src");
  for (const char* other : {"dst", "src", "scale", "offset"}) check.warn_overlap("tmp", other, false);
}
void quant_type_rule(RuleCheck& check) {
  const auto asked = static_cast<QuantType>(check.bound().attribute("quant_type"));
  const bool shifted = check.bound().has("offset");
  if (asked == QuantType::Symmetric && shifted)
    check.error(check.own("R9"), "offset", "quant_type = int8_sym, and there is an offset",
                "leave the offset out, or say int8_asym");
  if (asked == QuantType::Asymmetric && !shifted)
    check.error(check.own("R9"), "dst", "quant_type = int8_asym, and there is no offset",
                "give one for each row, or say int8_sym");
  const DType wanted = shifted ? DType::U8 : DType::I8, type = check.tile("dst").type.dtype;
  if (type != wanted)
    check.error(check.own("R2"), "dst",
                fmt::format("dst is {}, needs {} {} an offset", name(type), name(wanted), shifted ? "with" : "without"),
                "int8_sym gives i8, int8_asym u8");
}
void tquant_rules(RuleCheck& check) {
  quant_type_rule(check);
  row_major(check, {"dst", "src"});
  same_valid(check, {"src"});
  factor_rules(check, "scale");
  if (check.bound().has("offset")) factor_rules(check, "offset");
  for (const char* other : {"src", "scale", "offset"}) check.warn_overlap("dst", other, false);
  if (check.target() == Target::A2A3 && !check.options().keep_sources)
    for (const char* other : {"scale", "offset"}) check.warn_overlap("src", other, false);
  scratch_of_source(check);
}
void tquant_data_rules(RuleCheck& check, const Memory& before) {
  odd_factor(check, before, "W1", "scale", true,
             "elements are multiplied by it: it is the number of steps in 1. A row of zeros has no largest element to "
             "divide by");
  if (check.bound().has("offset"))
    odd_factor(check, before, "W2", "offset", false, "it is the integer that stands for 0");
}

void tdequant_rules(RuleCheck& check) {
  const DType type = check.tile("dst").type.dtype;
  if (type != DType::F32)
    check.error(check.own("R2"), "dst", fmt::format("dst is {}, needs f32", name(type)), "convert it with tcvt");
  row_major(check, {"dst", "src"});
  same_valid(check, {"src"});
  factor_rules(check, "scale");
  factor_rules(check, "offset");
  for (const char* other : {"src", "scale", "offset"}) check.warn_overlap("dst", other, false);
}
void tdequant_data_rules(RuleCheck& check, const Memory& before) {
  odd_factor(check, before, "W1", "scale", true, "it is the size of a step: nothing of the row is left");
  odd_factor(check, before, "W2", "offset", false, "it is the integer that stands for 0");
}

constexpr DTypeSet kQuantised{DType::F32}, kDequantised{DType::I8, DType::I16};

const InstructionRow tquant{
    .name = "tquant",
    .summary = "Quantises f32 to 8 bits, with a scale and an offset for each row.",
    // Three inputs are the second form: scratch of the first one is never written down.
    .forms = {{"asymmetric",
               {overwritten("src"), in("scale"), in("offset"), optional_tmp("tmp"), out("dst")},
               "TQUANT<QuantType::INT8_ASYM>(dst, src, scale, tmp, &offset)"},
              {"symmetric",
               {overwritten("src"), in("scale"), optional_tmp("tmp"), out("dst")},
               "TQUANT<QuantType::INT8_SYM>(dst, src, scale, tmp)"}},
    .attributes = {{"quant_type", "auto|int8_sym|int8_asym"}},
    .typed_by = "src",
    .types = types_of<kQuantised, kQuantised>,
    .draw = Drawing::Quantise,
    .rules = tquant_rules,
    .data_rules = tquant_data_rules,
    .scratch = [](const Bound& bound) { return like(bound, "src"); },
    .clips = true,
    .machines = machines_of<tquant_a5, tquant_a2a3>(),
};
const InstructionRow tdequant{
    .name = "tdequant",
    .summary = "Subtracts an offset from integers and multiplies by a scale, one of each for each row.",
    .forms = {{"", {in("src"), in("scale"), in("offset"), out("dst")}, "TDEQUANT(dst, src, scale, offset)"}},
    .typed_by = "src",
    .types = types_of<kDequantised, kDequantised>,
    .draw = Drawing::Quantise,
    .rules = tdequant_rules,
    .data_rules = tdequant_data_rules,
    .machines = machines_of<tdequant_a5, tdequant_a2a3>(),
};
const Registered registered[] = {Registered(tquant), Registered(tdequant)};

}  // namespace
}  // namespace ts
