// Interleaving: a stream of pairs split into two tiles, and two tiles joined into such a stream.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/instructions/interleave.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "core/a5/shapes-inl.h"
#include "core/instructions/family-inl.h"

// TDEINTERLEAVE, two sources: with s = row of src0 followed by row of src1, dst0[r][k] = s[2k], dst1[r][k] = s[2k+1].
// TINTERLEAVE: with s = src0[r][0], src1[r][0], src0[r][1], src1[r][1], ...: dst0's row is the first half of s, dst1's the second.
// TDEINTERLEAVE, one source:  dst0[r][k] = src[r][2k], dst1[r][k] = src[r][2k+1], for k < half of src's valid columns.
HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

inline constexpr const char* kBeyondHalf = "beyond half of the source's columns";

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
  static TS_INLINE void two_sources(M& m, const TileRef& dst0, const TileRef& dst1, const TileRef& src0,
                                    const TileRef& src1) {
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
        m.emu_unspecified({dst->at(row, half)}, (dst->valid_cols - half) * dst->elem_bytes(), kBeyondHalf);
  }

  // Columns 0, 2, 4, ... of a source row to dst0, columns 1, 3, ... to dst1, from column `to` on; `count` of each.
  template <class M>
  static TS_INLINE void split_row(M& m, const TileRef& dst0, const TileRef& dst1, const TileRef& src, std::uint32_t row,
                                  std::uint32_t to, std::uint32_t count) {
    const std::uint32_t from = row * src.row_stride(), at = row * dst0.row_stride() + to,
                        at1 = row * dst1.row_stride() + to;
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
  static TS_INLINE void split_row_unaligned(M& m, const TileRef& dst0, const TileRef& dst1, const TileRef& src,
                                            std::uint32_t row, std::uint32_t half) {
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
  static TS_INLINE void append(M& m, const typename M::Reg& v, const TileRef& dst, std::uint32_t at,
                               std::uint32_t count) {
    auto stream = m.vstus(m.init_align(), count, v, dst.ub(), at);
    m.vstas(stream, dst.ub(), at + count);
  }
};

struct TinterleaveA5 {
  template <class M>
  static TS_INLINE void lower(M& m, const Bound& bound) {
    const TileRef dst0 = bound.tile("dst0"), dst1 = bound.tile("dst1"), src0 = bound.tile("src0"),
                  src1 = bound.tile("src1");
    const std::uint32_t half = dst0.valid_cols / 2;
    const bool aligned = dst0.valid_cols * dst0.elem_bytes() / 2 % BLK == 0;
    for (std::uint32_t row = 0; row < dst0.valid_rows; ++row) {
      join_row<true>(m, dst0, src0, src1, row, 0);
      if (aligned) {
        join_row<true>(m, dst1, src0, src1, row, half);
      } else {
        join_row<false>(m, dst1, src0, src1, row, half);
      }
    }
  }

 private:
  // A destination row from the pairs that start at column `from` of the sources.
  template <bool kAligned, class M>
  static TS_INLINE void join_row(M& m, const TileRef& dst, const TileRef& src0, const TileRef& src1, std::uint32_t row,
                                 std::uint32_t from) {
    const std::uint32_t cols = dst.valid_cols, pairs = cols / 2, to = row * dst.row_stride();
    const std::uint32_t at0 = row * src0.row_stride() + from, at1 = row * src1.row_stride() + from;
    std::uint32_t k = 0;
    // Whole pairs of registers and what is left run the same sequence; apart, the compiler sees that the first need no mask.
    for (; cols >= 2 * k + 2 * M::kLanes; k += M::kLanes)
      join_step<kAligned>(m, dst, src0, src1, to + 2 * k, at0 + k, at1 + k, 2 * M::kLanes);
    for (; k < pairs; k += M::kLanes)
      join_step<kAligned>(m, dst, src0, src1, to + 2 * k, at0 + k, at1 + k, cols - 2 * k);
  }
  template <bool kAligned, class M>
  static TS_INLINE void join_step(M& m, const TileRef& dst, const TileRef& src0, const TileRef& src1, std::uint32_t to,
                                  std::uint32_t at0, std::uint32_t at1, std::uint32_t left) {
    auto a = load<kAligned>(m, src0, at0);
    auto b = load<kAligned>(m, src1, at1);
    auto joined = m.vintlv(a, b);
    std::uint32_t low = left < M::kLanes ? left : M::kLanes, high = left - low < M::kLanes ? left - low : M::kLanes;
    const bool second = high > 0;
    m.vsts(joined.lo, dst.ub(), to, m.plt(low));
    if (second) m.vsts(joined.hi, dst.ub(), to + M::kLanes, m.plt(high));
  }
  template <bool kAligned, class M>
  static TS_INLINE auto load(M& m, const TileRef& src, std::uint32_t at) {
    if constexpr (kAligned) {
      return m.vlds(src.ub(), at);
    } else {
      m.vldas(src.ub(), at);
      return m.vldus(src.ub(), at);
    }
  }
};

// A2A3 has neither instruction. As an extension it runs them by what they mean, a row of elements at a time.
struct TdeinterleaveA2A3 {
  template <class M>
  static void lower(M& m, const Bound& bound) {
    const TileRef dst[2] = {bound.tile("dst0"), bound.tile("dst1")};
    const bool single = bound.has("src");
    const TileRef sources[2] = {bound.tile(single ? "src" : "src0"), bound.tile(single ? "src" : "src1")};
    const std::uint32_t half = sources[0].valid_cols / 2, size = dst[0].elem_bytes();
    for (std::uint32_t row = 0; row < sources[0].valid_rows; ++row) {
      for (std::uint32_t odd = 0; odd < 2; ++odd) {
        for (std::uint32_t part = 0; part < (single ? 1u : 2u); ++part)
          m.emu_move({Space::Ub, dst[odd].at(row, part * half), size},
                     {Space::Ub, sources[part].at(row, odd), 2 * size}, half);
        if (single && dst[odd].valid_cols > half)
          m.emu_unspecified({dst[odd].at(row, half)}, (dst[odd].valid_cols - half) * size, kBeyondHalf);
      }
    }
  }
};

struct TinterleaveA2A3 {
  template <class M>
  static void lower(M& m, const Bound& bound) {
    const TileRef dst[2] = {bound.tile("dst0"), bound.tile("dst1")}, src[2] = {bound.tile("src0"), bound.tile("src1")};
    const std::uint32_t cols = dst[0].valid_cols, size = dst[0].elem_bytes();
    for (std::uint32_t row = 0; row < dst[0].valid_rows; ++row)
      for (std::uint32_t part = 0; part < 2; ++part)
        for (std::uint32_t odd = 0; odd < 2; ++odd)
          m.emu_move({Space::Ub, dst[part].at(row, 0) + odd * size, 2 * size},
                     {Space::Ub, src[odd].at(row, part * (cols / 2)), size}, (cols + 1 - odd) / 2);
  }
};

TS_LOWERINGS(tdeinterleave, Roomy<On<Target::A5, TdeinterleaveA5, ByWidthTo32>>,
             On<Target::A2A3, TdeinterleaveA2A3, ByWidthTo32>);
TS_LOWERINGS(tinterleave, Roomy<On<Target::A5, TinterleaveA5, ByWidthTo32>>,
             On<Target::A2A3, TinterleaveA2A3, ByWidthTo32>);

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <fmt/format.h>

namespace ts {
namespace {

TS_MACHINES(tdeinterleave);
TS_MACHINES(tinterleave);

DTypeSet interleave_types(Target target, const Options& options) {
  if (target == Target::A2A3 && !options.a2a3_interleave) return {};
  return kTypesTo32;
}

void two_source_rules(RuleCheck& check) {
  const TileRef& dst0 = check.tile("dst0");
  for (const char* tile : {"src0", "src1", "dst1"}) check.need_same_valid("TDI-R4", tile, "dst0");
  if (dst0.valid_cols % 2 != 0)
    check.error("TDI-R5", "dst0", fmt::format("validCol {} is odd", dst0.valid_cols),
                "a stream of pairs has an even number of columns");
  for (const char* dst : {"dst0", "dst1"})
    for (const char* src : {"src0", "src1"}) check.warn_overlap(dst, src, false);
}

void single_source_rules(RuleCheck& check) {
  const TileRef& src = check.tile("src");
  const std::uint32_t half = src.valid_cols / 2, elements = VL / src.elem_bytes();
  if (src.valid_cols % 2 != 0)
    check.error("TDI-R6", "src", fmt::format("src validCol {} is odd", src.valid_cols),
                "a stream of pairs has an even number of columns");
  for (const char* name : {"dst0", "dst1"}) {
    const TileRef& dst = check.tile(name);
    if (dst.valid_rows != src.valid_rows)
      check.error("TDI-R7", name,
                  fmt::format("{} validRow {} != src validRow {}", name, dst.valid_rows, src.valid_rows));
    if (dst.cols() < half)
      check.error("TDI-R10", name, fmt::format("{} Cols {} too small for {}", name, dst.cols(), half));
    check.warn_overlap(name, "src", false);
  }
  const std::uint32_t a = check.tile("dst0").valid_cols, b = check.tile("dst1").valid_cols;
  for (const auto& [name, cols] : {std::pair{"dst0", a}, {"dst1", b}}) {
    if (cols == half || (cols == src.valid_cols && a == b)) continue;
    check.error("TDI-R8", name,
                fmt::format("{} validCol {}; needs {} (half of src {}) or {}", name, cols, half, src.valid_cols,
                            src.valid_cols),
                a == b ? "" : "make the same choice for dst0 and dst1");
  }
  if (a == src.valid_cols && b == a && half != a)
    check.note("TDI-N1", "dst0", fmt::format("dst valid {} wider than the {} columns written", a, half));
  if (src.cols() < 2 * elements) {
    const std::string text = fmt::format("src Cols {} < {}; a row must hold two registers", src.cols(), 2 * elements);
    if (check.options().tdeinterleave_allow_narrow) {
      check.warn("TDI-R9", "src", text);
    } else {
      check.error(
          "TDI-R9", "src", text,
          fmt::format("declare src with {} columns and keep the valid shape, or set option tdeinterleave.allow_narrow",
                      2 * elements));
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
    .forms = {{"two-source",
               {in("src0"), in("src1"), out("dst0"), out("dst1")},
               "TDEINTERLEAVE(dst1, dst0, src1, src0)"},
              {"single-source", {in("src"), out("dst0"), out("dst1")}, "TDEINTERLEAVE(dst1, dst0, src)"}},
    .typed_by = "dst0",
    .types = interleave_types,
    .type_rules = {"TDI-R0", "TDI-R1"},
    .absent_rule = "TDI-R0",
    .absent_hint =
        "on a2a3 the mask-pattern gathers P0101 and P1010 of tgather do what the single-source form does; option "
        "extensions.a2a3_interleave runs it by emulator steps",
    .draw = Drawing::Interleave,
    .rules = tdeinterleave_rules,
    .moves = true,
    .machines = tdeinterleave_machines,
};
const Registered tdeinterleave_registered(tdeinterleave);

void tinterleave_rules(RuleCheck& check) {
  const TileRef& dst0 = check.tile("dst0");
  for (const char* tile : {"dst0", "dst1", "src0", "src1"}) check.need_row_major("TIL-R2", tile);
  for (const char* tile : {"dst1", "src0", "src1"}) check.need_same_type("TIL-R3", tile, "dst0");
  for (const char* tile : {"src0", "src1", "dst1"}) check.need_same_valid("TIL-R4", tile, "dst0");
  if (dst0.valid_cols % 2 != 0) {
    const std::string text = fmt::format("validCol {} is odd", dst0.valid_cols);
    if (check.options().tinterleave_allow_odd) {
      check.warn("TIL-R5", "dst0", text,
                 "column " + std::to_string(dst0.valid_cols / 2) + " of the sources comes in both results");
    } else {
      check.error(
          "TIL-R5", "dst0", text,
          "a stream of pairs has an even number of columns; option tinterleave.allow_odd runs it as the library does");
    }
  }
  check.warn_overlap("dst0", "dst1", false);
  for (const char* dst : {"dst0", "dst1"})
    for (const char* src : {"src0", "src1"}) check.warn_overlap(dst, src, false);
}

const InstructionRow tinterleave{
    .name = "tinterleave",
    .summary = "Joins two tiles into a stream of pairs: its first half to dst0, its second half to dst1.",
    .forms = {{"", {in("src0"), in("src1"), out("dst0"), out("dst1")}, "TINTERLEAVE(dst1, dst0, src1, src0)"}},
    .typed_by = "dst0",
    .types = interleave_types,
    .type_rules = {"TIL-R0", "TIL-R1"},
    .absent_rule = "TIL-R0",
    .absent_hint = "option extensions.a2a3_interleave runs it by emulator steps",
    .draw = Drawing::Interleave,
    .rules = tinterleave_rules,
    .moves = true,
    .machines = tinterleave_machines,
};
const Registered tinterleave_registered(tinterleave);

}  // namespace
}  // namespace ts
#endif
