// Gathering by offsets that a tile holds.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/instructions/gather.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "core/a5/shapes-inl.h"
#include "core/instructions/family-inl.h"
#include "core/instructions/granularity.h"

// TGATHERB dst, src, offsets; offsets are bytes from src's address.
//   element: dst[r][c] = the element at src + offsets[r][c]
//   block:   bytes 32b .. 32b+31 of dst's row r = the 32 bytes at src + offsets[r][b]
HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

struct TgatherbA5 {
  template <class M>
  static TS_INLINE void lower(M& m, const Bound& bound) {
    const TileRef dst = bound.tile("dst"), src = bound.tile("src"), offsets = bound.tile("offsets");
    if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
    if (granularity_of(bound) == kBlock) {
      blocks(m, dst, src, offsets);
    } else {
      elements(m, dst, src, offsets);
    }
  }

 private:
  // The headers walk rows first where a row is more registers than the tile has rows; the steps are the same.
  template <class M>
  static TS_INLINE void blocks(M& m, const TileRef& dst, const TileRef& src, const TileRef& offsets) {
    const std::uint32_t cols = dst.valid_cols, whole = cols / M::kLanes * M::kLanes, tail = cols - whole;
    if (ceil_div(dst.cols(), M::kLanes) > dst.rows()) {
      for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
        for (std::uint32_t col = 0; col < whole; col += M::kLanes)
          block_step<true>(m, dst, src, offsets, row, col, M::kLanes);
        if (tail > 0) block_step<true>(m, dst, src, offsets, row, whole, tail);
      }
    } else {
      for (std::uint32_t col = 0; col < whole; col += M::kLanes)
        for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
          block_step<false>(m, dst, src, offsets, row, col, M::kLanes);
      for (std::uint32_t row = 0; row < dst.valid_rows && tail > 0; ++row)
        block_step<false>(m, dst, src, offsets, row, whole, tail);
    }
  }
  // The row-first form stores in words of 32 bits, whatever the element type.
  template <bool kWords, class M>
  static TS_INLINE void block_step(M& m, const TileRef& dst, const TileRef& src, const TileRef& offsets,
                                   std::uint32_t row, std::uint32_t col, std::uint32_t lanes) {
    using T = typename M::T;
    const auto stored = static_cast<std::uint32_t>(ceil_div(lanes * sizeof(T), BLK));
    auto active = m.plt(lanes);
    auto at = m.template vlds<std::uint32_t>(
        offsets.ub(), row * offsets.row_stride() + static_cast<std::uint32_t>(col * sizeof(T) / BLK));
    auto value = m.vgatherb(src, at, active, stored);
    if constexpr (kWords && sizeof(T) < 4) {
      m.template vsts<std::uint32_t>(
          value, {dst.address + (row * dst.row_stride() + col) * static_cast<std::uint32_t>(sizeof(T))}, 0, active);
    } else {
      m.vsts(value, dst.ub(), row * dst.row_stride() + col, active);
    }
  }

  // The hardware's library has no element form: this sequence is the emulator's own. Elements of 8 and 16 bits are
  // fetched by 16-bit indices.
  template <class M>
  static TS_INLINE void elements(M& m, const TileRef& dst, const TileRef& src, const TileRef& offsets) {
    using T = typename M::T;
    using Idx = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>;
    for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
      std::uint32_t left = dst.valid_cols;
      for (std::uint32_t col = 0; col < dst.valid_cols; col += EPR<Idx>) {
        auto index = indices<Idx>(m, offsets, row * offsets.row_stride() + col, left);
        auto active = m.template plt<Idx>(left);
        auto value = m.template vgather2<Idx>(src, index, active);
        m.vsts_gathered(value, dst.ub(), row * dst.row_stride() + col, active);
      }
    }
  }
  // Byte offsets to element indices; 16-bit ones are the low halves of two registers.
  template <class Idx, class M>
  static TS_INLINE auto indices(M& m, const TileRef& offsets, std::uint32_t at, std::uint32_t left) {
    auto first = shifted(m, offsets, at, left);
    if constexpr (sizeof(Idx) == 4) {
      return first;
    } else {
      auto second = shifted(m, offsets, at + EPR<std::uint32_t>, left);
      return m.template vdintlv<std::uint16_t>(first, second).lo;
    }
  }
  template <class M>
  static TS_INLINE auto shifted(M& m, const TileRef& offsets, std::uint32_t at, std::uint32_t& left) {
    using T = typename M::T;
    auto active = m.template plt<std::uint32_t>(left);
    auto bytes = m.template vlds<std::uint32_t>(offsets.ub(), at);
    m.watch_offsets(bytes, active);
    return m.template vshrs<std::uint32_t>(bytes, sizeof(T) == 4 ? 2 : sizeof(T) == 2 ? 1 : 0, active);
  }
};

struct TgatherbA2A3 {
  template <class M>
  static TS_INLINE void lower(M& m, const Bound& bound) {
    const TileRef dst = bound.tile("dst"), src = bound.tile("src"), offsets = bound.tile("offsets");
    if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
    if (granularity_of(bound) == kBlock) {
      blocks(m, dst, src, offsets, bound.options->quirk_tgatherb != 0);
    } else {
      elements(m, dst, src, offsets);
    }
  }

 private:
  template <class M>
  static TS_INLINE void blocks(M& m, const TileRef& dst, const TileRef& src, const TileRef& offsets, bool quirk) {
    const std::uint32_t whole = dst.valid_cols / M::kLanes, tail = dst.valid_cols % M::kLanes;
    for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
      for (std::uint32_t done = 0; done < whole; done += M::kMaxRepeat)
        m.vgatherb({dst.at(row, done * M::kLanes)}, {offsets.at(row, done * 8)}, src, 8,
                   std::min(whole - done, M::kMaxRepeat));
    if (tail == 0) return;
    if (!quirk) {
      for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
        m.emu_vgatherb({dst.at(row, whole * M::kLanes)}, {offsets.at(row, whole * 8)}, src, tail);
      return;
    }
    // The library's tails: eight blocks a row, and offsets that advance by eight a row whatever the tile's pitch.
    for (std::uint32_t row = 0; row < dst.valid_rows; row += M::kMaxRepeat)
      m.vgatherb({dst.at(row, 0) + whole * VL}, {offsets.at(row, 0) + whole * BLK}, src, dst.pitch_bytes() / BLK,
                 std::min(dst.valid_rows - row, M::kMaxRepeat));
  }

  template <class M>
  static TS_INLINE void elements(M& m, const TileRef& dst, const TileRef& src, const TileRef& offsets) {
    if constexpr (sizeof(typename M::T) == 1) {
      for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
        m.scalar_gather({dst.at(row, 0)}, {offsets.at(row, 0)}, src, dst.valid_cols);
    } else {
      m.set_mask_count();
      m.set_vector_mask(0, dst.valid_cols);
      for (std::uint32_t row = 0; row < dst.valid_rows; ++row) m.vgather({dst.at(row, 0)}, {offsets.at(row, 0)}, src);
      m.set_mask_norm();
      m.set_mask_all();
    }
  }
};

TS_LOWERINGS(tgatherb, On<Target::A5, TgatherbA5, ByWidthTo32>, On<Target::A2A3, TgatherbA2A3, ByWidthTo32>);

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <fmt/format.h>

namespace ts {
namespace {

TS_MACHINES(tgatherb);

DTypeSet tgatherb_types(Target, const Options&) { return kTypesTo32; }

// Offsets that a row uses.
std::uint32_t offsets_a_row(const Bound& bound) {
  const TileRef& dst = bound.tile("dst");
  return granularity_of(bound) == kBlock ? blocks_a_row(dst) : dst.valid_cols;
}

void granularity_rules(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &offsets = check.tile("offsets");
  const std::uint32_t blocks = blocks_a_row(dst), given = offsets.valid_cols;
  const Granularity chosen = granularity_of(check.bound());
  if (chosen == kAuto) {
    check.error("TGB-R6", "offsets",
                fmt::format("offsets validCol {} is neither {} nor {}", given, dst.valid_cols, blocks),
                "one offset an element, or one for each 32 bytes of a row");
    return;
  }
  if (offsets.cols() < offsets_a_row(check.bound()))
    check.error("TGB-R6", "offsets",
                fmt::format("offsets Cols {} < {} offsets a row", offsets.cols(), offsets_a_row(check.bound())));
  const bool decided = check.bound().attribute("granularity") != kAuto || check.options().tgatherb_granularity != kAuto;
  if (decided) return;
  const std::uint32_t padded = (blocks + 7) / 8 * 8;
  if (chosen == kBlock && given != blocks)
    check.warn("TGB-W1", "offsets", fmt::format("offsets validCol {} is {} padded to 8", given, blocks),
               "set the valid columns to the blocks of a row");
  if (chosen == kElement && (given == blocks || given == padded))
    check.note(
        "TGB-N1", "offsets",
        fmt::format("offsets {} == validCol; element granularity chosen, set granularity=block for hardware behaviour",
                    given));
}

void tail_rules(RuleCheck& check) {
  const TileRef& dst = check.tile("dst");
  const std::uint32_t lanes = VL / dst.elem_bytes(), tail = dst.valid_cols % lanes;
  if (tail == 0 || granularity_of(check.bound()) != kBlock) return;
  if (check.target() == Target::A2A3) {
    check.warn(
        "TGB-R7", "dst",
        fmt::format("validCol {} leaves a {}-element tail; hardware stores 8 blocks", dst.valid_cols, tail),
        check.options().quirk_tgatherb
            ? "the rest of the row and what follows it is overwritten"
            : "the emulator stores the valid elements only; option quirks.tgatherb stores what the hardware does");
  } else if ((dst.cols() + lanes - 1) / lanes > dst.rows() && tail * dst.elem_bytes() % 4 != 0) {
    check.note("TGB-N2", "dst",
               fmt::format("row tails are stored in words: up to {} bytes after column {} change",
                           4 - tail * dst.elem_bytes() % 4, dst.valid_cols));
  }
}

void tgatherb_rules(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &offsets = check.tile("offsets");
  check.need_row_major("TGB-R1", "dst");
  check.need_row_major("TGB-R1", "offsets");
  const DType source = check.tile("src").type.dtype;
  if (!tgatherb_types(check.target(), check.options()).contains(source))
    check.error("TGB-R2", "src", fmt::format("{} not supported", name(source)));
  if (offsets.type.dtype != DType::U32 && offsets.type.dtype != DType::I32)
    check.error("TGB-R3", "offsets", fmt::format("offsets are {}, need u32", name(offsets.type.dtype)));
  if (offsets.valid_rows < dst.valid_rows)
    check.error("TGB-R6", "offsets",
                fmt::format("offsets validRow {} < dst validRow {}", offsets.valid_rows, dst.valid_rows));
  granularity_rules(check);
  tail_rules(check);
  for (const char* other : {"src", "offsets"}) check.warn_overlap("dst", other, false);
}

// Every offset that is used. The first one that breaks a rule is told for all.
void tgatherb_data_rules(RuleCheck& check, const Memory& before) {
  const TileRef &dst = check.tile("dst"), &src = check.tile("src"), &offsets = check.tile("offsets");
  const bool block = granularity_of(check.bound()) == kBlock;
  const std::uint32_t size = block ? BLK : dst.elem_bytes(), count = offsets_a_row(check.bound());
  const bool short_index = !block && check.target() == Target::A5 && dst.elem_bytes() < 4;
  bool told_outside = false;
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t offset = before.element(Space::Ub, offsets.at(row, i), 4, offsets.core);
      const DiagnosticElement here{row, i};
      const std::string which = fmt::format("offset[{},{}]={}", row, i, offset);
      if (offset % size != 0 || (block && src.address % BLK != 0))
        return check.error_about(FindingKind::Align, here, block ? "TGB-R4" : "TGB-R5", "offsets",
                                 fmt::format("{} not {}-byte aligned", which, size),
                                 "offsets are bytes from src's address");
      if (src.address + offset + size > before.map().size(Space::Ub))
        return check.error_about(FindingKind::Offset, here, "MEM-BOUNDS", "offsets",
                                 fmt::format("{} leaves ub: 0x{:x}+{} of {}", which, src.address + offset, size,
                                             before.map().size(Space::Ub)));
      if (short_index && offset / size > 0xFFFF)
        return check.error_about(FindingKind::Offset, here, "TGB-R8", "offsets",
                                 fmt::format("{} is element {}; 16-bit indices end at 65535", which, offset / size),
                                 "gather from a tile that starts later");
      if (!told_outside && offset + size > src.type.size_bytes()) {
        check.warn("TGB-W2", "offsets", fmt::format("{} outside src of {} bytes", which, src.type.size_bytes()),
                   "the value is whatever stands there");
        check.about(FindingKind::Offset, here);
        told_outside = true;
      }
    }
  }
}

const InstructionRow tgatherb{
    .name = "tgatherb",
    .summary = "Fetches elements, or blocks of 32 bytes, from the byte offsets that a tile holds.",
    .forms = {{"", {in("src"), offsets("offsets"), out("dst")}, "TGATHERB(dst, src, offsets)"}},
    .attributes = {{"granularity", "auto|element|block"}},
    .typed_by = "dst",
    .types = tgatherb_types,
    .type_rules = {"TGB-R2", "TGB-R2"},
    .draw = Drawing::Gather,
    .rules = tgatherb_rules,
    .data_rules = tgatherb_data_rules,
    .moves = true,
    .machines = tgatherb_machines,
};
const Registered tgatherb_registered(tgatherb);

}  // namespace
}  // namespace ts
#endif
