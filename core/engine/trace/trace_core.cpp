// The trace machine: the run machine, and everything it touches copied out. It is the tag machine in each micro-operation by
// itself: what an operation is given has the tags of its own bytes, so that the tags of the result say which of them went
// where. What decides has none: a lane that was chosen is still the lane it is.
#include <algorithm>
#include <cstring>
#include <vector>

#include "core/engine/tag/tag_core.h"
#include "core/engine/trace/trace_recorder.h"

namespace ts {
namespace {

// 16 blocks turned over: where byte k of block b comes from, as 32 * b + k. -1: from nowhere.
using TurnMap = std::array<std::int16_t, 16 * BLK>;

struct OwnTags {
  explicit OwnTags(const MemoryMap& map) : own_tags(map) {}
  TagMemory own_tags;
};

class TraceCore final : private OwnTags, public TagCore {
 public:
  TraceCore(StepContext& context, BlockCore& run)
      : OwnTags(context.memory->map()),
        TagCore(context, run, own_tags),
        trace_(*context.trace),
        recorder_(trace_, *context.memory, context.core, tags_.arena) {}

  void micro(const MicroOp& op, DType type, std::initializer_list<TraceArg> args) override {
    recorder_.begin(op, type, args);
    tags_.arena.clear();
  }
  void repeat() override { recorder_.begin_repeat(); }

  // --- memory -------------------------------------------------------------------------------------------------------

  void load(AnyReg& out, LoadKind kind, DType type, const MicroOp& op, Space space, std::uint64_t address,
            std::uint32_t size, std::uint32_t align, std::uint32_t param) override {
    recorder_.begin_reads();
    recorder_.read(space, address, size, type);
    TagCore::load(out, kind, type, op, space, address, size, align, param);
    made(out, type);
  }
  void load2(AnyRegPair& out, DType type, const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size,
             std::uint32_t align) override {
    recorder_.begin_reads();
    recorder_.read(space, address, size, type);
    TagCore::load2(out, type, op, space, address, size, align);
    made(out.lo, type);
    made(out.hi, type);
  }
  void load_blocks(AnyReg& out, const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes,
                   const AnyPred& needed) override {
    const DType type = recorder_.step().type;
    recorder_.begin_reads();
    for (std::uint32_t block = 0; block < 8; ++block)
      if (block_active(needed.p, block))
        recorder_.read(Space::Ub, address + std::uint64_t{block} * stride_bytes, BLK, type);
    TagCore::load_blocks(out, op, address, stride_bytes, needed);
    made(out, type);
  }
  void load_predicate(AnyPred& out, PredLoad kind, DType type, const MicroOp& op, Space space, std::uint64_t address,
                      std::uint32_t align) override {
    recorder_.begin_reads();
    recorder_.read(space, address, loaded_bytes(kind, type), DType::U8);
    TagCore::load_predicate(out, kind, type, op, space, address, align);
    keep(out, false);
  }
  void store_lanes(DType type, const MicroOp& op, std::uint64_t address, std::uint32_t align, const AnyReg& v,
                   const AnyPred& pred) override {
    decide(type, pred);
    watch(Space::Ub, address, VL, type, [&] { TagCore::store_lanes(type, op, address, align, v, bare(pred)); });
  }
  void store_blocks(DType type, const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes, const AnyReg& v,
                    const AnyPred& pred) override {
    decide(type, pred);
    watch(Space::Ub, address, 7 * stride_bytes + BLK, type,
          [&] { TagCore::store_blocks(type, op, address, stride_bytes, v, bare(pred)); });
  }
  void store_pairs(const MicroOp& op, std::uint64_t address, const AnyReg& lo, const AnyReg& hi,
                   const AnyPred& pred) override {
    decide(DType::U32, pred);
    watch(Space::Ub, address, 2 * VL, DType::U32, [&] { TagCore::store_pairs(op, address, lo, hi, bare(pred)); });
  }
  void store_span(const MicroOp& op, Space space, std::uint64_t address, const AnyReg& v, std::uint32_t size) override {
    watch(space, address, size, recorder_.type_of(v.id), [&] { TagCore::store_span(op, space, address, v, size); });
  }
  void store_predicate(PredStore kind, const MicroOp& op, Space space, std::uint64_t address, std::uint32_t bytes,
                       const AnyPred& pred) override {
    watch(space, address, bytes, DType::U8, [&] { TagCore::store_predicate(kind, op, space, address, bytes, pred); });
  }
  void gather(AnyReg& out, DType element, DType index, int scale, const MicroOp& op, const Indexed& where,
              const AnyReg& idx, const AnyPred& pred) override {
    recorder_.begin_reads();
    each_place(where, idx, index, scale, pred.p,
               [&](std::uint64_t at) { recorder_.read(where.space, at, size_bytes(element), element); });
    decide(index, pred);
    recorder_.point(idx.id, index, pred.p, true);
    TagCore::gather(out, element, index, scale, op, where, bare(idx), bare(pred));
    made(out, element);
  }
  void scatter(DType element, DType index, int scale, const MicroOp& op, const Indexed& where, const AnyReg& idx,
               const AnyReg& v, const AnyPred& pred) override {
    decide(index, pred);
    recorder_.point(idx.id, index, pred.p, false);
    std::uint64_t first = ~0ull, last = where.address;
    each_place(where, idx, index, scale, pred.p,
               [&](std::uint64_t at) { first = std::min(first, at), last = std::max(last, at); });
    const std::uint64_t from = std::min(first, last), reach = last - from + size_bytes(element);
    watch(where.space, from, static_cast<std::uint32_t>(std::min<std::uint64_t>(reach, kNoValue)), element,
          [&] { TagCore::scatter(element, index, scale, op, where, bare(idx), v, bare(pred)); });
  }
  void gather_blocks(AnyReg& out, DType type, const MicroOp& op, const Indexed& where, const AnyReg& offsets,
                     std::uint32_t needed) override {
    VPred used{};
    recorder_.begin_reads();
    for (std::uint32_t k = 0; k < 8; ++k) {
      std::uint32_t offset;
      std::memcpy(&offset, offsets.bytes + 4 * k, 4);
      if (!(needed >> k & 1)) continue;
      recorder_.read(Space::Ub, std::uint64_t{where.address} + offset, BLK, type);
      set_bit(used, 4 * k);
    }
    recorder_.point(offsets.id, DType::U32, used, true);
    TagCore::gather_blocks(out, type, op, where, bare(offsets), needed);
    made(out, type);
  }
  void turn_blocks(TurnKind kind, const MicroOp& op, const BlockList& dst, const BlockList& src, std::uint32_t repeats,
                   std::uint32_t dst_step, std::uint32_t src_step) override {
    const TurnMap map = turn_map(kind, op);
    const std::uint32_t bytes = kind == TurnKind::Bytes ? BLK / 2 : BLK;
    BlockList to = dst, from = src;
    for (std::uint32_t r = 0; r < repeats; ++r) {
      repeat();
      recorder_.begin_reads();
      const auto first = static_cast<std::uint32_t>(recorder_.step().reads.size());
      for (const std::uint32_t block : from) recorder_.read(Space::Ub, block, bytes, recorder_.step().type);
      const auto written = recorder_.step().writes.size();
      const auto [low, high] = std::ranges::minmax(to);
      watch_values(Space::Ub, low, high - low + bytes, recorder_.step().type,
                   [&] { run_.turn_blocks(kind, op, to, from, 1, 0, 0); });
      for (std::size_t k = written; k < recorder_.step().writes.size(); ++k)
        turn_moves(map, to, bytes, first, static_cast<std::uint32_t>(k));
      for (std::uint32_t& block : to) block += dst_step;
      for (std::uint32_t& block : from) block += src_step;
    }
  }

  void store_scalar(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size,
                    const LaneScalar& scalar) override {
    watch_values(space, address, size, scalar.dtype, [&] { run_.store_scalar(op, space, address, size, scalar); });
  }
  void copy(const MicroOp& op, Space to_space, std::uint64_t to, Space from_space, std::uint64_t from,
            std::uint32_t size) override {
    if (size == 0) return;
    recorder_.begin_reads();
    recorder_.read(from_space, from, size, recorder_.step().type);
    watch(to_space, to, size, recorder_.step().type, [&] { TagCore::copy(op, to_space, to, from_space, from, size); });
  }
  void copy_elements(const MicroOp& op, const SpacedElements& to, const SpacedElements& from, std::uint32_t elem_bytes,
                     std::uint32_t count) override {
    if (count == 0) return;
    const DType type = recorder_.step().type;
    recorder_.begin_reads();
    for (std::uint32_t i = 0; i < count; ++i)
      recorder_.read(from.space, from.address + std::uint64_t{i} * from.step, elem_bytes, type);
    watch(to.space, to.address, (count - 1) * to.step + elem_bytes, type,
          [&] { TagCore::copy_elements(op, to, from, elem_bytes, count); });
  }
  void fill(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t elem_bytes, std::uint32_t count,
            const LaneScalar& scalar) override {
    watch_values(space, address, elem_bytes * count, scalar.dtype,
                 [&] { run_.fill(op, space, address, elem_bytes, count, scalar); });
  }
  void move_ordered(const MicroOp& op, const OrderedMoves& order) override {
    recorder_.begin_reads();
    for (const ByteRange& read : order.reads) recorder_.read(read.space, read.address, read.size, order.key);
    if (order.moves.empty()) return;
    OrderedMoves bare = order;
    bare.keys.clear();
    const std::uint32_t first = bare.moves.front().to;
    watch(Space::Ub, first, bare.moves.back().to + bare.moves.back().size - first, order.key,
          [&] { TagCore::move_ordered(op, bare); });
  }
  void multiply(const MicroOp& op, const Product& product, std::span<const std::uint32_t> bits) override {
    recorder_.begin_reads();
    read_elements(product.left, product.m, product.k);
    read_elements(product.right, product.k, product.n);
    const std::uint32_t groups = (product.k + kTermsPerScale - 1) / kTermsPerScale;
    if (product.left_scales) read_elements(*product.left_scales, product.m, groups);
    if (product.right_scales) read_elements(*product.right_scales, groups, product.n);
    if (product.start) read_elements(*product.start, product.one_start_row ? 1 : product.m, product.n);
    watch_values(product.acc.space(), product.acc.address, static_cast<std::uint32_t>(product.acc.type.size_bytes()),
                 product.acc.type.dtype, [&] { store_product(run_, op, product, bits); });
  }
  void unspecified(Space space, std::uint64_t address, std::uint32_t size, const char*) override {
    run_.unspecified(space, address, size);
  }

  // --- values that are computed: nothing moves ------------------------------------------------------------------------

  void lanewise(AnyReg& out, LaneOp op, DType type, const AnyPred& pred,
                std::initializer_list<const AnyReg*> operands) override {
    const AnyReg* const* a = operands.begin();
    const AnyReg *b = a[operands.size() > 1 ? 1 : 0], *c = a[operands.size() > 2 ? 2 : 0];
    decide(type, pred);
    run_.lanewise(out, op, type, pred.p, **a, *b, *c);
    made(out, type);
  }
  void compare(AnyPred& out, CompareOp op, DType type, const AnyPred& seed, const AnyReg& a, const AnyReg& b) override {
    decide(type, seed);
    run_.compare(out.p, op, type, seed.p, a, b);
    keep(out, false);
  }
  void reduce(AnyReg& out, ReduceOp op, ReduceScope scope, SumOrder order, DType type, const AnyPred& pred,
              const AnyReg& a) override {
    decide(type, pred);
    run_.reduce(out, op, scope, order, type, pred.p, a);
    made(out, sum_widens(op, scope, type) ? wider(type) : type);
  }
  void convert(AnyReg& out, DType to, DType from, const Conversion& how, const AnyPred& pred,
               const AnyReg& a) override {
    decide(size_bytes(to) > size_bytes(from) ? to : from, pred);
    run_.convert(out, to, from, how, pred.p, a);
    made(out, is_packed(to) ? DType::U8 : to);  // a byte of two elements each
  }
  void add_with_carry(AnySum& out, bool subtract, const AnyReg& a, const AnyReg& b, const AnyPred& carry_in,
                      const AnyPred& pred) override {
    decide(DType::U32, pred);
    run_.add_with_carry(out.sum, out.carry.p, subtract, a, b, carry_in.p, pred.p);
    made(out.sum, recorder_.step().type);
    keep(out.carry, false);
  }
  void histogram(AnyReg& out, std::uint32_t first, bool cumulative, const AnyReg& bytes, const AnyPred& pred) override {
    decide(DType::U8, pred);
    count_bytes(out, first, cumulative, bytes, pred.p);
    made(out, DType::U16);
  }
  void rank(AnyReg& out, DType type, const AnyPred& pred) override {
    decide(type, pred);
    rank_lanes(out, size_bytes(type), pred.p);
    made(out, type);
  }
  void broadcast(AnyReg& out, DType type, const LaneScalar& scalar, const AnyPred& pred) override {
    decide(type, pred);
    run_.broadcast(out, type, scalar.bits, pred.p);
    made(out, size_bytes(scalar.dtype) == size_bytes(type) ? scalar.dtype : type);
  }

  // --- values that move -------------------------------------------------------------------------------------------------

  void select(AnyReg& out, DType type, const AnyPred& pred, const AnyReg& on, const AnyReg& off) override {
    decide(type, pred);
    TagCore::select(out, type, bare(pred), on, off);
    made(out, type);
  }
  void move(AnyReg& out, Move kind, DType type, std::uint32_t param, const AnyReg& a, const AnyReg& b) override {
    TagCore::move(out, kind, type, param, a, b);
    made(out, type);
  }
  void move2(AnyRegPair& out, Move2 kind, DType type, const AnyReg& a, const AnyReg& b) override {
    TagCore::move2(out, kind, type, a, b);
    made(out.lo, type);
    made(out.hi, type);
  }
  void pick(AnyReg& out, DType type, const AnyReg& a, const AnyReg& indices) override {
    recorder_.point(indices.id, type, first_lanes_of(size_bytes(type), VL), true);
    TagCore::pick(out, type, a, bare(indices));
    made(out, type);
  }
  void squeeze(AnyReg& out, DType type, const AnyReg& a, const AnyPred& pred) override {
    decide(type, pred);
    TagCore::squeeze(out, type, a, bare(pred));
    made(out, type);
  }
  void move_predicate(AnyPred& out, PredMove kind, const AnyPred& a) override {
    TagCore::move_predicate(out, kind, a);
    keep(out, false);
  }
  void move_predicates(AnyPredPair& out, PredMove2 kind, const AnyPred& a, const AnyPred& b) override {
    TagCore::move_predicates(out, kind, a, b);
    keep(out.lo, false);
    keep(out.hi, false);
  }
  void combine_predicates(AnyPred& out, PredLogic kind, const AnyPred& a, const AnyPred& b,
                          const AnyPred& mask) override {
    if (kind == PredLogic::Select) TagCore::combine_predicates(out, kind, a, b, bare(mask));
    else out.p = ts::combine_predicates(kind, a.p, b.p, mask.p);
    keep(out, false);
  }

  // From now on a value names itself.
  void made(AnyReg& value, DType type) override {
    ByteTags tags;
    const bool moved = value.tags.origin != Origin::None;
    if (moved) {
      TagPlanes place;
      tags_of(planes_of(value, place), tags.data());
    }
    value.id = recorder_.make(value, type, moved ? &tags : nullptr);
    value.tags = {};
    if (TraceRecorder::has_tags(value.id)) rule(value, TraceRecorder::first_tag(value.id), 255, 0);
  }
  void made(AnyPred& value) override { keep(value, true); }
  void hide(std::uint32_t number) override { recorder_.hide(number); }

 private:
  void keep(AnyPred& value, bool constant) {
    static constexpr BitMap kSame = [] {
      BitMap map{};
      for (std::size_t k = 0; k < map.size(); ++k) map[k] = static_cast<std::int16_t>(k);
      return map;
    }();
    ByteTags tags;
    const bool moved = value.tags.any();
    for (std::size_t k = 0; moved && k < tags.size(); ++k) tags[k] = value.tags.tag(k);
    value.id = recorder_.make(value.p, moved ? &tags : nullptr, constant);
    value.tags = {};
    if (TraceRecorder::has_tags(value.id))
      value.tags = {PredTags::Kind::Mapped, TraceRecorder::first_tag(value.id), &kSame, nullptr};
  }

  void read_elements(const TileRef& tile, std::uint32_t rows, std::uint32_t cols) {
    for (const ByteRange& range : bytes_of(tile, rows, cols))
      recorder_.read(range.space, range.address, range.size, tile.type.dtype);
  }

  static AnyReg bare(const AnyReg& reg) {
    AnyReg out;
    static_cast<Block&>(out) = reg;
    return out;
  }
  static AnyPred bare(const AnyPred& pred) {
    AnyPred out;
    out.p = pred.p;
    return out;
  }
  static DType wider(DType type) {
    if (size_bytes(type) == 1) return type == DType::I8 ? DType::I16 : DType::U16;
    return type == DType::I16 ? DType::I32 : DType::U32;
  }
  void decide(DType type, const AnyPred& pred) {
    if (pred.tags.any()) recorder_.decide(type, pred.id, pred.tags.tag(0), pred.tags.tag(size_bytes(type)));
  }

  // Runs a store that reaches [address, address + reach) at most, and keeps what it wrote with what was there before.
  template <class Store, class Each>
  void watch_each(Space space, std::uint64_t address, std::uint32_t reach, DType type, Store store, Each each) {
    const std::uint64_t limit = context_.memory->map().size(space, context_.core);
    if (address >= limit) return store();
    const auto window = static_cast<std::uint32_t>(std::min<std::uint64_t>(reach, limit - address));
    const auto* memory = reinterpret_cast<const std::uint8_t*>(context_.memory->base());
    const Flat origin = flat(space, address);
    context_.memory->need(origin, window);
    before_.assign(memory + origin, memory + origin + window);
    const std::size_t logged = run_.logged();
    store();
    const std::size_t now = run_.logged();
    for (std::size_t i = logged; i < now; ++i) {
      for_runs(context_.log.begin()[i], [&](Flat base, std::uint32_t size) {
        const std::uint32_t kept_before = trace_.keep_bytes(before_.data() + (base - origin), size);
        const std::uint32_t kept_after = trace_.keep_bytes(memory + base, size);
        const ByteRange place = context_.memory->map().locate(base, size);
        recorder_.write({place.space, place.address, size, kept_before, kept_after, type, place.core});
        each(base, size);
      });
    }
  }
  template <class Store>
  void watch_values(Space space, std::uint64_t address, std::uint32_t reach, DType type, Store store) {
    watch_each(space, address, reach, type, store, [](Flat, std::uint32_t) {});
  }
  // The same of a store on the tag machine: what it wrote has its tags only until they are read.
  template <class Store>
  void watch(Space space, std::uint64_t address, std::uint32_t reach, DType type, Store store) {
    const std::size_t logged = run_.logged();
    watch_each(space, address, reach, type, store, [&](Flat base, std::uint32_t) {
      recorder_.move_written([&](std::uint32_t at) { return tags_.tag(base + at); });
    });
    for (std::size_t i = logged, now = run_.logged(); i < now; ++i)
      for_runs(context_.log.begin()[i], [&](Flat base, std::uint32_t size) { tags_.release(base, size); });
  }

  // Found by turning numbers over, in the planes of bytes that are in nobody's use.
  TurnMap turn_map(TurnKind kind, const MicroOp& op) {
    BlockList from, to;
    for (std::uint32_t k = 0; k < 16; ++k) from[k] = BLK * k, to[k] = BLK * (16 + k);
    TurnMap map;
    map.fill(-1);
    for (int plane = 0; plane < 2; ++plane) {
      std::byte* memory = tags_.plane(plane) + flat(Space::Ub, 0);
      for (std::uint32_t k = 0; k < map.size(); ++k) memory[k] = static_cast<std::byte>((k + 1) >> (8 * plane));
      std::memset(memory + map.size(), 0, map.size());
      plane_[plane]->forget_log();
      plane_[plane]->turn_blocks(kind, op, to, from, 1, 0, 0);
      for (std::uint32_t k = 0; k < map.size(); ++k) {
        const auto part = static_cast<std::int16_t>(std::to_integer<int>(memory[map.size() + k]) << (8 * plane));
        map[k] = static_cast<std::int16_t>(plane == 0 ? part - 1 : map[k] + part);
      }
    }
    tags_.release(flat(Space::Ub, 0), 2 * static_cast<std::uint32_t>(map.size()));
    return map;
  }
  // Of the last block that holds a byte: the others' have been overwritten.
  void turn_moves(const TurnMap& map, const BlockList& to, std::uint32_t bytes, std::uint32_t first_read,
                  std::uint32_t write) {
    const TraceAccess access = recorder_.step().writes[write];
    recorder_.begin_moves();
    for (std::uint32_t at = 0; at < access.size; ++at) {
      for (std::size_t block = 16; block-- > 0;) {
        const std::uint32_t byte = access.address + at - to[block];
        if (byte >= bytes) continue;
        const int source = map[block * BLK + byte];
        const auto from = static_cast<std::uint32_t>(source);
        if (source >= 0) recorder_.move({true, first_read + from / BLK, 8 * (from % BLK)}, {true, write, 8 * at}, 8);
        break;
      }
    }
    recorder_.end_moves();
  }

  Trace& trace_;
  TraceRecorder recorder_;
  std::vector<std::uint8_t> before_;
};

}  // namespace

void trace_any(StepContext& context, const Bound& bound, DType lanes, AnyLowering lowering) {
  run_watched<TraceCore>(context, bound, lanes, lowering);
}

}  // namespace ts
