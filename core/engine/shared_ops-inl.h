// What the machines of both targets can do alike; each of them derives from this.
#if defined(TS_ENGINE_SHARED_OPS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_ENGINE_SHARED_OPS_INL_H
#undef TS_ENGINE_SHARED_OPS_INL_H
#else
#define TS_ENGINE_SHARED_OPS_INL_H
#endif

#include "core/engine/arithmetic-inl.h"
#include "core/engine/core_base-inl.h"
#include "core/engine/shared_ops.h"
#include "core/engine/value_kinds.h"
#include "core/isa/options.h"
#include "core/tile/operands.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

// T is the element type that a lowering is compiled for, or AnyLane: then it is asked at run time.
template <class Core, class T>
class SharedOps {
 public:
  template <class U = T>
  TS_INLINE LaneOf<U> ty() const {
    if constexpr (std::is_same_v<U, T>) {
      return lane_;
    } else {
      return {};
    }
  }
  TS_INLINE std::uint32_t lanes() const { return lane_.lanes(); }
  TS_INLINE std::uint32_t bytes() const { return lane_.bytes(); }
  DType dtype() const { return lane_; }
  const Options& options() const { return options_; }
  static constexpr std::uint32_t kLanes = std::is_same_v<T, AnyLane> ? 0 : VL / sizeof(T);

  static constexpr const char* mode_name(CompareOp mode) {
    constexpr const char* kNames[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    return kNames[static_cast<int>(mode)];
  }
  static constexpr const char* rounding_name(Rounding rounding) {
    constexpr const char* kNames[] = {"R", "A", "F", "C", "Z", "O"};
    return kNames[static_cast<int>(rounding)];
  }
  static constexpr LaneOp integral_op(Rounding rounding) {
    constexpr LaneOp kOps[] = {LaneOp::RoundEven, LaneOp::RoundAway, LaneOp::RoundDown,
                               LaneOp::RoundUp,   LaneOp::RoundZero, LaneOp::RoundZero};
    return kOps[static_cast<int>(rounding)];
  }

  // `blocks` blocks of L1 from `to` on, full of the scalar.
  template <class U = T>
  TS_INLINE void create_cbuf_matrix(std::uint32_t to, std::uint32_t blocks, const LaneScalar& scalar) {
    constexpr const MicroOp& op = shared::op("create_cbuf_matrix");
    const std::uint32_t size = ty<U>().bytes();
    core_.micro(op, ty<U>(), AddressArg{Space::L1, to, 0, size}, CountArg{"cfg", blocks | 1u << 16}, scalar);
    core_.fill(op, Space::L1, to, size, blocks * BLK / size, scalar);
  }

  // Stores to global memory add to what is there, between these two.
  TS_INLINE void set_atomic_add() { core_.micro(shared::op("set_atomic"), ty<T>()); }
  TS_INLINE void set_atomic_none() { core_.micro(shared::op("set_atomic_none"), ty<T>()); }

  // `count` elements, evenly spaced on both sides.
  TS_INLINE void emu_move(const SpacedElements& to, const SpacedElements& from, std::uint32_t count) {
    constexpr const MicroOp& op = shared::op("emu.move");
    core_.micro(op, ty<T>(), AddressArg{to.space, to.address, 0, bytes()},
                AddressArg{from.space, from.address, 0, bytes()}, CountArg{"elements", count});
    core_.copy_elements(op, to, from, bytes(), count);
  }
  TS_INLINE void emu_fill(Ub to, std::uint32_t size, std::uint8_t value) {
    constexpr const MicroOp& op = shared::op("emu.fill");
    core_.micro(op, DType::U8, AddressArg{Space::Ub, to.address, 0, 1}, CountArg{"bytes", size},
                CountArg{"value", value});
    core_.fill(op, Space::Ub, to.address, 1, size, LaneScalar{value, DType::U8, 0});
  }
  TS_INLINE void emu_unspecified(Ub base, std::uint32_t size, const char* why) {
    if (size == 0) return;
    core_.micro(shared::op("emu.unspecified"), ty<T>(), AddressArg{Space::Ub, base.address, 0, bytes()},
                CountArg{"bytes", size});
    core_.unspecified(Space::Ub, base.address, size, why);
  }

 protected:
  TS_INLINE SharedOps(Core& core, LaneOf<T> lane, const Options& options)
      : core_(core), lane_(lane), options_(options) {}
  // One run of bytes to global memory.
  TS_INLINE void store_run(const MicroOp& op, std::uint64_t to, Space space, std::uint64_t from, std::uint32_t size,
                           bool adding) {
    if constexpr (kCanAdd) {
      if (adding) return add_run(op, to, space, from, size);
    }
    core_.copy(op, Space::Gm, to, space, from, size);
  }
  // `lines` lines of `elements` elements into groups of a block: element d of line n goes to block n of group d / C0. The
  // rest of a line's last block is zero.
  TS_INLINE void load_fractal(const MicroOp& op, std::uint32_t to, std::uint32_t group_stride, std::uint64_t from,
                              std::uint64_t line_stride, std::uint64_t element_step, std::uint32_t lines,
                              std::uint32_t elements) {
    const std::uint32_t kSize = bytes(), kGroup = BLK / kSize;
    for (std::uint32_t line = 0; line < lines; ++line) {
      for (std::uint32_t first = 0; first < elements; first += kGroup) {
        const std::uint32_t count = elements - first < kGroup ? elements - first : kGroup,
                            block = to + first / kGroup * group_stride + line * BLK;
        const std::uint64_t source = from + line * line_stride + first * element_step;
        if (element_step == kSize) {
          core_.copy(op, Space::L1, block, Space::Gm, source, count * kSize);
        } else {
          core_.copy_elements(op, {Space::L1, block, kSize},
                              {Space::Gm, source, static_cast<std::uint32_t>(element_step)}, kSize, count);
        }
        core_.fill(op, Space::L1, block + count * kSize, kSize, kGroup - count, LaneScalar{0, ty<T>(), 0});
      }
    }
  }
  static TS_INLINE Indexed span_of(const TileRef& tile) {
    return {tile.address, static_cast<std::uint32_t>(tile.type.size_bytes())};
  }

  Core& core_;
  [[no_unique_address]] LaneOf<T> lane_;
  const Options& options_;

 private:
  static constexpr bool kCanAdd = std::is_same_v<T, float> || std::is_same_v<T, f16> || std::is_same_v<T, bf16> ||
                                  std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int16_t> ||
                                  std::is_same_v<T, std::int8_t>;

  void add_run(const MicroOp& op, std::uint64_t to, Space space, std::uint64_t from, std::uint32_t size) {
    for (std::uint32_t done = 0; done < size; done += VL) {
      const std::uint32_t n = size - done < VL ? size - done : VL;
      auto there = core_.template load<LoadKind::Some>(ty<T>(), op, Space::Gm, to + done, n, 1, n);
      auto added = core_.template load<LoadKind::Some>(ty<T>(), op, space, from + done, n, 1, n);
      auto on = core_.predicate(first_lanes_of(bytes(), n / bytes()));
      auto sum = core_.template lanewise<LaneOp::Add>(ty<T>(), on, there, added);
      core_.store_span(op, Space::Gm, to + done, sum, n);
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
