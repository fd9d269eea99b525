// What the machines of both targets can do alike; each of them derives from this.
#if defined(TS_ENGINE_SHARED_OPS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_ENGINE_SHARED_OPS_INL_H
#undef TS_ENGINE_SHARED_OPS_INL_H
#else
#define TS_ENGINE_SHARED_OPS_INL_H
#endif

#include "core/engine/core_base-inl.h"
#include "core/engine/shared_ops.h"
#include "core/tile/operands.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

template <class Core, class T>
class SharedOps {
 public:
  // `blocks` blocks of L1 from `to` on, full of the scalar.
  template <class U>
  TS_INLINE void create_cbuf_matrix(std::uint32_t to, std::uint32_t blocks, const LaneScalar& scalar) {
    constexpr const MicroOp& op = shared::op("create_cbuf_matrix");
    core_.micro(op, dtype_of<U>, AddressArg{Space::L1, to, 0, sizeof(U)}, CountArg{"cfg", blocks | 1u << 16}, scalar);
    core_.fill(op, Space::L1, to, sizeof(U), blocks * BLK / static_cast<std::uint32_t>(sizeof(U)), scalar);
  }

  // `count` elements, evenly spaced on both sides.
  TS_INLINE void emu_move(const Elements& to, const Elements& from, std::uint32_t count) {
    constexpr const MicroOp& op = shared::op("emu.move");
    core_.micro(op, dtype_of<T>, AddressArg{to.space, to.address, 0, sizeof(T)}, AddressArg{from.space, from.address, 0, sizeof(T)},
                CountArg{"elements", count});
    core_.copy_elements(op, to, from, sizeof(T), count);
  }
  TS_INLINE void emu_fill(Ub to, std::uint32_t bytes, std::uint8_t value) {
    constexpr const MicroOp& op = shared::op("emu.fill");
    core_.micro(op, DType::U8, AddressArg{Space::Ub, to.address, 0, 1}, CountArg{"bytes", bytes}, CountArg{"value", value});
    core_.fill(op, Space::Ub, to.address, 1, bytes, LaneScalar{value, DType::U8, 0});
  }
  TS_INLINE void emu_unspecified(Ub base, std::uint32_t bytes, const char* why) {
    if (bytes == 0) return;
    core_.micro(shared::op("emu.unspecified"), dtype_of<T>, AddressArg{Space::Ub, base.address, 0, sizeof(T)}, CountArg{"bytes", bytes});
    core_.unspecified(Space::Ub, base.address, bytes, why);
  }

 protected:
  explicit TS_INLINE SharedOps(Core& core) : core_(core) {}
  static TS_INLINE Indexed span_of(const TileRef& tile) { return {tile.address, static_cast<std::uint32_t>(tile.type.size_bytes())}; }

  Core& core_;
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
