// The trace machine: the run machine, and everything it touches copied out. Its registers are values with a number.
#if defined(TS_ENGINE_TRACE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_ENGINE_TRACE_INL_H
#undef TS_ENGINE_TRACE_INL_H
#else
#define TS_ENGINE_TRACE_INL_H
#endif

#include "core/engine/run-inl.h"
#include "core/engine/trace.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

class TraceCore : public RunCore {
 public:
  struct Reg {
    VReg v;
    std::uint32_t id;
  };
  struct Pred {
    VPred p;
    std::uint32_t id;
  };
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

  explicit TraceCore(StepContext& context) : RunCore(context), trace_(*context.trace) {}

  TraceCore& local() { return *this; }
  void join(const TraceCore&) {}

  template <class... Args>
  void micro(const MicroOp& op, DType type, const Args&... args) {
    trace_.steps.emplace_back();
    step().op = &op;
    step().type = type;
    (step().args.push_back(show(args)), ...);
  }

  template <class F>
  HWY_NOINLINE Reg load(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size, std::uint32_t align, F f) {
    note_read(space, address, size);
    return made(RunCore::load(op, space, address, size, align, f));
  }
  template <class F>
  HWY_NOINLINE RegPair load2(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size, std::uint32_t align, F f) {
    note_read(space, address, size);
    const RunCore::RegPair pair = RunCore::load2(op, space, address, size, align, f);
    return {made(pair.lo), made(pair.hi)};
  }
  HWY_NOINLINE Reg load_blocks(const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes, const Pred& needed) {
    for (std::uint32_t block = 0; block < 8; ++block)
      if (block_active(needed.p, block)) note_read(Space::Ub, address + std::uint64_t{block} * stride_bytes, BLK);
    return made(RunCore::load_blocks(op, address, stride_bytes, needed.p));
  }
  template <class F>
  HWY_NOINLINE Pred load_predicate(const MicroOp& op, std::uint64_t address, std::uint32_t align, F f) {
    note_read(Space::Ub, address, F::kBytes);
    return made(RunCore::load_predicate(op, address, align, f));
  }

  template <class T>
  HWY_NOINLINE void store_lanes(const MicroOp& op, std::uint64_t address, std::uint32_t align, const Reg& v, const Pred& pred) {
    watch(Space::Ub, address, VL, [&] { RunCore::store_lanes<T>(op, address, align, v.v, pred.p); });
  }
  template <class T>
  HWY_NOINLINE void store_blocks(const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes, const Reg& v, const Pred& pred) {
    watch(Space::Ub, address, 7 * stride_bytes + BLK, [&] { RunCore::store_blocks<T>(op, address, stride_bytes, v.v, pred.p); });
  }
  HWY_NOINLINE void store_pairs(const MicroOp& op, std::uint64_t address, const Reg& lo, const Reg& hi, const Pred& pred) {
    watch(Space::Ub, address, 2 * VL, [&] { RunCore::store_pairs(op, address, lo.v, hi.v, pred.p); });
  }
  HWY_NOINLINE void store_span(const MicroOp& op, Space space, std::uint64_t address, const Reg& v, std::uint32_t size) {
    watch(space, address, size, [&] { RunCore::store_span(op, space, address, v.v, size); });
  }

  template <class Element, class Idx, int kScale>
  HWY_NOINLINE Reg gather(const MicroOp& op, const Indexed& where, const Reg& idx, const Pred& pred) {
    alignas(64) Idx at[EPR<Idx>];
    store_register(idx.v, reinterpret_cast<std::uint8_t*>(at));
    for (std::uint32_t i = 0; i < EPR<Idx>; ++i)
      if (lane_on<Idx>(pred.p, i)) note_read(Space::Ub, where.address + std::uint64_t{at[i]} * kScale, sizeof(Element));
    return made(RunCore::gather<Element, Idx, kScale>(op, where, idx.v, pred.p));
  }
  template <class Element, class Idx, int kScale>
  HWY_NOINLINE void scatter(const MicroOp& op, const Indexed& where, const Reg& idx, const Reg& v, const Pred& pred) {
    watch(Space::Ub, 0, ub_size_, [&] { RunCore::scatter<Element, Idx, kScale>(op, where, idx.v, v.v, pred.p); });
  }
  template <class T>
  HWY_NOINLINE Reg gather_blocks(const MicroOp& op, const Indexed& where, const Reg& offsets, std::uint32_t needed) {
    alignas(64) std::uint32_t at[VL / 4];
    store_register(offsets.v, reinterpret_cast<std::uint8_t*>(at));
    for (std::uint32_t k = 0; k < 8; ++k)
      if (needed >> k & 1) note_read(Space::Ub, std::uint64_t{where.address} + at[k], BLK);
    return made(RunCore::gather_blocks<T>(op, where, offsets.v, needed));
  }
  template <class F>
  HWY_NOINLINE void turn_blocks(const MicroOp& op, const BlockList& dst, const BlockList& src, std::uint32_t repeats, std::uint32_t dst_step,
                                std::uint32_t src_step, F f) {
    for (std::uint32_t r = 0; r < repeats; ++r)
      for (const std::uint32_t block : src) note_read(Space::Ub, block + r * src_step, F::kBytes);
    watch(Space::Ub, 0, ub_size_, [&] { RunCore::turn_blocks(op, dst, src, repeats, dst_step, src_step, f); });
  }

  template <class T, class F>
  HWY_NOINLINE Reg lanewise(F f, const Pred& pred, const Reg& a) {
    return made(RunCore::lanewise<T>(f, pred.p, a.v));
  }
  template <class T, class F>
  HWY_NOINLINE Reg lanewise(F f, const Pred& pred, const Reg& a, const Reg& b) {
    return made(RunCore::lanewise<T>(f, pred.p, a.v, b.v));
  }
  HWY_NOINLINE Sum add_with_carry(const Reg& a, const Reg& b, const Pred& carry_in, const Pred& pred) {
    const RunCore::Sum out = RunCore::add_with_carry(a.v, b.v, carry_in.p, pred.p);
    return {made(out.sum), made(out.carry)};
  }
  template <class T>
  HWY_NOINLINE Reg select(const Pred& pred, const Reg& on, const Reg& off) {
    return made(RunCore::select<T>(pred.p, on.v, off.v));
  }
  template <class F, class... Regs>
  HWY_NOINLINE Reg permute(F f, const Regs&... regs) {
    return made(RunCore::permute(f, regs.v...));
  }
  template <class F>
  HWY_NOINLINE RegPair permute2(F f, const Reg& a, const Reg& b) {
    const RunCore::RegPair pair = RunCore::permute2(f, a.v, b.v);
    return {made(pair.lo), made(pair.hi)};
  }
  template <class F>
  HWY_NOINLINE Pred permute_pred(F f, const Pred& a) {
    return made(RunCore::permute_pred(f, a.p));
  }
  template <class F>
  HWY_NOINLINE PredPair permute_pred2(F f, const Pred& a, const Pred& b) {
    const RunCore::PredPair pair = RunCore::permute_pred2(f, a.p, b.p);
    return {made(pair.lo), made(pair.hi)};
  }
  Reg zero() { return made(zero_register()); }
  Reg constant(const VReg& value) { return made(value); }
  Pred predicate(const VPred& image) { return made(image); }
  template <class T>
  HWY_NOINLINE Reg broadcast(const LaneScalar& scalar, const Pred& pred) {
    return made(RunCore::broadcast<T>(scalar, pred.p));
  }

  HWY_NOINLINE void store_scalar(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size, const LaneScalar& scalar) {
    watch(space, address, size, [&] { RunCore::store_scalar(op, space, address, size, scalar); });
  }
  HWY_NOINLINE void copy(const MicroOp& op, Space to_space, std::uint64_t to, Space from_space, std::uint64_t from, std::uint32_t size) {
    if (size == 0) return;
    note_read(from_space, from, size);
    watch(to_space, to, size, [&] { RunCore::copy(op, to_space, to, from_space, from, size); });
  }
  HWY_NOINLINE void copy_elements(const MicroOp& op, const Elements& to, const Elements& from, std::uint32_t elem_bytes, std::uint32_t count) {
    if (count == 0) return;
    for (std::uint32_t i = 0; i < count; ++i) note_read(from.space, from.address + std::uint64_t{i} * from.step, elem_bytes);
    watch(to.space, to.address, (count - 1) * to.step + elem_bytes, [&] { RunCore::copy_elements(op, to, from, elem_bytes, count); });
  }
  HWY_NOINLINE void fill(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t elem_bytes, std::uint32_t count, const LaneScalar& scalar) {
    watch(space, address, elem_bytes * count, [&] { RunCore::fill(op, space, address, elem_bytes, count, scalar); });
  }
  void watch_bits(const Reg& offsets, const Pred& pred, std::uint32_t forbidden) { RunCore::watch_bits(offsets.v, pred.p, forbidden); }

 private:
  MicroStep& step() {
    if (trace_.steps.empty()) trace_.steps.emplace_back();
    return trace_.steps.back();
  }

  Reg made(const VReg& v) {
    TraceValue value;
    store_register(v, value.bytes.data());
    return {v, keep(value)};
  }
  Pred made(const VPred& p) {
    TraceValue value;
    value.kind = TraceValue::Kind::Predicate;
    std::memcpy(value.bytes.data(), p.word, sizeof p.word);
    return {p, keep(value)};
  }
  std::uint32_t keep(const TraceValue& value) {
    const auto id = static_cast<std::uint32_t>(trace_.values.size());
    trace_.values.push_back(value);
    if (!trace_.steps.empty()) step().made.push_back(id);
    return id;
  }

  bool inside(Space space, std::uint64_t address, std::uint32_t size) const {
    return address + size <= context_->memory->map().size(space);
  }
  void note_read(Space space, std::uint64_t address, std::uint32_t size) {
    if (!inside(space, address, size)) return;  // the run machine reports it
    const std::uint32_t bytes = trace_.keep_bytes(host(space, address), size);
    step().reads.push_back({space, static_cast<std::uint32_t>(address), size, 0, bytes});
  }
  // Runs a store that reaches [address, address + reach) at most, and keeps what it wrote with what was there before.
  template <class Store>
  void watch(Space space, std::uint64_t address, std::uint32_t reach, Store store) {
    const std::uint64_t limit = context_->memory->map().size(space);
    if (address >= limit) return store();
    const auto window = static_cast<std::uint32_t>(std::min<std::uint64_t>(reach, limit - address));
    const std::vector<std::uint8_t> before(host(space, address), host(space, address) + window);
    const Flat origin = flat(space, address);
    close_runs();
    const std::size_t logged = context_->log.count(cursor_);
    store();
    close_runs();
    for (std::size_t i = logged; i < context_->log.count(cursor_); ++i) {
      const WritePattern entry = context_->log.begin()[i];
      for_runs(entry, [&](Flat base, std::uint32_t size) {
        const std::uint32_t kept_before = trace_.keep_bytes(before.data() + (base - origin), size);
        const std::uint32_t kept_after = trace_.keep_bytes(base_ + base, size);
        step().writes.push_back({space, static_cast<std::uint32_t>(address + (base - origin)), size, kept_before, kept_after});
      });
    }
  }

  static TraceArg show(const Reg& reg) { return {.kind = TraceArg::Kind::Value, .value_id = reg.id}; }
  static TraceArg show(const Pred& pred) { return {.kind = TraceArg::Kind::Value, .value_id = pred.id}; }
  static TraceArg show(const AddressArg& arg) {
    return {.kind = TraceArg::Kind::Address, .space = arg.space, .base = arg.base, .offset = arg.offset, .elem_bytes = arg.elem_bytes};
  }
  static TraceArg show(const CountArg& arg) { return {.kind = TraceArg::Kind::Count, .base = arg.value, .name = arg.name}; }
  static TraceArg show(const TextArg& arg) { return {.kind = TraceArg::Kind::Text, .name = arg.text}; }
  static TraceArg show(const LaneScalar& arg) { return {.kind = TraceArg::Kind::Scalar, .base = arg.bits, .dtype = arg.dtype}; }

  Trace& trace_;
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
