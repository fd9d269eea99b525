// Filling tiles with a scalar.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/instructions/fill.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "core/a5/shapes-inl.h"
#include "core/instructions/family-inl.h"

// TEXPANDS dst, scalar: every element of dst's valid region; of a Mat tile, all its bytes.
HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

// A Vec tile as lines: rows of a row-major tile, columns of a col-major one.
struct FillLines {
  std::uint32_t count, elements;  // valid lines, valid elements of each
  std::uint32_t pitch;            // elements from line to line
  std::uint32_t lines;            // of the tile
  std::int32_t static_elements;   // of a line, as the type says, or kDynamic
};
inline FillLines fill_lines(const TileRef& dst) {
  const TileType& type = dst.type;
  if (type.row_major()) return {dst.valid_rows, dst.valid_cols, type.line_pitch(), type.rows, type.valid_cols};
  return {dst.valid_cols, dst.valid_rows, type.line_pitch(), type.cols, type.valid_rows};
}

// Mat tiles: all blocks of the tile, the same on both targets. Bytes are filled as words of four.
template <class M>
TS_INLINE void fill_l1(M& m, const TileRef& dst, const LaneScalar& scalar, bool quirk) {
  const auto blocks = static_cast<std::uint32_t>(dst.type.size_bytes() / BLK);
  if constexpr (sizeof(typename M::T) == 1) {
    // The library widens a signed byte with its sign, so a negative one fills every second byte with 0xFF.
    const std::uint64_t wide = quirk && dst.type.dtype == DType::I8
                                   ? static_cast<std::uint16_t>(static_cast<std::int8_t>(scalar.bits))
                                   : scalar.bits & 0xFF;
    const std::uint64_t pair = (wide | wide << 8) & 0xFFFF;
    m.template create_cbuf_matrix<std::uint32_t>(dst.address, blocks, {pair | pair << 16, DType::U32, scalar.origin});
  } else {
    m.template create_cbuf_matrix<typename M::T>(dst.address, blocks, scalar);
  }
}

struct TexpandsA5 {
  template <class M>
  static TS_INLINE void lower(M& m, const Bound& bound) {
    const TileRef dst = bound.tile("dst");
    const LaneScalar scalar = lane_scalar(bound, "scalar");
    if (dst.type.loc == TileLoc::Mat) return fill_l1(m, dst, scalar, bound.options->quirk_texpands != 0);
    const FillLines lines = fill_lines(dst);
    if (lines.count == 0 || lines.elements == 0) return;
    if constexpr (sizeof(typename M::T) == 8) {
      by_words(m, dst, lines, scalar);
    } else if (lines.static_elements == static_cast<std::int32_t>(lines.pitch) || lines.lines == 1) {
      fill_run(m, dst, 0, lines.count * lines.elements, scalar);
    } else {
      for (std::uint32_t line = 0; line < lines.count; ++line)
        fill_run(m, dst, line * lines.pitch, lines.elements, scalar);
    }
  }

 private:
  template <class M>
  static TS_INLINE void fill_run(M& m, const TileRef& dst, std::uint32_t at, std::uint32_t left,
                                 const LaneScalar& scalar) {
    for (; left >= M::kLanes; at += M::kLanes) fill_register(m, dst, at, left, scalar);
    if (left > 0) fill_register(m, dst, at, left, scalar);
  }
  template <class M>
  static TS_INLINE void fill_register(M& m, const TileRef& dst, std::uint32_t at, std::uint32_t& left,
                                      const LaneScalar& scalar) {
    auto active = m.plt(left);
    m.vlds(dst.ub(), at);  // nobody uses it: the library's template for a tile and a scalar loads its tile
    m.vsts(m.vdup(scalar, active), dst.ub(), at, active);
  }
  // 64-bit elements: low and high words, one step a line.
  template <class M>
  static TS_INLINE void by_words(M& m, const TileRef& dst, const FillLines& lines, const LaneScalar& scalar) {
    for (std::uint32_t line = 0; line < lines.count; ++line) {
      std::uint32_t left = lines.elements;
      auto active = m.template plt<std::uint32_t>(left);
      m.emu_vsts_intlv(m.vdup_words(scalar, active), dst.ub(), line * lines.pitch * 8, active);
    }
  }
};

struct TexpandsA2A3 {
  template <class M>
  static TS_INLINE void lower(M& m, const Bound& bound) {
    const TileRef dst = bound.tile("dst");
    const LaneScalar scalar = lane_scalar(bound, "scalar");
    const bool quirk = bound.options->quirk_texpands != 0;
    if (dst.type.loc == TileLoc::Mat) return fill_l1(m, dst, scalar, quirk);
    const FillLines lines = fill_lines(dst);
    if (lines.count == 0 || lines.elements == 0) return;
    if constexpr (sizeof(typename M::T) == 1) {
      // The hardware fills pairs of bytes; of an odd number it writes one byte more.
      const std::uint64_t byte = scalar.bits & 0xFF;
      fill<std::uint16_t>(m, dst, lines, {byte | byte << 8, DType::U16, scalar.origin}, quirk);
    } else {
      fill<typename M::T>(m, dst, lines, scalar, quirk);
    }
  }

 private:
  template <class U, class M>
  static TS_INLINE void fill(M& m, const TileRef& dst, const FillLines& lines, const LaneScalar& scalar, bool quirk) {
    const auto units = [](std::uint32_t elements) {
      return static_cast<std::uint32_t>((elements * sizeof(typename M::T) + sizeof(U) - 1) / sizeof(U));
    };
    m.set_mask_count();
    if (one_run(lines, quirk)) {
      m.set_vector_mask(0, units(lines.count * lines.elements));
      m.template vector_dup<U>(dst.ub(), scalar, 0, {});
    } else {
      m.set_vector_mask(0, units(lines.elements));
      const std::uint32_t pitch = lines.pitch * dst.elem_bytes();
      for (std::uint32_t line = 0; line < lines.count; ++line)
        m.template vector_dup<U>({dst.address + line * pitch}, scalar, 0, {});
    }
    m.set_mask_norm();
    m.set_mask_all();
  }
  // The library compares with the static valid size instead of the tile's, and so takes a strided region for one run; the
  // documents' meaning needs the bytes to follow each other.
  static bool one_run(const FillLines& lines, bool quirk) {
    const bool by_type = lines.lines == 1 || lines.static_elements == static_cast<std::int32_t>(lines.pitch);
    const bool by_size = lines.count == 1 || static_cast<std::int32_t>(lines.elements) == lines.static_elements;
    return by_type || (by_size && (quirk || lines.count == 1 || lines.elements == lines.pitch));
  }
};

TS_LOWERINGS(texpands, On<Target::A5, TexpandsA5, ByWidth>, On<Target::A2A3, TexpandsA2A3, ByWidthTo32>);

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <fmt/format.h>

namespace ts {
namespace {

TS_MACHINES(texpands);

DTypeSet texpands_types(Target target, const Options& options) {
  return target == Target::A5 && options.library_types ? kAllTypes : kTypesTo32;
}

void conv_rules(RuleCheck& check, const TileType& type) {
  if (check.target() != Target::A5) return;
  const bool three_d = type.conv == ConvLayout::NDC1HWC0 || type.conv == ConvLayout::FractalZ3D;
  std::uint64_t product = 1;
  for (std::size_t i = 0; i < (three_d ? 5u : 4u) && type.conv_dims[i] != 0; ++i) product *= type.conv_dims[i];
  if (product < 1 || product > 32767)
    check.error(three_d ? "TXS-R6" : "TXS-R5", "dst", fmt::format("{} not in 1..32767", product));
}

void mat_rules(RuleCheck& check) {
  const TileRef& dst = check.tile("dst");
  const std::uint64_t blocks = dst.type.size_bytes() / BLK;
  if (dst.type.conv != ConvLayout::None) {
    conv_rules(check, dst.type);
  } else if (blocks < 1 || blocks > 32767) {
    check.error("TXS-R4", "dst", fmt::format("{} blocks not in 1..32767", blocks), "fill the tile in pieces");
  }
  const auto value = static_cast<std::int8_t>(check.bound().scalar("scalar").bits);
  if (dst.type.dtype == DType::I8 && value < 0)
    check.warn("TXS-W2", "scalar",
               fmt::format("the library fills {:02x} ff {:02x} ff for {}", value & 0xFF, value & 0xFF, value),
               check.options().quirk_texpands
                   ? ""
                   : "the emulator fills the scalar; option quirks.texpands fills what the library does");
}

void vec_rules(RuleCheck& check) {
  const TileRef& dst = check.tile("dst");
  if (!dst.type.row_major() && !dst.type.col_major()) {
    check.error("TXS-R3", "dst", fmt::format("dst is {}, needs row_major or col_major", dst.type.layout_name()));
    return;
  }
  if (dst.elem_bytes() == 8) {
    if (!dst.type.row_major()) check.error("TXS-R2", "dst", "64-bit elements need row_major");
    if (dst.valid_cols > 64) check.error("TXS-R2", "dst", fmt::format("64-bit validCol {} > 64", dst.valid_cols));
  }
  const bool rows = dst.type.row_major();
  const std::int32_t fixed = rows ? dst.type.valid_cols : dst.type.valid_rows;
  const std::uint32_t line = rows ? dst.cols() : dst.rows(), lines = rows ? dst.valid_rows : dst.valid_cols;
  if (check.target() == Target::A2A3 && fixed != kDynamic && static_cast<std::uint32_t>(fixed) < line && lines > 1)
    check.warn("TXS-W1", "dst",
               fmt::format("A2A3 library fills contiguously for static valid {}x{} in {}x{}", dst.valid_rows,
                           dst.valid_cols, dst.rows(), dst.cols()),
               check.options().quirk_texpands
                   ? ""
                   : "make the valid size dynamic; option quirks.texpands fills as the library does");
}

void texpands_rules(RuleCheck& check) {
  const TileRef& dst = check.tile("dst");
  if (dst.type.loc != TileLoc::Vec && dst.type.loc != TileLoc::Mat) {
    check.error("TXS-R1", "dst", fmt::format("dst is in {}", name(dst.type.loc)), "vec or mat");
    return;
  }
  if (check.bound().scalar("scalar").dtype != dst.type.dtype)
    check.error("TXS-R7", "scalar",
                fmt::format("scalar {} vs dst {}", name(check.bound().scalar("scalar").dtype), name(dst.type.dtype)));
  if (dst.type.loc == TileLoc::Mat) {
    mat_rules(check);
  } else {
    vec_rules(check);
  }
}

const InstructionRow texpands{
    .name = "texpands",
    .summary = "Fills a tile with a scalar.",
    .forms = {{"", {scalar("scalar"), any_out("dst")}, "TEXPANDS(dst, scalar)"}},
    .typed_by = "dst",
    .types = texpands_types,
    .type_rules = {"TXS-R2", "TXS-R2"},
    .draw = Drawing::Fill,
    .rules = texpands_rules,
    .moves = true,
    .machines = texpands_machines,
};
const Registered texpands_registered(texpands);

}  // namespace
}  // namespace ts
#endif
