// The run machine: registers are host vectors, and all that is kept besides the result is which bytes were written.
//
// Every core offers these primitives; a target's micro-operations are built of them and of nothing else:
//   micro            opens a micro-operation for the trace (here: nothing)
//   load, load2      memory bytes through a value function into one or two registers
//   load_blocks      eight 32-byte blocks, evenly spaced
//   load_predicate   memory bits into a predicate
//   store_lanes      active lanes to memory; store_blocks, store_pairs, store_span: the same in other arrangements
//   lanewise, select, permute, permute2, permute_pred, permute_pred2, add_with_carry
//   broadcast        a scalar into lanes
//   store_scalar, peek   a scalar to memory; control registers, which never carry data that a user follows
//   copy, fill       memory to memory, byte by byte; a repeated element
//   unspecified      these bytes hold a value that no document promises
// Value functions move bytes only through their arguments, so that the tag machine can run them on tags.
#if defined(TS_ENGINE_RUN_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_ENGINE_RUN_INL_H
#undef TS_ENGINE_RUN_INL_H
#else
#define TS_ENGINE_RUN_INL_H
#endif

#include "core/engine/arithmetic-inl.h"
#include "core/engine/core_base-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

class RunCore : public CoreBase {
 public:
  using Reg = VReg;
  using Pred = VPred;
  struct RegPair {
    Reg lo, hi;
  };
  struct PredPair {
    Pred lo, hi;
  };
  struct Sum {
    Reg sum;
    Pred carry;
  };

  explicit TS_INLINE RunCore(StepContext& context) : CoreBase(context) {}

  // A copy for a loop in a function that is not inlined, so that the machine stays in registers there too; `join` takes
  // it back. The other machines return themselves.
  TS_INLINE RunCore local() const { return *this; }
  TS_INLINE void join(const RunCore& copy) {
    cursor_ = copy.cursor_;
    open_ = copy.open_;
    other_ = copy.other_;
  }

  template <class... Args>
  TS_INLINE void micro(const MicroOp&, DType, const Args&...) {}

  template <class F>
  TS_INLINE Reg load(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size, std::uint32_t align, F f) {
    return f(host(space, safe(op, space, address, size, align)));
  }
  template <class F>
  TS_INLINE RegPair load2(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size, std::uint32_t align, F f) {
    VPair pair = f(host(space, safe(op, space, address, size, align)));
    return {pair.lo, pair.hi};
  }
  TS_INLINE Reg load_blocks(const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes, const Pred& needed) {
    if (HWY_LIKELY(stride_bytes == BLK && address + VL <= ub_size_)) return load(op, Space::Ub, address, VL, BLK, LoadNorm());
    return load_spread_blocks(*context_, base_, op, address, stride_bytes, needed.word[0], needed.word[1], needed.word[2],
                              needed.word[3]);
  }
  template <class F>
  TS_INLINE Pred load_predicate(const MicroOp& op, std::uint64_t address, std::uint32_t align, F f) {
    return f(host(Space::Ub, safe(op, Space::Ub, address, F::kBytes, align)));
  }

  template <class T>
  TS_INLINE void store_lanes(const MicroOp& op, std::uint64_t address, std::uint32_t align, const Reg& v, const Pred& pred) {
    if (HWY_LIKELY(all_lanes_on<T>(pred))) {
      if (!reachable(op, Space::Ub, address, VL, align)) return;
      store_register(v, host(Space::Ub, address));
      log_write(flat(Space::Ub, address), VL);
      return;
    }
    store_some<T>(op, address, align, v, pred, PartIndices());
  }
  template <class T>
  TS_INLINE void store_blocks(const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes, const Reg& v, const Pred& pred) {
    if (HWY_LIKELY(stride_bytes == BLK)) return store_lanes<T>(op, address, BLK, v, pred);
    store_spread(op, address, stride_bytes, v, active_bytes<T>(pred), PartIndices());
  }
  // Lane i of lo and lane i of hi (32 bits each) to the pair of words at address + 8*i, where b32 lane i is on.
  TS_INLINE void store_pairs(const MicroOp& op, std::uint64_t address, const Reg& lo, const Reg& hi, const Pred& pred) {
    alignas(64) std::uint32_t low[VL / 4], high[VL / 4];
    store_register(lo, reinterpret_cast<std::uint8_t*>(low));
    store_register(hi, reinterpret_cast<std::uint8_t*>(high));
    std::uint32_t run = 0;  // lanes that are on, counted from `lane`
    for (std::uint32_t lane = 0; lane < VL / 4; lane += run ? run : 1) {
      for (run = 0; lane + run < VL / 4 && (pred.word[(lane + run) / 16] >> ((lane + run) % 16 * 4) & 1); ++run) {}
      if (run == 0 || !reachable(op, Space::Ub, address + 8 * lane, 8 * run, 8)) continue;
      for (std::uint32_t i = lane; i < lane + run; ++i) {
        std::memcpy(host(Space::Ub, address + 8 * i), &low[i], 4);
        std::memcpy(host(Space::Ub, address + 8 * i + 4), &high[i], 4);
      }
      log_write(flat(Space::Ub, address + 8 * lane), 8 * run);
    }
  }
  // The first `size` bytes of v, to any address.
  TS_INLINE void store_span(const MicroOp& op, std::uint64_t address, const Reg& v, std::uint32_t size) {
    if (size == 0 || !reachable(op, Space::Ub, address, size, 1)) return;
    const VPred bytes = first_lanes<std::uint8_t>(size);
    HWY_NAMESPACE::store_lanes<std::uint8_t>(v, bytes, host(Space::Ub, address));
    log_write(flat(Space::Ub, address), size);
  }

  template <class T, class F>
  TS_INLINE Reg lanewise(F f, const Pred& pred, const Reg& a, const Reg& b) {
    return zero_inactive<T>(f(a, b), pred);
  }
  TS_INLINE Sum add_with_carry(const Reg& a, const Reg& b, const Pred& carry_in, const Pred& pred) {
    SumAndCarry out = AddWithCarry()(a, b, carry_in);
    return {zero_inactive<std::uint32_t>(out.sum, pred), and_predicates(out.carry, pred)};
  }
  template <class T>
  TS_INLINE Reg select(const Pred& pred, const Reg& on, const Reg& off) {
    return SelectLanes<T>()(pred, on, off);
  }
  template <class F, class... Regs>
  TS_INLINE Reg permute(F f, const Regs&... regs) {
    return f(regs...);
  }
  template <class F>
  TS_INLINE RegPair permute2(F f, const Reg& a, const Reg& b) {
    VPair pair = f(a, b);
    return {pair.lo, pair.hi};
  }
  template <class F>
  TS_INLINE Pred permute_pred(F f, const Pred& a) {
    return f(a);
  }
  template <class F>
  TS_INLINE PredPair permute_pred2(F f, const Pred& a, const Pred& b) {
    VPredPair pair = f(a, b);
    return {pair.lo, pair.hi};
  }
  TS_INLINE Reg zero() { return zero_register(); }
  // A predicate that depends on no data.
  TS_INLINE Pred predicate(const VPred& image) { return image; }

  template <class T>
  TS_INLINE Reg broadcast(const LaneScalar& scalar, const Pred& pred) {
    return zero_inactive<T>(HWY_NAMESPACE::broadcast<T>(scalar.bits), pred);
  }

  TS_INLINE void store_scalar(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size, const LaneScalar& scalar) {
    if (!reachable(op, space, address, size, size)) return;
    std::memcpy(host(space, address), &scalar.bits, size);
    log_write(flat(space, address), size);
  }
  TS_INLINE std::uint64_t peek(Space space, std::uint64_t address) const {
    std::uint64_t bits;
    std::memcpy(&bits, host(space, address), 8);
    return bits;
  }

  TS_INLINE void copy(const MicroOp& op, Space to_space, std::uint64_t to, Space from_space, std::uint64_t from, std::uint32_t size) {
    if (size == 0 || !reachable(op, to_space, to, size, 1) || !reachable(op, from_space, from, size, 1)) return;
    std::memmove(host(to_space, to), host(from_space, from), size);
    log_write(flat(to_space, to), size);
  }
  // `count` times the same element, a constant.
  TS_INLINE void fill(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t elem_bytes, std::uint32_t count,
                       std::uint64_t bits) {
    if (count == 0 || !reachable(op, space, address, elem_bytes * count, 1)) return;
    for (std::uint32_t i = 0; i < count; ++i) std::memcpy(host(space, address) + i * elem_bytes, &bits, elem_bytes);
    log_write(flat(space, address), elem_bytes * count);
  }
  TS_INLINE void unspecified(Space space, std::uint64_t address, std::uint32_t size, const char*) {
    if (size != 0) context_->log.unspecified(flat(space, address), size);
  }

 private:
  // The rare forms stand alone, and get registers and predicates in pieces; see zero_some_lanes.
  template <class T, int... I>
  TS_INLINE void store_some(const MicroOp& op, std::uint64_t address, std::uint32_t align, const VReg& v, const VPred& pred,
                             std::integer_sequence<int, I...>) {
    close_runs();
    cursor_ = store_some_lanes<T>(*context_, base_, cursor_, op, address, align, pred.word[0], pred.word[1], pred.word[2],
                                  pred.word[3], v.part[I]...);
  }
  template <int... I>
  TS_INLINE void store_spread(const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes, const VReg& v,
                               const VPred& active, std::integer_sequence<int, I...>) {
    close_runs();
    cursor_ = store_spread_blocks(*context_, base_, cursor_, op, address, stride_bytes, active.word[0], active.word[1],
                                  active.word[2], active.word[3], v.part[I]...);
  }
  RunCore(StepContext& context, std::uint8_t* base, WriteLog::Cursor cursor) : CoreBase(context, base, cursor) {}

  template <class T, class... Parts>
  static HWY_NOINLINE WriteLog::Cursor store_some_lanes(StepContext& context, std::uint8_t* base, WriteLog::Cursor cursor,
                                                        const MicroOp& op, std::uint64_t address, std::uint32_t align,
                                                        std::uint64_t w0, std::uint64_t w1, std::uint64_t w2, std::uint64_t w3,
                                                        Parts... parts) {
    RunCore core(context, base, cursor);
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
  static HWY_NOINLINE VReg load_spread_blocks(StepContext& context, std::uint8_t* base, const MicroOp& op, std::uint64_t address,
                                              std::uint32_t stride_bytes, std::uint64_t w0, std::uint64_t w1, std::uint64_t w2,
                                              std::uint64_t w3) {
    RunCore core(context, base, {});
    const VPred needed{{w0, w1, w2, w3}};
    alignas(64) std::uint8_t bytes[VL] = {};
    for (std::uint32_t block = 0; block < 8; ++block) {
      if (!block_active(needed, block)) continue;
      const std::uint64_t from = address + std::uint64_t{block} * stride_bytes;
      if (core.reachable(op, Space::Ub, from, BLK, BLK)) std::memcpy(bytes + block * BLK, core.host(Space::Ub, from), BLK);
    }
    return load_register(bytes);
  }
  template <class... Parts>
  static HWY_NOINLINE WriteLog::Cursor store_spread_blocks(StepContext& context, std::uint8_t* base, WriteLog::Cursor cursor,
                                                           const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes,
                                                           std::uint64_t w0, std::uint64_t w1, std::uint64_t w2,
                                                           std::uint64_t w3, Parts... parts) {
    RunCore core(context, base, cursor);
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

 protected:
  static TS_INLINE bool block_active(const Pred& pred, std::uint32_t block) {
    return (pred.word[block / 2] >> (block % 2 * 32) & 0xFFFFFFFFull) != 0;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
