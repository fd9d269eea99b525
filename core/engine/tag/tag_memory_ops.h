// The tag machine's loads, stores and copies: done on the values, and on the four planes of the tags.
#pragma once

#include <vector>

#include "core/engine/tag/tag_state.h"

namespace ts {

class TagMemoryOps : public TagState {
 public:
  void load(AnyReg& out, LoadKind kind, DType type, const MicroOp& op, Space space, std::uint64_t address,
            std::uint32_t size, std::uint32_t align, std::uint32_t param) override {
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
  void load2(AnyRegPair& out, DType type, const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size,
             std::uint32_t align) override {
    run_.load2(out.lo, out.hi, type, op, space, address, size, align);
    if (!inside(space, address, size)) return;
    tags_.ensure(flat(space, address), size);
    TagPlanes &lo = make_planes(out.lo), &hi = make_planes(out.hi);
    for (int i = 0; i < 4; ++i) plane_[i]->load2(lo.plane[i], hi.plane[i], type, op, space, address, size, align);
  }
  void load_blocks(AnyReg& out, const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes,
                   const AnyPred& needed) override {
    if (stride_bytes == BLK && inside(Space::Ub, address, VL))
      return TagMemoryOps::load(out, LoadKind::Norm, DType::U8, op, Space::Ub, address, VL, BLK, 0);
    run_.load_blocks(out, op, address, stride_bytes, needed.p);
    for (std::uint32_t block = 0; block < 8; ++block) {
      const std::uint64_t at = address + std::uint64_t{block} * stride_bytes;
      if (block_active(needed.p, block) && inside(Space::Ub, at, BLK)) tags_.ensure(flat(Space::Ub, at), BLK);
    }
    TagPlanes& planes = make_planes(out);
    for (int i = 0; i < 4; ++i) plane_[i]->load_blocks(planes.plane[i], op, address, stride_bytes, needed.p);
  }
  void load_predicate(AnyPred& out, PredLoad kind, DType type, const MicroOp& op, Space space, std::uint64_t address,
                      std::uint32_t align) override {
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

  void store_lanes(DType type, const MicroOp& op, std::uint64_t address, std::uint32_t align, const AnyReg& v,
                   const AnyPred& pred) override {
    AnyReg chosen;
    TagPlanes place;
    const TagPlanes& stored = planes_of(decided(type, v, pred, chosen), place);
    stores([&] { run_.store_lanes(type, op, address, align, v, pred.p); },
           [&](BlockCore& plane, int i) { plane.store_lanes(type, op, address, align, stored.plane[i], pred.p); });
  }
  void store_blocks(DType type, const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes, const AnyReg& v,
                    const AnyPred& pred) override {
    AnyReg chosen;
    TagPlanes place;
    const TagPlanes& stored = planes_of(decided(type, v, pred, chosen), place);
    stores(
        [&] { run_.store_blocks(type, op, address, stride_bytes, v, pred.p); },
        [&](BlockCore& plane, int i) { plane.store_blocks(type, op, address, stride_bytes, stored.plane[i], pred.p); });
  }
  void store_pairs(const MicroOp& op, std::uint64_t address, const AnyReg& lo, const AnyReg& hi,
                   const AnyPred& pred) override {
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
  void store_predicate(PredStore kind, const MicroOp& op, Space space, std::uint64_t address, std::uint32_t bytes,
                       const AnyPred& pred) override {
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
    TagMemoryOps::store_span(op, space, address, image, bytes);
  }

  void gather(AnyReg& out, DType element, DType index, int scale, const MicroOp& op, const Indexed& where,
              const AnyReg& idx, const AnyPred& pred) override {
    run_.gather(out, element, index, scale, op, where, idx, pred.p);
    const std::uint64_t reach =
        largest_active(idx, index, pred.p) * static_cast<std::uint64_t>(scale) + size_bytes(element);
    if (!inside(where.space, where.address, reach)) return;
    // Tables in global memory are large, and few of their elements are asked for.
    if (where.space == Space::Gm)
      each_place(where, idx, index, scale, pred.p,
                 [&](std::uint64_t at) { tags_.ensure(flat(Space::Gm, at), size_bytes(element)); });
    else tags_.ensure(flat(where.space, where.address), static_cast<std::uint32_t>(reach));
    TagPlanes& planes = make_planes(out);
    for (int i = 0; i < 4; ++i) plane_[i]->gather(planes.plane[i], element, index, scale, op, where, idx, pred.p);
    if (idx.tags.origin != Origin::None)
      set_nodes(out, index, add_nodes(NodeKind::Chosen, index, spans_of(index, out), spans_of(index, idx)));
    finish(out, index, pred);
  }
  void scatter(DType element, DType index, int scale, const MicroOp& op, const Indexed& where, const AnyReg& idx,
               const AnyReg& v, const AnyPred& pred) override {
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
           [&](BlockCore& plane, int i) {
             plane.scatter(element, index, scale, op, where, idx, stored.plane[i], pred.p);
           });
  }
  void gather_blocks(AnyReg& out, DType type, const MicroOp& op, const Indexed& where, const AnyReg& offsets,
                     std::uint32_t needed) override {
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
  void turn_blocks(TurnKind kind, const MicroOp& op, const BlockList& dst, const BlockList& src, std::uint32_t repeats,
                   std::uint32_t dst_step, std::uint32_t src_step) override {
    const std::uint32_t bytes = kind == TurnKind::Bytes ? BLK / 2 : BLK;
    for (std::uint32_t r = 0; r < repeats; ++r)
      for (const std::uint32_t block : src)
        if (inside(Space::Ub, block + r * src_step, bytes)) tags_.ensure(flat(Space::Ub, block + r * src_step), bytes);
    stores([&] { run_.turn_blocks(kind, op, dst, src, repeats, dst_step, src_step); },
           [&](BlockCore& plane, int) { plane.turn_blocks(kind, op, dst, src, repeats, dst_step, src_step); });
  }

  void store_scalar(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size,
                    const LaneScalar& scalar) override {
    stores([&] { run_.store_scalar(op, space, address, size, scalar); },
           [&](BlockCore& plane, int i) { plane.store_scalar(op, space, address, size, origin_plane(scalar, i)); });
  }
  void copy(const MicroOp& op, Space to_space, std::uint64_t to, Space from_space, std::uint64_t from,
            std::uint32_t size) override {
    if (size == 0) return;
    if (inside(from_space, from, size)) tags_.ensure(flat(from_space, from), size);
    stores([&] { run_.copy(op, to_space, to, from_space, from, size); },
           [&](BlockCore& plane, int) { plane.copy(op, to_space, to, from_space, from, size); });
  }
  void copy_elements(const MicroOp& op, const SpacedElements& to, const SpacedElements& from, std::uint32_t elem_bytes,
                     std::uint32_t count) override {
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t at = from.address + std::uint64_t{i} * from.step;
      if (inside(from.space, at, elem_bytes)) tags_.ensure(flat(from.space, at), elem_bytes);
    }
    stores([&] { run_.copy_elements(op, to, from, elem_bytes, count); },
           [&](BlockCore& plane, int) { plane.copy_elements(op, to, from, elem_bytes, count); });
  }
  void fill(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t elem_bytes, std::uint32_t count,
            const LaneScalar& scalar) override {
    stores(
        [&] { run_.fill(op, space, address, elem_bytes, count, scalar); },
        [&](BlockCore& plane, int i) { plane.fill(op, space, address, elem_bytes, count, origin_plane(scalar, i)); });
  }
  void move_ordered(const MicroOp& op, const OrderedMoves& order) override {
    std::vector<Tag> tags;
    Tag decider = kNoTag;
    std::size_t compared = 0;
    for (const OrderedMove& move : order.moves) {
      for (; compared < std::min<std::size_t>(move.decided, order.keys.size()); ++compared)
        decider = decided_too(decider, span_at(flat(Space::Ub, order.keys[compared]), size_bytes(order.key)));
      add_moved(move, decider, tags);
    }
    ts::move_ordered(run_, {*context_.memory, context_.core}, op, order);
    const Tag* next = tags.data();
    for (const OrderedMove& move : order.moves) {
      const Flat to = flat(Space::Ub, move.to);
      for (std::uint32_t k = 0; k < move.size; ++k, ++next)
        for (int i = 0; i < 4; ++i) tags_.plane(i)[to + k] = static_cast<std::byte>(*next >> (8 * i) & 0xFF);
      tags_.hold(to, move.size);
    }
  }
  void unspecified(Space space, std::uint64_t address, std::uint32_t size, const char* why) override {
    run_.unspecified(space, address, size);
    if (size == 0) return;
    const Tag node = tags_.arena.unspecified(why);
    put_memory_tag(flat(space, address), size, node);
  }

 protected:
  using TagState::TagState;
  ~TagMemoryOps() = default;

  // Bytes in memory that all come from one place.
  void put_memory_tag(Flat begin, std::uint32_t size, Tag tag) {
    for (int i = 0; i < 4; ++i) std::memset(tags_.plane(i) + begin, static_cast<int>(tag >> (8 * i) & 0xFF), size);
    tags_.hold(begin, size);
  }
  Tag decided_too(Tag decider, TagSpan key) {
    if (key.first == kNoTag) return decider;
    return tags_.arena.add(NodeKind::Combine, {decider, 1}, key);
  }
  // The tags of an element's bytes where it goes.
  void add_moved(const OrderedMove& move, Tag decider, std::vector<Tag>& tags) {
    const bool zeros = move.from == OrderedMove::kZeros;
    if (zeros || decider == kNoTag) {
      for (std::uint32_t k = 0; k < move.size; ++k)
        tags.push_back(zeros ? kNoTag : tags_.tag(flat(Space::Ub, move.from) + k));
      return;
    }
    const TagSpan element = span_at(flat(Space::Ub, move.from), move.size);
    tags.insert(tags.end(), move.size, tags_.arena.add(NodeKind::Chosen, element, {decider, 1}));
  }
  static std::uint64_t largest_active(const Block& idx, DType type, const VPred& pred) {
    std::uint64_t most = 0;
    each_place({0, 0}, idx, type, 1, pred, [&](std::uint64_t at) { most = std::max(most, at); });
    return most;
  }
  // f(address) of the element that every active lane's index means.
  template <class F>
  static void each_place(const Indexed& where, const Block& idx, DType type, int scale, const VPred& pred, F f) {
    for (std::uint32_t at = 0, width = size_bytes(type); at < VL; at += width) {
      std::uint64_t value = 0;
      std::memcpy(&value, idx.bytes + at, width);
      if (lane_is_on(pred, at)) f(where.address + value * static_cast<std::uint64_t>(scale));
    }
  }
};

}  // namespace ts
