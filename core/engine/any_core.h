// The core that serves lowerings compiled once for all element types: it runs them, and where somebody watches (the trace
// or the tag machine), the watcher does every operation instead. Its primitives are those of run-inl.h.
#pragma once

#include "core/engine/core_watcher.h"
#include "core/engine/indexed.h"
#include "core/tile/operands.h"

namespace ts {

struct Bound;

inline TraceArg show(const AnyReg& reg) { return {.kind = TraceArg::Kind::Value, .value_id = reg.id}; }
inline TraceArg show(const AnyPred& pred) { return {.kind = TraceArg::Kind::Value, .value_id = pred.id}; }
inline TraceArg show(const AddressArg& arg) {
  return {.kind = TraceArg::Kind::Address,
          .space = arg.space,
          .base = arg.base,
          .offset = arg.offset,
          .elem_bytes = arg.elem_bytes};
}
inline TraceArg show(const CountArg& arg) {
  return {.kind = TraceArg::Kind::Count, .base = arg.value, .name = arg.name};
}
inline TraceArg show(const TextArg& arg) { return {.kind = TraceArg::Kind::Text, .name = arg.text}; }
inline TraceArg show(const LaneScalar& arg) {
  return {.kind = TraceArg::Kind::Scalar, .base = arg.bits, .dtype = arg.dtype};
}

class AnyCore {
 public:
  using Reg = AnyReg;
  using Few = AnyReg;
  using Pred = AnyPred;
  using RegPair = AnyRegPair;
  using PredPair = AnyPredPair;
  using Sum = AnySum;

  AnyCore(StepContext& context, BlockCore& run, CoreWatcher* watcher)
      : memory_(context.memory), core_(context.core), run_(run), watcher_(watcher) {}
  AnyCore& local() { return *this; }
  void join(const AnyCore&) {}

  template <class... Args>
  void micro(const MicroOp& op, DType type, const Args&... args) {
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->micro(op, type, {show(args)...});
  }

  void repeat() {
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->repeat();
  }

  template <LoadKind kind>
  Reg load(DType type, const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size, std::uint32_t align,
           std::uint32_t param = 0) {
    Reg out;
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->load(out, kind, type, op, space, address, size, align, param);
    else run_.load(out, kind, type, op, space, address, size, align, param);
    return out;
  }
  template <Load2Kind kind>
  RegPair load2(DType type, const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size,
                std::uint32_t align) {
    RegPair out;
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->load2(out, type, op, space, address, size, align);
    else run_.load2(out.lo, out.hi, type, op, space, address, size, align);
    return out;
  }
  Reg load_blocks(const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes, const Pred& needed) {
    Reg out;
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->load_blocks(out, op, address, stride_bytes, needed);
    else run_.load_blocks(out, op, address, stride_bytes, needed.p);
    return out;
  }
  template <PredLoad kind>
  Pred load_predicate(DType type, const MicroOp& op, Space space, std::uint64_t address, std::uint32_t align) {
    Pred out;
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->load_predicate(out, kind, type, op, space, address, align);
    else out.p = run_.load_predicate(kind, type, op, space, address, align);
    return out;
  }
  void store_lanes(DType type, const MicroOp& op, std::uint64_t address, std::uint32_t align, const Reg& v,
                   const Pred& pred) {
    if (watcher_ != nullptr) [[unlikely]]
      return watcher_->store_lanes(type, op, address, align, v, pred);
    run_.store_lanes(type, op, address, align, v, pred.p);
  }
  void store_blocks(DType type, const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes, const Reg& v,
                    const Pred& pred) {
    if (watcher_ != nullptr) [[unlikely]]
      return watcher_->store_blocks(type, op, address, stride_bytes, v, pred);
    run_.store_blocks(type, op, address, stride_bytes, v, pred.p);
  }
  void store_pairs(const MicroOp& op, std::uint64_t address, const Reg& lo, const Reg& hi, const Pred& pred) {
    if (watcher_ != nullptr) [[unlikely]]
      return watcher_->store_pairs(op, address, lo, hi, pred);
    run_.store_pairs(op, address, lo, hi, pred.p);
  }
  void store_span(const MicroOp& op, Space space, std::uint64_t address, const Reg& v, std::uint32_t size) {
    if (watcher_ != nullptr) [[unlikely]]
      return watcher_->store_span(op, space, address, v, size);
    run_.store_span(op, space, address, v, size);
  }
  // The first `bytes` of what the predicate looks like in memory.
  void store_predicate(PredStore kind, const MicroOp& op, Space space, std::uint64_t address, std::uint32_t bytes,
                       const Pred& pred) {
    if (watcher_ != nullptr) [[unlikely]]
      return watcher_->store_predicate(kind, op, space, address, bytes, pred);
    Block image;
    predicate_bytes(kind, pred.p, image.bytes);
    run_.store_span(op, space, address, image, bytes);
  }
  template <int kScale>
  Reg gather(DType element, DType index, const MicroOp& op, const Indexed& where, const Reg& idx, const Pred& pred) {
    return gather(element, index, kScale, op, where, idx, pred);
  }
  Reg gather(DType element, DType index, int scale, const MicroOp& op, const Indexed& where, const Reg& idx,
             const Pred& pred) {
    Reg out;
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->gather(out, element, index, scale, op, where, idx, pred);
    else run_.gather(out, element, index, scale, op, where, idx, pred.p);
    return out;
  }
  template <int kScale>
  void scatter(DType element, DType index, const MicroOp& op, const Indexed& where, const Reg& idx, const Reg& v,
               const Pred& pred) {
    scatter(element, index, kScale, op, where, idx, v, pred);
  }
  void scatter(DType element, DType index, int scale, const MicroOp& op, const Indexed& where, const Reg& idx,
               const Reg& v, const Pred& pred) {
    if (watcher_ != nullptr) [[unlikely]]
      return watcher_->scatter(element, index, scale, op, where, idx, v, pred);
    run_.scatter(element, index, scale, op, where, idx, v, pred.p);
  }
  Reg gather_blocks(DType type, const MicroOp& op, const Indexed& where, const Reg& offsets, std::uint32_t needed) {
    Reg out;
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->gather_blocks(out, type, op, where, offsets, needed);
    else run_.gather_blocks(out, type, op, where, offsets, needed);
    return out;
  }
  template <TurnKind kind>
  void turn_blocks(const MicroOp& op, const BlockList& dst, const BlockList& src, std::uint32_t repeats,
                   std::uint32_t dst_step, std::uint32_t src_step) {
    if (watcher_ != nullptr) [[unlikely]]
      return watcher_->turn_blocks(kind, op, dst, src, repeats, dst_step, src_step);
    run_.turn_blocks(kind, op, dst, src, repeats, dst_step, src_step);
  }

  Reg lanewise(LaneOp op, DType type, const Pred& pred, const Reg& a) {
    return lanewise(op, type, pred, {&a}, a, a, a);
  }
  Reg lanewise(LaneOp op, DType type, const Pred& pred, const Reg& a, const Reg& b) {
    return lanewise(op, type, pred, {&a, &b}, a, b, b);
  }
  Reg lanewise(LaneOp op, DType type, const Pred& pred, const Reg& a, const Reg& b, const Reg& c) {
    return lanewise(op, type, pred, {&a, &b, &c}, a, b, c);
  }
  // The form that hot machines have, too.
  template <LaneOp op, class... Regs>
  Reg lanewise(DType type, const Pred& pred, const Regs&... regs) {
    return lanewise(op, type, pred, regs...);
  }
  Pred compare(CompareOp op, DType type, const Pred& seed, const Reg& a, const Reg& b) {
    Pred out;
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->compare(out, op, type, seed, a, b);
    else run_.compare(out.p, op, type, seed.p, a, b);
    return out;
  }
  Reg reduce(ReduceOp op, ReduceScope scope, SumOrder order, DType type, const Pred& pred, const Reg& a) {
    Reg out;
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->reduce(out, op, scope, order, type, pred, a);
    else run_.reduce(out, op, scope, order, type, pred.p, a);
    return out;
  }
  template <ReduceScope scope>
  Reg sums(SumOrder order, DType type, const Pred& pred, const Reg& a) {
    return reduce(ReduceOp::Sum, scope, order, type, pred, a);
  }
  Reg convert(DType to, DType from, const Conversion& how, const Pred& pred, const Reg& a) {
    Reg out;
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->convert(out, to, from, how, pred, a);
    else run_.convert(out, to, from, how, pred.p, a);
    return out;
  }
  Sum add_with_carry(const Reg& a, const Reg& b, const Pred& carry_in, const Pred& pred) {
    return with_carry(false, a, b, carry_in, pred);
  }
  // The carry is 1 where nothing was borrowed.
  Sum sub_with_carry(const Reg& a, const Reg& b, const Pred& carry_in, const Pred& pred) {
    return with_carry(true, a, b, carry_in, pred);
  }
  Reg select(DType type, const Pred& pred, const Reg& on, const Reg& off) {
    Reg out;
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->select(out, type, pred, on, off);
    else run_.select(out, type, pred.p, on, off);
    return out;
  }
  template <Move kind>
  Reg move(DType type, std::uint32_t param, const Reg& a, const Reg& b) {
    Reg out;
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->move(out, kind, type, param, a, b);
    else run_.move(out, kind, type, param, a, b);
    return out;
  }
  template <Move2 kind>
  RegPair move2(DType type, const Reg& a, const Reg& b) {
    RegPair out;
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->move2(out, kind, type, a, b);
    else run_.move2(out.lo, out.hi, kind, type, a, b);
    return out;
  }
  template <PredMove kind>
  Pred move_predicate(const Pred& a) {
    Pred out;
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->move_predicate(out, kind, a);
    else out.p = ts::move_predicate(kind, a.p);
    return out;
  }
  template <PredMove2 kind>
  PredPair move_predicates(const Pred& a, const Pred& b) {
    PredPair out;
    if (watcher_ != nullptr) [[unlikely]] {
      watcher_->move_predicates(out, kind, a, b);
    } else {
      const VPredPair pair = ts::move_predicates(kind, a.p, b.p);
      out.lo.p = pair.lo;
      out.hi.p = pair.hi;
    }
    return out;
  }
  Pred combine_predicates(PredLogic kind, const Pred& a, const Pred& b, const Pred& mask) {
    Pred out;
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->combine_predicates(out, kind, a, b, mask);
    else out.p = ts::combine_predicates(kind, a.p, b.p, mask.p);
    return out;
  }
  Reg broadcast(DType type, const LaneScalar& scalar, const Pred& pred) {
    Reg out;
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->broadcast(out, type, scalar, pred);
    else run_.broadcast(out, type, scalar.bits, pred.p);
    return out;
  }
  // See count_bytes.
  Reg histogram(std::uint32_t first, bool cumulative, const Reg& bytes, const Pred& pred) {
    Reg out;
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->histogram(out, first, cumulative, bytes, pred);
    else count_bytes(out, first, cumulative, bytes, pred.p);
    return out;
  }
  // See pick_lanes, squeeze_lanes, rank_lanes.
  Reg pick(DType type, const Reg& a, const Reg& indices) {
    Reg out;
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->pick(out, type, a, indices);
    else pick_lanes(out, size_bytes(type), a, indices);
    return out;
  }
  Reg squeeze(DType type, const Reg& a, const Pred& pred) {
    Reg out;
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->squeeze(out, type, a, pred);
    else squeeze_lanes(out, size_bytes(type), a, pred.p);
    return out;
  }
  Reg rank(DType type, const Pred& pred) {
    Reg out;
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->rank(out, type, pred);
    else rank_lanes(out, size_bytes(type), pred.p);
    return out;
  }
  // A scalar in lanes on its way into a micro-operation, which the trace does not show.
  Reg scalar_lanes(DType type, const LaneScalar& scalar, const Pred& pred) {
    Reg out = broadcast(type, scalar, pred);
    hide(out);
    return out;
  }
  void hide(const Reg& value) {
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->hide(value.id);
  }
  void hide(const Pred& value) {
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->hide(value.id);
  }
  Reg zero() { return constant_of(DType::U8, 0, 0); }
  // Lane i = first + step * i.
  Reg counting(DType type, std::uint64_t first, std::int64_t step = 1) { return constant_of(type, first, step); }
  Pred predicate(const VPred& image) {
    Pred out;
    for (int i = 0; i < 4; ++i) out.p.word[i] = image.word[i];  // a wider copy would wait for each word
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->made(out);
    return out;
  }

  void store_scalar(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size,
                    const LaneScalar& scalar) {
    if (watcher_ != nullptr) [[unlikely]]
      return watcher_->store_scalar(op, space, address, size, scalar);
    run_.store_scalar(op, space, address, size, scalar);
  }
  // Control registers, which never carry data that a user follows.
  std::uint64_t peek(Space space, std::uint64_t address) const;
  void copy(const MicroOp& op, Space to_space, std::uint64_t to, Space from_space, std::uint64_t from,
            std::uint32_t size) {
    if (watcher_ != nullptr) [[unlikely]]
      return watcher_->copy(op, to_space, to, from_space, from, size);
    run_.copy(op, to_space, to, from_space, from, size);
  }
  void copy_elements(const MicroOp& op, const SpacedElements& to, const SpacedElements& from, std::uint32_t elem_bytes,
                     std::uint32_t count) {
    if (watcher_ != nullptr) [[unlikely]]
      return watcher_->copy_elements(op, to, from, elem_bytes, count);
    run_.copy_elements(op, to, from, elem_bytes, count);
  }
  void fill(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t elem_bytes, std::uint32_t count,
            const LaneScalar& scalar) {
    if (watcher_ != nullptr) [[unlikely]]
      return watcher_->fill(op, space, address, elem_bytes, count, scalar);
    run_.fill(op, space, address, elem_bytes, count, scalar);
  }
  // See ordered.h. Odd keys are for the instruction's data rules.
  void sort_block(const MicroOp& op, DType type, std::uint32_t to, std::uint32_t scores, std::uint32_t indices);
  RecordCounts merge_lists(const MicroOp& op, DType type, std::uint32_t to, const RecordLists& lists, bool exhausted);
  // The bits of a predicate, for a lowering that goes by them.
  const VPred& bits(const Pred& pred) {
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->looked(pred);
    return pred.p;
  }
  // See product.h.
  void multiply(const MicroOp& op, const Product& product);
  void watch_bits(const Reg& offsets, const Pred& pred, std::uint32_t forbidden) {
    run_.watch_bits(offsets, pred.p, forbidden);
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->watched_bits(offsets, pred, forbidden);
  }
  // Remember valid elements that are zero, and a block of UB whose elements differ, for the instruction's data rules.
  void watch_zeros(const TileRef& tile);
  // Of an f32 tile: infinities and NaN, and zeros where they count.
  void watch_factors(const TileRef& tile, bool zeros);
  void watch_block(DType type, std::uint64_t address);
  // The same for indices from `limit` on, and (distinct) for two that are equal; or in any case.
  void watch_indices(const IndexList& list, std::uint64_t limit, bool distinct);
  void watch_data();
  void unspecified(Space space, std::uint64_t address, std::uint32_t size, const char* why) {
    if (watcher_ != nullptr) [[unlikely]]
      return watcher_->unspecified(space, address, size, why);
    run_.unspecified(space, address, size);
  }

 private:
  Reg lanewise(LaneOp op, DType type, const Pred& pred, std::initializer_list<const Reg*> operands, const Reg& a,
               const Reg& b, const Reg& c) {
    Reg out;
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->lanewise(out, op, type, pred, operands);
    else run_.lanewise(out, op, type, pred.p, a, b, c);
    return out;
  }
  Sum with_carry(bool subtract, const Reg& a, const Reg& b, const Pred& carry_in, const Pred& pred) {
    Sum out;
    if (watcher_ != nullptr) [[unlikely]]
      watcher_->add_with_carry(out, subtract, a, b, carry_in, pred);
    else run_.add_with_carry(out.sum, out.carry.p, subtract, a, b, carry_in.p, pred.p);
    return out;
  }
  void move_ordered(const MicroOp& op, const OrderedMoves& order);
  bool can_read(const MicroOp& op, const ByteRange& range);
  Reg constant_of(DType type, std::uint64_t first, std::int64_t step);
  void odd_data();
  template <class F>
  void watch(F is_odd);

  Memory* memory_;
  CoreId core_;
  BlockCore& run_;
  CoreWatcher* watcher_;
};

// Runs a lowering on an AnyCore: as the run machine, or watched.
using AnyLowering = void (*)(AnyCore& core, const Bound& bound, DType lanes);
void run_any(StepContext& context, const Bound& bound, DType lanes, AnyLowering lowering);
void trace_any(StepContext& context, const Bound& bound, DType lanes, AnyLowering lowering);
void tag_any(StepContext& context, const Bound& bound, DType lanes, AnyLowering lowering);

// The latter two are this, each with its watcher.
template <class Watcher>
void run_watched(StepContext& context, const Bound& bound, DType lanes, AnyLowering lowering) {
  BlockCorePlace place;
  BlockCore& run = make_block_core(place, context);
  Watcher watcher(context, run);
  AnyCore core(context, run, &watcher);
  lowering(core, bound, lanes);
  run.finish();
}

}  // namespace ts
