// The tag machine: the run machine five times. Once on the values; four times on the planes of the tags, byte 0 to 3 of the
// tag of every byte, with the same value functions. So whatever moves a value moves its origin, and neither can be wrong
// alone. Only where values are computed or chosen does this machine make nodes of its own.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "core/engine/any_core.h"
#include "core/engine/lane_shadows.h"
#include "core/isa/dtype.h"

namespace ts {
namespace {

using Origin = RegTags::Origin;

// A predicate's value function as a BitMap: found by running the function on the planes of bit numbers.
struct BitNumberPlanes {
  static constexpr int kPlanes = 10;  // nine of a number below 512, one that tells a bit from a constant
  static bool bit(int plane, int number) { return plane == 9 || (number >> plane & 1); }
  static VPred image(int plane, int first) {
    VPred out{};
    for (int k = 0; k < 256; ++k) out.word[k / 64] |= std::uint64_t{bit(plane, first + k)} << (k % 64);
    return out;
  }
  static void add(BitMap& map, int plane, const VPred& result) {
    for (std::size_t k = 0; k < 256; ++k) {
      if (!(result.word[k / 64] >> (k % 64) & 1)) {
        if (plane == 9) map[k] = -1;
      } else if (plane < 9) {
        map[k] = static_cast<std::int16_t>(map[k] | 1 << plane);
      }
    }
  }
};

constexpr int kWidths = 4;
std::size_t width_number(DType type) { return static_cast<std::size_t>(std::countr_zero(size_bytes(type))); }

const BitMap& bit_map_of(PredLoad kind, DType type, BlockCore& run) {
  constexpr PredLoad kKinds[] = {PredLoad::Norm, PredLoad::Unpacked, PredLoad::LaneBits, PredLoad::Thinned};
  static const auto maps = [&] {
    std::array<std::array<BitMap, kWidths>, std::size(kKinds)> out{};
    constexpr DType kTypes[kWidths] = {DType::U8, DType::U16, DType::U32, DType::U64};
    for (const PredLoad load : kKinds)
      for (const DType width : kTypes)
        for (int plane = 0; plane < BitNumberPlanes::kPlanes; ++plane) {
          std::uint8_t bytes[64] = {};
          for (int k = 0; k < static_cast<int>(loaded_bytes(load, width)) * 8; ++k)
            bytes[k / 8] = static_cast<std::uint8_t>(bytes[k / 8] | BitNumberPlanes::bit(plane, k) << (k % 8));
          BitNumberPlanes::add(out[static_cast<std::size_t>(load)][width_number(width)], plane, run.pred_of_bytes(load, width, bytes));
        }
    return out;
  }();
  return maps[static_cast<std::size_t>(kind)][width_number(type)];
}
const BitMap& bit_map_of(PredMove kind) {
  static const auto maps = [] {
    std::array<BitMap, kPredMoves> out{};
    for (std::size_t move = 0; move < out.size(); ++move)
      for (int plane = 0; plane < BitNumberPlanes::kPlanes; ++plane)
        BitNumberPlanes::add(out[move], plane, move_predicate(static_cast<PredMove>(move), BitNumberPlanes::image(plane, 0)));
    return out;
  }();
  return maps[static_cast<std::size_t>(kind)];
}
const std::array<BitMap, 2>& bit_maps_of(PredMove2 kind) {
  static const auto maps = [] {
    std::array<std::array<BitMap, 2>, 6> out{};
    for (std::size_t move = 0; move < out.size(); ++move)
      for (int plane = 0; plane < BitNumberPlanes::kPlanes; ++plane) {
        const VPredPair pair = move_predicates(static_cast<PredMove2>(move), BitNumberPlanes::image(plane, 0), BitNumberPlanes::image(plane, 256));
        BitNumberPlanes::add(out[move][0], plane, pair.lo);
        BitNumberPlanes::add(out[move][1], plane, pair.hi);
      }
    return out;
  }();
  return maps[static_cast<std::size_t>(kind)];
}

// The tags of every lane's bytes as one span.
struct LaneSpans {
  std::array<Tag, VL> first;
  std::array<std::uint8_t, VL> count;
};

class TagCore final : public CoreWatcher {
 public:
  TagCore(StepContext& context, BlockCore& run) : context_(context), run_(run), tags_(*context.tags) {
    for (int i = 0; i < 4; ++i)
      plane_[i] = &make_block_core(places_[i], context, reinterpret_cast<std::uint8_t*>(tags_.plane(i)), scratch_.data(), scratch_.size());
  }

  void micro(const MicroOp&, DType, std::initializer_list<TraceArg>) override {}

  // --- memory -------------------------------------------------------------------------------------------------------

  void load(AnyReg& out, LoadKind kind, DType type, const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size, std::uint32_t align,
            std::uint32_t param) override {
    run_.load(out, kind, type, op, space, address, size, align, param);
    if (!inside(space, address, size)) return;
    const Flat begin = flat(space, address);
    const bool in_place = kind == LoadKind::Norm || kind == LoadKind::Block;
    if (in_place && !tags_.any_held(begin, size)) return rule(out, begin, 255, 0);
    if (kind == LoadKind::Broadcast) {
      // One element in every lane: usually its bytes have one tag, or tags in a row.
      Tag same = 0, next = 0;
      const Tag first = tags_.tag(begin);
      for (std::uint32_t k = 1; k < size; ++k) {
        same |= tags_.tag(begin + k) ^ first;
        next |= tags_.tag(begin + k) ^ (first + k);
      }
      if (same == 0) return rule(out, first, 0, 0);
      if (next == 0) return rule(out, first, static_cast<std::uint8_t>(size - 1), 0);
    }
    tags_.ensure(begin, size);
    TagPlanes& planes = make_planes(out);
    for (int i = 0; i < 4; ++i) plane_[i]->load(planes.plane[i], kind, type, op, space, address, size, align, param);
  }
  void load2(AnyRegPair& out, DType type, const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size, std::uint32_t align) override {
    run_.load2(out.lo, out.hi, type, op, space, address, size, align);
    if (!inside(space, address, size)) return;
    tags_.ensure(flat(space, address), size);
    TagPlanes &lo = make_planes(out.lo), &hi = make_planes(out.hi);
    for (int i = 0; i < 4; ++i) plane_[i]->load2(lo.plane[i], hi.plane[i], type, op, space, address, size, align);
  }
  void load_blocks(AnyReg& out, const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes, const AnyPred& needed) override {
    if (stride_bytes == BLK && inside(Space::Ub, address, VL)) return load(out, LoadKind::Norm, DType::U8, op, Space::Ub, address, VL, BLK, 0);
    run_.load_blocks(out, op, address, stride_bytes, needed.p);
    for (std::uint32_t block = 0; block < 8; ++block) {
      const std::uint64_t at = address + std::uint64_t{block} * stride_bytes;
      if (block_active(needed.p, block) && inside(Space::Ub, at, BLK)) tags_.ensure(flat(Space::Ub, at), BLK);
    }
    TagPlanes& planes = make_planes(out);
    for (int i = 0; i < 4; ++i) plane_[i]->load_blocks(planes.plane[i], op, address, stride_bytes, needed.p);
  }
  void load_predicate(AnyPred& out, PredLoad kind, DType type, const MicroOp& op, Space space, std::uint64_t address, std::uint32_t align) override {
    out.p = run_.load_predicate(kind, type, op, space, address, align);
    const std::uint32_t bytes = loaded_bytes(kind, type);
    if (!inside(space, address, bytes)) return;
    const Flat begin = flat(space, address);
    const BitMap& map = bit_map_of(kind, type, run_);
    if (!tags_.any_held(begin, bytes)) {
      out.tags.kind = PredTags::Kind::Mapped;
      out.tags.first = kFirstBitTag + begin * 8;
      out.tags.map = &map;
      return;
    }
    auto list = std::make_shared<std::array<Tag, 256>>();
    for (std::size_t k = 0; k < 256; ++k) {
      const auto bit = static_cast<std::uint32_t>(map[k]);
      (*list)[k] = map[k] < 0 ? kNoTag : bit_of(tags_.tag(begin + bit / 8), bit % 8);
    }
    set_list(out, std::move(list));
  }

  void store_lanes(DType type, const MicroOp& op, std::uint64_t address, std::uint32_t align, const AnyReg& v, const AnyPred& pred) override {
    AnyReg chosen;
    TagPlanes place;
    const TagPlanes& stored = planes_of(decided(type, v, pred, chosen), place);
    stores([&] { run_.store_lanes(type, op, address, align, v, pred.p); },
           [&](BlockCore& plane, int i) { plane.store_lanes(type, op, address, align, stored.plane[i], pred.p); });
  }
  void store_blocks(DType type, const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes, const AnyReg& v, const AnyPred& pred) override {
    AnyReg chosen;
    TagPlanes place;
    const TagPlanes& stored = planes_of(decided(type, v, pred, chosen), place);
    stores([&] { run_.store_blocks(type, op, address, stride_bytes, v, pred.p); },
           [&](BlockCore& plane, int i) { plane.store_blocks(type, op, address, stride_bytes, stored.plane[i], pred.p); });
  }
  void store_pairs(const MicroOp& op, std::uint64_t address, const AnyReg& lo, const AnyReg& hi, const AnyPred& pred) override {
    AnyReg chosen[2];
    TagPlanes place[2];
    const TagPlanes& low = planes_of(decided(DType::U32, lo, pred, chosen[0]), place[0]);
    const TagPlanes& high = planes_of(decided(DType::U32, hi, pred, chosen[1]), place[1]);
    stores([&] { run_.store_pairs(op, address, lo, hi, pred.p); },
           [&](BlockCore& plane, int i) { plane.store_pairs(op, address, low.plane[i], high.plane[i], pred.p); });
  }
  void store_span(const MicroOp& op, Space space, std::uint64_t address, const AnyReg& v, std::uint32_t size) override {
    TagPlanes place;
    const TagPlanes& stored = planes_of(v, place);
    stores([&] { run_.store_span(op, space, address, v, size); },
           [&](BlockCore& plane, int i) { plane.store_span(op, space, address, stored.plane[i], size); });
  }
  // A byte of bits is made of what its eight bits are made of.
  void store_predicate(PredStore kind, const MicroOp& op, Space space, std::uint64_t address, std::uint32_t bytes, const AnyPred& pred) override {
    AnyReg image;
    predicate_bytes(kind, pred.p, image.bytes);
    if (pred.tags.any()) {
      TagPlanes& planes = make_planes(image);
      const std::uint32_t step = stored_step(kind);
      for (std::uint32_t byte = 0; byte < stored_bytes(kind); ++byte) {
        Tag bits[8];
        for (std::uint32_t k = 0; k < 8; ++k) bits[k] = pred.tags.tag((8 * byte + k) * step);
        const Tag tag = together(bits);
        for (int i = 0; i < 4; ++i) planes.plane[i].bytes[byte] = static_cast<std::uint8_t>(tag >> (8 * i));
      }
    }
    store_span(op, space, address, image, bytes);
  }

  void gather(AnyReg& out, DType element, DType index, int scale, const MicroOp& op, const Indexed& where, const AnyReg& idx, const AnyPred& pred) override {
    run_.gather(out, element, index, scale, op, where, idx, pred.p);
    const std::uint64_t reach = largest_active(idx, index, pred.p) * static_cast<std::uint64_t>(scale) + size_bytes(element);
    if (!inside(Space::Ub, where.address, reach)) return;
    tags_.ensure(flat(Space::Ub, where.address), static_cast<std::uint32_t>(reach));
    TagPlanes& planes = make_planes(out);
    for (int i = 0; i < 4; ++i) plane_[i]->gather(planes.plane[i], element, index, scale, op, where, idx, pred.p);
    if (idx.tags.origin != Origin::None) set_nodes(out, index, add_nodes(NodeKind::Chosen, index, spans_of(index, out), spans_of(index, idx)));
    finish(out, index, pred);
  }
  void scatter(DType element, DType index, int scale, const MicroOp& op, const Indexed& where, const AnyReg& idx, const AnyReg& v,
               const AnyPred& pred) override {
    AnyReg chosen, placed;
    const AnyReg* value = &decided(index, v, pred, chosen);
    if (idx.tags.origin != Origin::None) {
      static_cast<Block&>(placed) = v;
      set_nodes(placed, index, add_nodes(NodeKind::Chosen, index, spans_of(index, *value), spans_of(index, idx)));
      value = &placed;
    }
    TagPlanes place;
    const TagPlanes& stored = planes_of(*value, place);
    stores([&] { run_.scatter(element, index, scale, op, where, idx, v, pred.p); },
           [&](BlockCore& plane, int i) { plane.scatter(element, index, scale, op, where, idx, stored.plane[i], pred.p); });
  }
  void gather_blocks(AnyReg& out, DType type, const MicroOp& op, const Indexed& where, const AnyReg& offsets, std::uint32_t needed) override {
    run_.gather_blocks(out, type, op, where, offsets, needed);
    for (std::uint32_t k = 0; k < 8; ++k) {
      std::uint32_t offset;
      std::memcpy(&offset, offsets.bytes + 4 * k, 4);
      const std::uint64_t from = std::uint64_t{where.address} + offset;
      if (inside(Space::Ub, from, BLK)) tags_.ensure(flat(Space::Ub, from), BLK);
    }
    TagPlanes& planes = make_planes(out);
    for (int i = 0; i < 4; ++i) plane_[i]->gather_blocks(planes.plane[i], type, op, where, offsets, needed);
    if (offsets.tags.origin == Origin::None) return;
    // Every element of a block was chosen by the block's offset.
    const LaneSpans by = spans_of(DType::U32, offsets);
    LaneSpans chosen_by;
    for (std::uint32_t lane = 0, width = size_bytes(type); lane < VL / width; ++lane) {
      chosen_by.first[lane] = by.first[lane * width / BLK];
      chosen_by.count[lane] = by.count[lane * width / BLK];
    }
    set_nodes(out, type, add_nodes(NodeKind::Chosen, type, spans_of(type, out), chosen_by));
  }
  void turn_blocks(TurnKind kind, const MicroOp& op, const BlockList& dst, const BlockList& src, std::uint32_t repeats, std::uint32_t dst_step,
                   std::uint32_t src_step) override {
    const std::uint32_t bytes = kind == TurnKind::Bytes ? BLK / 2 : BLK;
    for (std::uint32_t r = 0; r < repeats; ++r)
      for (const std::uint32_t block : src)
        if (inside(Space::Ub, block + r * src_step, bytes)) tags_.ensure(flat(Space::Ub, block + r * src_step), bytes);
    stores([&] { run_.turn_blocks(kind, op, dst, src, repeats, dst_step, src_step); },
           [&](BlockCore& plane, int) { plane.turn_blocks(kind, op, dst, src, repeats, dst_step, src_step); });
  }

  void store_scalar(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size, const LaneScalar& scalar) override {
    stores([&] { run_.store_scalar(op, space, address, size, scalar); },
           [&](BlockCore& plane, int i) { plane.store_scalar(op, space, address, size, origin_plane(scalar, i)); });
  }
  void copy(const MicroOp& op, Space to_space, std::uint64_t to, Space from_space, std::uint64_t from, std::uint32_t size) override {
    if (size == 0) return;
    if (inside(from_space, from, size)) tags_.ensure(flat(from_space, from), size);
    stores([&] { run_.copy(op, to_space, to, from_space, from, size); },
           [&](BlockCore& plane, int) { plane.copy(op, to_space, to, from_space, from, size); });
  }
  void copy_elements(const MicroOp& op, const Elements& to, const Elements& from, std::uint32_t elem_bytes, std::uint32_t count) override {
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t at = from.address + std::uint64_t{i} * from.step;
      if (inside(from.space, at, elem_bytes)) tags_.ensure(flat(from.space, at), elem_bytes);
    }
    stores([&] { run_.copy_elements(op, to, from, elem_bytes, count); },
           [&](BlockCore& plane, int) { plane.copy_elements(op, to, from, elem_bytes, count); });
  }
  void fill(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t elem_bytes, std::uint32_t count, const LaneScalar& scalar) override {
    stores([&] { run_.fill(op, space, address, elem_bytes, count, scalar); },
           [&](BlockCore& plane, int i) { plane.fill(op, space, address, elem_bytes, count, origin_plane(scalar, i)); });
  }
  void unspecified(Space space, std::uint64_t address, std::uint32_t size, const char* why) override {
    run_.unspecified(space, address, size);
    if (size == 0) return;
    const Tag node = tags_.arena.unspecified(why);
    const Flat begin = flat(space, address);
    for (int i = 0; i < 4; ++i) std::memset(tags_.plane(i) + begin, static_cast<int>(node >> (8 * i) & 0xFF), size);
    tags_.hold(begin, size);
  }

  // --- values -------------------------------------------------------------------------------------------------------

  void lanewise(AnyReg& out, LaneOp op, DType type, const AnyPred& pred, std::initializer_list<const AnyReg*> operands) override {
    const AnyReg* const* of = operands.begin();
    const AnyReg &a = *of[0], &b = *of[operands.size() > 1 ? 1 : 0], &c = *of[operands.size() > 2 ? 2 : 0];
    run_.lanewise(out, op, type, pred.p, a, b, c);
    if (std::ranges::none_of(operands, [](const AnyReg* reg) { return reg->tags.origin != Origin::None; }) && !pred.tags.any()) return;
    // Bits know no lanes: each byte is made of bytes.
    const bool bitwise = op == LaneOp::And || op == LaneOp::Or || op == LaneOp::Xor || op == LaneOp::Not;
    if (bitwise && !pred.tags.any()) {
      set_nodes(out, DType::U8, add_nodes(NodeKind::Combine, DType::U8, spans_of(DType::U8, a), operands.size() > 1 ? spans_of(DType::U8, b) : no_spans()));
      return zero_inactive(out, type, pred);
    }
    Tag first = add_nodes(NodeKind::Combine, type, spans_of(type, a), operands.size() > 1 ? spans_of(type, b) : no_spans());
    if (operands.size() > 2) first = add_nodes(NodeKind::Combine, type, node_spans(type, first), spans_of(type, c));
    if (tags_.shadows != nullptr && has_shadow(op, type)) {
      double values[3][VL];
      for (std::size_t k = 0; k < operands.size(); ++k) shadows_of(type, *of[k], values[k]);
      Shadow* shadows = tags_.arena.add_shadows(first, lanes(type));
      for (std::uint32_t lane = 0; lane < lanes(type); ++lane) shadows[lane] = {lane_shadow(op, values[0][lane], values[1][lane], values[2][lane]), type};
    }
    set_nodes(out, type, first);
    finish(out, type, pred);
  }
  void compare(AnyPred& out, CompareOp op, DType type, const AnyPred& seed, const AnyReg& a, const AnyReg& b) override {
    run_.compare(out.p, op, type, seed.p, a, b);
    if (a.tags.origin == Origin::None && b.tags.origin == Origin::None && !seed.tags.any()) return;
    Tag first = add_nodes(NodeKind::Combine, type, spans_of(type, a), spans_of(type, b));
    if (seed.tags.any()) first = add_nodes(NodeKind::Combine, type, node_spans(type, first), spans_of(type, seed));
    auto list = std::make_shared<std::array<Tag, 256>>();
    for (std::uint32_t lane = 0, width = size_bytes(type); lane < lanes(type); ++lane)
      if (seed.tags.any() || lane_is_on(seed.p, lane * width)) (*list)[lane * width] = first + lane;
    set_list(out, std::move(list));
  }
  void reduce(AnyReg& out, ReduceOp op, ReduceScope scope, SumOrder order, DType type, const AnyPred& pred, const AnyReg& a) override {
    run_.reduce(out, op, scope, order, type, pred.p, a);
    if (a.tags.origin == Origin::None) return;
    // Lanes that are off have no part in it; data that says so has.
    LaneSpans spans = spans_of(type, a);
    LaneSpans bits;
    const bool decided = pred.tags.any();
    if (decided) {
      bits = spans_of(type, pred);
      spans = node_spans(type, add_nodes(NodeKind::Chosen, type, spans, bits));
    }
    double values[VL];
    const bool shadows = tags_.shadows != nullptr && is_float(type);
    if (shadows) shadows_of(type, a, values);
    constexpr double kIdentities[] = {0, -INFINITY, INFINITY, 1};
    const double identity = kIdentities[static_cast<int>(op)];
    for (std::uint32_t lane = 0, width = size_bytes(type); lane < lanes(type); ++lane) {
      if (lane_is_on(pred.p, lane * width)) continue;
      spans.first[lane] = decided ? bits.first[lane] : kNoTag;
      spans.count[lane] = 1;
      values[lane] = identity;
    }
    const std::uint32_t results = scope == ReduceScope::All ? 1 : scope == ReduceScope::Groups ? 8 : lanes(type) / 2;
    const Tag first = reduce_nodes(op, order, type, spans, shadows ? values : nullptr, results);
    const bool widens = op == ReduceOp::Sum && scope == ReduceScope::All && !is_float(type) && size_bytes(type) < 4;
    const std::uint32_t width = size_bytes(type) * (widens ? 2 : 1);
    TagPlanes& planes = clear_planes(out);
    for (std::uint32_t lane = 0; lane < results; ++lane) put_tag(planes, lane * width, width, first + lane);
    if (scope == ReduceScope::All && (op == ReduceOp::Max || op == ReduceOp::Min)) put_tag(planes, width, width, first);  // which lane it was
  }
  void convert(AnyReg& out, DType to, DType from, const Conversion& how, const AnyPred& pred, const AnyReg& a) override {
    run_.convert(out, to, from, how, pred.p, a);
    if (a.tags.origin == Origin::None) return;
    const LaneSpans spans = spans_of(from, a);
    const std::uint32_t wide = std::max(size_bytes(to), size_bytes(from)), ratio = wide / std::min(size_bytes(to), size_bytes(from)), count = VL / wide;
    const bool narrowing = size_bytes(to) < size_bytes(from);
    const auto source = [&](std::uint32_t i) { return narrowing || ratio == 1 ? i : i * ratio + how.part; };
    LaneSpans taken;
    for (std::uint32_t i = 0; i < count; ++i) {
      taken.first[i] = spans.first[source(i)];
      taken.count[i] = spans.count[source(i)];
    }
    Tag first = add_nodes(NodeKind::Combine, count, taken, no_spans());
    if (tags_.shadows != nullptr && is_float(from) && is_float(to)) {
      double values[VL];
      shadows_of(from, a, values);
      Shadow* shadows = tags_.arena.add_shadows(first, count);
      for (std::uint32_t i = 0; i < count; ++i) shadows[i] = {values[source(i)], to};
    }
    if (pred.tags.any()) {
      LaneSpans made, bits;
      for (std::uint32_t i = 0; i < count; ++i) {
        made.first[i] = first + i;
        bits.first[i] = pred.tags.tag(source(i) * size_bytes(from));
        made.count[i] = bits.count[i] = 1;
      }
      first = add_nodes(NodeKind::Chosen, count, made, bits);
    }
    TagPlanes& planes = clear_planes(out);
    for (std::uint32_t i = 0; i < count; ++i)
      if (lane_is_on(pred.p, source(i) * size_bytes(from))) put_tag(planes, (narrowing ? i * ratio + how.part : i) * size_bytes(to), size_bytes(to), first + i);
  }
  void add_with_carry(AnySum& out, bool subtract, const AnyReg& a, const AnyReg& b, const AnyPred& carry_in, const AnyPred& pred) override {
    constexpr DType kWord = DType::U32;
    run_.add_with_carry(out.sum, out.carry.p, subtract, a, b, carry_in.p, pred.p);
    Tag first = add_nodes(NodeKind::Combine, kWord, spans_of(kWord, a), spans_of(kWord, b));
    if (carry_in.tags.any()) first = add_nodes(NodeKind::Combine, kWord, node_spans(kWord, first), spans_of(kWord, carry_in));
    if (pred.tags.any()) first = add_nodes(NodeKind::Chosen, kWord, node_spans(kWord, first), spans_of(kWord, pred));
    auto carries = std::make_shared<std::array<Tag, 256>>();
    for (std::uint32_t lane = 0; lane < VL / 4; ++lane) (*carries)[lane * 4] = first + lane;
    set_list(out.carry, std::move(carries));
    set_nodes(out.sum, kWord, first);
    zero_inactive(out.sum, kWord, pred);
  }
  void select(AnyReg& out, DType type, const AnyPred& pred, const AnyReg& on, const AnyReg& off) override {
    run_.select(out, type, pred.p, on, off);
    if (pred.tags.any()) {
      // Each lane is what it is because of its bit.
      LaneSpans chosen = spans_of(type, off);
      const LaneSpans taken = spans_of(type, on);
      for (std::uint32_t lane = 0, width = size_bytes(type); lane < lanes(type); ++lane) {
        if (!lane_is_on(pred.p, lane * width)) continue;
        chosen.first[lane] = taken.first[lane];
        chosen.count[lane] = taken.count[lane];
      }
      return set_nodes(out, type, add_nodes(NodeKind::Chosen, type, chosen, spans_of(type, pred)));
    }
    TagPlanes place[2];
    const TagPlanes &x = planes_of(on, place[0]), &y = planes_of(off, place[1]);
    TagPlanes& planes = make_planes(out);
    for (int i = 0; i < 4; ++i) run_.select(planes.plane[i], type, pred.p, x.plane[i], y.plane[i]);
  }
  void move(AnyReg& out, Move kind, DType type, std::uint32_t param, const AnyReg& a, const AnyReg& b) override {
    run_.move(out, kind, type, param, a, b);
    if (a.tags.origin == Origin::None && b.tags.origin == Origin::None) return;
    TagPlanes place[2];
    const TagPlanes &x = planes_of(a, place[0]), &y = planes_of(b, place[1]);
    TagPlanes& planes = make_planes(out);
    for (int i = 0; i < 4; ++i) run_.move(planes.plane[i], kind, type, param, x.plane[i], y.plane[i]);
  }
  void move2(AnyRegPair& out, Move2 kind, DType type, const AnyReg& a, const AnyReg& b) override {
    run_.move2(out.lo, out.hi, kind, type, a, b);
    TagPlanes place[2];
    const TagPlanes &x = planes_of(a, place[0]), &y = planes_of(b, place[1]);
    TagPlanes &lo = make_planes(out.lo), &hi = make_planes(out.hi);
    for (int i = 0; i < 4; ++i) run_.move2(lo.plane[i], hi.plane[i], kind, type, x.plane[i], y.plane[i]);
  }
  void move_predicate(AnyPred& out, PredMove kind, const AnyPred& a) override {
    out.p = ts::move_predicate(kind, a.p);
    set_moved(out, bit_map_of(kind), a, a);
  }
  void move_predicates(AnyPredPair& out, PredMove2 kind, const AnyPred& a, const AnyPred& b) override {
    const VPredPair pair = ts::move_predicates(kind, a.p, b.p);
    const auto& maps = bit_maps_of(kind);
    out.lo.p = pair.lo;
    out.hi.p = pair.hi;
    set_moved(out.lo, maps[0], a, b);
    set_moved(out.hi, maps[1], a, b);
  }
  void combine_predicates(AnyPred& out, PredLogic kind, const AnyPred& a, const AnyPred& b, const AnyPred& mask) override {
    out.p = ts::combine_predicates(kind, a.p, b.p, mask.p);
    if (!a.tags.any() && !b.tags.any() && !mask.tags.any()) return;
    auto list = std::make_shared<std::array<Tag, 256>>();
    for (std::size_t k = 0; k < 256; ++k) {
      Tag both = combined(a.tags.tag(k), kind == PredLogic::Not ? kNoTag : b.tags.tag(k));
      if (kind == PredLogic::Select) both = (mask.p.word[k / 64] >> (k % 64) & 1 ? a : b).tags.tag(k);
      (*list)[k] = combined(both, mask.tags.tag(k));
    }
    set_list(out, std::move(list));
  }
  void broadcast(AnyReg& out, DType type, const LaneScalar& scalar, const AnyPred& pred) override {
    run_.broadcast(out, type, scalar.bits, pred.p);
    rule(out, scalar.origin, 0, 0);
    finish(out, type, pred);
  }
  // Every count is made of all bytes that might be counted, and of what decides which are.
  void histogram(AnyReg& out, std::uint32_t first, bool cumulative, const AnyReg& bytes, const AnyPred& pred) override {
    count_bytes(out, first, cumulative, bytes, pred.p);
    const LaneSpans values = spans_of(DType::U8, bytes), deciders = spans_of(DType::U8, pred);
    Tag all = kNoTag;
    for (std::uint32_t lane = 0; lane < VL; ++lane) {
      if (!lane_is_on(pred.p, lane) && deciders.first[lane] == kNoTag) continue;
      all = combined(all, combined(values.first[lane], deciders.first[lane]));
    }
    if (all != kNoTag) rule(out, all, 0, 0);
  }
  void pick(AnyReg& out, DType type, const AnyReg& a, const AnyReg& indices) override {
    pick_lanes(out, size_bytes(type), a, indices);
    TagPlanes place;
    const TagPlanes& from = planes_of(a, place);
    TagPlanes& planes = make_planes(out);
    for (int i = 0; i < 4; ++i) pick_lanes(planes.plane[i], size_bytes(type), from.plane[i], indices);
    set_nodes(out, type, add_nodes(NodeKind::Chosen, type, spans_of(type, out), spans_of(type, indices)));
  }
  // Where a lane goes, and that it does, is decided by its bit and all bits before it.
  void squeeze(AnyReg& out, DType type, const AnyReg& a, const AnyPred& pred) override {
    squeeze_lanes(out, size_bytes(type), a, pred.p);
    TagPlanes place;
    const TagPlanes& from = planes_of(a, place);
    TagPlanes& planes = make_planes(out);
    for (int i = 0; i < 4; ++i) squeeze_lanes(planes.plane[i], size_bytes(type), from.plane[i], pred.p);
    LaneSpans deciders = no_spans();
    Tag so_far = kNoTag;
    std::uint32_t to = 0;
    for (std::uint32_t at = 0; at < VL; at += size_bytes(type)) {
      so_far = combined(so_far, pred.tags.tag(at));
      if (lane_is_on(pred.p, at)) deciders.first[to++] = so_far;
    }
    for (; to < lanes(type); ++to) deciders.first[to] = so_far;
    set_nodes(out, type, add_nodes(NodeKind::Chosen, type, spans_of(type, out), deciders));
  }
  void rank(AnyReg& out, DType type, const AnyPred& pred) override {
    rank_lanes(out, size_bytes(type), pred.p);
    if (!pred.tags.any()) return;
    LaneSpans counted = no_spans();
    Tag so_far = kNoTag;
    for (std::uint32_t lane = 0; lane < lanes(type); ++lane) {
      counted.first[lane] = so_far;
      so_far = combined(so_far, pred.tags.tag(lane * size_bytes(type)));
    }
    set_nodes(out, type, add_nodes(NodeKind::Combine, type, counted, no_spans()));
  }
  void made(AnyReg&) override {}
  void made(AnyPred&) override {}
  void hide(std::uint32_t) override {}

 private:
  static std::uint32_t lanes(DType type) { return VL / size_bytes(type); }
  Flat flat(Space space, std::uint64_t address) const { return static_cast<Flat>(context_.memory->map().origin(space) + address); }
  bool inside(Space space, std::uint64_t address, std::uint64_t size) const { return address + size <= context_.memory->map().size(space); }
  // Byte i of the scalar's tag, in every byte.
  static LaneScalar origin_plane(const LaneScalar& scalar, int i) {
    return {(scalar.origin >> (8 * i) & 0xFF) * 0x0101010101010101ull, scalar.dtype, 0};
  }
  static std::uint64_t largest_active(const Block& idx, DType type, const VPred& pred) {
    std::uint64_t most = 0;
    for (std::uint32_t at = 0, width = size_bytes(type); at < VL; at += width) {
      std::uint64_t value = 0;
      std::memcpy(&value, idx.bytes + at, width);
      if (lane_is_on(pred, at)) most = std::max(most, value);
    }
    return most;
  }

  // A store on the values, then the same store on every plane; what the first one logged now has its tags in the planes.
  template <class OnValues, class OnPlane>
  void stores(OnValues on_values, OnPlane on_plane) {
    const std::size_t logged = run_.logged();
    on_values();
    const std::size_t now = run_.logged();
    for (int i = 0; i < 4; ++i) {
      plane_[i]->forget_log();
      on_plane(*plane_[i], i);
    }
    for (std::size_t i = logged; i < now; ++i)
      for_runs(context_.log.begin()[i], [&](Flat base, std::uint32_t size) { tags_.hold(base, size); });
  }

  // --- tags of registers --------------------------------------------------------------------------------------------

  static void rule(AnyReg& reg, Tag first, std::uint8_t mask, std::uint8_t shift) {
    reg.tags = {Origin::Ruled, mask, shift, first, nullptr};
  }
  static TagPlanes& make_planes(AnyReg& reg) {
    auto planes = std::make_shared_for_overwrite<TagPlanes>();
    TagPlanes& made = *planes;
    reg.tags = {Origin::Planes, 0, 0, kNoTag, std::move(planes)};
    return made;
  }
  static void clear(TagPlanes& planes) {
    for (Block& plane : planes.plane) std::memset(plane.bytes, 0, VL);
  }
  static TagPlanes& clear_planes(AnyReg& reg) {
    TagPlanes& planes = make_planes(reg);
    clear(planes);
    return planes;
  }
  static void put_tag(TagPlanes& planes, std::uint32_t at, std::uint32_t width, Tag tag) {
    for (int i = 0; i < 4; ++i) std::memset(planes.plane[i].bytes + at, static_cast<int>(tag >> (8 * i) & 0xFF), width);
  }
  // The register's own planes, or planes made in `place`.
  static const TagPlanes& planes_of(const AnyReg& reg, TagPlanes& place) {
    if (reg.tags.origin == Origin::Planes) return *reg.tags.planes;
    if (reg.tags.origin == Origin::None) {
      clear(place);
      return place;
    }
    const RegTags& rule = reg.tags;
    if (rule.mask == 0) {
      for (int i = 0; i < 4; ++i) std::memset(place.plane[i].bytes, static_cast<int>(rule.first >> (8 * i) & 0xFF), VL);
      return place;
    }
    // In bytes throughout, so that the compiler makes vectors of it. What is added is below 256: it may carry into the
    // other bytes, once.
    static constexpr auto kShifted = [] {
      std::array<std::array<std::uint8_t, VL>, 4> table{};
      for (std::size_t shift = 0; shift < 4; ++shift)
        for (std::size_t k = 0; k < VL; ++k) table[shift][k] = static_cast<std::uint8_t>(k >> shift);
      return table;
    }();
    const std::uint8_t* const shifted = kShifted[rule.shift].data();
    const auto mask = static_cast<std::uint8_t>(rule.mask >> rule.shift), low = static_cast<std::uint8_t>(rule.first);
    std::uint8_t carries[VL];
    for (std::uint32_t k = 0; k < VL; ++k) {
      const auto sum = static_cast<std::uint8_t>(low + (shifted[k] & mask));
      place.plane[0].bytes[k] = sum;
      carries[k] = sum < low ? 0xFF : 0;
    }
    const Tag carried = rule.first + 256;
    for (int i = 1; i < 4; ++i) {
      const auto same = static_cast<std::uint8_t>(rule.first >> (8 * i)), change = static_cast<std::uint8_t>(same ^ (carried >> (8 * i)));
      for (std::uint32_t k = 0; k < VL; ++k) place.plane[i].bytes[k] = static_cast<std::uint8_t>(same ^ (carries[k] & change));
    }
    return place;
  }
  static void tags_of(const TagPlanes& planes, Tag* tags) {
    for (std::uint32_t k = 0; k < VL; ++k)
      tags[k] = planes.plane[0].bytes[k] | Tag{planes.plane[1].bytes[k]} << 8 | Tag{planes.plane[2].bytes[k]} << 16 | Tag{planes.plane[3].bytes[k]} << 24;
  }
  // Every byte of lane i has the node first + i.
  static void set_nodes(AnyReg& reg, DType type, Tag first) { rule(reg, first, 255, static_cast<std::uint8_t>(width_number(type))); }
  void zero_inactive(AnyReg& reg, DType type, const AnyPred& pred) {
    if (reg.tags.origin == Origin::None || all_on(pred.p, size_bytes(type))) return;
    TagPlanes place;
    const TagPlanes& from = planes_of(reg, place);
    auto planes = std::make_shared<TagPlanes>(from);
    for (Block& plane : planes->plane) run_.zero_inactive(plane, type, pred.p);
    reg.tags = {Origin::Planes, 0, 0, kNoTag, std::move(planes)};
  }
  // A register that was made under a predicate: lanes that are off have no source, the others are what they are because of
  // their bit too, if that came from data.
  void finish(AnyReg& out, DType type, const AnyPred& pred) {
    AnyReg chosen;
    out.tags = decided(type, out, pred, chosen).tags;
    zero_inactive(out, type, pred);
  }
  // Active lanes are what they are because of their predicate bit, if that came from data; else the register itself.
  const AnyReg& decided(DType type, const AnyReg& reg, const AnyPred& pred, AnyReg& place) {
    if (!pred.tags.any()) return reg;
    set_nodes(place, type, add_nodes(NodeKind::Chosen, type, spans_of(type, reg), spans_of(type, pred)));
    return place;
  }

  // --- tags of predicates -------------------------------------------------------------------------------------------

  Tag bit_of(Tag byte, std::uint32_t bit) {
    if (byte == kNoTag) return kNoTag;
    if (is_byte_tag(byte)) return kFirstBitTag + byte * 8 + bit;
    if (is_node_tag(byte) && tags_.arena.kind(byte) == NodeKind::Bits) return tags_.arena.a(byte).first + bit;
    return tags_.arena.add(NodeKind::BitOf, {byte, 1}, {bit, 1});
  }
  Tag combined(Tag a, Tag b) {
    if (a == kNoTag || b == kNoTag || a == b) return a == kNoTag ? b : a;
    return tags_.arena.add(NodeKind::Combine, {a, 1}, {b, 1});
  }
  // One tag for a byte of bits, from which `bit_of` finds each again.
  Tag together(const Tag (&bits)[8]) {
    bool in_a_row = is_node_tag(bits[0]), none = true;
    for (std::uint32_t k = 0; k < 8; ++k) {
      in_a_row = in_a_row && bits[k] == bits[0] + k;
      none = none && bits[k] == kNoTag;
    }
    if (none) return kNoTag;
    if (in_a_row) return tags_.arena.add(NodeKind::Bits, {bits[0], 8}, {});
    const TagArena::Rows rows = tags_.arena.add_rows(NodeKind::Combine, 8);
    for (std::uint32_t k = 0; k < 8; ++k) {
      rows.a[k] = bits[k];
      rows.b[k] = kNoTag;
      rows.a_count[k] = rows.b_count[k] = 1;
    }
    return tags_.arena.add(NodeKind::Bits, {rows.first, 8}, {});
  }
  static void set_list(AnyPred& pred, std::shared_ptr<const std::array<Tag, 256>> list) {
    pred.tags.kind = PredTags::Kind::Listed;
    pred.tags.list = std::move(list);
  }
  // The result of a predicate's value function: bit k comes from bit map[k] of a, or of b from 256 on.
  void set_moved(AnyPred& out, const BitMap& map, const AnyPred& a, const AnyPred& b) {
    if (!a.tags.any() && !b.tags.any()) return;
    if (a.tags.kind == PredTags::Kind::Mapped && (&a == &b || !b.tags.any())) {
      out.tags.kind = PredTags::Kind::Mapped;
      out.tags.first = a.tags.first;
      out.tags.map = tags_.composed(map, *a.tags.map);
      return;
    }
    auto list = std::make_shared<std::array<Tag, 256>>();
    for (std::size_t k = 0; k < 256; ++k) {
      const int from = map[k];
      (*list)[k] = from < 0 ? kNoTag : (from < 256 ? a : b).tags.tag(static_cast<std::size_t>(from % 256));
    }
    set_list(out, std::move(list));
  }

  // --- lanes --------------------------------------------------------------------------------------------------------

  static const LaneSpans& no_spans() {
    static const LaneSpans none = [] {
      LaneSpans spans;
      spans.first.fill(kNoTag);
      spans.count.fill(1);
      return spans;
    }();
    return none;
  }
  static LaneSpans node_spans(DType type, Tag first) {
    LaneSpans out;
    for (std::uint32_t lane = 0; lane < lanes(type); ++lane) out.first[lane] = first + lane;
    std::fill_n(out.count.begin(), lanes(type), std::uint8_t{1});
    return out;
  }
  static LaneSpans spans_of(DType type, const AnyPred& pred) {
    LaneSpans out;
    const std::uint32_t width = size_bytes(type);
    for (std::uint32_t lane = 0; lane < lanes(type); ++lane) out.first[lane] = pred.tags.tag(lane * width);
    std::fill_n(out.count.begin(), lanes(type), std::uint8_t{1});
    return out;
  }
  // A lane whose bytes come from several places gets a node that joins them.
  LaneSpans spans_of(DType type, const AnyReg& reg) {
    const std::uint32_t width = size_bytes(type), count = lanes(type);
    const RegTags& tags = reg.tags;
    LaneSpans out;
    if (tags.origin == Origin::None || (tags.origin == Origin::Ruled && tags.mask == 0)) {
      std::fill_n(out.first.begin(), count, tags.origin == Origin::None ? kNoTag : tags.first);
      std::fill_n(out.count.begin(), count, std::uint8_t{1});
      return out;
    }
    if (tags.origin == Origin::Ruled && (tags.shift == 0 || 1u << tags.shift == width) && tags.mask >= width - 1) {
      for (std::uint32_t lane = 0; lane < count; ++lane) out.first[lane] = tags.first + ((lane * width & tags.mask) >> tags.shift);
      std::fill_n(out.count.begin(), count, static_cast<std::uint8_t>(tags.shift == 0 ? width : 1));
      return out;
    }
    alignas(64) Tag bytes[VL];
    TagPlanes place;
    tags_of(planes_of(reg, place), bytes);
    for (std::uint32_t lane = 0; lane < count; ++lane) {
      const Tag* of = bytes + lane * width;
      Tag same = 0, next = 0;
      for (std::uint32_t k = 1; k < width; ++k) {
        same |= of[k] ^ of[0];
        next |= of[k] ^ (of[0] + k);
      }
      out.first[lane] = of[0];
      out.count[lane] = static_cast<std::uint8_t>(same == 0 ? 1 : width);
      if (same != 0 && next != 0) join_mixed(of, width, out, lane);
    }
    return out;
  }
  void join_mixed(const Tag* bytes, std::uint32_t width, LaneSpans& out, std::uint32_t lane) {
    // A narrower element with zeros behind it is still that element.
    std::uint32_t in_row = 1, end = width;
    while (in_row < width && bytes[in_row] == bytes[0] + in_row) ++in_row;
    while (end > in_row && bytes[end - 1] == kNoTag) --end;
    if (in_row == end && bytes[0] != kNoTag) {
      out.count[lane] = static_cast<std::uint8_t>(in_row);
      return;
    }
    Tag joined = bytes[0];
    for (std::uint32_t k = 1; k < width; ++k)
      if (bytes[k] != bytes[k - 1]) joined = tags_.arena.add(NodeKind::Combine, {joined, 1}, {bytes[k], 1});
    out.first[lane] = joined;
    out.count[lane] = 1;
  }
  // One node per lane; a and b give its two parts.
  Tag add_nodes(NodeKind kind, DType type, const LaneSpans& a, const LaneSpans& b) { return add_nodes(kind, lanes(type), a, b); }
  Tag add_nodes(NodeKind kind, std::uint32_t count, const LaneSpans& a, const LaneSpans& b) {
    const TagArena::Rows rows = tags_.arena.add_rows(kind, count);
    std::copy_n(a.first.begin(), count, rows.a);
    std::copy_n(b.first.begin(), count, rows.b);
    std::copy_n(a.count.begin(), count, rows.a_count);
    std::copy_n(b.count.begin(), count, rows.b_count);
    return rows.first;
  }

  // Lanes reduced to `results` lanes, each by a tree of neighbours, or one lane after the other. The nodes of the results
  // stand in a row. `values`, if there: what the lanes would be in double; they are used up.
  Tag reduce_nodes(ReduceOp op, SumOrder order, DType type, LaneSpans& spans, double* values, std::uint32_t results) {
    const std::uint32_t group = lanes(type) / results;
    const auto fold = [&](double a, double b) {
      return op == ReduceOp::Sum ? a + b : op == ReduceOp::Prod ? a * b : op == ReduceOp::Max ? std::fmax(a, b) : std::fmin(a, b);
    };
    const auto add = [&](std::uint32_t count, const auto& left, const auto& right) {
      LaneSpans a, b;
      for (std::uint32_t i = 0; i < count; ++i) {
        a.first[i] = spans.first[left(i)], a.count[i] = spans.count[left(i)];
        b.first[i] = spans.first[right(i)], b.count[i] = spans.count[right(i)];
      }
      const Tag first = add_nodes(NodeKind::Combine, count, a, b);
      if (values != nullptr) {
        Shadow* shadows = tags_.arena.add_shadows(first, count);
        double made[VL];
        for (std::uint32_t i = 0; i < count; ++i) {
          made[i] = fold(values[left(i)], values[right(i)]);
          shadows[i] = {made[i], type};
        }
        for (std::uint32_t i = 0; i < count; ++i) values[left(i)] = made[i];
      }
      return first;
    };
    Tag first = kNoTag;
    if (op == ReduceOp::Sum && order != SumOrder::Tree) {
      for (std::uint32_t k = 1; k < group; ++k) {
        first = add(results, [&](std::uint32_t i) { return i * group; }, [&](std::uint32_t i) { return i * group + k; });
        for (std::uint32_t i = 0; i < results; ++i) spans.first[i * group] = first + i, spans.count[i * group] = 1;
      }
      return first;
    }
    for (std::uint32_t count = lanes(type); count > results; count /= 2) {
      first = add(count / 2, [](std::uint32_t i) { return 2 * i; }, [](std::uint32_t i) { return 2 * i + 1; });
      for (std::uint32_t i = 0; i < count / 2; ++i) {
        spans.first[i] = first + i;
        spans.count[i] = 1;
        if (values != nullptr) values[i] = values[2 * i];
      }
    }
    return first;
  }

  // What the lanes would be in double precision. A lane without a shadow of its type is its own.
  void shadows_of(DType type, const AnyReg& reg, double* out) {
    const LaneSpans spans = spans_of(type, reg);
    for (std::uint32_t lane = 0, width = size_bytes(type); lane < lanes(type); ++lane) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, reg.bytes + lane * width, width);
      const Shadow shadow = tags_.shadow({spans.first[lane], spans.count[lane]});
      out[lane] = shadow && shadow.type == type ? shadow.value : to_double(type, bits);
    }
  }

  StepContext& context_;
  BlockCore& run_;
  TagMemory& tags_;
  std::array<WritePattern, 2 * VL> scratch_;  // more than any one operation logs
  std::array<BlockCorePlace, 4> places_;
  std::array<BlockCore*, 4> plane_{};
};

}  // namespace

void tag_any(StepContext& context, const Bound& bound, DType lanes, AnyLowering lowering) { run_watched<TagCore>(context, bound, lanes, lowering); }

}  // namespace ts
