// The A2A3 vector machine: memory to memory, in repeats of 256 bytes, under a vector mask. Its control registers are
// bytes of the spr space. Micro-operations as methods, each built of a core's primitives.
#if defined(TS_A2A3_MACHINE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_A2A3_MACHINE_INL_H
#undef TS_A2A3_MACHINE_INL_H
#else
#define TS_A2A3_MACHINE_INL_H
#endif

#include <algorithm>

#include "core/a2a3/micro_ops.h"
#include "core/engine/arithmetic-inl.h"
#include "core/engine/core_base-inl.h"
#include "core/tile/operands.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

// Block and repeat strides of one operand, in blocks of 32 bytes.
struct Strides {
  std::uint32_t block = 1, repeat = 8;
};

template <class Core, class Element>
class A2A3Machine {
 public:
  using T = Element;
  using Reg = typename Core::Reg;
  using Pred = typename Core::Pred;
  static constexpr std::uint32_t kLanes = EPR<T>;              // epr: elements of a repeat
  static constexpr std::uint32_t kBlockLanes = BLK / sizeof(T);  // epb
  static constexpr std::uint32_t kMaxRepeat = 255;
  static constexpr std::uint32_t kMaxStride = 255;

  explicit TS_INLINE A2A3Machine(Core& core) : core_(core) {}

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
  TS_INLINE void set_mask_first(std::uint32_t n) {
    set_vector_mask(n > 64 ? low_bits(n - 64) : 0, low_bits(n));
  }
  TS_INLINE void set_mask_all() { set_vector_mask(~0ull, ~0ull); }
  TS_INLINE void set_cmpmask(Ub from) {
    constexpr const MicroOp& op = a2a3::op("set_cmpmask");
    core_.micro(op, DType::U8, place(from));
    core_.copy(op, Space::Spr, a2a3::kCmpMask, Space::Ub, from.address, 16);
  }
  TS_INLINE void store_element(Ub to, const LaneScalar& scalar) {
    constexpr const MicroOp& op = a2a3::op("scalar store");
    core_.micro(op, dtype_of<T>, place(to), scalar);
    core_.store_scalar(op, Space::Ub, to.address, sizeof(T), scalar);
  }
  TS_INLINE void sync(Pipe from, Pipe to) {
    core_.micro(a2a3::op("set_flag/wait_flag"), dtype_of<T>, TextArg{name(from)}, TextArg{name(to)});
  }
  TS_INLINE void pipe_barrier() { core_.micro(a2a3::op("pipe_barrier"), dtype_of<T>); }

  // --- vector operations --------------------------------------------------------------------------------------------

  // Not inlined: the shapes call it at many places, and each call is many repeats of work.
  HWY_NOINLINE void vadd(Ub d, Ub a, Ub b, std::uint32_t repeats, Strides ds, Strides as, Strides bs) {
    constexpr const MicroOp& op = a2a3::op("vadd");
    core_.micro(op, dtype_of<T>, place(d), place(a), place(b), CountArg{"rep", repeats});
    decltype(auto) core = core_.local();
    const LaneRule rule = lane_rule(repeats);
    const std::uint32_t whole = ds.block == 1 && as.block == 1 && bs.block == 1 ? rule.whole : 0;
    add_repeats<true>(core, op, rule, 0, whole, d, a, b, ds, as, bs);
    add_repeats<false>(core, op, rule, whole, rule.repeats, d, a, b, ds, as, bs);
    core_.join(core);
  }

  // Mask bits are streamed from `bits`, repeat after repeat; false lanes take the low element of CMPMASK.
  TS_INLINE void vsel_scalar(Ub d, Ub a, Ub bits, std::uint32_t repeats, Strides ds, Strides as) {
    constexpr const MicroOp& op = a2a3::op("vsel.mode1");
    core_.micro(op, dtype_of<T>, place(d), place(a), place(bits), CountArg{"rep", repeats});
    const LaneRule rule = lane_rule(repeats);
    Reg scalar = core_.load(op, Space::Spr, a2a3::kCmpMask, sizeof(T), 1, LoadBroadcast<BitsOf<T>>());
    const std::uint32_t whole = ds.block == 1 && as.block == 1 ? rule.whole : 0;
    select_repeats<true>(op, rule, 0, whole, scalar, d, a, bits, ds, as);
    select_repeats<false>(op, rule, whole, rule.repeats, scalar, d, a, bits, ds, as);
  }

  // --- data movement ------------------------------------------------------------------------------------------------

  // n bursts of len bytes; after each the destination is padded by `right` elements and then filled up to its block's
  // end. Gaps: source in bytes, destination in blocks, from one burst's end to the next one's start.
  HWY_NOINLINE void copy_gm_to_ubuf_align(Ub to, Gm from, std::uint32_t n, std::uint32_t len, std::uint32_t right, std::uint64_t pad_bits,
                                        std::uint64_t from_gap, std::uint32_t to_gap) {
    constexpr const MicroOp& op = a2a3::op("copy_gm_to_ubuf_align");
    core_.micro(op, dtype_of<T>, place(to), AddressArg{Space::Gm, from.address, 0, sizeof(T)}, CountArg{"n", n}, CountArg{"len", len},
                CountArg{"right", right}, CountArg{"sgap", from_gap}, CountArg{"dgap", to_gap});
    const std::uint32_t used = len + right * static_cast<std::uint32_t>(sizeof(T));
    const std::uint32_t rounded = (used + BLK - 1) / BLK * BLK;
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint64_t source = from.address + k * (len + from_gap);
      const std::uint32_t burst = to.address + k * (rounded + to_gap * BLK);
      core_.copy(op, Space::Ub, burst, Space::Gm, source, len);
      core_.fill(op, Space::Ub, burst + len, sizeof(T), right, pad_bits);
      // The filler is the burst's first element (unverified): shown, and promised to nobody.
      for (std::uint32_t at = used; at < rounded; at += static_cast<std::uint32_t>(sizeof(T)))
        core_.copy(op, Space::Ub, burst + at, Space::Gm, source, sizeof(T));
      core_.unspecified(Space::Ub, burst + used, rounded - used, "filler of the DMA up to the block's end");
    }
  }
  HWY_NOINLINE void copy_ubuf_to_gm_align(Gm to, Ub from, std::uint32_t n, std::uint32_t len, std::uint32_t from_gap, std::uint64_t to_gap) {
    constexpr const MicroOp& op = a2a3::op("copy_ubuf_to_gm_align");
    core_.micro(op, dtype_of<T>, AddressArg{Space::Gm, to.address, 0, sizeof(T)}, place(from), CountArg{"n", n}, CountArg{"len", len},
                CountArg{"sgap", from_gap}, CountArg{"dgap", to_gap});
    const std::uint32_t rounded = (len + BLK - 1) / BLK * BLK + from_gap * BLK;
    for (std::uint32_t k = 0; k < n; ++k)
      core_.copy(op, Space::Gm, to.address + k * (len + to_gap), Space::Ub, from.address + std::uint64_t{k} * rounded, len);
  }

  // --- the emulator's own -------------------------------------------------------------------------------------------

  TS_INLINE void emu_unspecified(Ub base, std::uint32_t size, const char* why) {
    if (size == 0) return;
    core_.micro(a2a3::op("emu.unspecified"), dtype_of<T>, place(base), CountArg{"bytes", size});
    core_.unspecified(Space::Ub, base.address, size, why);
  }

 private:
  static TS_INLINE AddressArg place(Ub base) { return {Space::Ub, base.address, 0, sizeof(T)}; }
  static TS_INLINE std::uint64_t at_repeat(Ub base, Strides strides, std::uint32_t repeat) {
    return base.address + std::uint64_t{repeat} * strides.repeat * BLK;
  }

  TS_INLINE void set_control(const MicroOp& op, std::uint32_t where, std::uint64_t value) {
    core_.micro(op, DType::U64, CountArg{"value", value});
    core_.store_scalar(op, Space::Spr, where, 8, LaneScalar{value, DType::U64, 0});
  }

  // How many repeats an instruction runs, and which lanes each of them may write. In counter mode the mask says how many
  // elements there are, and the instruction's own repeat is not looked at. The first `whole` repeats have all lanes on:
  // instructions run them apart, where the compiler sees that they need no mask and no blocks picked one by one.
  struct LaneRule {
    std::uint32_t repeats, whole;
    bool counting;
    std::uint64_t elements;
    VPred mask;
    template <bool kWhole>
    TS_INLINE VPred lanes(std::uint32_t repeat) const {
      if (kWhole) return first_lanes<T>(kLanes);
      if (!counting) return mask;
      return first_lanes<T>(static_cast<std::uint32_t>(std::min<std::uint64_t>(elements - std::uint64_t{repeat} * kLanes, kLanes)));
    }
  };
  TS_INLINE LaneRule lane_rule(std::uint32_t repeats) const {
    const std::uint64_t low = core_.peek(Space::Spr, a2a3::kMask);
    if (core_.peek(Space::Spr, a2a3::kMaskMode) != 0)
      return {static_cast<std::uint32_t>((low + kLanes - 1) / kLanes), static_cast<std::uint32_t>(low / kLanes), true, low, {}};
    const std::uint64_t bits[2] = {low, core_.peek(Space::Spr, a2a3::kMask + 8)};
    const VPred mask = LoadLaneBits<BitsOf<T>>()(reinterpret_cast<const std::uint8_t*>(bits));
    return {repeats, all_lanes_on<T>(mask) ? repeats : 0, false, 0, mask};
  }

  // Repeats [first, last) of vadd and of vsel in mode 1.
  template <bool kWhole>
  static TS_INLINE void add_repeats(Core& core, const MicroOp& op, const LaneRule& rule, std::uint32_t first, std::uint32_t last, Ub d,
                                     Ub a, Ub b, Strides ds, Strides as, Strides bs) {
    std::uint64_t at_d = at_repeat(d, ds, first), at_a = at_repeat(a, as, first), at_b = at_repeat(b, bs, first);
    for (std::uint32_t r = first; r < last; ++r, at_d += ds.repeat * BLK, at_a += as.repeat * BLK, at_b += bs.repeat * BLK) {
      Pred lanes = core.predicate(rule.template lanes<kWhole>(r));
      Reg x = load_repeat<kWhole>(core, op, at_a, as, lanes);
      Reg y = load_repeat<kWhole>(core, op, at_b, bs, lanes);
      Reg sum = core.template lanewise<BitsOf<T>>(BinaryLanes<T, AddOp>(), lanes, x, y);
      store_repeat<kWhole>(core, op, at_d, ds, sum, lanes);
    }
  }
  template <bool kWhole>
  TS_INLINE void select_repeats(const MicroOp& op, const LaneRule& rule, std::uint32_t first, std::uint32_t last, const Reg& scalar, Ub d,
                                 Ub a, Ub bits, Strides ds, Strides as) {
    std::uint64_t at_d = at_repeat(d, ds, first), at_a = at_repeat(a, as, first);
    for (std::uint32_t r = first; r < last; ++r, at_d += ds.repeat * BLK, at_a += as.repeat * BLK) {
      Pred lanes = core_.predicate(rule.template lanes<kWhole>(r));
      Pred mask = core_.load_predicate(op, bits.address + std::uint64_t{r} * (kLanes / 8), 1, LoadLaneBits<BitsOf<T>>());
      Reg x = load_repeat<kWhole>(core_, op, at_a, as, lanes);
      Reg chosen = core_.template select<BitsOf<T>>(mask, x, scalar);
      store_repeat<kWhole>(core_, op, at_d, ds, chosen, lanes);
    }
  }
  template <bool kWhole>
  static TS_INLINE Reg load_repeat(Core& core, const MicroOp& op, std::uint64_t at, Strides strides, const Pred& lanes) {
    if constexpr (kWhole) {
      return core.load(op, Space::Ub, at, VL, BLK, LoadNorm());
    } else {
      return core.load_blocks(op, at, strides.block * BLK, lanes);
    }
  }
  template <bool kWhole>
  static TS_INLINE void store_repeat(Core& core, const MicroOp& op, std::uint64_t at, Strides strides, const Reg& v, const Pred& lanes) {
    if constexpr (kWhole) {
      core.template store_lanes<BitsOf<T>>(op, at, BLK, v, lanes);
    } else {
      core.template store_blocks<BitsOf<T>>(op, at, strides.block * BLK, v, lanes);
    }
  }

  Core& core_;
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
