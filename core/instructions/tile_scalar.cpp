// A tile and a scalar, element by element: dst[r][c] = src[r][c] op scalar over dst's valid region.
#include <fmt/format.h>

#include <limits>

#include "core/instructions/vector_family.h"

namespace ts {
namespace {

using namespace vec;

// 64-bit elements: the library does one step a row, or all (shifts).
template <A5Scaled op, LaneOp wide>
void scaled_a5(A5& m, const Bound& bound, const LaneScalar& scalar) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  if (m.bytes() == 8)
    return each_words(m, dst, false, [&](const Cell& cell, const Pred& active) {
      store_words(m, m.emu_words(wide, m.dtype(), bound.row->name, load_words(m, src, cell), words_of(m, scalar)), dst,
                  cell, active);
    });
  unary_a5(m, dst, src, [&](const Reg& a, const Pred& active) { return (lanes_of(m).*op)(m.ty(), a, scalar, active); });
}
template <A3Scaled op>
void scaled_a2a3(A2A3& m, const Bound& bound, const LaneScalar& scalar) {
  single_a2a3(
      m, Shape::Scalar, bound.tile("dst"), bound.tile("src"),
      [&](Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) { (lanes_of(m).*op)(m.ty(), d, s, scalar, n, ds, ss); });
}
template <A5Scaled op, LaneOp wide>
void plain_a5(A5& m, const Bound& bound) {
  scaled_a5<op, wide>(m, bound, lane_scalar(bound, "scalar"));
}
template <A3Scaled op>
void plain_a2a3(A2A3& m, const Bound& bound) {
  scaled_a2a3<op>(m, bound, lane_scalar(bound, "scalar"));
}

// TSUBS adds the scalar's negative.
LaneScalar negated(LaneScalar scalar) {
  const DType type = scalar.dtype;
  scalar.bits = is_float(type) ? scalar.bits ^ 1ull << (8 * size_bytes(type) - 1) : ~scalar.bits + 1;
  return scalar;
}
void tsubs_a5(A5& m, const Bound& bound) {
  const LaneScalar scalar = lane_scalar(bound, "scalar");
  if (m.bytes() == 8) return scaled_a5<&A5::vadds, LaneOp::Sub>(m, bound, scalar);
  scaled_a5<&A5::vadds, LaneOp::Add>(m, bound, negated(scalar));
}
void tsubs_a2a3(A2A3& m, const Bound& bound) {
  LaneScalar scalar = lane_scalar(bound, "scalar");
  if (m.options().quirk_tsubs && scalar.dtype == DType::I32) {
    // By way of an f32, which rounds, and back, which clamps.
    const double negative = -static_cast<double>(static_cast<float>(static_cast<std::int32_t>(scalar.bits)));
    scalar.bits =
        negative >= 2147483647.0 ? 0x7FFFFFFFu : static_cast<std::uint32_t>(static_cast<std::int32_t>(negative));
    return scaled_a2a3<&A2A3::vadds>(m, bound, scalar);
  }
  scaled_a2a3<&A2A3::vadds>(m, bound, negated(scalar));
}

// TLRELU: the slope is f32, and becomes an element of the tile's type.
LaneScalar slope_of(const Bound& bound, DType type) {
  const LaneScalar slope = lane_scalar(bound, "slope");
  if (slope.dtype == type) return slope;
  const double value = to_double(slope.dtype, slope.bits);
  // A conversion gives the default NaN, as every one does.
  return {from_double(type, value == value ? value : std::numeric_limits<double>::quiet_NaN()), type, slope.origin};
}
void tlrelu_a5(A5& m, const Bound& bound) {
  scaled_a5<&A5::vlrelu, LaneOp::Prelu>(m, bound, slope_of(bound, m.dtype()));
}
void tlrelu_a2a3(A2A3& m, const Bound& bound) { scaled_a2a3<&A2A3::vlrelu>(m, bound, slope_of(bound, m.dtype())); }

// TSHLS, TSHRS: the count is an i16, whatever the tile holds. A count that an element cannot hold shifts everything out.
LaneScalar count_of(const Bound& bound, DType type, bool modulo) {
  const LaneScalar count = lane_scalar(bound, "count");
  const auto width = static_cast<std::int64_t>(8 * size_bytes(type));
  auto value = static_cast<std::int64_t>(to_double(count.dtype, count.bits));
  if (modulo) value &= width - 1;
  return {static_cast<std::uint64_t>(value < 0 || value > width ? width : value), type, count.origin};
}
template <A5Scaled op, LaneOp wide>
void shift_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  const LaneScalar count = count_of(bound, m.dtype(), m.bytes() == 8 || m.options().shift_modulo);
  if (m.bytes() < 8)
    return unary_a5(m, dst, src,
                    [&](const Reg& a, const Pred& active) { return (lanes_of(m).*op)(m.ty(), a, count, active); });
  each_words(m, dst, false, [&](const Cell& cell, const Pred& active) {
    store_words(m, shift_words(m, wide, load_words(m, src, cell), words_of(m, count)), dst, cell, active);
  });
}
template <A3Scaled op>
void shift_a2a3(A2A3& m, const Bound& bound) {
  scaled_a2a3<op>(m, bound, count_of(bound, m.dtype(), m.options().shift_modulo));
}

// --- rows

void scalar_rules(RuleCheck& check) {
  elementwise_rules(check, {"src"});
  scalar_type(check, "scalar", "dst");
  warn_words(check);
}
void extremum_rules(RuleCheck& check) {
  scalar_rules(check);
  if (check.target() == Target::A2A3) not_empty(check);
}
void scalar_of_type(RuleCheck& check, const char* scalar, DType wanted) {
  const DType type = check.bound().scalar(scalar).dtype;
  if (type != wanted)
    check.error(check.own("R2"), scalar, fmt::format("{} is {}, needs {}", scalar, name(type), name(wanted)),
                "convert the scalar");
}
void tlrelu_rules(RuleCheck& check) {
  elementwise_rules(check, {"src"});
  scalar_of_type(check, "slope", DType::F32);
  if (check.target() == Target::A2A3) not_empty(check);
}
void shift_rules(RuleCheck& check) {
  elementwise_rules(check, {"src"});
  scalar_of_type(check, "count", DType::I16);
  warn_words(check);
  const auto count = static_cast<std::int16_t>(check.bound().scalar("count").bits);
  if (count < 0)
    check.documented(check.own("R8"), "count", fmt::format("count {} is negative", count),
                     "the instruction's name gives the direction");
}

InstructionRow with_scalar(const char* name, const char* summary, const char* cpp,
                           DTypeSet (*types)(Target, const Options&), Machines machines,
                           void (*rules)(RuleCheck&) = scalar_rules, const char* called = "scalar") {
  return {.name = name,
          .summary = summary,
          .forms = {{"", {in("src"), scalar(called), out("dst")}, cpp}},
          .typed_by = "dst",
          .types = types,
          .draw = Drawing::Lanes,
          .rules = rules,
          .machines = machines};
}

const InstructionRow tadds =
    with_scalar("tadds", "Adds a scalar to each element.", "TADDS(dst, src, scalar)", types_of<kAllTypes, kA2A3Types>,
                machines_of<plain_a5<&A5::vadds, LaneOp::Add>, plain_a2a3<&A2A3::vadds>>());
const InstructionRow tsubs = with_scalar("tsubs", "Subtracts a scalar from each element.", "TSUBS(dst, src, scalar)",
                                         types_of<kAllTypes, kA2A3Types>, machines_of<tsubs_a5, tsubs_a2a3>());
const InstructionRow tmuls = with_scalar("tmuls", "Multiplies each element by a scalar.", "TMULS(dst, src, scalar)",
                                         types_of<kA5TypesFrom16, kA2A3Types>,
                                         machines_of<plain_a5<&A5::vmuls, LaneOp::Mul>, plain_a2a3<&A2A3::vmuls>>());
const InstructionRow tmaxs = with_scalar(
    "tmaxs", "Takes the larger of element and scalar.", "TMAXS(dst, src, scalar)", types_of<kAllTypes, kA2A3Types>,
    machines_of<plain_a5<&A5::vmaxs, LaneOp::Max>, plain_a2a3<&A2A3::vmaxs>>(), extremum_rules);
const InstructionRow tmins = with_scalar(
    "tmins", "Takes the smaller of element and scalar.", "TMINS(dst, src, scalar)", types_of<kAllTypes, kA2A3Types>,
    machines_of<plain_a5<&A5::vmins, LaneOp::Min>, plain_a2a3<&A2A3::vmins>>(), extremum_rules);
const InstructionRow tlrelu =
    with_scalar("tlrelu", "Keeps positive elements and multiplies the others by one slope.", "TLRELU(dst, src, slope)",
                types_of<kF16AndF32, kF16AndF32>, machines_of<tlrelu_a5, tlrelu_a2a3>(), tlrelu_rules, "slope");
const InstructionRow tshls = with_scalar(
    "tshls", "Shifts every element left by one count.", "TSHLS(dst, src, count)", types_of<kIntegers, kIntegers16And32>,
    machines_of<shift_a5<&A5::vshls, LaneOp::ShlModulo>, shift_a2a3<&A2A3::vshl>>(), shift_rules, "count");
const InstructionRow tshrs =
    with_scalar("tshrs", "Shifts every element right by one count; signed ones keep their sign.",
                "TSHRS(dst, src, count)", types_of<kIntegers, kIntegers16And32>,
                machines_of<shift_a5<&A5::vshrs, LaneOp::ShrModulo>, shift_a2a3<&A2A3::vshr>>(), shift_rules, "count");

const Registered registered[] = {Registered(tadds), Registered(tsubs),  Registered(tmuls), Registered(tmaxs),
                                 Registered(tmins), Registered(tlrelu), Registered(tshls), Registered(tshrs)};

}  // namespace
}  // namespace ts
