// What all operations of the A2A3 machine go by: the control registers, repeats of 256 bytes and their strides, and which
// lanes of a repeat the vector mask lets take part.
#if defined(TS_A2A3_REPEATS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_A2A3_REPEATS_INL_H
#undef TS_A2A3_REPEATS_INL_H
#else
#define TS_A2A3_REPEATS_INL_H
#endif

#include <algorithm>

#include "core/a2a3/micro_ops.h"
#include "core/engine/arithmetic-inl.h"
#include "core/engine/core_base-inl.h"
#include "core/engine/gather-inl.h"
#include "core/engine/indexed_ops-inl.h"
#include "core/tile/operands.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

// Block and repeat strides of one operand, in blocks of 32 bytes.
struct Strides {
  std::uint32_t block = 1, repeat = 8;
};

template <class Core, class Element>
class A2A3Repeats : public IndexedOps<Core, Element> {
  using Base = IndexedOps<Core, Element>;

 protected:
  using Base::core_;
  using Base::options_;

 public:
  using T = Element;
  using Reg = typename Core::Reg;
  using Pred = typename Core::Pred;
  using Base::bytes;
  using Base::lanes;  // epr: elements of a repeat
  static constexpr std::uint32_t kLanes = Base::kLanes;
  template <class U = T>
  TS_INLINE LaneOf<U> ty() const {
    return Base::template ty<U>();
  }
  static constexpr std::uint32_t kMaxRepeat = 255;
  static constexpr std::uint32_t kMaxStride = 255;

  TS_INLINE A2A3Repeats(Core& core, LaneOf<T> lane, const Options& options) : Base(core, lane, options) {}

  // --- control ------------------------------------------------------------------------------------------------------

  TS_INLINE void set_mask_norm() { set_control(a2a3::op("set_mask_norm"), a2a3::kMaskMode, 0); }
  TS_INLINE void set_mask_count() { set_control(a2a3::op("set_mask_count"), a2a3::kMaskMode, 1); }
  TS_INLINE void set_vector_mask(std::uint64_t high, std::uint64_t low) {
    constexpr const MicroOp& op = a2a3::op("set_vector_mask");
    core_.micro(op, DType::U64, CountArg{"hi", high}, CountArg{"lo", low});
    core_.store_scalar(op, Space::Spr, a2a3::kMask, 8, LaneScalar{low, DType::U64, 0});
    core_.store_scalar(op, Space::Spr, a2a3::kMask + 8, 8, LaneScalar{high, DType::U64, 0});
  }
  // The mask that enables the first n lanes of every repeat (norm mode).
  TS_INLINE void set_mask_first(std::uint32_t n) { set_vector_mask(n > 64 ? low_bits(n - 64) : 0, low_bits(n)); }
  TS_INLINE void set_mask_all() { set_vector_mask(~0ull, ~0ull); }
  TS_INLINE void set_cmpmask(Ub from) {
    constexpr const MicroOp& op = a2a3::op("set_cmpmask");
    core_.micro(op, DType::U8, place(from));
    core_.copy(op, Space::Spr, a2a3::kCmpMask, Space::Ub, from.address, 16);
  }
  // Whether conversions clamp, or keep low bits: each of them is told by itself here, and shows what it was told.
  void set_ctrl_saturation(bool clamp) {
    core_.micro(a2a3::op("set_ctrl"), DType::U64, CountArg{"bit 59", clamp ? 0u : 1u});
  }
  TS_INLINE void store_element(Ub to, const LaneScalar& scalar) {
    constexpr const MicroOp& op = a2a3::op("scalar store");
    core_.micro(op, ty<T>(), place(to), scalar);
    core_.store_scalar(op, Space::Ub, to.address, bytes(), scalar);
  }
  TS_INLINE void sync(Pipe from, Pipe to) {
    core_.micro(a2a3::op("set_flag/wait_flag"), ty<T>(), TextArg{name(from)}, TextArg{name(to)});
  }
  TS_INLINE void pipe_barrier() { core_.micro(a2a3::op("pipe_barrier"), ty<T>()); }

 protected:
  TS_INLINE void set_control(const MicroOp& op, std::uint32_t where, std::uint64_t value) {
    core_.micro(op, DType::U64, CountArg{"value", value});
    core_.store_scalar(op, Space::Spr, where, 8, LaneScalar{value, DType::U64, 0});
  }

  // What lanes of repeat r an instruction on these lanes may touch.
  template <class F>
  void each_repeat(AnyLane l, std::uint32_t n, F f) {
    const auto rule = rule_of(l, n);
    for (std::uint32_t r = 0; r < rule.repeats; ++r) {
      core_.repeat();
      f(r, core_.predicate(rule.lanes(l, r)));
    }
  }
  Reg load_at(const MicroOp& op, Ub base, Strides strides, std::uint32_t r, const Pred& on) {
    return core_.load_blocks(op, at_repeat(base, strides, r), strides.block * BLK, on);
  }
  void store_at(const MicroOp& op, AnyLane l, Ub base, Strides strides, std::uint32_t r, const Reg& v, const Pred& on) {
    core_.store_blocks(bits_of(l), op, at_repeat(base, strides, r), strides.block * BLK, v, on);
  }
  Pred all_of(AnyLane l) { return core_.predicate(first_lanes_of(l.bytes(), VL)); }
  LaneOp relu() const { return options_.relu_of_nan ? LaneOp::ReluZero : LaneOp::Relu; }
  // a * b + c.
  Reg mul_add(AnyLane l, const Pred& on, const Reg& a, const Reg& b, const Reg& c) {
    if (options_.a2a3_fused) return core_.lanewise(LaneOp::MulAdd, l, on, a, b, c);
    return core_.lanewise(LaneOp::Add, l, on, core_.lanewise(LaneOp::Mul, l, on, a, b), c);
  }
  // As many elements as the wider type has lanes, each at the start of its wide lane.
  // `stride`: from block to block.
  Reg load_narrow(const MicroOp& op, AnyLane l, AnyLane wide, std::uint64_t address, const Pred& on,
                  std::uint32_t stride = 1) {
    if (l.bytes() == wide.bytes()) return core_.load_blocks(op, address, stride * BLK, on);
    const std::uint32_t count = leading_lanes(core_.bits(on), wide.bytes()), size = count * l.bytes();
    Reg out = stride == 1 ? core_.template load<LoadKind::Some>(l, op, Space::Ub, address, size, 1, size)
                          : core_.load_blocks(op, address, stride * BLK, core_.predicate(first_of(l, count)));
    for (AnyLane width = bits_of(l); width.bytes() < wide.bytes(); width = wider(width))
      out = core_.template move<Move::WidenZero>(width, 0, out, out);
    return out;
  }
  void store_narrow(const MicroOp& op, AnyLane l, AnyLane wide, std::uint64_t address, const Reg& v, const Pred& on) {
    if (l.bytes() == wide.bytes()) return core_.store_blocks(bits_of(l), op, address, BLK, v, on);
    Reg packed = v;
    const std::uint32_t count = leading_lanes(core_.bits(on), wide.bytes());
    for (AnyLane width = bits_of(wide); width.bytes() > l.bytes(); width = narrower(width))
      packed = core_.template move<Move::PackHalf>(width, 0, packed, packed);
    core_.store_span(op, Space::Ub, address, packed, count * l.bytes());
  }
  static AnyLane wider(AnyLane l) { return {l.bytes() == 1 ? DType::U16 : l.bytes() == 2 ? DType::U32 : DType::U64}; }
  static AnyLane narrower(AnyLane l) { return {l.bytes() == 8 ? DType::U32 : l.bytes() == 4 ? DType::U16 : DType::U8}; }
  // Pieces of at most a register: f(byte offset, bytes, lanes).
  template <class F>
  void pieces(AnyLane l, std::uint32_t count, F f) {
    for (std::uint32_t done = 0; done < count; done += l.lanes()) {
      const std::uint32_t n = std::min(count - done, l.lanes());
      f(done * l.bytes(), n * l.bytes(), core_.predicate(first_lanes_of(l.bytes(), n)));
    }
  }
  template <class U>
  static TS_INLINE VPred first_of(Lane<U>, std::uint32_t count) {
    return first_lanes<U>(count);
  }
  static VPred first_of(AnyLane l, std::uint32_t count) { return first_lanes_of(l.bytes(), count); }
  TS_INLINE AddressArg place(Ub base) const { return {Space::Ub, base.address, 0, bytes()}; }
  static TS_INLINE std::uint64_t at_repeat(Ub base, Strides strides, std::uint32_t repeat) {
    return base.address + std::uint64_t{repeat} * strides.repeat * BLK;
  }

  // More elements than UB has bytes, so no lowering counts as many. The registers of a damaged recording do, and must not
  // keep an instruction busy for minutes.
  static constexpr std::uint64_t kMostCounted = 1u << 18;

  // How many repeats an instruction runs, and which lanes each of them may write. In counter mode the mask says how many
  // elements there are, and the instruction's own repeat is not looked at. The first `whole` repeats have all lanes on:
  // instructions run them apart, where the compiler sees that they need no mask and no blocks picked one by one.
  struct LaneRule {
    std::uint32_t repeats, whole;
    bool counting;
    std::uint64_t elements;
    VPred mask;
    template <class L>
    TS_INLINE VPred lanes(L l, std::uint32_t repeat) const {
      if (!counting) return mask;
      return first_of(l, static_cast<std::uint32_t>(
                             std::min<std::uint64_t>(elements - std::uint64_t{repeat} * l.lanes(), l.lanes())));
    }
    template <bool kWhole, class L>
    TS_INLINE VPred lanes(L l, std::uint32_t repeat) const {
      return kWhole ? first_of(l, l.lanes()) : lanes(l, repeat);
    }
  };
  TS_INLINE LaneRule lane_rule(std::uint32_t repeats) const { return rule_of(ty<T>(), repeats); }
  template <class L>
  TS_INLINE LaneRule rule_of(L l, std::uint32_t repeats) const {
    const std::uint64_t low = core_.peek(Space::Spr, a2a3::kMask);
    const std::uint32_t count = l.lanes();
    if (core_.peek(Space::Spr, a2a3::kMaskMode) != 0) {
      const auto elements = static_cast<std::uint32_t>(std::min(low, kMostCounted));
      return {(elements + count - 1) / count, elements / count, true, elements, {}};
    }
    const VPred mask = mask_lanes(l, low, core_.peek(Space::Spr, a2a3::kMask + 8));
    return {repeats, all_on(mask, l.bytes()) ? repeats : 0, false, 0, mask};
  }
  // Bit i of MASK governs lane i.
  template <class U>
  static TS_INLINE VPred mask_lanes(Lane<U>, std::uint64_t low, std::uint64_t high) {
    const std::uint64_t bits[2] = {low, high};
    return LoadLaneBits<BitsOf<U>>()(reinterpret_cast<const std::uint8_t*>(bits));
  }
  static VPred mask_lanes(AnyLane l, std::uint64_t low, std::uint64_t high) {
    if (low == ~0ull && high == ~0ull) return first_lanes_of(l.bytes(), VL);
    const std::uint64_t bits[2] = {low, high};
    const auto* from = reinterpret_cast<const std::uint8_t*>(bits);
    switch (l.bytes()) {
      case 1: return {{low, high, 0, 0}};
      case 2: return LoadLaneBits<std::uint16_t>()(from);
      case 4: return LoadLaneBits<std::uint32_t>()(from);
      default: return LoadLaneBits<std::uint64_t>()(from);
    }
  }

  template <bool kWhole, class L>
  static TS_INLINE Reg load_repeat(Core& core, const MicroOp& op, L lane, std::uint64_t at, Strides strides,
                                   const Pred& on) {
    if constexpr (kWhole) {
      return core.template load<LoadKind::Norm>(lane, op, Space::Ub, at, VL, BLK);
    } else {
      return core.load_blocks(op, at, strides.block * BLK, on);
    }
  }
  template <bool kWhole, class L>
  static TS_INLINE void store_repeat(Core& core, const MicroOp& op, L lane, std::uint64_t at, Strides strides,
                                     const Reg& v, const Pred& on) {
    if constexpr (kWhole) {
      core.store_lanes(bits_of(lane), op, at, BLK, v, on);
    } else {
      core.store_blocks(bits_of(lane), op, at, strides.block * BLK, v, on);
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
