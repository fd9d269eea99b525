// What the tag machine keeps, and how tags of registers, predicates and lanes are made and asked for.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "core/engine/any_core.h"
#include "core/engine/bit_maps.h"

namespace ts {

// The tags of every lane's bytes as one span.
struct LaneSpans {
  std::array<Tag, VL> first;
  std::array<std::uint8_t, VL> count;
};

class TagState : public CoreWatcher {
 protected:
  using Origin = RegTags::Origin;

  TagState(StepContext& context, BlockCore& run, TagMemory& tags) : context_(context), run_(run), tags_(tags) {
    for (int i = 0; i < 4; ++i)
      plane_[i] = &make_block_core(places_[i], context, reinterpret_cast<std::uint8_t*>(tags_.plane(i)),
                                   scratch_.data(), scratch_.size());
  }
  ~TagState() = default;

  static std::uint32_t lanes(DType type) { return VL / size_bytes(type); }
  Flat flat(Space space, std::uint64_t address) const {
    return static_cast<Flat>(context_.memory->map().origin(space, context_.core) + address);
  }
  bool inside(Space space, std::uint64_t address, std::uint64_t size) const {
    return address + size <= context_.memory->map().size(space, context_.core);
  }
  // Byte i of the scalar's tag, in every byte.
  static LaneScalar origin_plane(const LaneScalar& scalar, int i) {
    return {(scalar.origin >> (8 * i) & 0xFF) * 0x0101010101010101ull, scalar.dtype, 0};
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
      const auto same = static_cast<std::uint8_t>(rule.first >> (8 * i)),
                 change = static_cast<std::uint8_t>(same ^ (carried >> (8 * i)));
      for (std::uint32_t k = 0; k < VL; ++k)
        place.plane[i].bytes[k] = static_cast<std::uint8_t>(same ^ (carries[k] & change));
    }
    return place;
  }
  static void tags_of(const TagPlanes& planes, Tag* tags) {
    for (std::uint32_t k = 0; k < VL; ++k)
      tags[k] = planes.plane[0].bytes[k] | Tag{planes.plane[1].bytes[k]} << 8 | Tag{planes.plane[2].bytes[k]} << 16 |
                Tag{planes.plane[3].bytes[k]} << 24;
  }
  // Every byte of lane i has the node first + i.
  static void set_nodes(AnyReg& reg, DType type, Tag first) {
    rule(reg, first, 255, static_cast<std::uint8_t>(width_number(type)));
  }
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
    if (has_bit_tags(byte)) return kFirstBitTag + byte * 8 + bit;
    if (is_node_tag(byte) && tags_.arena.kind(byte) == NodeKind::Bits) return tags_.arena.a(byte).first + bit;
    return tags_.arena.add(NodeKind::BitOf, {byte, 1}, {bit, 1});
  }
  Tag combined(Tag a, Tag b) {
    if (a == kNoTag || b == kNoTag || a == b) return a == kNoTag ? b : a;
    return tags_.arena.add(NodeKind::Combine, {a, 1}, {b, 1});
  }
  // Of an element that shares a byte.
  Tag half_of(Tag byte, std::uint32_t half) {
    const Tag known = tags_.arena.half(byte, half == 0 ? BytePart::Low : BytePart::High);
    const bool whole = known == byte && known != kNoTag && !is_scalar_tag(known);
    return whole ? tags_.arena.add(NodeKind::HalfOf, {byte, 1}, {half, 1}) : known;
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
      for (std::uint32_t lane = 0; lane < count; ++lane)
        out.first[lane] = tags.first + ((lane * width & tags.mask) >> tags.shift);
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
    out.first[lane] = joined_bytes(bytes, width);
    out.count[lane] = 1;
  }
  Tag joined_bytes(const Tag* bytes, std::uint32_t width) {
    Tag joined = bytes[0];
    for (std::uint32_t k = 1; k < width; ++k)
      if (bytes[k] != bytes[k - 1]) joined = tags_.arena.add(NodeKind::Combine, {joined, 1}, {bytes[k], 1});
    return joined;
  }
  // The tags of an element in memory.
  TagSpan span_at(Flat begin, std::uint32_t width) {
    Tag bytes[8] = {};
    bool same = true, next = true;
    for (std::uint32_t k = 0; k < width; ++k) {
      bytes[k] = tags_.tag(begin + k);
      same = same && bytes[k] == bytes[0];
      next = next && bytes[k] == bytes[0] + k;
    }
    if (next && bytes[0] != kNoTag) return {bytes[0], static_cast<std::uint8_t>(width)};
    return {same ? bytes[0] : joined_bytes(bytes, width), 1};
  }
  // One node per lane; a and b give its two parts.
  Tag add_nodes(NodeKind kind, DType type, const LaneSpans& a, const LaneSpans& b) {
    return add_nodes(kind, lanes(type), a, b);
  }
  Tag add_nodes(NodeKind kind, std::uint32_t count, const LaneSpans& a, const LaneSpans& b) {
    const TagArena::Rows rows = tags_.arena.add_rows(kind, count);
    std::copy_n(a.first.begin(), count, rows.a);
    std::copy_n(b.first.begin(), count, rows.b);
    std::copy_n(a.count.begin(), count, rows.a_count);
    std::copy_n(b.count.begin(), count, rows.b_count);
    return rows.first;
  }

  StepContext& context_;
  BlockCore& run_;
  TagMemory& tags_;

 private:
  std::array<WritePattern, 2 * VL> scratch_;  // more than any one operation logs
  std::array<BlockCorePlace, 4> places_;

 protected:
  std::array<BlockCore*, 4> plane_{};
};

}  // namespace ts
