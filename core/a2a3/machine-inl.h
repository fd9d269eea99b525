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
#include "core/engine/gather-inl.h"
#include "core/engine/shared_ops-inl.h"
#include "core/tile/operands.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

// Block and repeat strides of one operand, in blocks of 32 bytes.
struct Strides {
  std::uint32_t block = 1, repeat = 8;
};

template <class Core, class Element>
class A2A3Machine : public SharedOps<Core, Element> {
  using SharedOps<Core, Element>::core_;
  using SharedOps<Core, Element>::span_of;

 public:
  using T = Element;
  using Reg = typename Core::Reg;
  using Pred = typename Core::Pred;
  static constexpr std::uint32_t kLanes = EPR<T>;              // epr: elements of a repeat
  static constexpr std::uint32_t kBlockLanes = BLK / sizeof(T);  // epb
  static constexpr std::uint32_t kMaxRepeat = 255;
  static constexpr std::uint32_t kMaxStride = 255;

  explicit TS_INLINE A2A3Machine(Core& core) : SharedOps<Core, Element>(core) {}

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

  // Mask bits are streamed from the address that CMPMASK holds.
  TS_INLINE void vsel_tensor(Ub d, Ub a, Ub b, std::uint32_t repeats, Strides ds, Strides as, Strides bs) {
    constexpr const MicroOp& op = a2a3::op("vsel.mode2");
    core_.micro(op, dtype_of<T>, place(d), place(a), place(b), CountArg{"rep", repeats});
    const LaneRule rule = lane_rule(repeats);
    const auto bits = static_cast<std::uint32_t>(core_.peek(Space::Spr, a2a3::kCmpMask));
    for (std::uint32_t r = 0; r < rule.repeats; ++r) {
      Pred lanes = core_.predicate(rule.template lanes<false>(r));
      Pred mask = core_.load_predicate(op, bits + std::uint64_t{r} * (kLanes / 8), 1, LoadLaneBits<BitsOf<T>>());
      Reg x = load_repeat<false>(core_, op, at_repeat(a, as, r), as, lanes);
      Reg y = load_repeat<false>(core_, op, at_repeat(b, bs, r), bs, lanes);
      Reg chosen = core_.template select<BitsOf<T>>(mask, x, y);
      store_repeat<false>(core_, op, at_repeat(d, ds, r), ds, chosen, lanes);
    }
  }

  // U: the element type of the instruction, which needs not be the lowering's.
  template <class U = T>
  TS_INLINE void vector_dup(Ub d, const LaneScalar& scalar, std::uint32_t repeats, Strides ds) {
    using Own = A2A3Machine<Core, U>;
    constexpr const MicroOp& op = a2a3::op("vector_dup");
    core_.micro(op, dtype_of<U>, AddressArg{Space::Ub, d.address, 0, sizeof(U)}, scalar, CountArg{"rep", repeats});
    const typename Own::LaneRule rule = Own(core_).lane_rule(repeats);
    Reg value = core_.template broadcast<BitsOf<U>>(scalar, core_.predicate(first_lanes<U>(EPR<U>)));
    const std::uint32_t whole = ds.block == 1 ? rule.whole : 0;
    for (std::uint32_t r = 0; r < whole; ++r)
      Own::template store_repeat<true>(core_, op, at_repeat(d, ds, r), ds, value, core_.predicate(rule.template lanes<true>(r)));
    for (std::uint32_t r = whole; r < rule.repeats; ++r)
      Own::template store_repeat<false>(core_, op, at_repeat(d, ds, r), ds, value, core_.predicate(rule.template lanes<false>(r)));
  }

  // --- blocks -------------------------------------------------------------------------------------------------------

  // VA registers come in pairs that hold 16 addresses. Everybody sets them before use, so they are not kept between
  // instructions.
  TS_INLINE void set_va(const char* pair, const BlockList& blocks) {
    constexpr const MicroOp& op = a2a3::op("set_va_reg");
    core_.micro(op, dtype_of<T>, TextArg{pair}, place({blocks[0]}), place({blocks[1]}), place({blocks[2]}), place({blocks[3]}), place({blocks[4]}),
                place({blocks[5]}), place({blocks[6]}), place({blocks[7]}), place({blocks[8]}), place({blocks[9]}), place({blocks[10]}),
                place({blocks[11]}), place({blocks[12]}), place({blocks[13]}), place({blocks[14]}), place({blocks[15]}));
  }
  // Steps in blocks.
  TS_INLINE void vnchwconv(const BlockList& d, const BlockList& a, std::uint32_t repeats, std::uint32_t d_step, std::uint32_t a_step) {
    constexpr const MicroOp& op = a2a3::op("vnchwconv");
    core_.micro(op, dtype_of<T>, place({d[0]}), place({a[0]}), CountArg{"rep", repeats}, CountArg{"ds", d_step}, CountArg{"ss", a_step});
    using Turn = std::conditional_t<sizeof(T) == 2, TurnBlocks16, TurnBlocks32>;
    core_.turn_blocks(op, d, a, repeats, d_step * BLK, a_step * BLK, Turn());
  }
  // Bytes: one half of each block.
  TS_INLINE void vnchwconv_b8(const BlockList& d, const BlockList& a, std::uint32_t repeats, std::uint32_t d_step, std::uint32_t a_step,
                              bool d_high, bool a_high) {
    constexpr const MicroOp& op = a2a3::op("vnchwconv");
    core_.micro(op, DType::U8, place({d[0]}), place({a[0]}), CountArg{"rep", repeats}, CountArg{"ds", d_step}, CountArg{"ss", a_step},
                CountArg{"dst half", d_high}, CountArg{"src half", a_high});
    core_.turn_blocks(op, half_of(d, d_high), half_of(a, a_high), repeats, d_step * BLK, a_step * BLK, TurnBlocks8());
  }
  // n runs of len blocks; gaps in blocks from one run's end to the next one's start.
  TS_INLINE void copy_ubuf_to_ubuf(Ub to, Ub from, std::uint32_t n, std::uint32_t len, std::uint32_t from_gap, std::uint32_t to_gap) {
    constexpr const MicroOp& op = a2a3::op("copy_ubuf_to_ubuf");
    core_.micro(op, dtype_of<T>, place(to), place(from), CountArg{"n", n}, CountArg{"len", len}, CountArg{"sgap", from_gap}, CountArg{"dgap", to_gap});
    for (std::uint32_t k = 0; k < n; ++k)
      core_.copy(op, Space::Ub, to.address + std::uint64_t{k} * (len + to_gap) * BLK, Space::Ub, from.address + std::uint64_t{k} * (len + from_gap) * BLK, len * BLK);
  }
  // Repeat r takes eight offsets at offsets + 32 r and writes eight blocks at d + 32 step r.
  TS_INLINE void vgatherb(Ub d, Ub offsets, const TileRef& src, std::uint32_t step, std::uint32_t repeats) {
    constexpr const MicroOp& op = a2a3::op("vgatherb");
    core_.micro(op, dtype_of<T>, place(d), place_offsets(offsets), place(src.ub()), CountArg{"ds", step}, CountArg{"rep", repeats});
    for (std::uint32_t r = 0; r < repeats; ++r) gather_repeat(op, {d.address + r * step * BLK}, {offsets.address + r * BLK}, src, kLanes);
  }
  // One repeat that stores its first `elements` only.
  TS_INLINE void emu_vgatherb(Ub d, Ub offsets, const TileRef& src, std::uint32_t elements) {
    constexpr const MicroOp& op = a2a3::op("emu.vgatherb");
    core_.micro(op, dtype_of<T>, place(d), place_offsets(offsets), place(src.ub()), CountArg{"elements", elements});
    gather_repeat(op, d, offsets, src, elements);
  }

  // --- elements -----------------------------------------------------------------------------------------------------

  // Counter mode: as many elements as MASK says, each from src + its byte offset.
  TS_INLINE void vgather(Ub d, Ub offsets, const TileRef& src) {
    constexpr const MicroOp& op = a2a3::op("vgather");
    core_.micro(op, dtype_of<T>, place(d), place_offsets(offsets), place(src.ub()));
    gather_elements(op, d, offsets, src, static_cast<std::uint32_t>(core_.peek(Space::Spr, a2a3::kMask)));
  }
  TS_INLINE void scalar_gather(Ub d, Ub offsets, const TileRef& src, std::uint32_t elements) {
    constexpr const MicroOp& op = a2a3::op("scalar gather");
    core_.micro(op, dtype_of<T>, place(d), place_offsets(offsets), place(src.ub()), CountArg{"elements", elements});
    gather_elements(op, d, offsets, src, elements);
  }
  // Evenly spaced elements by the scalar pipe.
  TS_INLINE void scalar_loop(Ub to, std::uint32_t to_step, Ub from, std::uint32_t from_step, std::uint32_t count) {
    constexpr const MicroOp& op = a2a3::op("scalar loop");
    core_.micro(op, dtype_of<T>, place(to), place(from), CountArg{"elements", count});
    core_.copy_elements(op, {Space::Ub, to.address, to_step}, {Space::Ub, from.address, from_step}, sizeof(T), count);
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
      core_.fill(op, Space::Ub, burst + len, sizeof(T), right, LaneScalar{pad_bits, dtype_of<T>, 0});
      // The filler is the burst's first element (unverified): shown, and promised to nobody.
      for (std::uint32_t at = used; at < rounded; at += static_cast<std::uint32_t>(sizeof(T)))
        core_.copy(op, Space::Ub, burst + at, Space::Gm, source, sizeof(T));
      core_.unspecified(Space::Ub, burst + used, rounded - used, "filler of the DMA up to the block's end");
    }
  }
  HWY_NOINLINE void copy_ubuf_to_gm_align(Gm to, Ub from, std::uint32_t n, std::uint32_t len, std::uint32_t from_gap, std::uint64_t to_gap,
                                        bool adding) {
    constexpr const MicroOp& op = a2a3::op("copy_ubuf_to_gm_align");
    core_.micro(op, dtype_of<T>, AddressArg{Space::Gm, to.address, 0, sizeof(T)}, place(from), CountArg{"n", n}, CountArg{"len", len},
                CountArg{"sgap", from_gap}, CountArg{"dgap", to_gap});
    const std::uint32_t rounded = (len + BLK - 1) / BLK * BLK + from_gap * BLK;
    for (std::uint32_t k = 0; k < n; ++k)
      this->store_run(op, to.address + k * (len + to_gap), Space::Ub, from.address + std::uint64_t{k} * rounded, len, adding);
  }
  // L1: everything in blocks. Runs that are not whole blocks apart are an instruction each.
  HWY_NOINLINE void copy_gm_to_cbuf(std::uint32_t to, Gm from, std::uint32_t n, std::uint32_t blocks, std::uint64_t from_stride, std::uint32_t to_stride) {
    constexpr const MicroOp& op = a2a3::op("copy_gm_to_cbuf");
    for_block_runs(op, Space::L1, to, from, n, blocks, from_stride,
                   [&](std::uint32_t k) HWY_ATTR { core_.copy(op, Space::L1, to + k * to_stride, Space::Gm, from.address + k * from_stride, blocks * BLK); });
  }
  HWY_NOINLINE void copy_cbuf_to_gm(Gm to, std::uint32_t from, std::uint32_t n, std::uint32_t blocks, std::uint32_t from_stride, std::uint64_t to_stride,
                                  bool adding) {
    constexpr const MicroOp& op = a2a3::op("copy_cbuf_to_gm");
    for_block_runs(op, Space::L1, from, to, n, blocks, to_stride, [&](std::uint32_t k) HWY_ATTR {
      this->store_run(op, to.address + k * to_stride, Space::L1, from + k * from_stride, blocks * BLK, adding);
    });
  }
  HWY_NOINLINE void copy_gm_to_cbuf_multi_nd2nz(std::uint32_t to, Gm from, std::uint32_t group_stride, std::uint64_t line_stride,
                                              std::uint64_t element_step, std::uint32_t lines, std::uint32_t elements) {
    constexpr const MicroOp& op = a2a3::op("copy_gm_to_cbuf_multi_nd2nz");
    core_.micro(op, dtype_of<T>, AddressArg{Space::L1, to, 0, sizeof(T)}, AddressArg{Space::Gm, from.address, 0, sizeof(T)}, CountArg{"n", lines},
                CountArg{"d", elements});
    this->load_fractal(op, to, group_stride, from.address, line_stride, element_step, lines, elements);
  }

 private:
  template <class OtherCore, class OtherElement>
  friend class A2A3Machine;

  template <class Run>
  void for_block_runs(const MicroOp& op, Space space, std::uint32_t on_chip, Gm gm, std::uint32_t n, std::uint32_t blocks, std::uint64_t gm_stride, Run run) {
    const std::uint32_t at_once = gm_stride % BLK == 0 ? n : 1;
    for (std::uint32_t k = 0; k < n; ++k) {
      if (k % at_once == 0)
        core_.micro(op, dtype_of<T>, AddressArg{space, on_chip, 0, sizeof(T)},
                    AddressArg{Space::Gm, static_cast<std::uint32_t>(gm.address + k * gm_stride), 0, sizeof(T)}, CountArg{"n", at_once},
                    CountArg{"blocks", blocks});
      run(k);
    }
  }
  static TS_INLINE AddressArg place_offsets(Ub base) { return {Space::Ub, base.address, 0, 4}; }
  static TS_INLINE BlockList half_of(const BlockList& blocks, bool high) {
    BlockList halves = blocks;
    for (std::uint32_t& at : halves) at += high ? BLK / 2 : 0;
    return halves;
  }
  TS_INLINE void gather_repeat(const MicroOp& op, Ub d, Ub offsets, const TileRef& src, std::uint32_t elements) {
    const std::uint32_t blocks = (elements + kBlockLanes - 1) / kBlockLanes;
    Reg at = core_.load(op, Space::Ub, offsets.address, BLK, BLK, LoadBlock());
    Reg value = core_.template gather_blocks<BitsOf<T>>(op, span_of(src), at, (1u << blocks) - 1);
    core_.template store_lanes<BitsOf<T>>(op, d.address, BLK, value, core_.predicate(first_lanes<T>(elements)));
  }
  // 64 offsets at a time; what they fetch stands in 32-bit lanes until it is packed.
  TS_INLINE void gather_elements(const MicroOp& op, Ub d, Ub offsets, const TileRef& src, std::uint32_t elements) {
    constexpr std::uint32_t kStep = VL / 4;
    for (std::uint32_t done = 0; done < elements; done += kStep) {
      const std::uint32_t n = std::min(elements - done, kStep);
      Pred lanes = core_.predicate(first_lanes<std::uint32_t>(n));
      Reg at = core_.load(op, Space::Ub, offsets.address + done * 4, n * 4, 4, LoadSome{n * 4});
      core_.watch_bits(at, lanes, sizeof(T) - 1);
      Reg wide = core_.template gather<BitsOf<T>, std::uint32_t, 1>(op, span_of(src), at, lanes);
      if constexpr (sizeof(T) == 4) {
        core_.template store_lanes<std::uint32_t>(op, d.address + done * 4, BLK, wide, lanes);
      } else {
        Reg packed = core_.permute(PackLanes<std::uint32_t, BitsOf<T>>(), wide);
        core_.store_span(op, Space::Ub, d.address + done * static_cast<std::uint32_t>(sizeof(T)), packed, n * static_cast<std::uint32_t>(sizeof(T)));
      }
    }
  }
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

};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
