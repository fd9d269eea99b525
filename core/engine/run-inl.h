// The run machine: registers are host vectors, and all that is kept besides the result is which bytes were written.
//
// Every core offers these primitives; a target's micro-operations are built of them and of nothing else:
//   micro, repeat    opens a micro-operation, and each of its repeats, for the trace (here: nothing)
//   load, load2      memory bytes through a value function into one or two registers
//   load_blocks      eight 32-byte blocks, evenly spaced
//   load_predicate   memory bits into a predicate
//   store_lanes      active lanes to memory; store_blocks, store_pairs, store_span: the same in other arrangements
//   gather, scatter  lanes at places that an index register tells; gather_blocks: eight blocks so
//   turn_blocks      lists of 16 blocks, turned over
//   lanewise, compare, reduce, convert, select, add_with_carry, histogram
//   sums             of a register, or of its blocks; a Few is a register of which nobody looks at more than one block
//   move, move2      bytes of registers to other places; move_predicate, move_predicates, combine_predicates: bits
//   broadcast        a scalar into lanes
//   store_scalar, peek   a scalar to memory; control registers, which never carry data that a user follows
//   zero             a register that depends on no data
//   copy, copy_elements, fill   memory to memory, bytes or spaced elements; a repeated scalar
//   watch_bits       remembers that an offset has bits it must not have, for the instruction's data rules
//   unspecified      these bytes hold a value that no document promises
// Value functions move bytes only through their arguments, so that the tag machine can run them on tags.
#if defined(TS_ENGINE_RUN_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_ENGINE_RUN_INL_H
#undef TS_ENGINE_RUN_INL_H
#else
#define TS_ENGINE_RUN_INL_H
#endif

#include "core/engine/arithmetic-inl.h"
#include "core/engine/run_memory-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

class RunCore : public RunMemory {
 public:
  struct PredPair {
    Pred lo, hi;
  };
  struct Sum {
    Reg sum;
    Pred carry;
  };

  explicit TS_INLINE RunCore(StepContext& context) : RunMemory(context) {}
  RunCore(StepContext& context, std::uint8_t* base, WriteLog::Cursor cursor) : RunMemory(context, base, cursor) {}

  // Entries of the log, nothing left open.
  std::size_t logged() {
    close_runs();
    return context_->log.count(cursor_);
  }
  void forget_log(WriteLog::Cursor start) {
    cursor_ = start;
    open_ = other_ = {0, 0};
  }

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
  TS_INLINE void repeat() {}

  template <class T, class F>
  TS_INLINE Reg lanewise(F f, const Pred& pred, const Reg& a) {
    return zero_inactive<T>(f(a), pred);
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
  template <class F>
  TS_INLINE RegPair permute2(F f, const Reg& a, const Reg& b) {
    VPair pair = f(a, b);
    return {pair.lo, pair.hi};
  }
  TS_INLINE Reg zero() { return zero_register(); }
  template <class Value>
  TS_INLINE void hide(const Value&) {}
  // A predicate that depends on no data.
  TS_INLINE Pred predicate(const VPred& image) { return image; }

  template <class T>
  TS_INLINE Reg broadcast(const LaneScalar& scalar, const Pred& pred) {
    return zero_inactive<T>(HWY_NAMESPACE::broadcast<T>(scalar.bits), pred);
  }

  // --- the same by the names of the value functions, as micro-operations ask for them ---------------------------------

  using RunMemory::gather, RunMemory::scatter, RunMemory::gather_blocks, RunMemory::turn_blocks;
  using RunMemory::load, RunMemory::load2, RunMemory::load_predicate, RunMemory::store_lanes, RunMemory::store_blocks;
  template <LoadKind kind, class L>
  TS_INLINE Reg load(L, const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size, std::uint32_t align,
                     std::uint32_t param = 0) {
    if constexpr (kind == LoadKind::Norm) return load(op, space, address, size, align, LoadNorm());
    if constexpr (kind == LoadKind::Broadcast)
      return load(op, space, address, size, align, LoadBroadcast<BitsOf<typename L::type>>());
    if constexpr (kind == LoadKind::Unpack8) return load(op, space, address, size, align, LoadUnpack8());
    if constexpr (kind == LoadKind::Some) return load(op, space, address, size, align, LoadSome{param});
    if constexpr (kind == LoadKind::Block) return load(op, space, address, size, align, LoadBlock());
  }
  template <Load2Kind kind, class L>
  TS_INLINE RegPair load2(L, const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size,
                          std::uint32_t align) {
    return load2(op, space, address, size, align, LoadDeinterleaved<BitsOf<typename L::type>>());
  }
  template <PredLoad kind, class L>
  TS_INLINE Pred load_predicate(L, const MicroOp& op, Space space, std::uint64_t address, std::uint32_t align) {
    if constexpr (kind == PredLoad::Norm) return load_predicate(op, space, address, align, LoadPredNorm());
    if constexpr (kind == PredLoad::Unpacked) return load_predicate(op, space, address, align, LoadPredUnpacked());
    if constexpr (kind == PredLoad::LaneBits)
      return load_predicate(op, space, address, align, LoadLaneBits<BitsOf<typename L::type>>());
  }
  template <class U>
  TS_INLINE void store_lanes(Lane<U>, const MicroOp& op, std::uint64_t address, std::uint32_t align, const Reg& v,
                             const Pred& pred) {
    store_lanes<BitsOf<U>>(op, address, align, v, pred);
  }
  template <class U>
  TS_INLINE void store_blocks(Lane<U>, const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes,
                              const Reg& v, const Pred& pred) {
    store_blocks<BitsOf<U>>(op, address, stride_bytes, v, pred);
  }
  template <int kScale, class Element, class Idx>
  TS_INLINE Reg gather(Lane<Element>, Lane<Idx>, const MicroOp& op, const Indexed& where, const Reg& idx,
                       const Pred& pred) {
    return gather<Element, Idx, kScale>(op, where, idx, pred);
  }
  template <int kScale, class Element, class Idx>
  TS_INLINE void scatter(Lane<Element>, Lane<Idx>, const MicroOp& op, const Indexed& where, const Reg& idx,
                         const Reg& v, const Pred& pred) {
    scatter<Element, Idx, kScale>(op, where, idx, v, pred);
  }
  template <class U>
  TS_INLINE Reg gather_blocks(Lane<U>, const MicroOp& op, const Indexed& where, const Reg& offsets,
                              std::uint32_t needed) {
    return gather_blocks<U>(op, where, offsets, needed);
  }
  template <TurnKind kind>
  TS_INLINE void turn_blocks(const MicroOp& op, const BlockList& dst, const BlockList& src, std::uint32_t repeats,
                             std::uint32_t dst_step, std::uint32_t src_step) {
    if constexpr (kind == TurnKind::Bytes) turn_blocks(op, dst, src, repeats, dst_step, src_step, TurnBlocks8());
    if constexpr (kind == TurnKind::Halves) turn_blocks(op, dst, src, repeats, dst_step, src_step, TurnBlocks16());
    if constexpr (kind == TurnKind::Words) turn_blocks(op, dst, src, repeats, dst_step, src_step, TurnBlocks32());
  }
  template <LaneOp op, class U>
  TS_INLINE Reg lanewise(Lane<U>, const Pred& pred, const Reg& a, const Reg& b) {
    return lanewise<BitsOf<U>>(BinaryLanes<U, typename VectorOpOf<op>::type>(), pred, a, b);
  }
  // Two Fews in lanes that are all on.
  template <LaneOp op>
  TS_INLINE Few lanewise(Lane<float>, const Pred&, const Few& a, const Few& b) {
    static_assert(op == LaneOp::Add);
    return add_few(a, b, FewIndices());
  }
  template <ReduceScope scope>
  TS_INLINE Few sums(SumOrder order, Lane<float>, const Pred& pred, const Reg& a) {
    return sum_lanes<scope>(order, pred, a);
  }
  template <class U>
  TS_INLINE Reg select(Lane<U>, const Pred& pred, const Reg& on, const Reg& off) {
    return select<BitsOf<U>>(pred, on, off);
  }
  template <Move kind, class U>
  TS_INLINE Reg move(Lane<U>, std::uint32_t param, const Reg& a, const Reg& b) {
    if constexpr (kind == Move::Splice) return SpliceBytes{param}(a, b);
    if constexpr (kind == Move::Drop) return DropBytes{param}(a);
    if constexpr (kind == Move::PackHalf) return PackLanes<U, typename UnsignedOf<sizeof(U) / 2>::type>()(a);
    if constexpr (kind == Move::PackByte) return PackLanes<U, std::uint8_t>()(a);
  }
  template <Move2 kind, class U>
  TS_INLINE RegPair move2(Lane<U>, const Reg& a, const Reg& b) {
    if constexpr (kind == Move2::Deinterleave) return permute2(Deinterleave<U>(), a, b);
    if constexpr (kind == Move2::Interleave) return permute2(Interleave<U>(), a, b);
  }
  template <PredMove kind>
  TS_INLINE Pred move_predicate(const Pred& a) {
    if constexpr (kind == PredMove::UnpackLower) return UnpackPredLower()(a);
    if constexpr (kind == PredMove::PackLower) return PackPredLower()(a);
  }
  template <PredMove2 kind>
  TS_INLINE PredPair move_predicates(const Pred& a, const Pred& b) {
    static_assert(kind == PredMove2::Interleave16);
    VPredPair pair = InterleavePred16()(a, b);
    return {pair.lo, pair.hi};
  }
  template <class U>
  TS_INLINE Reg broadcast(Lane<U>, const LaneScalar& scalar, const Pred& pred) {
    return broadcast<BitsOf<U>>(scalar, pred);
  }
  template <class U>
  TS_INLINE Reg scalar_lanes(Lane<U> lane, const LaneScalar& scalar, const Pred& pred) {
    return broadcast(lane, scalar, pred);
  }
  template <class U>
  TS_INLINE Reg counting(Lane<U>, std::uint64_t first) {
    return counting_lanes<U>(first);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
