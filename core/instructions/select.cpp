// Selection by packed mask bits.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/instructions/select.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "core/a5/shapes-inl.h"
#include "core/instructions/family-inl.h"

// TSEL dst, mask, src0, src1:   dst[r][c] = bit(r, c) ? src0[r][c] : src1[r][c].
// TSELS dst, mask, src, scalar: dst[r][c] = bit(r, c) ? src[r][c] : scalar, where bit(r, c) is bit c%8 of byte
// mask + r*pitch + c/8, and pitch is the mask tile's static row in bytes, whatever its element type.
HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

// 64-bit elements are selected as words: 16 mask bytes serve the 64 elements of a step.
inline constexpr std::uint32_t kWordLanes = EPR<std::uint32_t>;

template <class M>
TS_INLINE auto word_bits(M& m, const TileRef& mask, std::uint32_t row, std::uint32_t col) {
  const std::uint32_t at = row * mask.pitch_bytes() + col / 8;
  return m.punpack_lower(col == 0 ? m.plds_us(mask.ub(), at) : m.emu_plds(mask.ub(), at));
}

struct TselsA5 {
  template <class M>
  static TS_INLINE void lower(M& m, const Bound& bound) {
    const TileRef dst = bound.tile("dst"), mask = bound.tile("mask"), src = bound.tile("src");
    const LaneScalar scalar = lane_scalar(bound, "scalar");
    if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
    if constexpr (sizeof(typename M::T) == 8) {
      by_words(m, dst, mask, src, scalar);
    } else if constexpr (sizeof(typename M::T) == 4) {
      by_register_pairs(m, dst, mask, src, scalar);
    } else {
      by_registers(m, dst, mask, src, scalar);
    }
  }

 private:
  template <class M>
  static TS_INLINE void by_words(M& m, const TileRef& dst, const TileRef& mask, const TileRef& src,
                                 const LaneScalar& scalar) {
    auto all = m.template pset_all<std::uint32_t>();
    auto fill = m.vdup_words(scalar, all);
    for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
      std::uint32_t left = dst.valid_cols;
      for (std::uint32_t col = 0; col < dst.valid_cols; col += kWordLanes) {
        auto bits = word_bits(m, mask, row, col);
        auto words = m.vlds_dintlv_b32(src.ub(), (row * src.row_stride() + col) * 8);
        auto low = m.template vsel<std::uint32_t>(words.lo, fill.lo, bits);
        auto high = m.template vsel<std::uint32_t>(words.hi, fill.hi, bits);
        m.emu_vsts_intlv({low, high}, dst.ub(), (row * dst.row_stride() + col) * 8,
                         m.template plt<std::uint32_t>(left));
      }
    }
  }

  template <class M>
  static TS_INLINE void by_registers(M& m, const TileRef& dst, const TileRef& mask, const TileRef& src,
                                     const LaneScalar& scalar) {
    auto fill = m.vdup(scalar, m.pset_all());
    for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
      std::uint32_t left = dst.valid_cols;
      for (std::uint32_t col = 0; col < dst.valid_cols; col += M::kLanes) {
        auto values = m.vlds(src.ub(), row * src.row_stride() + col);
        const std::uint32_t bits_at = row * mask.pitch_bytes() + col / 8;
        auto bits = sizeof(typename M::T) == 2 ? m.plds_us(mask.ub(), bits_at) : m.plds(mask.ub(), bits_at);
        auto chosen = m.vsel(values, fill, bits);
        m.vsts(chosen, dst.ub(), row * dst.row_stride() + col, m.plt(left));
      }
    }
  }

  template <class M>
  static TS_INLINE void select_pair(M& m, const TileRef& dst, const TileRef& mask, const TileRef& src,
                                    const typename M::Reg& fill, const typename M::Pred& all, std::uint32_t row,
                                    std::uint32_t col, std::uint32_t& left) {
    const std::uint32_t from = row * src.row_stride() + col, to = row * dst.row_stride() + col;
    auto bits = m.pintlv_b16(m.plds_us(mask.ub(), row * mask.pitch_bytes() + col / 8), all);
    auto a = m.vlds(src.ub(), from);
    auto b = m.vlds(src.ub(), from + M::kLanes);
    auto x = m.vsel(a, fill, bits.lo);
    auto y = m.vsel(b, fill, bits.hi);
    m.vsts(x, dst.ub(), to, m.plt(left));
    m.vsts(y, dst.ub(), to + M::kLanes, m.plt(left));
  }

  // 128 mask bits serve two registers of 64 lanes; a last odd register is done after all pairs of all rows.
  template <class M>
  static TS_INLINE void by_register_pairs(M& m, const TileRef& dst, const TileRef& mask, const TileRef& src,
                                          const LaneScalar& scalar) {
    constexpr std::uint32_t kLanes = M::kLanes;
    const std::uint32_t pairs = ceil_div(dst.valid_cols, kLanes) / 2;
    std::uint32_t lanes = dst.valid_cols;
    auto fill = m.vdup(scalar, m.plt(lanes));
    auto all = m.template pset_all<std::uint16_t>();
    for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
      std::uint32_t left = dst.valid_cols, col = 0;
      // Whole pairs and a last, masked one run the same sequence; apart, the compiler sees that the first need no mask.
      for (; left >= 2 * kLanes; col += 2 * kLanes) select_pair(m, dst, mask, src, fill, all, row, col, left);
      if (col < pairs * 2 * kLanes) select_pair(m, dst, mask, src, fill, all, row, col, left);
    }
    const std::uint32_t col = pairs * 2 * kLanes;
    for (std::uint32_t row = 0; row < dst.valid_rows && col < dst.valid_cols; ++row) {
      auto bits = m.punpack_lower(m.plds_us(mask.ub(), row * mask.pitch_bytes() + col / 8));
      auto values = m.vlds(src.ub(), row * src.row_stride() + col);
      auto chosen = m.vsel(values, fill, bits);
      std::uint32_t left = dst.valid_cols - col;
      m.vsts(chosen, dst.ub(), row * dst.row_stride() + col, m.plt(left));
    }
  }
};

struct TselsA2A3 {
  template <class M>
  static TS_INLINE void lower(M& m, const Bound& bound) {
    const TileRef dst = bound.tile("dst"), mask = bound.tile("mask"), src = bound.tile("src"), tmp = bound.tile("tmp");
    if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
    m.store_element(tmp.ub(), lane_scalar(bound, "scalar"));
    m.set_mask_count();
    m.set_vector_mask(0, dst.valid_cols);
    m.sync(Pipe::S, Pipe::V);
    m.set_cmpmask(tmp.ub());
    m.pipe_barrier();
    const std::uint32_t dst_pitch = dst.pitch_bytes(), src_pitch = src.pitch_bytes(), mask_pitch = mask.pitch_bytes();
    Ub to = dst.ub(), from = src.ub(), bits = mask.ub();
    for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
      m.vsel_scalar(to, from, bits, 1, {}, {});
      to.address += dst_pitch;
      from.address += src_pitch;
      bits.address += mask_pitch;
    }
    m.set_mask_norm();
    m.set_mask_all();
  }
};

struct TselA5 {
  template <class M>
  static TS_INLINE void lower(M& m, const Bound& bound) {
    const Tiles tiles{bound.tile("dst"), bound.tile("mask"), bound.tile("src0"), bound.tile("src1")};
    if (tiles.dst.valid_rows == 0 || tiles.dst.valid_cols == 0) return;
    if constexpr (sizeof(typename M::T) == 8) {
      by_words(m, tiles);
    } else if constexpr (sizeof(typename M::T) == 4) {
      by_register_pairs(m, tiles, bound.options->quirk_tsel ? tiles.mask.cols() : tiles.mask.pitch_bytes());
    } else {
      by_registers(m, tiles, bound.options->quirk_tsel != 0);
    }
  }

 private:
  struct Tiles {
    TileRef dst, mask, src0, src1;
  };

  // The library goes 16 mask bytes a register, also where a register of bytes needs 32, and takes the mask's columns for
  // its pitch. Where that hits the same bits, its steps run; else the emulator reads the documents' bits.
  template <class M>
  static TS_INLINE void by_registers(M& m, const Tiles& t, bool quirk) {
    const std::uint32_t pitch = quirk ? t.mask.cols() : t.mask.pitch_bytes();
    const bool as_library =
        quirk || ((M::kLanes != 256 || t.dst.valid_cols <= 256) && (t.mask.elem_bytes() == 1 || t.dst.valid_rows == 1));
    for (std::uint32_t row = 0; row < t.dst.valid_rows; ++row) {
      std::uint32_t left = t.dst.valid_cols;
      for (std::uint32_t col = 0, step = 0; col < t.dst.valid_cols; col += M::kLanes, ++step) {
        auto a = m.vlds(t.src0.ub(), row * t.src0.row_stride() + col);
        auto b = m.vlds(t.src1.ub(), row * t.src1.row_stride() + col);
        auto bits = as_library ? library_bits(m, t.mask, row * pitch + 16 * step)
                               : m.emu_plds(t.mask.ub(), row * pitch + col / 8);
        auto chosen = m.vsel(a, b, bits);
        m.vsts(chosen, t.dst.ub(), row * t.dst.row_stride() + col, m.plt(left));
      }
    }
  }
  template <class M>
  static TS_INLINE auto library_bits(M& m, const TileRef& mask, std::uint32_t at) {
    if constexpr (sizeof(typename M::T) == 2) {
      return m.plds_us(mask.ub(), at);
    } else {
      return m.plds(mask.ub(), at);
    }
  }

  template <class M>
  static TS_INLINE void by_register_pairs(M& m, const Tiles& t, std::uint32_t pitch) {
    constexpr std::uint32_t kLanes = M::kLanes;
    const std::uint32_t pairs = ceil_div(t.dst.valid_cols, kLanes) / 2;
    std::uint32_t lanes = t.dst.valid_cols;
    auto first = m.plt(lanes);
    for (std::uint32_t row = 0; row < t.dst.valid_rows; ++row) {
      std::uint32_t left = t.dst.valid_cols;
      for (std::uint32_t col = 0; col < pairs * 2 * kLanes; col += 2 * kLanes) {
        auto bits = m.pintlv_b16(m.plds_us(t.mask.ub(), row * pitch + col / 8), first);
        select_register(m, t, row, col, bits.lo, left);
        select_register(m, t, row, col + kLanes, bits.hi, left);
      }
    }
    const std::uint32_t col = pairs * 2 * kLanes;
    for (std::uint32_t row = 0; row < t.dst.valid_rows && col < t.dst.valid_cols; ++row) {
      std::uint32_t left = t.dst.valid_cols - col;
      select_register(m, t, row, col, m.punpack_lower(m.plds_us(t.mask.ub(), row * pitch + col / 8)), left);
    }
  }
  template <class M>
  static TS_INLINE void select_register(M& m, const Tiles& t, std::uint32_t row, std::uint32_t col,
                                        const typename M::Pred& bits, std::uint32_t& left) {
    auto a = m.vlds(t.src0.ub(), row * t.src0.row_stride() + col);
    auto b = m.vlds(t.src1.ub(), row * t.src1.row_stride() + col);
    auto chosen = m.vsel(a, b, bits);
    m.vsts(chosen, t.dst.ub(), row * t.dst.row_stride() + col, m.plt(left));
  }

  template <class M>
  static TS_INLINE void by_words(M& m, const Tiles& t) {
    for (std::uint32_t row = 0; row < t.dst.valid_rows; ++row) {
      std::uint32_t left = t.dst.valid_cols;
      for (std::uint32_t col = 0; col < t.dst.valid_cols; col += kWordLanes) {
        auto bits = word_bits(m, t.mask, row, col);
        auto a = m.vlds_dintlv_b32(t.src0.ub(), (row * t.src0.row_stride() + col) * 8);
        auto b = m.vlds_dintlv_b32(t.src1.ub(), (row * t.src1.row_stride() + col) * 8);
        auto low = m.template vsel<std::uint32_t>(a.lo, b.lo, bits);
        auto high = m.template vsel<std::uint32_t>(a.hi, b.hi, bits);
        m.emu_vsts_intlv({low, high}, t.dst.ub(), (row * t.dst.row_stride() + col) * 8,
                         m.template plt<std::uint32_t>(left));
      }
    }
  }
};

struct TselA2A3 {
  template <class M>
  static TS_INLINE void lower(M& m, const Bound& bound) {
    const TileRef dst = bound.tile("dst"), mask = bound.tile("mask"), src0 = bound.tile("src0"),
                  src1 = bound.tile("src1"), tmp = bound.tile("tmp");
    if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
    m.set_mask_count();
    for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
      // The address of the mask row goes to CMPMASK by way of tmp.
      m.set_vector_mask(0, sizeof(typename M::T) == 2 ? 4 : 2);
      m.template vector_dup<std::uint32_t>(tmp.ub(), LaneScalar{mask.address + row * mask.pitch_bytes(), DType::U32, 0},
                                           1, {});
      m.pipe_barrier();
      m.set_cmpmask(tmp.ub());
      m.pipe_barrier();
      m.set_vector_mask(0, dst.valid_cols);
      m.vsel_tensor({dst.at(row, 0)}, {src0.at(row, 0)}, {src1.at(row, 0)}, 1, {}, {}, {});
    }
    m.set_mask_norm();
    m.set_mask_all();
  }
};

TS_LOWERINGS(tsels, On<Target::A5, TselsA5, ByWidth>,
             On<Target::A2A3, TselsA2A3, WidthList<std::uint16_t, std::uint32_t>>);
TS_LOWERINGS(tsel, On<Target::A5, TselA5, ByWidth>,
             On<Target::A2A3, TselA2A3, WidthList<std::uint16_t, std::uint32_t>>);

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <fmt/format.h>

namespace ts {
namespace {

TS_MACHINES(tsels);
TS_MACHINES(tsel);

DTypeSet tsels_types(Target target, const Options& options) {
  if (target == Target::A5) {
    DTypeSet types{DType::I8, DType::U8, DType::I16, DType::U16, DType::I32, DType::U32, DType::F16, DType::F32};
    if (options.library_types) types = types | DTypeSet{DType::I64, DType::U64};
    return types;
  }
  if (!options.library_types) return {DType::F16, DType::F32};
  return {DType::I16, DType::U16, DType::I32, DType::U32, DType::F16, DType::BF16, DType::F32};
}

DTypeSet tsel_types(Target target, const Options& options) {
  DTypeSet types{DType::I16, DType::U16, DType::I32, DType::U32, DType::F16, DType::BF16, DType::F32};
  if (target == Target::A5) types = types | DTypeSet{DType::I8, DType::U8};
  if (target == Target::A5 && options.library_types) types = types | DTypeSet{DType::I64, DType::U64};
  return types;
}

// What both demand of the mask, and tell of 64-bit elements.
void mask_rules(RuleCheck& check, const char* row_major_rule, const char* size_rule) {
  const TileRef &dst = check.tile("dst"), &mask = check.tile("mask");
  if (check.target() == Target::A5) check.need_row_major(row_major_rule, "mask");
  if (mask.pitch_bytes() * 8 < dst.valid_cols)
    check.warn(size_rule, "mask",
               fmt::format("mask row of {} bits < validCol {}", mask.pitch_bytes() * 8, dst.valid_cols),
               "the last columns would be decided by the next row's bits");
  if (mask.rows() < dst.valid_rows)
    check.warn(size_rule, "mask", fmt::format("mask has {} rows < validRow {}", mask.rows(), dst.valid_rows),
               "the last rows would be decided by bytes behind the mask");
  if (dst.elem_bytes() == 8 && dst.valid_cols > 64)
    check.warn(size_rule, "dst",
               fmt::format("validCol {} of 64-bit elements; the library does 64 columns", dst.valid_cols),
               "emulator steps do the others");
}

std::string tsels_mask_rule(const Bound& bound) {
  const std::uint32_t pitch = bound.tile("mask").pitch_bytes();
  return fmt::format("8 bits/byte, lowest first, row start aligned: bit c%8 of byte {}*r + c/8 decides element r,c",
                     pitch);
}

std::string tsel_mask_rule(const Bound& bound) {
  if (bound.target != Target::A5 || !bound.options->quirk_tsel) return tsels_mask_rule(bound);
  return fmt::format(
      "8 bits/byte, lowest first, as the library: row r begins at byte {}*r, each register of elements 16 bytes further",
      bound.tile("mask").cols());
}

void tsels_rules(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &src = check.tile("src");
  const Scalar& scalar = check.bound().scalar("scalar");
  if (dst.type.dtype != src.type.dtype || scalar.dtype != src.type.dtype) {
    check.error("TSS-R3", "scalar",
                fmt::format("dst {}, src {}, scalar {} differ", name(dst.type.dtype), name(src.type.dtype),
                            name(scalar.dtype)));
  }
  for (const char* tile : {"dst", "src"}) check.need_row_major("TSS-R4", tile);
  check.need_same_valid("TSS-R6", "src", "dst");
  mask_rules(check, "TSS-R5", "TSS-R7");
  check.warn_overlap("dst", "src", true);
  check.warn_overlap("dst", "mask", false);
  if (check.target() == Target::A5) return;
  if (check.tile("tmp").type.dtype != src.type.dtype || check.tile("tmp").type.size_bytes() < 16) {
    const TileRef& tmp = check.tile("tmp");
    check.documented("TSS-R8", "tmp",
                     fmt::format("tmp {}x{} {} cannot hold scalar {}", tmp.rows(), tmp.cols(), name(tmp.type.dtype),
                                 name(scalar.dtype)),
                     "the first element of tmp takes the scalar; give it the source's type");
  }
  for (const char* other : {"src", "mask", "dst"}) check.warn_overlap("tmp", other, false, "TSS-R9");
}

TileType tsels_scratch(const Bound& bound) {
  const DType type = bound.tile("src").type.dtype;
  if (bound.target == Target::A5) return {.rows = 0};
  return vec_tile(type, 1, BLK / size_bytes(type));
}

const InstructionRow tsels{
    .name = "tsels",
    .summary = "Takes each element from src where its mask bit is 1, and the scalar where it is 0.",
    .forms = {{"",
               {mask("mask"), in("src"), optional_tmp("tmp"), scalar("scalar"), out("dst")},
               "TSELS(dst, mask, src, tmp, scalar)"}},
    .typed_by = "dst",
    .types = tsels_types,
    .type_rules = {"TSS-R1", "TSS-R2"},
    .draw = Drawing::Select,
    .rules = tsels_rules,
    .scratch = tsels_scratch,
    .mask_rule = tsels_mask_rule,
    .moves = true,
    .machines = tsels_machines,
};
const Registered tsels_registered(tsels);

void tsel_rules(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &mask = check.tile("mask");
  for (const char* src : {"src0", "src1"}) check.need_same_type("TSL-R3", src, "dst");
  for (const char* tile : {"dst", "src0", "src1"}) check.need_row_major("TSL-R3", tile);
  mask_rules(check, "TSL-R3", "TSL-R5");
  for (const char* src : {"src0", "src1"}) check.warn_overlap("dst", src, true);
  check.warn_overlap("dst", "mask", false);
  if (check.target() == Target::A5) {
    const bool steps_differ = dst.elem_bytes() == 1 && dst.valid_cols > 256,
               pitch_differs = mask.elem_bytes() > 1 && dst.valid_rows > 1;
    if ((steps_differ || pitch_differs) && dst.elem_bytes() < 8 && !check.options().quirk_tsel)
      check.warn("TSL-W1", "mask",
                 steps_differ
                     ? "hardware sequence steps b8 mask by 16 bytes"
                     : fmt::format("hardware sequence takes {} columns of {} for the mask's row pitch in bytes",
                                   mask.cols(), name(mask.type.dtype)),
                 "the emulator reads the documented bits; option quirks.tsel reads what the library reads");
    return;
  }
  const TileRef& tmp = check.tile("tmp");
  const std::uint32_t needed = dst.elem_bytes() == 2 ? 16 : 8;
  if (tmp.type.size_bytes() < needed || tmp.type.dtype != DType::U32)
    check.documented(
        "TSL-R4", "tmp",
        fmt::format("tmp {} bytes of {}, needs {} of u32", tmp.type.size_bytes(), name(tmp.type.dtype), needed),
        "it takes the address of the mask row");
  for (const char* other : {"src0", "src1", "mask", "dst"}) check.warn_overlap("tmp", other, false);
}

TileType tsel_scratch(const Bound& bound) {
  if (bound.target == Target::A5) return {.rows = 0};
  return vec_tile(DType::U32, 1, BLK / 4);
}

const InstructionRow tsel{
    .name = "tsel",
    .summary = "Takes each element from src0 where its mask bit is 1, and from src1 where it is 0.",
    .forms = {{"",
               {mask("mask"), in("src0"), in("src1"), optional_tmp("tmp"), out("dst")},
               "TSEL(dst, mask, src0, src1, tmp)"}},
    .typed_by = "dst",
    .types = tsel_types,
    .type_rules = {"TSL-R1", "TSL-R2"},
    .draw = Drawing::Select,
    .rules = tsel_rules,
    .scratch = tsel_scratch,
    .mask_rule = tsel_mask_rule,
    .moves = true,
    .machines = tsel_machines,
};
const Registered tsel_registered(tsel);

}  // namespace
}  // namespace ts
#endif
