// What the run machine does with memory: loads, stores, gathers and copies, and which bytes they wrote.
#if defined(TS_ENGINE_RUN_MEMORY_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_ENGINE_RUN_MEMORY_INL_H
#undef TS_ENGINE_RUN_MEMORY_INL_H
#else
#define TS_ENGINE_RUN_MEMORY_INL_H
#endif

#include "core/engine/core_base-inl.h"
#include "core/engine/gather-inl.h"
#include "core/engine/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

class RunMemory : public CoreBase {
 public:
  using Reg = VReg;
  using Few = VFew;
  using Pred = VPred;
  struct RegPair {
    Reg lo, hi;
  };

  explicit TS_INLINE RunMemory(StepContext& context) : CoreBase(context) {}
  RunMemory(StepContext& context, std::uint8_t* base, WriteLog::Cursor cursor) : CoreBase(context, base, cursor) {}

  template <class F>
  TS_INLINE Reg load(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size, std::uint32_t align,
                     F f) {
    return f(host(space, safe(op, space, address, size, align)));
  }
  template <class F>
  TS_INLINE RegPair load2(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size,
                          std::uint32_t align, F f) {
    VPair pair = f(host(space, safe(op, space, address, size, align)));
    return {pair.lo, pair.hi};
  }
  TS_INLINE Reg load_blocks(const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes, const Pred& needed) {
    if (HWY_LIKELY(stride_bytes == BLK && address + VL <= ub_size_))
      return load(op, Space::Ub, address, VL, BLK, LoadNorm());
    return load_spread_blocks(*context_, base_, op, address, stride_bytes, needed.word[0], needed.word[1],
                              needed.word[2], needed.word[3]);
  }
  template <class F>
  TS_INLINE Pred load_predicate(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t align, F f) {
    return f(host(space, safe(op, space, address, F::kBytes, align)));
  }

  template <class T>
  TS_INLINE void store_lanes(const MicroOp& op, std::uint64_t address, std::uint32_t align, const Reg& v,
                             const Pred& pred) {
    if (HWY_LIKELY(all_lanes_on<T>(pred))) {
      if (!reachable(op, Space::Ub, address, VL, align)) return;
      store_register(v, host(Space::Ub, address));
      log_write(flat(Space::Ub, address), VL);
      return;
    }
    store_some<T>(op, address, align, v, pred, PartIndices());
  }
  template <class T>
  TS_INLINE void store_blocks(const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes, const Reg& v,
                              const Pred& pred) {
    if (HWY_LIKELY(stride_bytes == BLK)) return store_lanes<T>(op, address, BLK, v, pred);
    store_spread(op, address, stride_bytes, v, active_bytes<T>(pred), PartIndices());
  }
  // Lane i of lo and lane i of hi (32 bits each) to the pair of words at address + 8*i, where b32 lane i is on.
  TS_INLINE void store_pairs(const MicroOp& op, std::uint64_t address, const Reg& lo, const Reg& hi, const Pred& pred) {
    if (const std::uint32_t bytes =
            2 * leading_bytes<std::uint32_t>(pred.word[0], pred.word[1], pred.word[2], pred.word[3])) {
      if (!reachable(op, Space::Ub, address, bytes, 8)) return;
      VPair pairs = Interleave<std::uint32_t>()(lo, hi);
      std::uint8_t* to = host(Space::Ub, address);
      if (bytes == 2 * VL) {
        store_register(pairs.lo, to);
        store_register(pairs.hi, to + VL);
      } else {
        HWY_NAMESPACE::store_lanes<std::uint8_t>(pairs.lo, first_lanes<std::uint8_t>(bytes), to);
        if (bytes > VL)
          HWY_NAMESPACE::store_lanes<std::uint8_t>(pairs.hi, first_lanes<std::uint8_t>(bytes - VL), to + VL);
      }
      return log_write(flat(Space::Ub, address), bytes);
    }
    alignas(64) std::uint32_t low[VL / 4], high[VL / 4];
    store_register(lo, reinterpret_cast<std::uint8_t*>(low));
    store_register(hi, reinterpret_cast<std::uint8_t*>(high));
    std::uint32_t run = 0;  // lanes that are on, counted from `lane`
    for (std::uint32_t lane = 0; lane < VL / 4; lane += run ? run : 1) {
      for (run = 0; lane + run < VL / 4 && (pred.word[(lane + run) / 16] >> ((lane + run) % 16 * 4) & 1); ++run) {
      }
      if (run == 0 || !reachable(op, Space::Ub, address + 8 * lane, 8 * run, 8)) continue;
      for (std::uint32_t i = lane; i < lane + run; ++i) {
        std::memcpy(host(Space::Ub, address + 8 * i), &low[i], 4);
        std::memcpy(host(Space::Ub, address + 8 * i + 4), &high[i], 4);
      }
      log_write(flat(Space::Ub, address + 8 * lane), 8 * run);
    }
  }
  // The first `size` bytes of v, to any address.
  TS_INLINE void store_span(const MicroOp& op, Space space, std::uint64_t address, const Reg& v, std::uint32_t size) {
    if (size == 0 || !reachable(op, space, address, size, 1)) return;
    const VPred bytes = first_lanes<std::uint8_t>(size);
    HWY_NAMESPACE::store_lanes<std::uint8_t>(v, bytes, host(space, address));
    log_write(flat(space, address), size);
  }
  TS_INLINE void store_span(const MicroOp& op, Space space, std::uint64_t address, const Few& v, std::uint32_t size) {
    if (size == 0 || !reachable(op, space, address, size, 1)) return;
    alignas(64) std::uint8_t bytes[kFewParts * kPartBytes];
    store_few(v, bytes, FewIndices());
    std::memcpy(host(space, address), bytes, size);
    log_write(flat(space, address), size);
  }

  // Lane i = the Element at where.address + idx[i] * kScale, zero-extended to the index's width; 0 in inactive lanes.
  template <class Element, class Idx, int kScale>
  TS_INLINE Reg gather(const MicroOp& op, const Indexed& where, const Reg& idx, const Pred& pred) {
    VReg index = zero_inactive<Idx>(idx, pred);
    if (HWY_LIKELY(where.space == Space::Ub && in_span(where, max_lane<Idx>(index) * kScale + sizeof(Element))))
      return zero_inactive<Idx>(GatherLanes<Element, Idx, kScale>()(host(Space::Ub, where.address), index), pred);
    return gather_some<Element, Idx, kScale>(op, where, index, pred, PartIndices());
  }
  // Active lane i to where.address + idx[i] * kScale. Of lanes with one address the lowest one stays, or the highest.
  template <class Element, class Idx, int kScale>
  TS_INLINE void scatter(const MicroOp& op, const Indexed& where, const Reg& idx, const Reg& v, const Pred& pred) {
    close_runs();
    cursor_ = scatter_lanes<Element, Idx, kScale>(*context_, base_, cursor_, op, where, idx, v, pred);
  }
  // Block k from where.address + lane k of the 32-bit offsets, for the blocks in the low bits of `needed`; others read
  // what they can, for whoever looks at the register. T: the lanes that the tag machine tells apart.
  template <class T>
  TS_INLINE Reg gather_blocks(const MicroOp& op, const Indexed& where, const Reg& offsets, std::uint32_t needed) {
    alignas(64) std::uint32_t offset[VL / 4];
    store_first_block(offsets, reinterpret_cast<std::uint8_t*>(offset), PartIndices());
    const std::uint8_t* block[8];
#pragma GCC unroll 8
    for (std::uint32_t k = 0; k < 8; ++k) block[k] = host(Space::Ub, where.address) + offset[k];
    const hn::CappedTag<std::uint32_t, 8> d;
    auto most = hn::Load(d, offset), bits = most;
    for (std::size_t k = hn::MaxLanes(d); k < 8; k += hn::MaxLanes(d)) {
      most = hn::Max(most, hn::Load(d, offset + k));
      bits = hn::Or(bits, hn::Load(d, offset + k));
    }
    const bool aligned = hn::AllTrue(d, hn::Eq(hn::And(bits, hn::Set(d, BLK - 1)), hn::Zero(d)));
    const bool plain = aligned && where.address % BLK == 0 &&
                       in_span(where, std::uint64_t{hn::GetLane(hn::MaxOfLanes(d, most))} + BLK);
    if (HWY_UNLIKELY(!plain)) find_blocks(*context_, base_, op, where, offset, needed, block);
    return GatherBlocks()(block);
  }
  // `repeats` times F on 16 destination and 16 source blocks (or half blocks); then all addresses step on.
  template <class F>
  TS_INLINE void turn_blocks(const MicroOp& op, const BlockList& dst, const BlockList& src, std::uint32_t repeats,
                             std::uint32_t dst_step, std::uint32_t src_step, F f) {
    // Steps are whole blocks: what is aligned stays so.
    const std::uint32_t dst_reach = (repeats - 1) * dst_step + F::kBytes,
                        src_reach = (repeats - 1) * src_step + F::kBytes;
    for (std::size_t i = 0; i < 16; ++i)
      if (!reachable(op, Space::Ub, dst[i], dst_reach, F::kBytes) ||
          !reachable(op, Space::Ub, src[i], src_reach, F::kBytes))
        return;
    std::uint8_t* to[16];
    const std::uint8_t* from[16];
    for (std::size_t i = 0; i < 16; ++i) {
      to[i] = host(Space::Ub, dst[i]);
      from[i] = host(Space::Ub, src[i]);
    }
    for (std::uint32_t r = 0; r < repeats; ++r) f(to, std::size_t{r} * dst_step, from, std::size_t{r} * src_step);
    log_blocks(dst, F::kBytes, repeats, dst_step);
  }

  TS_INLINE void store_scalar(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size,
                              const LaneScalar& scalar) {
    if (!reachable(op, space, address, size, size)) return;
    std::memcpy(host(space, address), &scalar.bits, size);
    log_write(flat(space, address), size);
  }
  TS_INLINE std::uint64_t peek(Space space, std::uint64_t address) const {
    std::uint64_t bits;
    std::memcpy(&bits, host(space, address), 8);
    return bits;
  }

  TS_INLINE void copy(const MicroOp& op, Space to_space, std::uint64_t to, Space from_space, std::uint64_t from,
                      std::uint32_t size) {
    if (size == 0 || !reachable(op, to_space, to, size, 1) || !reachable(op, from_space, from, size, 1)) return;
    std::memmove(host(to_space, to), host(from_space, from), size);
    log_write(flat(to_space, to), size);
  }
  // `count` elements, evenly spaced on both sides.
  TS_INLINE void copy_elements(const MicroOp& op, const SpacedElements& to, const SpacedElements& from,
                               std::uint32_t elem_bytes, std::uint32_t count) {
    if (count == 0) return;
    const std::uint64_t last = count - 1;
    if (!reachable(op, to.space, to.address + last * to.step, elem_bytes, 1) ||
        !reachable(op, from.space, from.address + last * from.step, elem_bytes, 1))
      return;
    need_elements(to, elem_bytes, count);
    need_elements(from, elem_bytes, count);
    move_elements(host(to.space, to.address), to.step, host(from.space, from.address), from.step, elem_bytes, count);
    log_pattern({flat(to.space, to.address), elem_bytes, to.step, count});
  }
  // `count` times the same element.
  TS_INLINE void fill(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t elem_bytes,
                      std::uint32_t count, const LaneScalar& scalar) {
    if (count == 0 || !reachable(op, space, address, elem_bytes * count, 1)) return;
    move_elements(host(space, address), elem_bytes, reinterpret_cast<const std::uint8_t*>(&scalar.bits), 0, elem_bytes,
                  count);
    log_write(flat(space, address), elem_bytes * count);
  }
  // Active 32-bit lanes with a bit that an offset must not have.
  TS_INLINE void watch_bits(const Reg& offsets, const Pred& pred, std::uint32_t forbidden) {
    using Word = std::uint32_t;
    if (any_bits(zero_inactive<Word>(offsets, pred), HWY_NAMESPACE::broadcast<Word>(forbidden), PartIndices()))
      context_->odd_data = true;
  }
  TS_INLINE void unspecified(Space space, std::uint64_t address, std::uint32_t size, const char*) {
    if (size != 0) context_->log.unspecified(flat(space, address), size);
  }

 private:
  void need_elements(const SpacedElements& place, std::uint32_t elem_bytes, std::uint32_t count) {
    if (place.space != Space::Gm) return;
    for (std::uint32_t i = 0; i < count; ++i)
      context_->memory->need(flat(place.space, place.address + std::uint64_t{i} * place.step), elem_bytes);
  }
  // One after the other, of a size that the compiler knows where it is an element's.
  static HWY_NOINLINE void move_elements(std::uint8_t* to, std::uint32_t to_step, const std::uint8_t* from,
                                         std::uint32_t from_step, std::uint32_t elem_bytes, std::uint32_t count) {
    const auto by = [&](auto size) HWY_ATTR {
      for (std::uint32_t i = 0; i < count; ++i, to += to_step, from += from_step) std::memmove(to, from, size);
    };
    switch (elem_bytes) {
      case 1: return by(std::integral_constant<std::size_t, 1>());
      case 2: return by(std::integral_constant<std::size_t, 2>());
      case 4: return by(std::integral_constant<std::size_t, 4>());
      case 8: return by(std::integral_constant<std::size_t, 8>());
      default: return by(std::size_t{elem_bytes});
    }
  }
  template <int... I>
  static TS_INLINE bool any_bits(const VReg& a, const VReg& mask, std::integer_sequence<int, I...>) {
    auto any = hn::Zero(Bytes());
    ((any = hn::Or(any, hn::And(a.part[I], mask.part[I]))), ...);
    return !hn::AllTrue(Bytes(), hn::Eq(any, hn::Zero(Bytes())));
  }
  TS_INLINE bool in_span(const Indexed& where, std::uint64_t reach) const {
    return reach <= where.span && where.address + reach <= limit_of(where);
  }
  TS_INLINE std::uint32_t limit_of(const Indexed& where) const {
    return where.space == Space::Ub ? ub_size_ : context_->memory->map().size(where.space, context_->core);
  }
  // The same blocks with each looked at: one that may not be read gives nothing, and is a fault when it is needed.
  static HWY_NOINLINE void find_blocks(StepContext& context, std::uint8_t* base, const MicroOp& op,
                                       const Indexed& where, const std::uint32_t* offset, std::uint32_t needed,
                                       const std::uint8_t** block) {
    static constexpr std::uint8_t kNothing[BLK] = {};
    RunMemory core(context, base, {});
    for (std::uint32_t k = 0; k < 8; ++k) {
      const std::uint64_t at = std::uint64_t{where.address} + offset[k];
      bool there = at + BLK <= core.ub_size_;
      if (needed >> k & 1) {
        if (!core.in_span(where, std::uint64_t{offset[k]} + BLK) || at % BLK != 0) context.odd_data = true;
        there = core.reachable(op, Space::Ub, at, BLK, 1);
      }
      block[k] = there ? core.host(Space::Ub, at) : kNothing;
    }
  }
  template <class Element, class Idx, int kScale, int... I>
  TS_INLINE VReg gather_some(const MicroOp& op, const Indexed& where, const VReg& index, const VPred& pred,
                             std::integer_sequence<int, I...>) {
    return gather_lane_by_lane<Element, Idx, kScale>(*context_, base_, op, where, pred.word[0], pred.word[1],
                                                     pred.word[2], pred.word[3], index.part[I]...);
  }
  template <class Element, class Idx, int kScale, class... Parts>
  static HWY_NOINLINE VReg gather_lane_by_lane(StepContext& context, std::uint8_t* base, const MicroOp& op,
                                               const Indexed& where, std::uint64_t w0, std::uint64_t w1,
                                               std::uint64_t w2, std::uint64_t w3, Parts... parts) {
    RunMemory core(context, base, {});
    const VPred pred{{w0, w1, w2, w3}};
    alignas(64) Idx at[EPR<Idx>], out[EPR<Idx>] = {};
    store_register(VReg{{parts...}}, reinterpret_cast<std::uint8_t*>(at));
    for (std::uint32_t i = 0; i < EPR<Idx>; ++i) {
      if (!lane_on<Idx>(pred, i)) continue;
      const std::uint64_t offset = std::uint64_t{at[i]} * kScale;
      if (!core.in_span(where, offset + sizeof(Element))) context.odd_data = true;
      if (!core.reachable(op, where.space, where.address + offset, sizeof(Element), 1)) continue;
      Element value;
      std::memcpy(&value, core.host(where.space, where.address + offset), sizeof value);
      out[i] = value;
    }
    return load_register(reinterpret_cast<const std::uint8_t*>(out));
  }
  template <class Element, class Idx, int kScale>
  static HWY_NOINLINE WriteLog::Cursor scatter_lanes(StepContext& context, std::uint8_t* base, WriteLog::Cursor cursor,
                                                     const MicroOp& op, const Indexed& where, const VReg& idx,
                                                     const VReg& v, const VPred& pred) {
    RunMemory core(context, base, cursor);
    alignas(64) Idx at[EPR<Idx>], value[EPR<Idx>];
    store_register(idx, reinterpret_cast<std::uint8_t*>(at));
    store_register(v, reinterpret_cast<std::uint8_t*>(value));
    if (core.template scatter_evenly<Element, Idx, kScale>(where, at, value, pred)) return core.cursor_;
    for (std::uint32_t n = 0; n < EPR<Idx>; ++n) {
      const std::uint32_t i = where.last_wins ? n : EPR<Idx> - 1 - n;
      if (!lane_on<Idx>(pred, i)) continue;
      const std::uint64_t offset = std::uint64_t{at[i]} * kScale;
      if (!core.in_span(where, offset + sizeof(Element))) context.odd_data = true;
      if (!core.reachable(op, where.space, where.address + offset, sizeof(Element), 1)) continue;
      std::memcpy(core.host(where.space, where.address + offset), &value[i], sizeof(Element));
    }
    core.log_lanes<Element, Idx, kScale>(where, at, pred);
    core.close_runs();
    return core.cursor_;
  }
  // Lanes side by side that go to places of an even step, each its own: nothing has to be asked lane by lane. False: they
  // are others, and nothing is done.
  template <class Element, class Idx, int kScale>
  bool scatter_evenly(const Indexed& where, const Idx* at, const Idx* value, const VPred& pred) {
    if (where.space != Space::Ub) return false;
    std::uint32_t first = 0, end = EPR<Idx>;
    while (first < EPR<Idx> && !lane_on<Idx>(pred, first)) ++first;
    while (end > first && !lane_on<Idx>(pred, end - 1)) --end;
    const std::uint32_t count = end - first;
    if (count == 0) return true;
    const auto step = static_cast<Idx>(count > 1 ? at[first + 1] - at[first] : sizeof(Element) / kScale);
    const std::uint64_t last = at[first] + std::uint64_t{count - 1} * step;
    if (step * kScale < sizeof(Element) || last > at[end - 1] || !in_span(where, last * kScale + sizeof(Element)))
      return false;
    std::uint32_t others = 0;
    for (std::uint32_t i = first; i < end; ++i) others |= lane_on<Idx>(pred, i) ? 0u : 1u;
    for (std::uint32_t i = first; i < end; ++i)
      others |= at[i] == static_cast<Idx>(at[first] + (i - first) * step) ? 0u : 1u;
    if (others != 0) return false;
    std::uint8_t* to = host(Space::Ub, where.address + std::uint64_t{at[first]} * kScale);
    const std::uint32_t bytes = step * kScale;
    if (bytes == sizeof(Element)) {
      Element close[EPR<Idx>];
      for (std::uint32_t i = 0; i < EPR<Idx>; ++i) close[i] = static_cast<Element>(value[i]);
      std::memcpy(to, close + first, count * sizeof(Element));
    } else {
      for (std::uint32_t i = first; i < end; ++i, to += bytes) std::memcpy(to, &value[i], sizeof(Element));
    }
    log_pattern({flat(Space::Ub, where.address + std::uint64_t{at[first]} * kScale), sizeof(Element), bytes, count});
    close_runs();
    return true;
  }
  // Active lanes whose places are evenly spaced, as they mostly are, make one entry.
  template <class Element, class Idx, int kScale>
  void log_lanes(const Indexed& where, const Idx* at, const VPred& pred) {
    WritePattern open{};
    for (std::uint32_t i = 0; i < EPR<Idx>; ++i) {
      const std::uint64_t offset = std::uint64_t{at[i]} * kScale;
      if (!lane_on<Idx>(pred, i) || where.address + offset + sizeof(Element) > limit_of(where)) continue;
      const Flat place = flat(where.space, where.address + offset);
      if (open.count == 1 && place >= open.base + sizeof(Element)) {
        open.stride = place - open.base;
        open.count = 2;
      } else if (open.count > 1 && place == open.base + open.count * open.stride) {
        ++open.count;
      } else {
        if (open.count > 0) log_pattern(open);
        open = {place, sizeof(Element), sizeof(Element), 1};
      }
    }
    if (open.count > 0) log_pattern(open);
  }
  // What turn_blocks writes: rows of one or two blocks, evenly spaced, in the lists of the library.
  void log_blocks(const BlockList& dst, std::uint32_t bytes, std::uint32_t repeats, std::uint32_t step) {
    const std::uint32_t joined = dst[1] == dst[0] + bytes ? 2 : 1, stride = dst[joined] - dst[0];
    bool even = stride >= joined * bytes;
    for (std::size_t i = joined; i < 16; ++i) even = even && dst[i] == dst[i - joined] + stride;
    // Repeats that stand side by side are one longer row.
    const bool side_by_side = even && step == joined * bytes && repeats * step <= stride;
    for (std::uint32_t r = 0; r < (side_by_side ? 1 : repeats); ++r) {
      if (even) {
        log_pattern(
            {flat(Space::Ub, dst[0] + r * step), joined * bytes * (side_by_side ? repeats : 1), stride, 16 / joined});
      } else {
        for (std::size_t i = 0; i < 16; ++i) log_write(flat(Space::Ub, dst[i] + r * step), bytes);
      }
    }
  }

  // The bytes of the active lanes, if these are the first ones; else 0.
  template <class T>
  static HWY_NOINLINE std::uint32_t leading_bytes(std::uint64_t w0, std::uint64_t w1, std::uint64_t w2,
                                                  std::uint64_t w3) {
    constexpr std::uint64_t lanes = kLaneBits<sizeof(T)>;
    const auto count = static_cast<std::uint32_t>(std::popcount(w0 & lanes) + std::popcount(w1 & lanes) +
                                                  std::popcount(w2 & lanes) + std::popcount(w3 & lanes));
    const VPred first = first_lanes<T>(count);
    const bool same =
        (((w0 ^ first.word[0]) | (w1 ^ first.word[1]) | (w2 ^ first.word[2]) | (w3 ^ first.word[3])) & lanes) == 0;
    return same ? count * static_cast<std::uint32_t>(sizeof(T)) : 0;
  }
  template <class... Parts>
  static HWY_NOINLINE void store_first_bytes(std::uint8_t* to, std::uint32_t bytes, Parts... parts) {
    HWY_NAMESPACE::store_lanes<std::uint8_t>(VReg{{parts...}}, first_lanes<std::uint8_t>(bytes), to);
  }

  // The rare forms stand alone, and get registers and predicates in pieces; see zero_some_lanes.
  template <class T, int... I>
  TS_INLINE void store_some(const MicroOp& op, std::uint64_t address, std::uint32_t align, const VReg& v,
                            const VPred& pred, std::integer_sequence<int, I...>) {
    if (const std::uint32_t bytes = leading_bytes<T>(pred.word[0], pred.word[1], pred.word[2], pred.word[3])) {
      if (!reachable(op, Space::Ub, address, bytes, align)) return;
      store_first_bytes(host(Space::Ub, address), bytes, v.part[I]...);
      return log_write(flat(Space::Ub, address), bytes);
    }
    close_runs();
    cursor_ = store_some_lanes<T>(*context_, base_, cursor_, op, address, align, pred.word[0], pred.word[1],
                                  pred.word[2], pred.word[3], v.part[I]...);
  }
  template <int... I>
  TS_INLINE void store_spread(const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes, const VReg& v,
                              const VPred& active, std::integer_sequence<int, I...>) {
    close_runs();
    cursor_ = store_spread_blocks(*context_, base_, cursor_, op, address, stride_bytes, active.word[0], active.word[1],
                                  active.word[2], active.word[3], v.part[I]...);
  }
  template <class T, class... Parts>
  static HWY_NOINLINE WriteLog::Cursor store_some_lanes(StepContext& context, std::uint8_t* base,
                                                        WriteLog::Cursor cursor, const MicroOp& op,
                                                        std::uint64_t address, std::uint32_t align, std::uint64_t w0,
                                                        std::uint64_t w1, std::uint64_t w2, std::uint64_t w3,
                                                        Parts... parts) {
    RunMemory core(context, base, cursor);
    const VReg v{{parts...}};
    const VPred pred{{w0, w1, w2, w3}};
    const VPred bytes = active_bytes<T>(pred);
    if (core.reachable(op, Space::Ub, address, extent(bytes), align)) {
      HWY_NAMESPACE::store_lanes<T>(v, pred, core.host(Space::Ub, address));
      core.log_bytes(core.flat(Space::Ub, address), bytes);
    }
    core.close_runs();
    return core.cursor_;
  }
  static HWY_NOINLINE VReg load_spread_blocks(StepContext& context, std::uint8_t* base, const MicroOp& op,
                                              std::uint64_t address, std::uint32_t stride_bytes, std::uint64_t w0,
                                              std::uint64_t w1, std::uint64_t w2, std::uint64_t w3) {
    RunMemory core(context, base, {});
    const VPred needed{{w0, w1, w2, w3}};
    alignas(64) std::uint8_t bytes[VL] = {};
    for (std::uint32_t block = 0; block < 8; ++block) {
      if (!block_active(needed, block)) continue;
      const std::uint64_t from = address + std::uint64_t{block} * stride_bytes;
      if (core.reachable(op, Space::Ub, from, BLK, BLK))
        std::memcpy(bytes + block * BLK, core.host(Space::Ub, from), BLK);
    }
    return load_register(bytes);
  }
  template <class... Parts>
  static HWY_NOINLINE WriteLog::Cursor store_spread_blocks(StepContext& context, std::uint8_t* base,
                                                           WriteLog::Cursor cursor, const MicroOp& op,
                                                           std::uint64_t address, std::uint32_t stride_bytes,
                                                           std::uint64_t w0, std::uint64_t w1, std::uint64_t w2,
                                                           std::uint64_t w3, Parts... parts) {
    RunMemory core(context, base, cursor);
    const VReg v{{parts...}};
    const VPred active{{w0, w1, w2, w3}};
    alignas(64) std::uint8_t bytes[VL];
    store_register(v, bytes);
    for_byte_runs(active, [&](std::uint32_t first, std::uint32_t count) TS_INLINE_LAMBDA {
      for (std::uint32_t at = first, end = first + count; at < end;) {
        const std::uint32_t room = BLK - at % BLK, size = end - at < room ? end - at : room;
        const std::uint64_t to = address + std::uint64_t{at / BLK} * stride_bytes + at % BLK;
        if (core.reachable(op, Space::Ub, to, size, 1)) {
          std::memcpy(core.host(Space::Ub, to), bytes + at, size);
          core.log_write(core.flat(Space::Ub, to), size);
        }
        at += size;
      }
    });
    core.close_runs();
    return core.cursor_;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
