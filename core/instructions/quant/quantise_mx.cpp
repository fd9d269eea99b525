// TQUANT with shared exponents (A5): groups of 32 elements, along a row or down a column, share a power of two. It is found
// from the group's largest magnitude; the elements, multiplied by its inverse, become f8e4m3fn or f4e2m1fn.
#include <fmt/format.h>

#include <array>
#include <bit>

#include "core/catalogue/shared_scale.h"
#include "core/instructions/vector_family.h"

namespace ts {
namespace {

using namespace vec;

constexpr AnyLane kF32{DType::F32}, kU32{DType::U32}, kF16{DType::F16}, kBf16{DType::BF16}, kE4M3{DType::F8E4M3},
    kE2M1{DType::E2M1};
constexpr std::uint32_t kGroup = 32;
constexpr Conversion kNearestClamped{.rounding = Rounding::Even, .overflow = Overflow::Clamp};

enum class MxType : std::uint8_t { Fp8, Fp4 };
enum class MxScale : std::uint8_t { Ocp, Nv };

LaneScalar word(std::uint32_t bits) { return {bits, DType::U32, 0}; }

// What is quantised, to what, and how the exponents are found.
struct Way {
  DType src;
  MxType type;
  MxScale scale;
  bool halves() const { return src != DType::F32; }
  bool fp4() const { return type == MxType::Fp4; }
  DType result() const { return fp4() ? DType::E2M1 : DType::F8E4M3; }
  // OCP looks at bf16 numbers: those of f16 are cut off.
  bool cuts() const { return src == DType::F16 && scale == MxScale::Ocp; }
  DType of_max() const { return cuts() ? DType::BF16 : src; }
  DType of_scaling() const { return halves() ? DType::BF16 : DType::F32; }
  // Of the largest number of the result: its exponent, and the inverse of itself.
  std::uint32_t largest_exponent() const { return fp4() ? 2 : 8; }
  float by_largest() const { return fp4() ? 1.0f / 6.0f : 1.0f / 448.0f; }
  // The scale of a group with NaN, as f32: the one of bf16 that goes to f8e4m3fn is another.
  std::uint32_t nan_scale() const { return halves() && !fp4() ? 0x7F810000 : 0x7FC00000; }
};
Way way_of(const Bound& bound) {
  return {bound.tile("src").type.dtype, static_cast<MxType>(bound.attribute("quant_type")),
          static_cast<MxScale>(bound.attribute("quantScaleAlg"))};
}

// Elements behind each other in lanes of f32, and back.
Reg load_words(A5& m, DType type, Ub at, const Pred& active) {
  if (type == DType::F32) return m.vlds<float>(at, 0);
  return m.vcvt(kF32, AnyLane{type}, {}, m.vlds_unpk_b16(at, 0), active);
}
void store_words(A5& m, DType type, const Reg& v, Ub at, const Pred& active) {
  if (type == DType::F32) return m.vsts(kF32, v, at, 0, active);
  m.vsts_pk_b32(m.vcvt(AnyLane{type}, kF32, {}, v, active), at, 0, active);
}
// A power of two, or NaN: its upper half is the same number.
void store_scales(A5& m, const Way& way, const Reg& scale, Ub at, const Pred& active) {
  if (!way.halves()) return m.vsts(kF32, scale, at, 0, active);
  m.vsts_pk_b32(m.vshrs(kU32, scale, word(16), active), at, 0, active);
}

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

Reg magnitudes_at(A5& m, const Way& way, Ub at, const Pred& active) {
  constexpr std::uint32_t kUpperHalf = 0xFFFF0000;
  const Reg size = m.vabs(kF32, load_words(m, way.src, at, active), active);
  return way.cuts() ? m.vand(kU32, size, m.vdup(kU32, word(kUpperHalf), active), active) : size;
}
void largest_along(A5& m, const Way& way, const Groups& groups, const TileRef& src, const TileRef& max) {
  for (std::uint32_t row = 0; row < groups.rows; ++row)
    for (std::uint32_t group = 0; group < groups.cols; ++group) {
      std::uint32_t left = std::min(src.valid_cols - group * kGroup, kGroup);
      const Pred active = m.plt(kF32, left);
      const Reg largest = m.vcmax(kF32, magnitudes_at(m, way, {src.at(row, group * kGroup)}, active), active);
      const AnyLane type{way.of_max()};
      m.vsts_1pt(type, way.halves() ? m.vcvt(type, kF32, {}, largest, active) : largest,
                 group_place(groups, max, row, group), 0);
    }
}
void largest_down(A5& m, const Way& way, const Groups& groups, const TileRef& src, const TileRef& max) {
  for (std::uint32_t group = 0; group < groups.rows; ++group) {
    const std::uint32_t first = group * kGroup, end = std::min(first + kGroup, src.valid_rows);
    std::uint32_t left = groups.cols;
    for (std::uint32_t col = 0; col < groups.cols; col += kF32.lanes()) {
      const Pred active = m.plt(kF32, left);
      Reg largest = magnitudes_at(m, way, {src.at(first, col)}, active);
      for (std::uint32_t row = first + 1; row < end; ++row)
        largest = m.vmax(kF32, largest, magnitudes_at(m, way, {src.at(row, col)}, active), active);
      store_words(m, way.of_max(), largest, {max.at(group, col)}, active);
    }
  }
}

// --- exponents and scales

struct Shared {
  Reg exponent, scale;
};

// OCP: the exponent of the largest magnitude, less that of the largest number of the result's type.
Reg ocp_exponent(A5& m, const Way& way, const Reg& largest, const Pred& active) {
  const std::uint32_t most = way.largest_exponent();
  const Reg exponent = m.vshrs(kU32, largest, word(23), active);
  return m.vadds(kU32, m.vmaxs(kU32, exponent, word(most), active), word(0u - most), active);
}
// NV: the smallest power of two that is not less than the largest magnitude / the largest number. What is below half of the
// smallest normal number counts as it.
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
Shared shared_of(A5& m, const Way& way, const Reg& largest, const Pred& active) {
  constexpr std::uint32_t kInfinity = 0x7F800000, kSmallestScale = 0x400000;
  const bool nv = way.scale == MxScale::Nv;
  const Reg ratio =
      nv ? m.vmuls(kF32, largest, {std::bit_cast<std::uint32_t>(way.by_largest()), DType::F32, 0}, active) : largest;
  const Pred nan = m.vcmps(kU32, CompareOp::Gt, ratio, word(kInfinity), active);
  const Reg exponent = nv ? nv_exponent(m, ratio, active) : ocp_exponent(m, way, ratio, active);
  Reg scale = m.vshls(kU32, m.vsub(kU32, m.vdup(kU32, word(254), active), exponent, active), word(23), active);
  if (nv) scale = m.vmaxs(kU32, scale, word(kSmallestScale), active);
  return {m.vsel<std::uint32_t>(m.vdup(kU32, word(255), active), exponent, nan),
          m.vsel<std::uint32_t>(m.vdup(kU32, word(way.nan_scale()), active), scale, nan)};
}

// Of `count` groups whose results stand close together.
void share_run(A5& m, const Way& way, Ub max, Ub exponents, Ub scaling, std::uint32_t count) {
  std::uint32_t left = count;
  for (std::uint32_t at = 0; at < count; at += kF32.lanes()) {
    const Pred active = m.plt(kF32, left);
    const Ub from{max.address + at * size_bytes(way.of_max())}, to{scaling.address + at * size_bytes(way.of_scaling())};
    const Shared shared = shared_of(m, way, load_words(m, way.of_max(), from, active), active);
    m.vsts_pk4_b32(shared.exponent, exponents, at, active);
    store_scales(m, way, shared.scale, to, active);
  }
}
// Exponents of two rows of groups in turn; of the last one alone, with zeros.
void share_pair(A5& m, const Way& way, const TileRef& max, const TileRef& exponents, const TileRef& scaling,
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
      const Shared shared = shared_of(m, way, load_words(m, way.of_max(), {max.at(group, col)}, active), active);
      store_scales(m, way, shared.scale, {scaling.at(group, col)}, active);
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
      m.vsts_pk4_b32(m.vcvt(kE4M3, kF32, kNearestClamped, product, active), {dst.at(row, col)}, 0, active);
    }
}

// Scales of 64 elements of a row, each in the lower half of a 32-bit lane: of two groups, or down the columns of each.
Reg scales_of_halves(A5& m, const Groups& groups, const TileRef& scaling, std::uint32_t row, std::uint32_t col,
                     std::uint32_t end) {
  if (groups.down) return m.vlds_unpk_b16({scaling.at(row / kGroup, col)}, 0);
  const std::uint32_t group = col / kGroup;
  const Reg first = m.vlds_brc<std::uint16_t>(group_place(groups, scaling, row, group), 0);
  if (col + kGroup >= end) return first;
  const Reg second = m.vlds_brc<std::uint16_t>(group_place(groups, scaling, row, group + 1), 0);
  std::uint32_t lanes_of_first = kGroup;
  return m.vsel<std::uint32_t>(first, second, m.plt(kU32, lanes_of_first));
}
// Of bf16 the product is one, of f16 it is an f32.
Reg product_of_halves(A5& m, const Way& way, const Reg& x, const Reg& scale, const Pred& active) {
  if (way.src == DType::BF16) return m.vcvt(kF32, kBf16, {}, m.vmul(kBf16, x, scale, active), active);
  return m.vmul(kF32, m.vcvt(kF32, kF16, {}, x, active), m.vcvt(kF32, kBf16, {}, scale, active), active);
}
void scale_halves(A5& m, const Way& way, const Groups& groups, const TileRef& src, const TileRef& scaling,
                  const TileRef& dst) {
  // Products of f16 have more bits than bf16, which is on the way to 4 bits: an odd last bit stands for those cut off, so
  // that they are rounded once.
  const Conversion to_bf16{.rounding = way.src == DType::F16 ? Rounding::Odd : Rounding::Even};
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
    for (std::uint32_t col = 0; col < dst.valid_cols; col += kF32.lanes()) {
      std::uint32_t left = std::min(dst.valid_cols - col, kF32.lanes()), pairs = (left + 1) / 2 * 2;
      const Pred active = m.plt(kF32, left);
      const Reg scale = scales_of_halves(m, groups, scaling, row, col, dst.valid_cols),
                x = m.vlds_unpk_b16({src.at(row, col)}, 0);
      const Reg product = product_of_halves(m, way, x, scale, active);
      if (!way.fp4()) {
        m.vsts_pk4_b32(m.vcvt(kE4M3, kF32, kNearestClamped, product, active), {dst.at(row, col)}, 0, active);
        continue;
      }
      const Reg apart = m.vcvt(kBf16, kF32, to_bf16, product, active);
      const Reg close = m.vdintlv<std::uint16_t>(apart, apart).lo;
      const Pred whole_bytes = m.plt(kBf16, pairs);
      m.vsts_pk4_b32(m.vcvt(kE2M1, kBf16, kNearestClamped, close, whole_bytes), {dst.at(row, col)}, 0, whole_bytes);
    }
}
// The library fills up the columns of sources of 16 bits, in their own tile.
void clear_padding(A5& m, const TileRef& src) {
  const std::uint32_t size = (src.cols() - src.valid_cols) * src.elem_bytes();
  for (std::uint32_t row = 0; row < src.valid_rows && size != 0; ++row)
    m.emu_fill({src.at(row, src.valid_cols)}, size, 0);
}

void tquant_mx_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src"), exponents = bound.tile("exponents"),
                max = bound.tile("max"), scaling = bound.tile("scaling");
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
  const Groups groups = groups_of(bound);
  const Way way = way_of(bound);
  groups.down ? largest_down(m, way, groups, src, max) : largest_along(m, way, groups, src, max);
  if (groups.interleaved) {
    for (std::uint32_t pair = 0; pair < ceil_div(groups.rows, 2); ++pair)
      share_pair(m, way, max, exponents, scaling, pair, groups.rows);
  } else if (groups.flat) {
    share_run(m, way, max.ub(), exponents.ub(), scaling.ub(), groups.rows * groups.cols);
  } else {
    for (std::uint32_t row = 0; row < groups.rows; ++row)
      share_run(m, way, {max.at(row, 0)}, {exponents.at(row, 0)}, {scaling.at(row, 0)}, groups.cols);
  }
  if (!way.halves()) return scale_elements(m, groups, src, scaling, dst);
  scale_halves(m, way, groups, src, scaling, dst);
  clear_padding(m, src);
}

// --- the row

constexpr std::array<const char*, 4> kResults{"dst", "exponents", "max", "scaling"};

void mx_types(RuleCheck& check) {
  const Way way = way_of(check.bound());
  const auto need = [&](const char* tile, DTypeSet types, const char* hint) {
    const DType type = check.tile(tile).type.dtype;
    if (!types.contains(type))
      check.error(check.own("R2"), tile, fmt::format("{} is {}, needs {}", tile, name(type), types.list()), hint);
  };
  if (way.fp4())
    need("src", {DType::F16, DType::BF16}, "elements of 4 bits come from those of 16: convert it with tcvt");
  need("dst", {way.result()}, way.fp4() ? "quant_type = mxfp4_e2m1" : "quant_type = mxfp8");
  need("exponents", {DType::U8, DType::E8M0}, "a shared exponent is a byte");
  need("max", {way.of_max()}, way.cuts() ? "ocp looks at f16 numbers as bf16" : "it has the type of src");
  need("scaling", {way.of_scaling()}, way.halves() ? "scales of f16 and bf16 are bf16" : "it has the type of src");
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
// What it does to elements that nobody asked for.
void mx_padding(RuleCheck& check) {
  const TileRef &src = check.tile("src"), &dst = check.tile("dst");
  if (src.type.dtype != DType::F32 && src.valid_cols < src.cols())
    check.warn(check.own("W2"), "src", fmt::format("columns {} to {} of src become 0", src.valid_cols, src.cols() - 1),
               "a source of 16 bits is filled up in its own tile");
  if (is_packed(dst.type.dtype) && dst.valid_cols % 2 != 0)
    check.warn(
        check.own("W3"), "dst",
        fmt::format("dst has {} valid columns, and two {} share a byte; the element behind the last one becomes 0",
                    dst.valid_cols, name(dst.type.dtype)),
        "make the number of valid columns even");
}
void tquant_mx_rules(RuleCheck& check) {
  const Bound& bound = check.bound();
  if (bound.attribute("interleave") != 0 && bound.attribute("grpAxis") == 0)
    check.error(check.own("R10"), "exponents", "interleave = true with groups along rows",
                "it is for grpAxis = 0, groups of rows");
  mx_types(check);
  row_major(check, {"dst", "src", "exponents", "max", "scaling"});
  same_valid(check, {"src"});
  mx_shapes(check);
  mx_padding(check);
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

constexpr DTypeSet kMxSources{DType::F32, DType::F16, DType::BF16}, kNoMxSources{};

const InstructionRow tquant_mx{
    .name = "tquant.mx",
    .summary = "Quantises to f8E4M3FN or f4E2M1FN in groups of 32 that share an exponent.",
    .forms = {{"",
               {overwritten("src"), out("dst"), out("exponents"), out("max"), out("scaling")},
               "TQUANT<grp_axis, MxQuantAlg, interleave>(dst, src, &exponents, &max, &scaling)"}},
    .attributes = {{"quant_type", "mxfp8|mxfp4_e2m1"},
                   {"quantScaleAlg", "ocp|nv", "ocpmxfp8e4m3=ocp|nvmxfp8e4m3=nv|ocpmxfp4e2m1=ocp|nvmxfp4e2m1=nv"},
                   {"grpAxis", "1|0"},
                   {"interleave", "false|true"}},
    .typed_by = "src",
    .types = types_of<kMxSources, kNoMxSources>,
    .absent_hint = "quantise to integers with tquant",
    .draw = Drawing::Quantise,
    .rules = tquant_mx_rules,
    .machines = machines_of<tquant_mx_a5, nullptr>(),
};
const Registered registered(tquant_mx);

SharedScale exponent_of(const Bound& bound, std::uint32_t row, std::uint32_t col) {
  const Groups groups = groups_of(bound);
  const std::uint32_t r = groups.down ? row / kGroup : row, c = groups.down ? col : col / kGroup;
  if (groups.interleaved) return {"exponents", r / 2, 2 * c + r % 2};
  if (groups.flat) return {"exponents", 0, r * groups.cols + c};
  return {"exponents", r, c};
}
const RegisteredScale registered_scale(tquant_mx, "dst", exponent_of);

}  // namespace
}  // namespace ts
