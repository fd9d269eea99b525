// Interleaving families: a stream of pairs split into two tiles.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/instructions/interleave.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "core/a5/shapes-inl.h"
#include "core/instructions/family-inl.h"

// TDEINTERLEAVE, two sources: with s = row of src0 followed by row of src1, dst0[r][k] = s[2k], dst1[r][k] = s[2k+1].
// TDEINTERLEAVE, one source:  dst0[r][k] = src[r][2k], dst1[r][k] = src[r][2k+1], for k < half of src's valid columns.
HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

struct TdeinterleaveA5 {
  template <class M>
  static TS_INLINE void lower(M& m, const Bound& bound) {
    const TileRef dst0 = bound.tile("dst0"), dst1 = bound.tile("dst1");
    if (bound.has("src")) {
      single_source(m, dst0, dst1, bound.tile("src"));
    } else {
      two_sources(m, dst0, dst1, bound.tile("src0"), bound.tile("src1"));
    }
  }

 private:
  template <class M>
  static TS_INLINE void two_sources(M& m, const TileRef& dst0, const TileRef& dst1, const TileRef& src0, const TileRef& src1) {
    const std::uint32_t half = dst0.valid_cols / 2;
    const bool aligned = dst0.valid_cols * dst0.elem_bytes() / 2 % BLK == 0;
    for (std::uint32_t row = 0; row < dst0.valid_rows; ++row) {
      split_row(m, dst0, dst1, src0, row, 0, half);
      if (aligned) {
        split_row(m, dst0, dst1, src1, row, half, half);
      } else {
        split_row_unaligned(m, dst0, dst1, src1, row, half);
      }
    }
  }

  template <class M>
  static TS_INLINE void single_source(M& m, const TileRef& dst0, const TileRef& dst1, const TileRef& src) {
    const std::uint32_t half = src.valid_cols / 2;
    for (std::uint32_t row = 0; row < src.valid_rows; ++row) split_row(m, dst0, dst1, src, row, 0, half);
    // The documents allow a destination as wide as the source, and promise nothing for the half that is not written.
    for (const TileRef* dst : {&dst0, &dst1})
      for (std::uint32_t row = 0; row < src.valid_rows && dst->valid_cols > half; ++row)
        m.emu_unspecified(dst->ub(), row * dst->row_stride() + half, dst->valid_cols - half, "beyond half of the source's columns");
  }

  // Columns 0, 2, 4, ... of a source row to dst0, columns 1, 3, ... to dst1, from column `to` on; `count` of each.
  template <class M>
  static TS_INLINE void split_row(M& m, const TileRef& dst0, const TileRef& dst1, const TileRef& src, std::uint32_t row,
                                   std::uint32_t to, std::uint32_t count) {
    const std::uint32_t from = row * src.row_stride(), at = row * dst0.row_stride() + to, at1 = row * dst1.row_stride() + to;
    std::uint32_t left = count;
    for (std::uint32_t k = 0; k < count; k += M::kLanes) {
      auto a = m.vlds(src.ub(), from + 2 * k);
      auto b = m.vlds(src.ub(), from + 2 * k + M::kLanes);
      auto split = m.vdintlv(a, b);
      auto active = m.plt(left);
      m.vsts(split.lo, dst0.ub(), at + k, active);
      m.vsts(split.hi, dst1.ub(), at1 + k, active);
    }
  }

  // The same to the upper half of the destination rows, which does not start at a block.
  template <class M>
  static TS_INLINE void split_row_unaligned(M& m, const TileRef& dst0, const TileRef& dst1, const TileRef& src, std::uint32_t row,
                                             std::uint32_t half) {
    const std::uint32_t from = row * src.row_stride();
    for (std::uint32_t k = 0; k < half; k += M::kLanes) {
      const std::uint32_t count = half - k < M::kLanes ? half - k : M::kLanes;
      auto a = m.vlds(src.ub(), from + 2 * k);
      auto b = m.vlds(src.ub(), from + 2 * k + M::kLanes);
      auto split = m.vdintlv(a, b);
      append(m, split.lo, dst0, row * dst0.row_stride() + half + k, count);
      append(m, split.hi, dst1, row * dst1.row_stride() + half + k, count);
    }
  }
  template <class M>
  static TS_INLINE void append(M& m, const typename M::Reg& v, const TileRef& dst, std::uint32_t at, std::uint32_t count) {
    auto stream = m.vstus(m.init_align(), count, v, dst.ub(), at);
    m.vstas(stream, dst.ub(), at + count);
  }
};

TS_LOWERINGS(tdeinterleave, On<Target::A5, TdeinterleaveA5, WidthList<std::uint8_t, std::uint16_t, std::uint32_t>>);

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <fmt/format.h>

namespace ts {
namespace {

TS_MACHINES(tdeinterleave);

DTypeSet tdeinterleave_types(Target target, const Options&) {
  if (target == Target::A2A3) return {};
  return {DType::I32, DType::U32, DType::F32, DType::I16, DType::U16, DType::F16, DType::BF16, DType::U8, DType::I8};
}

void two_source_rules(RuleCheck& check) {
  const TileRef& dst0 = check.tile("dst0");
  for (const char* tile : {"src0", "src1", "dst1"}) check.need_same_valid("TDI-R4", tile, "dst0");
  if (dst0.valid_cols % 2 != 0)
    check.error("TDI-R5", "dst0", fmt::format("validCol {} is odd", dst0.valid_cols), "a stream of pairs has an even number of columns");
  for (const char* dst : {"dst0", "dst1"})
    for (const char* src : {"src0", "src1"}) check.warn_overlap(dst, src, false);
}

void single_source_rules(RuleCheck& check) {
  const TileRef& src = check.tile("src");
  const std::uint32_t half = src.valid_cols / 2, elements = VL / src.elem_bytes();
  if (src.valid_cols % 2 != 0)
    check.error("TDI-R6", "src", fmt::format("src validCol {} is odd", src.valid_cols), "a stream of pairs has an even number of columns");
  for (const char* name : {"dst0", "dst1"}) {
    const TileRef& dst = check.tile(name);
    if (dst.valid_rows != src.valid_rows)
      check.error("TDI-R7", name, fmt::format("{} validRow {} != src validRow {}", name, dst.valid_rows, src.valid_rows));
    if (dst.cols() < half) check.error("TDI-R10", name, fmt::format("{} Cols {} too small for {}", name, dst.cols(), half));
    check.warn_overlap(name, "src", false);
  }
  const std::uint32_t a = check.tile("dst0").valid_cols, b = check.tile("dst1").valid_cols;
  for (const auto& [name, cols] : {std::pair{"dst0", a}, {"dst1", b}}) {
    if (cols == half || (cols == src.valid_cols && a == b)) continue;
    check.error("TDI-R8", name, fmt::format("{} validCol {}; needs {} (half of src {}) or {}", name, cols, half, src.valid_cols, src.valid_cols),
                a == b ? "" : "make the same choice for dst0 and dst1");
  }
  if (a == src.valid_cols && b == a && half != a)
    check.note("TDI-N1", "dst0", fmt::format("dst valid {} wider than the {} columns written", a, half));
  if (src.cols() < 2 * elements) {
    const std::string text = fmt::format("src Cols {} < {}; a row must hold two registers", src.cols(), 2 * elements);
    if (check.options().tdeinterleave_allow_narrow) {
      check.warn("TDI-R9", "src", text);
    } else {
      check.error("TDI-R9", "src", text, fmt::format("declare src with {} columns and keep the valid shape, or set option tdeinterleave.allow_narrow", 2 * elements));
    }
  }
}

void tdeinterleave_rules(RuleCheck& check) {
  const bool single = check.bound().has("src");
  const auto sources = single ? std::vector{"src"} : std::vector{"src0", "src1"};
  for (const char* dst : {"dst0", "dst1"}) check.need_row_major("TDI-R2", dst);
  for (const char* src : sources) check.need_row_major("TDI-R2", src);
  check.need_same_type("TDI-R3", "dst1", "dst0");
  for (const char* src : sources) check.need_same_type("TDI-R3", src, "dst0");
  check.warn_overlap("dst0", "dst1", false);
  if (single) {
    single_source_rules(check);
  } else {
    two_source_rules(check);
  }
}

const InstructionRow tdeinterleave{
    .name = "tdeinterleave",
    .summary = "Splits an interleaved stream: elements at even positions to dst0, at odd positions to dst1.",
    .forms = {{"two-source", {in("src0"), in("src1"), out("dst0"), out("dst1")}, "TDEINTERLEAVE(dst1, dst0, src1, src0)"},
              {"single-source", {in("src"), out("dst0"), out("dst1")}, "TDEINTERLEAVE(dst1, dst0, src)"}},
    .typed_by = "dst0",
    .types = tdeinterleave_types,
    .type_rules = {"TDI-R0", "TDI-R1"},
    .absent_rule = "TDI-R0",
    .absent_hint = "on a2a3 the mask-pattern gathers P0101 and P1010 of tgather do what the single-source form does",
    .draw = Drawing::Interleave,
    .rules = tdeinterleave_rules,
    .machines = tdeinterleave_machines,
};
const Registered tdeinterleave_registered(tdeinterleave);

}  // namespace
}  // namespace ts
#endif
