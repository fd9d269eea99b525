// Selection by packed mask bits.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/instructions/select.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "core/a5/shapes-inl.h"
#include "core/instructions/family-inl.h"

// TSELS dst, mask, src, scalar: dst[r][c] = bit(r, c) ? src[r][c] : scalar, where bit(r, c) is bit c%8 of byte
// mask + r*pitch + c/8, and pitch is the mask tile's static row in bytes, whatever its element type.
HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

struct TselsA5 {
  template <class M>
  static TS_INLINE void lower(M& m, const Bound& bound) {
    const TileRef dst = bound.tile("dst"), mask = bound.tile("mask"), src = bound.tile("src");
    const LaneScalar scalar = lane_scalar(bound, "scalar");
    if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
    if constexpr (sizeof(typename M::T) == 4) {
      by_register_pairs(m, dst, mask, src, scalar);
    } else {
      by_registers(m, dst, mask, src, scalar);
    }
  }

 private:
  template <class M>
  static TS_INLINE void by_registers(M& m, const TileRef& dst, const TileRef& mask, const TileRef& src, const LaneScalar& scalar) {
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
  static TS_INLINE void select_pair(M& m, const TileRef& dst, const TileRef& mask, const TileRef& src, const typename M::Reg& fill,
                                     const typename M::Pred& all, std::uint32_t row, std::uint32_t col, std::uint32_t& left) {
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
  static TS_INLINE void by_register_pairs(M& m, const TileRef& dst, const TileRef& mask, const TileRef& src, const LaneScalar& scalar) {
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

TS_LOWERINGS(tsels, On<Target::A5, TselsA5, WidthList<std::uint8_t, std::uint16_t, std::uint32_t>>,
             On<Target::A2A3, TselsA2A3, WidthList<std::uint16_t, std::uint32_t>>);

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <fmt/format.h>

namespace ts {
namespace {

TS_MACHINES(tsels);

DTypeSet tsels_types(Target target, const Options& options) {
  if (target == Target::A5)
    return {DType::I8, DType::U8, DType::I16, DType::U16, DType::I32, DType::U32, DType::F16, DType::F32};
  if (!options.library_types) return {DType::F16, DType::F32};
  return {DType::I16, DType::U16, DType::I32, DType::U32, DType::F16, DType::BF16, DType::F32};
}

void tsels_rules(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &mask = check.tile("mask"), &src = check.tile("src");
  const Scalar& scalar = check.bound().scalar("scalar");
  if (dst.type.dtype != src.type.dtype || scalar.dtype != src.type.dtype) {
    check.error("TSS-R3", "scalar",
                fmt::format("dst {}, src {}, scalar {} differ", name(dst.type.dtype), name(src.type.dtype), name(scalar.dtype)));
  }
  for (const char* tile : {"dst", "src"}) check.need_row_major("TSS-R4", tile);
  if (check.target() == Target::A5) check.need_row_major("TSS-R5", "mask");
  check.need_same_valid("TSS-R6", "src", "dst");
  if (mask.pitch_bytes() * 8 < dst.valid_cols)
    check.warn("TSS-R7", "mask", fmt::format("mask row of {} bits < validCol {}", mask.pitch_bytes() * 8, dst.valid_cols),
               "the last columns would be decided by the next row's bits");
  if (mask.rows() < dst.valid_rows)
    check.warn("TSS-R7", "mask", fmt::format("mask has {} rows < validRow {}", mask.rows(), dst.valid_rows),
               "the last rows would be decided by bytes behind the mask");
  check.warn_overlap("dst", "src", true);
  check.warn_overlap("dst", "mask", false);
  if (check.target() == Target::A5) return;
  if (check.tile("tmp").type.dtype != src.type.dtype || check.tile("tmp").type.size_bytes() < 16) {
    const TileRef& tmp = check.tile("tmp");
    check.documented("TSS-R8", "tmp",
                     fmt::format("tmp {}x{} {} cannot hold scalar {}", tmp.rows(), tmp.cols(), name(tmp.type.dtype), name(scalar.dtype)),
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
    .forms = {{"", {mask("mask"), in("src"), optional_tmp("tmp"), scalar("scalar"), out("dst")}, "TSELS(dst, mask, src, tmp, scalar)"}},
    .typed_by = "dst",
    .types = tsels_types,
    .type_rules = {"TSS-R1", "TSS-R2"},
    .draw = Drawing::Select,
    .rules = tsels_rules,
    .scratch = tsels_scratch,
    .machines = tsels_machines,
};
const Registered tsels_registered(tsels);

}  // namespace
}  // namespace ts
#endif
