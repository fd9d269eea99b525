// Each operation is made by the run machine, and written down.
#include "core/engine/plan/plan_core.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "core/engine/plan/plan_writer.h"

namespace ts {
namespace {

constexpr std::size_t kMostOperations = std::size_t{1} << 16;
constexpr VPred kAllOn{{~0ull, ~0ull, ~0ull, ~0ull}};

class PlanCore final : public CoreWatcher {
 public:
  PlanCore(StepContext& context, BlockCore& run, bool assumes)
      : context_(context), run_(run), writer_(*context.memory), assumes_(assumes) {}

  // Null: this lowering has no plan.
  std::unique_ptr<Plan> finish() {
    if (!may_ || context_.fault || writer_.count() > kMostOperations) return nullptr;
    return writer_.finish(context_.log);
  }

  void micro(const MicroOp&, DType, std::initializer_list<TraceArg>) override {}
  void repeat() override {}
  void hide(std::uint32_t) override {}
  void made(AnyReg& value, DType) override { value.id = number(writer_.constant(value)); }
  void made(AnyPred& value) override { value.id = number(writer_.constant(value.p)); }
  void watched(const WatchesData& is_odd) override {
    may_ = may_ && !writer_.wrote(kAnywhere);
    writer_.watch(is_odd);
  }
  void looked(const AnyPred& pred) override { may_ = may_ && pred.id != 0 && writer_.is_constant(value_of(pred)); }
  void looked(Space space, std::uint64_t address, std::uint64_t bits) override {
    const FlatRange where = range(space, address, sizeof bits);
    if (!scalars_.insert(where.begin).second) return;
    if (std::ranges::any_of(unknown_, [&](const FlatRange& one) { return one.overlaps(where); })) may_ = false;
    writer_.look(where.begin, bits);
  }
  void watched_bits(const AnyReg& offsets, const AnyPred& pred, std::uint32_t forbidden) override {
    PlanOp op = of({&offsets}, {&pred});
    op.call = [forbidden](BlockCore& run, const PlanOperands& on) {
      run.watch_bits(*on.in[0], *on.pred[0], forbidden);
    };
    add(std::move(op));
  }

  // --- memory -------------------------------------------------------------------------------------------------------

  void load(AnyReg& out, LoadKind kind, DType type, const MicroOp& op, Space space, std::uint64_t address,
            std::uint32_t size, std::uint32_t align, std::uint32_t param) override {
    run_.load(out, kind, type, op, space, address, size, align, param);
    PlanOp made = of({}, {});
    made.reads = range(space, address, std::max(size, VL));
    const bool plain = (kind == LoadKind::Norm || (kind == LoadKind::Some && param == VL)) && space != Space::Gm;
    made.kind = plain ? PlanOp::Kind::Load : PlanOp::Kind::Call;
    made.load = best_load_function(kind, type);
    if (!plain && made.load != nullptr && space != Space::Gm) made.kind = PlanOp::Kind::LoadLanes;
    made.call = [=, &op](BlockCore& run, const PlanOperands& on) {
      run.load(*on.out[0], kind, type, op, space, address, size, align, param);
    };
    makes(made, out);
    add(std::move(made));
  }
  void load2(AnyRegPair& out, DType type, const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size,
             std::uint32_t align) override {
    run_.load2(out.lo, out.hi, type, op, space, address, size, align);
    PlanOp made = of({}, {});
    made.reads = range(space, address, std::max(size, 2 * VL));
    made.call = [=, &op](BlockCore& run, const PlanOperands& on) {
      run.load2(*on.out[0], *on.out[1], type, op, space, address, size, align);
    };
    makes(made, out.lo, &out.hi);
    add(std::move(made));
  }
  void load_blocks(AnyReg& out, const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes,
                   const AnyPred& needed) override {
    run_.load_blocks(out, op, address, stride_bytes, needed.p);
    PlanOp made = of({}, {&needed});
    made.reads = range(Space::Ub, address, 7 * stride_bytes + BLK);
    if (stride_bytes == BLK && address + VL <= context_.memory->map().size(Space::Ub, context_.core))
      made.kind = PlanOp::Kind::Load;
    made.call = [=, &op](BlockCore& run, const PlanOperands& on) {
      run.load_blocks(*on.out[0], op, address, stride_bytes, *on.pred[0]);
    };
    makes(made, out);
    add(std::move(made));
  }
  void load_predicate(AnyPred& out, PredLoad kind, DType type, const MicroOp& op, Space space, std::uint64_t address,
                      std::uint32_t align) override {
    out.p = run_.load_predicate(kind, type, op, space, address, align);
    const FlatRange from = range(space, address, sizeof(VPred));
    if (assumes_ && kind == PredLoad::Norm && space == Space::Reg && !writer_.wrote(from)) {
      writer_.assume(from.begin, out.p);
      return this->made(out);
    }
    PlanOp made = of({}, {});
    const bool plain = kind == PredLoad::Norm && space != Space::Gm;
    if (plain) made.kind = PlanOp::Kind::LoadPredicate;
    else if (space != Space::Gm) made.kind = PlanOp::Kind::LoadLanes;
    made.load = best_predicate_load_function(kind, type);
    made.reads = range(space, address, plain ? sizeof(VPred) : VL);
    made.call = [=, &op](BlockCore& run, const PlanOperands& on) {
      *on.pred_out[0] = run.load_predicate(kind, type, op, space, address, align);
    };
    makes(made, out);
    add(std::move(made));
  }
  void store_lanes(DType type, const MicroOp& op, std::uint64_t address, std::uint32_t align, const AnyReg& v,
                   const AnyPred& pred) override {
    run_.store_lanes(type, op, address, align, v, pred.p);
    PlanOp made = of({&v}, {&pred});
    made.call = [=, &op](BlockCore& run, const PlanOperands& on) {
      run.store_lanes(type, op, address, align, *on.in[0], *on.pred[0]);
    };
    stores(made, address, size_bytes(type), pred);
  }
  void store_blocks(DType type, const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes, const AnyReg& v,
                    const AnyPred& pred) override {
    if (stride_bytes == BLK) return store_lanes(type, op, address, BLK, v, pred);
    run_.store_blocks(type, op, address, stride_bytes, v, pred.p);
    PlanOp made = of({&v}, {&pred});
    made.writes = range(Space::Ub, address, 7 * stride_bytes + BLK);
    made.logs = !constant(pred);
    made.call = [=, &op](BlockCore& run, const PlanOperands& on) {
      run.store_blocks(type, op, address, stride_bytes, *on.in[0], *on.pred[0]);
    };
    add(std::move(made));
  }
  void store_pairs(const MicroOp& op, std::uint64_t address, const AnyReg& lo, const AnyReg& hi,
                   const AnyPred& pred) override {
    run_.store_pairs(op, address, lo, hi, pred.p);
    const std::uint32_t lanes = leading_lanes(pred.p, 4);
    if (constant(pred) && is_first_lanes(pred.p, 4, lanes)) return store_joined(op, address, lo, hi, 8 * lanes);
    PlanOp made = of({&lo, &hi}, {&pred});
    made.writes = range(Space::Ub, address, 2 * VL);
    made.logs = !constant(pred);
    made.call = [=, &op](BlockCore& run, const PlanOperands& on) {
      run.store_pairs(op, address, *on.in[0], *on.in[1], *on.pred[0]);
    };
    add(std::move(made));
  }
  void store_span(const MicroOp& op, Space space, std::uint64_t address, const AnyReg& v, std::uint32_t size) override {
    run_.store_span(op, space, address, v, size);
    if (size == 0) return;
    PlanOp made = of({&v}, {});
    made.kind = space == Space::Gm ? PlanOp::Kind::Call : PlanOp::Kind::Store;
    made.bytes = size;
    made.writes = range(space, address, size);
    made.call = [=, &op](BlockCore& run, const PlanOperands& on) {
      run.store_span(op, space, address, *on.in[0], size);
    };
    add(std::move(made), space);
  }
  void store_predicate(PredStore kind, const MicroOp& op, Space space, std::uint64_t address, std::uint32_t bytes,
                       const AnyPred& pred) override {
    const auto store = [=, &op](BlockCore& run, const VPred& value) {
      Block image;
      predicate_bytes(kind, value, image.bytes);
      run.store_span(op, space, address, image, bytes);
    };
    store(run_, pred.p);
    PlanOp made = of({}, {&pred});
    if (bytes == stored_bytes(kind) && space != Space::Gm) made.kind = PlanOp::Kind::StorePredicate;
    made.masked = best_store_function(kind);
    made.writes = range(space, address, bytes);
    made.call = [store](BlockCore& run, const PlanOperands& on) { store(run, *on.pred[0]); };
    add(std::move(made), space);
  }
  void gather(AnyReg& out, DType element, DType index, int scale, const MicroOp& op, const Indexed& where,
              const AnyReg& idx, const AnyPred& pred) override {
    run_.gather(out, element, index, scale, op, where, idx, pred.p);
    PlanOp made = of({&idx}, {&pred});
    made.reads = kAnywhere;
    if (constant(idx) && constant(pred) && size_bytes(element) == size_bytes(index)) {
      made.type = element;
      made.places = known_places(element, scale, where, idx, pred);
      if (!made.places.empty()) made.kind = PlanOp::Kind::Gather;
    }
    made.call = [=, &op](BlockCore& run, const PlanOperands& on) {
      run.gather(*on.out[0], element, index, scale, op, where, *on.in[0], *on.pred[0]);
    };
    makes(made, out);
    add(std::move(made));
  }
  void scatter(DType element, DType index, int scale, const MicroOp& op, const Indexed& where, const AnyReg& idx,
               const AnyReg& v, const AnyPred& pred) override {
    run_.scatter(element, index, scale, op, where, idx, v, pred.p);
    PlanOp made = of({&idx, &v}, {&pred});
    made.writes = kAnywhere;
    made.logs = true;
    made.call = [=, &op](BlockCore& run, const PlanOperands& on) {
      run.scatter(element, index, scale, op, where, *on.in[0], *on.in[1], *on.pred[0]);
    };
    add(std::move(made));
  }
  void gather_blocks(AnyReg& out, DType type, const MicroOp& op, const Indexed& where, const AnyReg& offsets,
                     std::uint32_t needed) override {
    run_.gather_blocks(out, type, op, where, offsets, needed);
    PlanOp made = of({&offsets}, {});
    made.reads = kAnywhere;
    made.call = [=, &op](BlockCore& run, const PlanOperands& on) {
      run.gather_blocks(*on.out[0], type, op, where, *on.in[0], needed);
    };
    makes(made, out);
    add(std::move(made));
  }
  void turn_blocks(TurnKind kind, const MicroOp& op, const BlockList& dst, const BlockList& src, std::uint32_t repeats,
                   std::uint32_t dst_step, std::uint32_t src_step) override {
    const auto turn = [=, &op](BlockCore& run, const PlanOperands&) {
      run.turn_blocks(kind, op, dst, src, repeats, dst_step, src_step);
    };
    moves(turn, kAnywhere, kAnywhere);
  }
  void store_scalar(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size,
                    const LaneScalar& scalar) override {
    const FlatRange where = range(space, address, size);
    const auto store = [=, &op](BlockCore& run, const PlanOperands&) {
      run.store_scalar(op, space, address, size, scalar);
    };
    moves(store, {}, where);
    if (space != Space::Spr && space != Space::Reg) return;
    scalars_.erase(where.begin);
    if (size == sizeof(std::uint64_t)) scalars_.insert(where.begin);
    else unknown_.push_back(where);
  }
  void copy(const MicroOp& op, Space to_space, std::uint64_t to, Space from_space, std::uint64_t from,
            std::uint32_t size) override {
    if (size == 0) return;
    const auto copy = [=, &op](BlockCore& run, const PlanOperands&) {
      run.copy(op, to_space, to, from_space, from, size);
    };
    const FlatRange reads = range(from_space, from, size), writes = range(to_space, to, size);
    moves(copy, reads, writes, to_space);
    if (to_space == Space::Spr) know_constants(reads, writes.begin);
  }
  void copy_elements(const MicroOp& op, const SpacedElements& to, const SpacedElements& from, std::uint32_t elem_bytes,
                     std::uint32_t count) override {
    if (count == 0) return;
    const auto copy = [=, &op](BlockCore& run, const PlanOperands&) {
      run.copy_elements(op, to, from, elem_bytes, count);
    };
    moves(copy, range(from.space, from.address, (count - 1) * from.step + elem_bytes),
          range(to.space, to.address, (count - 1) * to.step + elem_bytes), to.space);
  }
  void fill(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t elem_bytes, std::uint32_t count,
            const LaneScalar& scalar) override {
    if (count == 0) return;
    const auto fill = [=, &op](BlockCore& run, const PlanOperands&) {
      run.fill(op, space, address, elem_bytes, count, scalar);
    };
    moves(fill, {}, range(space, address, elem_bytes * count), space);
  }
  void move_ordered(const MicroOp& op, const OrderedMoves& order) override {
    may_ = false;
    ts::move_ordered(run_, {*context_.memory, context_.core}, op, order);
  }
  void multiply(const MicroOp& op, const Product& product, std::span<const std::uint32_t> bits) override {
    may_ = false;
    store_product(run_, op, product, bits);
  }
  void unspecified(Space space, std::uint64_t address, std::uint32_t size, const char*) override {
    run_.unspecified(space, address, size);
    if (size != 0) writer_.unspecified(range(space, address, size).begin, size);
  }

  // --- values -------------------------------------------------------------------------------------------------------

  void lanewise(AnyReg& out, LaneOp op, DType type, const AnyPred& pred,
                std::initializer_list<const AnyReg*> operands) override {
    const AnyReg* const* a = operands.begin();
    const AnyReg *b = a[operands.size() > 1 ? 1 : 0], *c = a[operands.size() > 2 ? 2 : operands.size() > 1 ? 1 : 0];
    run_.lanewise(out, op, type, pred.p, **a, *b, *c);
    if (constant(pred) && constant(**a) && constant(*b) && constant(*c)) return made(out, type);
    PlanOp made = of({*a, b, c}, {&pred});
    made.kind = PlanOp::Kind::Lanes;
    made.type = type;
    made.lanes = best_lane_function(op, type);
    makes(made, out);
    add(std::move(made));
  }
  void compare(AnyPred& out, CompareOp op, DType type, const AnyPred& seed, const AnyReg& a, const AnyReg& b) override {
    run_.compare(out.p, op, type, seed.p, a, b);
    PlanOp made = of({&a, &b}, {&seed});
    made.kind = PlanOp::Kind::Masked;
    made.masked = best_compare_function(op, type);
    makes(made, out);
    add(std::move(made));
  }
  void reduce(AnyReg& out, ReduceOp op, ReduceScope scope, SumOrder order, DType type, const AnyPred& pred,
              const AnyReg& a) override {
    run_.reduce(out, op, scope, order, type, pred.p, a);
    PlanOp made = of({&a}, {&pred});
    made.call = [=](BlockCore& run, const PlanOperands& on) {
      run.reduce(*on.out[0], op, scope, order, type, *on.pred[0], *on.in[0]);
    };
    makes(made, out);
    add(std::move(made));
  }
  void convert(AnyReg& out, DType to, DType from, const Conversion& how, const AnyPred& pred,
               const AnyReg& a) override {
    run_.convert(out, to, from, how, pred.p, a);
    PlanOp made = of({&a}, {&pred});
    made.call = [=](BlockCore& run, const PlanOperands& on) {
      run.convert(*on.out[0], to, from, how, *on.pred[0], *on.in[0]);
    };
    makes(made, out);
    add(std::move(made));
  }
  void add_with_carry(AnySum& out, bool subtract, const AnyReg& a, const AnyReg& b, const AnyPred& carry_in,
                      const AnyPred& pred) override {
    run_.add_with_carry(out.sum, out.carry.p, subtract, a, b, carry_in.p, pred.p);
    PlanOp made = of({&a, &b}, {&carry_in, &pred});
    made.call = [=](BlockCore& run, const PlanOperands& on) {
      run.add_with_carry(*on.out[0], *on.pred_out[0], subtract, *on.in[0], *on.in[1], *on.pred[0], *on.pred[1]);
    };
    makes(made, out.sum);
    makes(made, out.carry);
    add(std::move(made));
  }
  void select(AnyReg& out, DType type, const AnyPred& pred, const AnyReg& on, const AnyReg& off) override {
    run_.select(out, type, pred.p, on, off);
    PlanOp made = of({&on, &off}, {&pred});
    made.kind = PlanOp::Kind::Masked;
    made.masked = best_select_function(type);
    makes(made, out);
    add(std::move(made));
  }
  void move(AnyReg& out, Move kind, DType type, std::uint32_t param, const AnyReg& a, const AnyReg& b) override {
    run_.move(out, kind, type, param, a, b);
    if (constant(a) && constant(b)) return this->made(out, type);
    PlanOp made = of({&a, &b}, {});
    made.lanes = best_move_function(kind, type);
    if (made.lanes != nullptr) {
      made.kind = PlanOp::Kind::Lanes;
      made.type = type;
      made.pred[0] = writer_.constant(kAllOn);
    }
    made.call = [=](BlockCore& run, const PlanOperands& on) {
      run.move(*on.out[0], kind, type, param, *on.in[0], *on.in[1]);
    };
    makes(made, out);
    add(std::move(made));
  }
  void move2(AnyRegPair& out, Move2 kind, DType type, const AnyReg& a, const AnyReg& b) override {
    run_.move2(out.lo, out.hi, kind, type, a, b);
    PlanOp made = of({&a, &b}, {});
    made.kind = PlanOp::Kind::Pair;
    made.pair = best_pair_function(kind, type);
    makes(made, out.lo, &out.hi);
    add(std::move(made));
  }
  void move_predicate(AnyPred& out, PredMove kind, const AnyPred& a) override {
    out.p = ts::move_predicate(kind, a.p);
    if (constant(a)) return made(out);
    PlanOp op = of({}, {&a});
    op.call = [=](BlockCore&, const PlanOperands& on) { *on.pred_out[0] = ts::move_predicate(kind, *on.pred[0]); };
    makes(op, out);
    add(std::move(op));
  }
  void move_predicates(AnyPredPair& out, PredMove2 kind, const AnyPred& a, const AnyPred& b) override {
    const VPredPair pair = ts::move_predicates(kind, a.p, b.p);
    out.lo.p = pair.lo;
    out.hi.p = pair.hi;
    if (constant(a) && constant(b)) {
      made(out.lo);
      return made(out.hi);
    }
    PlanOp op = of({}, {&a, &b});
    op.call = [=](BlockCore&, const PlanOperands& on) {
      const VPredPair both = ts::move_predicates(kind, *on.pred[0], *on.pred[1]);
      *on.pred_out[0] = both.lo;
      *on.pred_out[1] = both.hi;
    };
    makes(op, out.lo, &out.hi);
    add(std::move(op));
  }
  void combine_predicates(AnyPred& out, PredLogic kind, const AnyPred& a, const AnyPred& b,
                          const AnyPred& mask) override {
    out.p = ts::combine_predicates(kind, a.p, b.p, mask.p);
    if (constant(a) && constant(b) && constant(mask)) return made(out);
    PlanOp op = of({}, {&a, &b, &mask});
    op.call = [=](BlockCore&, const PlanOperands& on) {
      *on.pred_out[0] = ts::combine_predicates(kind, *on.pred[0], *on.pred[1], *on.pred[2]);
    };
    makes(op, out);
    add(std::move(op));
  }
  void broadcast(AnyReg& out, DType type, const LaneScalar& scalar, const AnyPred& pred) override {
    run_.broadcast(out, type, scalar.bits, pred.p);
    if (constant(pred)) return made(out, type);
    PlanOp op = of({}, {&pred});
    op.call = [type, bits = scalar.bits](BlockCore& run, const PlanOperands& on) {
      run.broadcast(*on.out[0], type, bits, *on.pred[0]);
    };
    makes(op, out);
    add(std::move(op));
  }
  void histogram(AnyReg& out, std::uint32_t first, bool cumulative, const AnyReg& bytes, const AnyPred& pred) override {
    count_bytes(out, first, cumulative, bytes, pred.p);
    PlanOp made = of({&bytes}, {&pred});
    made.call = [=](BlockCore&, const PlanOperands& on) {
      count_bytes(*on.out[0], first, cumulative, *on.in[0], *on.pred[0]);
    };
    makes(made, out);
    add(std::move(made));
  }
  void pick(AnyReg& out, DType type, const AnyReg& a, const AnyReg& indices) override {
    pick_lanes(out, size_bytes(type), a, indices);
    PlanOp made = of({&a, &indices}, {});
    made.call = [width = size_bytes(type)](BlockCore&, const PlanOperands& on) {
      pick_lanes(*on.out[0], width, *on.in[0], *on.in[1]);
    };
    makes(made, out);
    add(std::move(made));
  }
  void squeeze(AnyReg& out, DType type, const AnyReg& a, const AnyPred& pred) override {
    squeeze_lanes(out, size_bytes(type), a, pred.p);
    PlanOp made = of({&a}, {&pred});
    made.call = [width = size_bytes(type)](BlockCore&, const PlanOperands& on) {
      squeeze_lanes(*on.out[0], width, *on.in[0], *on.pred[0]);
    };
    makes(made, out);
    add(std::move(made));
  }
  void rank(AnyReg& out, DType type, const AnyPred& pred) override {
    rank_lanes(out, size_bytes(type), pred.p);
    PlanOp made = of({}, {&pred});
    made.call = [width = size_bytes(type)](BlockCore&, const PlanOperands& on) {
      rank_lanes(*on.out[0], width, *on.pred[0]);
    };
    makes(made, out);
    add(std::move(made));
  }

 private:
  // Values carry their number and one more; 0 is of those that nobody made.
  static std::uint32_t number(PlanValue value) { return static_cast<std::uint32_t>(value) + 1; }
  template <class Value>
  PlanValue value_of(const Value& value) {
    if (value.id == 0) may_ = false;
    return static_cast<PlanValue>(value.id) - 1;
  }
  bool constant(const AnyReg& value) { return value.id != 0 && writer_.is_constant_register(value_of(value)); }
  bool constant(const AnyPred& pred) { return pred.id != 0 && writer_.is_constant(value_of(pred)); }
  FlatRange range(Space space, std::uint64_t address, std::uint32_t size) const {
    const Flat begin = context_.memory->map().flat(space, static_cast<std::uint32_t>(address), context_.core);
    return {begin, begin + size};
  }

  // Where the lanes of a gather come from, when those that are on are the first ones, and none is out of reach.
  std::vector<Flat> known_places(DType type, int scale, const Indexed& where, const AnyReg& idx, const AnyPred& pred) {
    const std::uint32_t size = size_bytes(type), lanes = leading_lanes(pred.p, size);
    if (where.space != Space::Ub || !is_first_lanes(pred.p, size, lanes)) return {};
    const std::uint64_t reach = std::min<std::uint64_t>(
        where.span, context_.memory->map().size(Space::Ub, context_.core) - std::uint64_t{where.address});
    std::vector<Flat> places(lanes);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      std::uint32_t index = 0;
      std::memcpy(&index, idx.bytes + lane * size, size);
      const std::uint64_t offset = std::uint64_t{index} * static_cast<std::uint32_t>(scale);
      if (offset + size > reach) return {};
      places[lane] = range(Space::Ub, where.address + offset, size).begin;
    }
    return places;
  }
  static bool is_first_lanes(const VPred& pred, std::uint32_t width, std::uint32_t lanes) {
    const VPred first = first_lanes_of(width, lanes);
    for (int i = 0; i < 4; ++i)
      if (((first.word[i] ^ pred.word[i]) & lane_bits(width)) != 0) return false;
    return lanes > 0;
  }

  PlanOp of(std::initializer_list<const AnyReg*> in, std::initializer_list<const AnyPred*> preds) {
    PlanOp op;
    std::ranges::transform(in, op.in.begin(), [&](const AnyReg* one) { return value_of(*one); });
    std::ranges::transform(preds, op.pred.begin(), [&](const AnyPred* one) { return value_of(*one); });
    return op;
  }
  void makes(PlanOp& op, AnyReg& first, AnyReg* second = nullptr) {
    op.out[0] = writer_.new_register();
    first.id = number(op.out[0]);
    if (second == nullptr) return;
    op.out[1] = writer_.new_register();
    second->id = number(op.out[1]);
  }
  void makes(PlanOp& op, AnyPred& first, AnyPred* second = nullptr) {
    op.pred_out[0] = writer_.new_predicate();
    first.id = number(op.pred_out[0]);
    if (second == nullptr) return;
    op.pred_out[1] = writer_.new_predicate();
    second->id = number(op.pred_out[1]);
  }
  // Control registers that were copied from bytes which are the same in every run hold what the plan itself wrote there.
  void know_constants(FlatRange from, Flat to) {
    constexpr Flat kWord = sizeof(std::uint64_t);
    for (Flat at = from.begin; at + kWord <= from.end; at += kWord)
      if (std::ranges::any_of(constants_, [&](FlatRange one) { return one.begin <= at && at + kWord <= one.end; }))
        scalars_.insert(to + (at - from.begin));
  }
  void add(PlanOp op, Space written = Space::Ub) {
    std::erase_if(constants_, [&](const FlatRange& one) { return one.overlaps(op.writes); });
    if (written == Space::Spr || written == Space::Reg) {
      unknown_.push_back(op.writes);
      scalars_.erase(scalars_.lower_bound(op.writes.begin), scalars_.lower_bound(op.writes.end));
    }
    if (may_ && writer_.count() <= kMostOperations) writer_.add(std::move(op));
  }
  // Of the lanes that are on only the first may be, as for the rest of a row: then these bytes are stored.
  void stores(PlanOp& op, std::uint64_t address, std::uint32_t width, const AnyPred& pred) {
    op.writes = range(Space::Ub, address, VL);
    op.logs = !constant(pred);
    const std::uint32_t lanes = leading_lanes(pred.p, width);
    if (constant(pred) && is_first_lanes(pred.p, width, lanes)) {
      op.kind = PlanOp::Kind::Store;
      op.bytes = lanes * width;
      op.writes.end = op.writes.begin + op.bytes;
    }
    const bool known = op.kind == PlanOp::Kind::Store && writer_.is_constant_register(op.in[0]);
    const FlatRange where = op.writes;
    add(std::move(op));
    if (known) constants_.push_back(where);
  }
  // The first bytes of pairs.
  void store_joined(const MicroOp& op, std::uint64_t address, const AnyReg& lo, const AnyReg& hi, std::uint32_t size) {
    PlanOp pairs = of({&lo, &hi}, {});
    pairs.kind = PlanOp::Kind::Pair;
    pairs.pair = best_pair_function(Move2::Interleave, DType::U32);
    pairs.out = {writer_.new_register(), writer_.new_register()};
    const auto values = pairs.out;
    add(std::move(pairs));
    for (std::uint32_t part = 0; part * VL < size; ++part) {
      PlanOp store;
      store.kind = PlanOp::Kind::Store;
      store.in[0] = values[part];
      store.bytes = std::min(size - part * VL, VL);
      store.writes = range(Space::Ub, address + part * VL, store.bytes);
      store.call = [&op, at = address + part * VL, bytes = store.bytes](BlockCore& run, const PlanOperands& on) {
        run.store_span(op, Space::Ub, at, *on.in[0], bytes);
      };
      add(std::move(store));
    }
  }
  // What goes from memory to memory.
  void moves(PlanCall call, FlatRange reads, FlatRange writes, Space written = Space::Ub) {
    PlanOp op;
    call(run_, {});
    op.call = std::move(call);
    op.reads = reads;
    op.writes = writes;
    add(std::move(op), written);
  }

  StepContext& context_;
  BlockCore& run_;
  PlanWriter writer_;
  const bool assumes_;
  bool may_ = true;
  std::set<Flat> scalars_;  // control registers whose value is known: as the plan wrote them, or as it expects them
  std::vector<FlatRange> unknown_;    // bytes of such memories that got other values
  std::vector<FlatRange> constants_;  // bytes of tiles that hold what is the same in every run
};

}  // namespace

std::unique_ptr<Plan> run_and_plan(StepContext& context, const Bound& bound, DType lanes, AnyLowering lowering,
                                   bool assumes) {
  BlockCorePlace place;
  BlockCore& run = make_block_core(place, context);
  PlanCore watcher(context, run, assumes);
  AnyCore core(context, run, &watcher);
  lowering(core, bound, lanes);
  run.finish();
  return watcher.finish();
}

void run_any(StepContext& context, const Bound& bound, DType lanes, AnyLowering lowering) {
  if (ran_by_plan(context)) return;
  if (is_plan_due(context)) {
    const bool assumes = context.plans->may_assume(context.plan);
    return context.plans->keep(context.plan, run_and_plan(context, bound, lanes, lowering, assumes));
  }
  BlockCorePlace place;
  BlockCore& run = make_block_core(place, context);
  AnyCore core(context, run, nullptr);
  lowering(core, bound, lanes);
  run.finish();
}

}  // namespace ts
