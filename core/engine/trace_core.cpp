// The trace machine: the run machine, and everything it touches copied out.
#include <algorithm>
#include <cstring>
#include <vector>

#include "core/engine/any_core.h"

namespace ts {
namespace {

class TraceCore final : public CoreWatcher {
 public:
  TraceCore(StepContext& context, BlockCore& run) : context_(context), run_(run), trace_(*context.trace) {}

  void micro(const MicroOp& op, DType type, std::initializer_list<TraceArg> args) override {
    trace_.steps.emplace_back();
    step().op = &op;
    step().type = type;
    step().args.assign(args.begin(), args.end());
  }

  void load(AnyReg& out, LoadKind kind, DType type, const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size, std::uint32_t align,
            std::uint32_t param) override {
    note_read(space, address, size);
    run_.load(out, kind, type, op, space, address, size, align, param);
    made(out);
  }
  void load2(AnyRegPair& out, DType type, const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size, std::uint32_t align) override {
    note_read(space, address, size);
    run_.load2(out.lo, out.hi, type, op, space, address, size, align);
    made(out.lo);
    made(out.hi);
  }
  void load_blocks(AnyReg& out, const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes, const AnyPred& needed) override {
    for (std::uint32_t block = 0; block < 8; ++block)
      if (block_active(needed.p, block)) note_read(Space::Ub, address + std::uint64_t{block} * stride_bytes, BLK);
    run_.load_blocks(out, op, address, stride_bytes, needed.p);
    made(out);
  }
  void load_predicate(AnyPred& out, PredLoad kind, DType type, const MicroOp& op, Space space, std::uint64_t address, std::uint32_t align) override {
    note_read(space, address, loaded_bytes(kind, type));
    out.p = run_.load_predicate(kind, type, op, space, address, align);
    made(out);
  }
  void store_lanes(DType type, const MicroOp& op, std::uint64_t address, std::uint32_t align, const AnyReg& v, const AnyPred& pred) override {
    watch(Space::Ub, address, VL, [&] { run_.store_lanes(type, op, address, align, v, pred.p); });
  }
  void store_blocks(DType type, const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes, const AnyReg& v, const AnyPred& pred) override {
    watch(Space::Ub, address, 7 * stride_bytes + BLK, [&] { run_.store_blocks(type, op, address, stride_bytes, v, pred.p); });
  }
  void store_pairs(const MicroOp& op, std::uint64_t address, const AnyReg& lo, const AnyReg& hi, const AnyPred& pred) override {
    watch(Space::Ub, address, 2 * VL, [&] { run_.store_pairs(op, address, lo, hi, pred.p); });
  }
  void store_span(const MicroOp& op, Space space, std::uint64_t address, const AnyReg& v, std::uint32_t size) override {
    watch(space, address, size, [&] { run_.store_span(op, space, address, v, size); });
  }
  void store_predicate(PredStore kind, const MicroOp& op, Space space, std::uint64_t address, std::uint32_t bytes, const AnyPred& pred) override {
    Block image;
    predicate_bytes(kind, pred.p, image.bytes);
    watch(space, address, bytes, [&] { run_.store_span(op, space, address, image, bytes); });
  }
  void gather(AnyReg& out, DType element, DType index, int scale, const MicroOp& op, const Indexed& where, const AnyReg& idx, const AnyPred& pred) override {
    const std::uint32_t width = size_bytes(index);
    for (std::uint32_t at = 0; at < VL; at += width) {
      std::uint64_t offset = 0;
      std::memcpy(&offset, idx.bytes + at, width);
      if (lane_is_on(pred.p, at)) note_read(Space::Ub, where.address + offset * static_cast<std::uint64_t>(scale), size_bytes(element));
    }
    run_.gather(out, element, index, scale, op, where, idx, pred.p);
    made(out);
  }
  void scatter(DType element, DType index, int scale, const MicroOp& op, const Indexed& where, const AnyReg& idx, const AnyReg& v,
               const AnyPred& pred) override {
    watch(Space::Ub, 0, context_.memory->map().size(Space::Ub), [&] { run_.scatter(element, index, scale, op, where, idx, v, pred.p); });
  }
  void gather_blocks(AnyReg& out, DType type, const MicroOp& op, const Indexed& where, const AnyReg& offsets, std::uint32_t needed) override {
    for (std::uint32_t k = 0; k < 8; ++k) {
      std::uint32_t offset;
      std::memcpy(&offset, offsets.bytes + 4 * k, 4);
      if (needed >> k & 1) note_read(Space::Ub, std::uint64_t{where.address} + offset, BLK);
    }
    run_.gather_blocks(out, type, op, where, offsets, needed);
    made(out);
  }
  void turn_blocks(TurnKind kind, const MicroOp& op, const BlockList& dst, const BlockList& src, std::uint32_t repeats, std::uint32_t dst_step,
                   std::uint32_t src_step) override {
    const std::uint32_t bytes = kind == TurnKind::Bytes ? BLK / 2 : BLK;
    for (std::uint32_t r = 0; r < repeats; ++r)
      for (const std::uint32_t block : src) note_read(Space::Ub, block + r * src_step, bytes);
    watch(Space::Ub, 0, context_.memory->map().size(Space::Ub), [&] { run_.turn_blocks(kind, op, dst, src, repeats, dst_step, src_step); });
  }

  void lanewise(AnyReg& out, LaneOp op, DType type, const AnyPred& pred, std::initializer_list<const AnyReg*> operands) override {
    const AnyReg* const* a = operands.begin();
    const AnyReg *b = a[operands.size() > 1 ? 1 : 0], *c = a[operands.size() > 2 ? 2 : 0];
    run_.lanewise(out, op, type, pred.p, **a, *b, *c);
    made(out);
  }
  void compare(AnyPred& out, CompareOp op, DType type, const AnyPred& seed, const AnyReg& a, const AnyReg& b) override {
    run_.compare(out.p, op, type, seed.p, a, b);
    made(out);
  }
  void reduce(AnyReg& out, ReduceOp op, ReduceScope scope, SumOrder order, DType type, const AnyPred& pred, const AnyReg& a) override {
    run_.reduce(out, op, scope, order, type, pred.p, a);
    made(out);
  }
  void convert(AnyReg& out, DType to, DType from, const Conversion& how, const AnyPred& pred, const AnyReg& a) override {
    run_.convert(out, to, from, how, pred.p, a);
    made(out);
  }
  void add_with_carry(AnySum& out, bool subtract, const AnyReg& a, const AnyReg& b, const AnyPred& carry_in, const AnyPred& pred) override {
    run_.add_with_carry(out.sum, out.carry.p, subtract, a, b, carry_in.p, pred.p);
    made(out.sum);
    made(out.carry);
  }
  void histogram(AnyReg& out, std::uint32_t first, bool cumulative, const AnyReg& bytes, const AnyPred& pred) override {
    count_bytes(out, first, cumulative, bytes, pred.p);
    made(out);
  }
  void pick(AnyReg& out, DType type, const AnyReg& a, const AnyReg& indices) override {
    pick_lanes(out, size_bytes(type), a, indices);
    made(out);
  }
  void squeeze(AnyReg& out, DType type, const AnyReg& a, const AnyPred& pred) override {
    squeeze_lanes(out, size_bytes(type), a, pred.p);
    made(out);
  }
  void rank(AnyReg& out, DType type, const AnyPred& pred) override {
    rank_lanes(out, size_bytes(type), pred.p);
    made(out);
  }
  void select(AnyReg& out, DType type, const AnyPred& pred, const AnyReg& on, const AnyReg& off) override {
    run_.select(out, type, pred.p, on, off);
    made(out);
  }
  void move(AnyReg& out, Move kind, DType type, std::uint32_t param, const AnyReg& a, const AnyReg& b) override {
    run_.move(out, kind, type, param, a, b);
    made(out);
  }
  void move2(AnyRegPair& out, Move2 kind, DType type, const AnyReg& a, const AnyReg& b) override {
    run_.move2(out.lo, out.hi, kind, type, a, b);
    made(out.lo);
    made(out.hi);
  }
  void move_predicate(AnyPred& out, PredMove kind, const AnyPred& a) override {
    out.p = ts::move_predicate(kind, a.p);
    made(out);
  }
  void move_predicates(AnyPredPair& out, PredMove2 kind, const AnyPred& a, const AnyPred& b) override {
    const VPredPair pair = ts::move_predicates(kind, a.p, b.p);
    out.lo.p = pair.lo;
    out.hi.p = pair.hi;
    made(out.lo);
    made(out.hi);
  }
  void combine_predicates(AnyPred& out, PredLogic kind, const AnyPred& a, const AnyPred& b, const AnyPred& mask) override {
    out.p = ts::combine_predicates(kind, a.p, b.p, mask.p);
    made(out);
  }
  void broadcast(AnyReg& out, DType type, const LaneScalar& scalar, const AnyPred& pred) override {
    run_.broadcast(out, type, scalar.bits, pred.p);
    made(out);
  }
  void made(AnyReg& value) override {
    TraceValue kept;
    std::memcpy(kept.bytes.data(), value.bytes, VL);
    value.id = keep(kept);
  }
  void made(AnyPred& value) override {
    TraceValue kept;
    kept.kind = TraceValue::Kind::Predicate;
    std::memcpy(kept.bytes.data(), value.p.word, sizeof value.p.word);
    value.id = keep(kept);
  }

  void hide(std::uint32_t id) override {
    if (id + 1 != trace_.values.size() || trace_.steps.empty() || step().made.empty()) return;
    trace_.values.pop_back();
    step().made.pop_back();
  }

  void store_scalar(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size, const LaneScalar& scalar) override {
    watch(space, address, size, [&] { run_.store_scalar(op, space, address, size, scalar); });
  }
  void copy(const MicroOp& op, Space to_space, std::uint64_t to, Space from_space, std::uint64_t from, std::uint32_t size) override {
    if (size == 0) return;
    note_read(from_space, from, size);
    watch(to_space, to, size, [&] { run_.copy(op, to_space, to, from_space, from, size); });
  }
  void copy_elements(const MicroOp& op, const Elements& to, const Elements& from, std::uint32_t elem_bytes, std::uint32_t count) override {
    if (count == 0) return;
    for (std::uint32_t i = 0; i < count; ++i) note_read(from.space, from.address + std::uint64_t{i} * from.step, elem_bytes);
    watch(to.space, to.address, (count - 1) * to.step + elem_bytes, [&] { run_.copy_elements(op, to, from, elem_bytes, count); });
  }
  void fill(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t elem_bytes, std::uint32_t count, const LaneScalar& scalar) override {
    watch(space, address, elem_bytes * count, [&] { run_.fill(op, space, address, elem_bytes, count, scalar); });
  }
  void unspecified(Space space, std::uint64_t address, std::uint32_t size, const char*) override { run_.unspecified(space, address, size); }

 private:
  MicroStep& step() {
    if (trace_.steps.empty()) trace_.steps.emplace_back();
    return trace_.steps.back();
  }
  std::uint32_t keep(const TraceValue& value) {
    const auto id = static_cast<std::uint32_t>(trace_.values.size());
    trace_.values.push_back(value);
    if (!trace_.steps.empty()) step().made.push_back(id);
    return id;
  }

  const std::uint8_t* host(Space space, std::uint64_t address) const {
    return reinterpret_cast<const std::uint8_t*>(context_.memory->base()) + context_.memory->map().origin(space) + address;
  }
  void note_read(Space space, std::uint64_t address, std::uint32_t size) {
    if (address + size > context_.memory->map().size(space)) return;  // the run machine reports it
    const std::uint32_t bytes = trace_.keep_bytes(host(space, address), size);
    step().reads.push_back({space, static_cast<std::uint32_t>(address), size, 0, bytes});
  }
  // Runs a store that reaches [address, address + reach) at most, and keeps what it wrote with what was there before.
  template <class Store>
  void watch(Space space, std::uint64_t address, std::uint32_t reach, Store store) {
    const std::uint64_t limit = context_.memory->map().size(space);
    if (address >= limit) return store();
    const auto window = static_cast<std::uint32_t>(std::min<std::uint64_t>(reach, limit - address));
    before_.assign(host(space, address), host(space, address) + window);
    const Flat origin = static_cast<Flat>(context_.memory->map().origin(space) + address);
    const std::size_t logged = run_.logged();
    store();
    const std::size_t now = run_.logged();
    for (std::size_t i = logged; i < now; ++i) {
      for_runs(context_.log.begin()[i], [&](Flat base, std::uint32_t size) {
        const std::uint32_t kept_before = trace_.keep_bytes(before_.data() + (base - origin), size);
        const std::uint32_t kept_after = trace_.keep_bytes(reinterpret_cast<const std::uint8_t*>(context_.memory->base()) + base, size);
        step().writes.push_back({space, static_cast<std::uint32_t>(address + (base - origin)), size, kept_before, kept_after});
      });
    }
  }

  StepContext& context_;
  BlockCore& run_;
  Trace& trace_;
  std::vector<std::uint8_t> before_;
};

}  // namespace

void trace_any(StepContext& context, const Bound& bound, DType lanes, AnyLowering lowering) { run_watched<TraceCore>(context, bound, lanes, lowering); }

}  // namespace ts
