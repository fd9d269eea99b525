// TQUANT with shared exponents (A5): groups of 32 elements, along a row or down a column, share a power of two. It is found
// from the group's largest magnitude; the elements, multiplied by its inverse, become f8e4m3fn.
#include <fmt/format.h>

#include <array>
#include <bit>

#include "core/instructions/vector_family.h"

namespace ts {
namespace {

using namespace vec;

constexpr AnyLane kF32{DType::F32}, kU32{DType::U32}, kE4M3{DType::F8E4M3};
constexpr std::uint32_t kGroup = 32;

enum class MxType : std::uint8_t { Fp8, Fp4 };
enum class MxScale : std::uint8_t { Ocp, Nv };

// How the elements of a tile are parted.
struct Groups {
  bool down;                 // groups of rows
  bool interleaved;          // exponents of two groups alternate
  bool flat;                 // the results of groups stand in one row
  std::uint32_t rows, cols;  // groups
};
Groups groups_of(const Bound& bound) {
  const TileRef& dst = bound.tile("dst");
  Groups groups{.down = bound.attribute("grpAxis") != 0,
                .interleaved = bound.attribute("interleave") != 0,
                .flat = false,
                .rows = dst.valid_rows,
                .cols = dst.valid_cols};
  (groups.down ? groups.rows : groups.cols) = ceil_div(groups.down ? groups.rows : groups.cols, kGroup);
  const TileRef& max = bound.tile("max");
  groups.flat = !groups.down && max.valid_rows == 1 && max.valid_cols == groups.rows * groups.cols;
  return groups;
}
Ub group_place(const Groups& groups, const TileRef& tile, std::uint32_t row, std::uint32_t col) {
  return groups.flat ? Ub{tile.at(0, row * groups.cols + col)} : Ub{tile.at(row, col)};
}

// --- the largest magnitudes

void largest_along(A5& m, const Groups& groups, const TileRef& src, const TileRef& max) {
  for (std::uint32_t row = 0; row < groups.rows; ++row)
    for (std::uint32_t group = 0; group < groups.cols; ++group) {
      std::uint32_t left = std::min(src.valid_cols - group * kGroup, kGroup);
      const Pred active = m.plt(kF32, left);
      const Reg magnitudes = m.vabs(kF32, m.vlds({src.at(row, group * kGroup)}, 0), active);
      m.vsts_1pt(kF32, m.vcmax(kF32, magnitudes, active), group_place(groups, max, row, group), 0);
    }
}
void largest_down(A5& m, const Groups& groups, const TileRef& src, const TileRef& max) {
  for (std::uint32_t group = 0; group < groups.rows; ++group) {
    const std::uint32_t first = group * kGroup, end = std::min(first + kGroup, src.valid_rows);
    std::uint32_t left = groups.cols;
    for (std::uint32_t col = 0; col < groups.cols; col += kF32.lanes()) {
      const Pred active = m.plt(kF32, left);
      Reg largest = m.vabs(kF32, m.vlds({src.at(first, col)}, 0), active);
      for (std::uint32_t row = first + 1; row < end; ++row)
        largest = m.vmax(kF32, largest, m.vabs(kF32, m.vlds({src.at(row, col)}, 0), active), active);
      m.vsts(kF32, largest, {max.at(group, col)}, 0, active);
    }
  }
}

// --- exponents and scales

struct Shared {
  Reg exponent, scale;
};
LaneScalar word(std::uint32_t bits) { return {bits, DType::U32, 0}; }

// OCP: the exponent of the largest magnitude, less that of the largest number of f8e4m3fn, which is 8.
Reg ocp_exponent(A5& m, const Reg& largest, const Pred& active) {
  constexpr std::uint32_t kLargestExponent = 8;
  const Reg exponent = m.vshrs(kU32, largest, word(23), active);
  return m.vadds(kU32, m.vmaxs(kU32, exponent, word(kLargestExponent), active), word(0u - kLargestExponent), active);
}
// NV: the smallest power of two that is not less than the largest magnitude / 448. What is below half of the smallest normal
// number counts as it.
Reg nv_exponent(A5& m, const Reg& ratio, const Pred& active) {
  constexpr std::uint32_t kFraction = 0x7FFFFF, kHalfOfSmallest = 0x400000, kLast = 254;
  const Reg exponent = m.vmins(kU32, m.vshrs(kU32, ratio, word(23), active), word(kLast), active);
  const Reg fraction = m.vand(kU32, ratio, m.vdup(kU32, word(kFraction), active), active);
  Pred up = m.vcmps(kU32, CompareOp::Gt, fraction, word(0), active);
  up = m.vcmps(kU32, CompareOp::Gt, ratio, word(kHalfOfSmallest), up);
  up = m.vcmps(kU32, CompareOp::Lt, exponent, word(kLast), up);
  return m.vsel<std::uint32_t>(m.vadds(kU32, exponent, word(1), active), exponent, up);
}
// Exponents in 32-bit lanes, as e8m0 has them, and the scales 2^(127 - exponent).
Shared shared_of(A5& m, MxScale how, const Reg& largest, const Pred& active) {
  constexpr std::uint32_t kInfinity = 0x7F800000, kNan = 0x7FC00000, kSmallestScale = 0x400000;
  constexpr float kOneBy448 = 1.0f / 448.0f;
  const bool nv = how == MxScale::Nv;
  const Reg ratio =
      nv ? m.vmuls(kF32, largest, {std::bit_cast<std::uint32_t>(kOneBy448), DType::F32, 0}, active) : largest;
  const Pred nan = m.vcmps(kU32, CompareOp::Gt, ratio, word(kInfinity), active);
  const Reg exponent = nv ? nv_exponent(m, ratio, active) : ocp_exponent(m, ratio, active);
  Reg scale = m.vshls(kU32, m.vsub(kU32, m.vdup(kU32, word(254), active), exponent, active), word(23), active);
  if (nv) scale = m.vmaxs(kU32, scale, word(kSmallestScale), active);
  return {m.vsel<std::uint32_t>(m.vdup(kU32, word(255), active), exponent, nan),
          m.vsel<std::uint32_t>(m.vdup(kU32, word(kNan), active), scale, nan)};
}

// Of `count` groups whose results stand close together.
void share_run(A5& m, MxScale how, Ub max, Ub exponents, Ub scaling, std::uint32_t count) {
  std::uint32_t left = count;
  for (std::uint32_t at = 0; at < count; at += kF32.lanes()) {
    const Pred active = m.plt(kF32, left);
    const Shared shared = shared_of(m, how, m.vlds(max, at), active);
    m.vsts_pk4_b32(shared.exponent, exponents, at, active);
    m.vsts(kF32, shared.scale, scaling, at, active);
  }
}
// Exponents of two rows of groups in turn; of the last one alone, with zeros.
void share_pair(A5& m, MxScale how, const TileRef& max, const TileRef& exponents, const TileRef& scaling,
                std::uint32_t pair, std::uint32_t groups) {
  std::uint32_t left = max.valid_cols, bytes = 2 * left;
  for (std::uint32_t col = 0; col < max.valid_cols; col += kF32.lanes()) {
    const Pred active = m.plt(kF32, left);
    Reg exponent[2];
    for (std::uint32_t i = 0; i < 2; ++i) {
      const std::uint32_t group = 2 * pair + i;
      if (group >= groups) {
        exponent[i] = m.vdup(kU32, word(0), active);
        continue;
      }
      const Shared shared = shared_of(m, how, m.vlds({max.at(group, col)}, 0), active);
      m.vsts(kF32, shared.scale, {scaling.at(group, col)}, 0, active);
      exponent[i] = shared.exponent;
    }
    const Words turns = m.vintlv<std::uint32_t>(exponent[0], exponent[1]);
    for (const Reg* half : {&turns.lo, &turns.hi}) {
      if (bytes == 0) break;
      const std::uint32_t at = 2 * max.valid_cols - bytes;
      const Pred stored = m.plt(kU32, bytes);
      m.vsts_pk4_b32(*half, {exponents.at(pair, at)}, 0, stored);
    }
  }
}

// --- elements

void scale_elements(A5& m, const Groups& groups, const TileRef& src, const TileRef& scaling, const TileRef& dst) {
  const std::uint32_t step = groups.down ? kF32.lanes() : kGroup;
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
    for (std::uint32_t col = 0; col < dst.valid_cols; col += step) {
      std::uint32_t left = std::min(dst.valid_cols - col, step);
      const Pred active = m.plt(kF32, left);
      const Reg scale = groups.down ? m.vlds({scaling.at(row / kGroup, col)}, 0)
                                    : m.vlds_brc(group_place(groups, scaling, row, col / kGroup), 0);
      const Reg product = m.vmul(kF32, m.vlds({src.at(row, col)}, 0), scale, active);
      const Reg made = m.vcvt(kE4M3, kF32, {.rounding = Rounding::Even, .overflow = Overflow::Clamp}, product, active);
      m.vsts_pk4_b32(made, {dst.at(row, col)}, 0, active);
    }
}

void tquant_mx_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src"), exponents = bound.tile("exponents"),
                max = bound.tile("max"), scaling = bound.tile("scaling");
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
  const Groups groups = groups_of(bound);
  const auto how = static_cast<MxScale>(bound.attribute("quantScaleAlg"));
  groups.down ? largest_down(m, groups, src, max) : largest_along(m, groups, src, max);
  if (groups.interleaved) {
    for (std::uint32_t pair = 0; pair < ceil_div(groups.rows, 2); ++pair)
      share_pair(m, how, max, exponents, scaling, pair, groups.rows);
  } else if (groups.flat) {
    share_run(m, how, max.ub(), exponents.ub(), scaling.ub(), groups.rows * groups.cols);
  } else {
    for (std::uint32_t row = 0; row < groups.rows; ++row)
      share_run(m, how, {max.at(row, 0)}, {exponents.at(row, 0)}, {scaling.at(row, 0)}, groups.cols);
  }
  scale_elements(m, groups, src, scaling, dst);
}

// --- the row

constexpr std::array<const char*, 4> kResults{"dst", "exponents", "max", "scaling"};

void mx_types(RuleCheck& check) {
  const auto need = [&](const char* tile, DTypeSet types, const char* hint) {
    const DType type = check.tile(tile).type.dtype;
    if (!types.contains(type))
      check.error(check.own("R2"), tile, fmt::format("{} is {}, needs {}", tile, name(type), types.list()), hint);
  };
  need("dst", {DType::F8E4M3}, "the elements become f8E4M3FN");
  need("exponents", {DType::U8, DType::E8M0}, "a shared exponent is a byte");
  for (const char* tile : {"max", "scaling"}) need(tile, {DType::F32}, "it has the type of src");
}
void mx_shapes(RuleCheck& check) {
  const Groups groups = groups_of(check.bound());
  const auto need = [&](const char* tile, std::uint32_t rows, std::uint32_t cols) {
    const TileRef& its = check.tile(tile);
    if (its.valid_rows != rows || its.valid_cols != cols)
      check.error(check.own("R8"), tile,
                  fmt::format("{} valid {}x{}, and there are {}x{} groups", tile, its.valid_rows, its.valid_cols,
                              groups.rows, groups.cols),
                  fmt::format("set it to {}x{}{}", rows, cols,
                              groups.down ? "" : ", or all three to one row of as many columns as there are groups"));
  };
  const std::uint32_t rows = groups.flat ? 1 : groups.rows,
                      cols = groups.flat ? groups.rows * groups.cols : groups.cols;
  if (groups.down && groups.interleaved) {
    need("exponents", ceil_div(rows, 2), 2 * cols);
  } else {
    need("exponents", rows, cols);
  }
  for (const char* tile : {"max", "scaling"}) need(tile, rows, cols);
}
// Elements of 4 bits, and sources of 16.
bool tquant_mx_waits(const Bound& bound) {
  constexpr DTypeSet kHalves{DType::F16, DType::BF16};
  return static_cast<MxType>(bound.attribute("quant_type")) == MxType::Fp4 ||
         kHalves.contains(bound.tile("src").type.dtype);
}
void tquant_mx_rules(RuleCheck& check) {
  const Bound& bound = check.bound();
  if (tquant_mx_waits(bound)) check.error("E-EMULATE", "dst", "elements of 4 bits are not emulated yet");
  if (bound.attribute("interleave") != 0 && bound.attribute("grpAxis") == 0)
    check.error(check.own("R10"), "exponents", "interleave = true with groups along rows",
                "it is for grpAxis = 0, groups of rows");
  mx_types(check);
  row_major(check, {"dst", "src", "exponents", "max", "scaling"});
  same_valid(check, {"src"});
  mx_shapes(check);
  const TileRef& dst = check.tile("dst");
  const bool down = bound.attribute("grpAxis") != 0;
  const std::uint32_t along = down ? dst.valid_rows : dst.valid_cols;
  if (along % kGroup != 0)
    check.documented(
        check.own("W1"), "dst",
        fmt::format("dst has {} valid {}, which are no whole groups of {}", along, down ? "rows" : "columns", kGroup),
        "the last group is the smaller one here; the library fills it with zeros");
  for (std::size_t i = 0; i < kResults.size(); ++i) {
    check.warn_overlap(kResults[i], "src", false);
    for (std::size_t k = i + 1; k < kResults.size(); ++k) check.warn_overlap(kResults[i], kResults[k], false);
  }
}

constexpr DTypeSet kMxSources{DType::F32}, kNoMxSources{};

const InstructionRow tquant_mx{
    .name = "tquant.mx",
    .summary = "Quantises f32 to f8E4M3FN in groups of 32 that share an exponent.",
    .forms = {{"",
               {in("src"), out("dst"), out("exponents"), out("max"), out("scaling")},
               "TQUANT<grp_axis, MxQuantAlg, interleave>(dst, src, &exponents, &max, &scaling)"}},
    .attributes = {{"quant_type", "mxfp8|mxfp4_e2m1"},
                   {"quantScaleAlg", "ocp|nv", "ocpmxfp8e4m3=ocp|nvmxfp8e4m3=nv"},
                   {"grpAxis", "1|0"},
                   {"interleave", "false|true"}},
    .typed_by = "src",
    .types = types_of<kMxSources, kNoMxSources>,
    .absent_hint = "quantise to integers with tquant",
    .draw = Drawing::None,
    .rules = tquant_mx_rules,
    .waits = tquant_mx_waits,
    .machines = machines_of<tquant_mx_a5, nullptr>(),
};
const Registered registered(tquant_mx);

}  // namespace
}  // namespace ts
