// The tag machine: the run machine five times. Once on the values; four times on the planes of the tags, byte 0 to 3 of
// the tag of every byte, with the same value functions. So whatever moves a value moves its origin, and neither can be
// wrong alone. Only where values are computed or chosen does this machine make nodes of its own.
#if defined(TS_ENGINE_TAG_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_ENGINE_TAG_INL_H
#undef TS_ENGINE_TAG_INL_H
#else
#define TS_ENGINE_TAG_INL_H
#endif

#include <array>
#include <memory>

#include "core/engine/run-inl.h"
#include "core/engine/tag.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

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

template <class F>
const BitMap& bit_map_of_load() {
  static const BitMap map = [] {
    BitMap out{};
    for (int plane = 0; plane < BitNumberPlanes::kPlanes; ++plane) {
      std::uint8_t bytes[64] = {};
      for (int k = 0; k < static_cast<int>(F::kBytes) * 8; ++k)
        bytes[k / 8] = static_cast<std::uint8_t>(bytes[k / 8] | BitNumberPlanes::bit(plane, k) << (k % 8));
      BitNumberPlanes::add(out, plane, F()(bytes));
    }
    return out;
  }();
  return map;
}

template <class F>
const BitMap& bit_map_of() {
  static const BitMap map = [] {
    BitMap out{};
    for (int plane = 0; plane < BitNumberPlanes::kPlanes; ++plane) BitNumberPlanes::add(out, plane, F()(BitNumberPlanes::image(plane, 0)));
    return out;
  }();
  return map;
}

template <class F>
const std::array<BitMap, 2>& bit_maps_of_pair() {
  static const std::array<BitMap, 2> maps = [] {
    std::array<BitMap, 2> out{};
    for (int plane = 0; plane < BitNumberPlanes::kPlanes; ++plane) {
      const VPredPair pair = F()(BitNumberPlanes::image(plane, 0), BitNumberPlanes::image(plane, 256));
      BitNumberPlanes::add(out[0], plane, pair.lo);
      BitNumberPlanes::add(out[1], plane, pair.hi);
    }
    return out;
  }();
  return maps;
}

class TagCore : public RunCore {
 public:
  // The tags of a register's bytes. Ruled: byte k has the tag first + ((k & mask) >> shift), as plain loads (mask 255, shift
  // 0), fresh nodes (mask 255, 2^shift: the lane's width), broadcasts of an element (mask: width - 1) and of a scalar (mask
  // 0) make it; most registers never need their planes.
  enum class Origin : std::uint8_t { None, Ruled, Planes };
  struct Reg {
    VReg v;
    Origin origin;
    Tag first;
    std::uint8_t mask, shift;
    std::array<VReg, 4> plane;  // four fifths of the register, so it is neither cleared nor copied without need

    Reg() {}
    Reg(const VReg& v_, Origin origin_, Tag first_, std::uint8_t mask_, std::uint8_t shift_)
        : v(v_), origin(origin_), first(first_), mask(mask_), shift(shift_) {}
    Reg(const Reg& other) : Reg(other.v, other.origin, other.first, other.mask, other.shift) {
      if (origin == Origin::Planes) plane = other.plane;
    }
    Reg& operator=(const Reg& other) {
      v = other.v;
      origin = other.origin;
      first = other.first;
      mask = other.mask;
      shift = other.shift;
      if (origin == Origin::Planes) plane = other.plane;
      return *this;
    }
  };
  // The tags of a predicate's bits. Mapped: bit k has the tag first + map[k]. Listed: each bit its own.
  struct Pred {
    VPred p;
    enum class Kind : std::uint8_t { None, Mapped, Listed } kind;
    Tag first;
    const BitMap* map;
    std::shared_ptr<const std::array<Tag, 256>> list;

    bool tagged() const { return kind != Kind::None; }
    Tag tag(std::size_t bit) const {
      if (kind == Kind::Listed) return (*list)[bit];
      return kind == Kind::None || (*map)[bit] < 0 ? kNoTag : first + static_cast<Tag>((*map)[bit]);
    }
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

  explicit TagCore(StepContext& context)
      : RunCore(context), tags_(*context.tags), plane_{plane_core(0), plane_core(1), plane_core(2), plane_core(3)} {}

  TagCore& local() { return *this; }
  void join(const TagCore&) {}

  template <class F>
  HWY_NOINLINE Reg load(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size, std::uint32_t align, F f) {
    Reg out = untagged(RunCore::load(op, space, address, size, align, f));
    if (!inside(space, address, size)) return out;
    const Flat begin = flat(space, address);
    if constexpr (requires { F::kInPlace; }) {
      if (!tags_.any_held(begin, size)) return ruled(out.v, begin, 255, 0);
    }
    if constexpr (requires { F::kElementBytes; }) {
      // One element in every lane: usually its bytes have one tag, or tags in a row.
      std::uint32_t same = 0, next = 0;
      const Tag first = tags_.tag(begin);
      for (std::uint32_t k = 1; k < size; ++k) {
        same |= tags_.tag(begin + k) ^ first;
        next |= tags_.tag(begin + k) ^ (first + k);
      }
      if (same == 0) return ruled(out.v, first, 0, 0);
      if (next == 0) return ruled(out.v, first, static_cast<std::uint8_t>(size - 1), 0);
    }
    tags_.ensure(begin, size);
    out.origin = Origin::Planes;
    for (std::size_t i = 0; i < 4; ++i) out.plane[i] = plane_[i].load(op, space, address, size, align, f);
    return out;
  }
  template <class F>
  HWY_NOINLINE RegPair load2(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size, std::uint32_t align, F f) {
    const RunCore::RegPair value = RunCore::load2(op, space, address, size, align, f);
    RegPair out{untagged(value.lo), untagged(value.hi)};
    if (!inside(space, address, size)) return out;
    tags_.ensure(flat(space, address), size);
    out.lo.origin = out.hi.origin = Origin::Planes;
    for (std::size_t i = 0; i < 4; ++i) {
      const RunCore::RegPair pair = plane_[i].load2(op, space, address, size, align, f);
      out.lo.plane[i] = pair.lo;
      out.hi.plane[i] = pair.hi;
    }
    return out;
  }
  HWY_NOINLINE Reg load_blocks(const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes, const Pred& needed) {
    if (stride_bytes == BLK && inside(Space::Ub, address, VL)) return load(op, Space::Ub, address, VL, BLK, LoadNorm());
    Reg out = untagged(RunCore::load_blocks(op, address, stride_bytes, needed.p));
    for (std::uint32_t block = 0; block < 8; ++block) {
      const std::uint64_t at = address + std::uint64_t{block} * stride_bytes;
      if (block_active(needed.p, block) && inside(Space::Ub, at, BLK)) tags_.ensure(flat(Space::Ub, at), BLK);
    }
    out.origin = Origin::Planes;
    for (std::size_t i = 0; i < 4; ++i) out.plane[i] = plane_[i].load_blocks(op, address, stride_bytes, needed.p);
    return out;
  }
  template <class F>
  HWY_NOINLINE Pred load_predicate(const MicroOp& op, std::uint64_t address, std::uint32_t align, F f) {
    Pred out = untagged(RunCore::load_predicate(op, address, align, f));
    if (!inside(Space::Ub, address, F::kBytes)) return out;
    const Flat begin = flat(Space::Ub, address);
    const BitMap& map = bit_map_of_load<F>();
    if (!tags_.any_held(begin, F::kBytes)) return mapped(out.p, kFirstBitTag + begin * 8, &map);
    auto list = std::make_shared<std::array<Tag, 256>>();
    for (std::size_t k = 0; k < 256; ++k) {
      const auto bit = static_cast<std::uint32_t>(map[k]);
      (*list)[k] = map[k] < 0 ? kNoTag : bit_of(tags_.tag(begin + bit / 8), bit % 8);
    }
    return listed(out.p, std::move(list));
  }

  template <class T>
  HWY_NOINLINE void store_lanes(const MicroOp& op, std::uint64_t address, std::uint32_t align, const Reg& v, const Pred& pred) {
    Reg chosen, place;
    const Reg& stored = with_planes(decided<T>(v, pred, chosen), place);
    stores([&] { RunCore::store_lanes<T>(op, address, align, v.v, pred.p); },
           [&](RunCore& plane, std::size_t i) { plane.store_lanes<T>(op, address, align, stored.plane[i], pred.p); });
  }
  template <class T>
  HWY_NOINLINE void store_blocks(const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes, const Reg& v, const Pred& pred) {
    Reg chosen, place;
    const Reg& stored = with_planes(decided<T>(v, pred, chosen), place);
    stores([&] { RunCore::store_blocks<T>(op, address, stride_bytes, v.v, pred.p); },
           [&](RunCore& plane, std::size_t i) { plane.store_blocks<T>(op, address, stride_bytes, stored.plane[i], pred.p); });
  }
  HWY_NOINLINE void store_pairs(const MicroOp& op, std::uint64_t address, const Reg& lo, const Reg& hi, const Pred& pred) {
    Reg chosen[2], place[2];
    const Reg& low = with_planes(decided<std::uint32_t>(lo, pred, chosen[0]), place[0]);
    const Reg& high = with_planes(decided<std::uint32_t>(hi, pred, chosen[1]), place[1]);
    stores([&] { RunCore::store_pairs(op, address, lo.v, hi.v, pred.p); },
           [&](RunCore& plane, std::size_t i) { plane.store_pairs(op, address, low.plane[i], high.plane[i], pred.p); });
  }
  HWY_NOINLINE void store_span(const MicroOp& op, Space space, std::uint64_t address, const Reg& v, std::uint32_t size) {
    Reg place;
    const Reg& stored = with_planes(v, place);
    stores([&] { RunCore::store_span(op, space, address, v.v, size); },
           [&](RunCore& plane, std::size_t i) { plane.store_span(op, space, address, stored.plane[i], size); });
  }

  template <class Element, class Idx, int kScale>
  HWY_NOINLINE Reg gather(const MicroOp& op, const Indexed& where, const Reg& idx, const Pred& pred) {
    Reg out = untagged(RunCore::gather<Element, Idx, kScale>(op, where, idx.v, pred.p));
    const std::uint64_t reach = max_lane<Idx>(zero_inactive<Idx>(idx.v, pred.p)) * kScale + sizeof(Element);
    if (!inside(Space::Ub, where.address, reach)) return out;
    tags_.ensure(flat(Space::Ub, where.address), static_cast<std::uint32_t>(reach));
    out.origin = Origin::Planes;
    for (std::size_t i = 0; i < 4; ++i) out.plane[i] = plane_[i].template gather<Element, Idx, kScale>(op, where, idx.v, pred.p);
    if (idx.origin == Origin::None) return out;
    return zero_inactive_tags<Idx>(lane_nodes<Idx>(out.v, add_lane_nodes<Idx>(NodeKind::Chosen, lane_spans<Idx>(out), lane_spans<Idx>(idx))), pred);
  }
  template <class Element, class Idx, int kScale>
  HWY_NOINLINE void scatter(const MicroOp& op, const Indexed& where, const Reg& idx, const Reg& v, const Pred& pred) {
    Reg chosen, placed, place;
    const Reg* value = &decided<Idx>(v, pred, chosen);
    if (idx.origin != Origin::None) {
      placed = lane_nodes<Idx>(v.v, add_lane_nodes<Idx>(NodeKind::Chosen, lane_spans<Idx>(*value), lane_spans<Idx>(idx)));
      value = &placed;
    }
    const Reg& stored = with_planes(*value, place);
    stores([&] { RunCore::scatter<Element, Idx, kScale>(op, where, idx.v, v.v, pred.p); },
           [&](RunCore& plane, std::size_t i) { plane.scatter<Element, Idx, kScale>(op, where, idx.v, stored.plane[i], pred.p); });
  }
  template <class T>
  HWY_NOINLINE Reg gather_blocks(const MicroOp& op, const Indexed& where, const Reg& offsets, std::uint32_t needed) {
    Reg out = untagged(RunCore::gather_blocks<T>(op, where, offsets.v, needed));
    alignas(64) std::uint32_t at[VL / 4];
    store_register(offsets.v, reinterpret_cast<std::uint8_t*>(at));
    for (std::uint32_t k = 0; k < 8; ++k) {
      const std::uint64_t from = std::uint64_t{where.address} + at[k];
      if (inside(Space::Ub, from, BLK)) tags_.ensure(flat(Space::Ub, from), BLK);
    }
    out.origin = Origin::Planes;
    for (std::size_t i = 0; i < 4; ++i) out.plane[i] = plane_[i].template gather_blocks<T>(op, where, offsets.v, needed);
    if (offsets.origin == Origin::None) return out;
    // Every element of a block was chosen by the block's offset.
    const LaneSpans<std::uint32_t> by = lane_spans<std::uint32_t>(offsets);
    LaneSpans<T> chosen_by;
    for (std::uint32_t lane = 0; lane < EPR<T>; ++lane) {
      chosen_by.first[lane] = by.first[lane * sizeof(T) / BLK];
      chosen_by.count[lane] = by.count[lane * sizeof(T) / BLK];
    }
    return lane_nodes<T>(out.v, add_lane_nodes<T>(NodeKind::Chosen, lane_spans<T>(out), chosen_by));
  }
  template <class F>
  HWY_NOINLINE void turn_blocks(const MicroOp& op, const BlockList& dst, const BlockList& src, std::uint32_t repeats, std::uint32_t dst_step,
                                std::uint32_t src_step, F f) {
    for (std::uint32_t r = 0; r < repeats; ++r)
      for (const std::uint32_t block : src)
        if (inside(Space::Ub, block + r * src_step, F::kBytes)) tags_.ensure(flat(Space::Ub, block + r * src_step), F::kBytes);
    stores([&] { RunCore::turn_blocks(op, dst, src, repeats, dst_step, src_step, f); },
           [&](RunCore& plane, std::size_t) { plane.turn_blocks(op, dst, src, repeats, dst_step, src_step, f); });
  }

  template <class T, class F>
  HWY_NOINLINE Reg lanewise(F f, const Pred& pred, const Reg& a) {
    const VReg value = RunCore::lanewise<T>(f, pred.p, a.v);
    if (a.origin == Origin::None) return untagged(value);
    LaneSpans<T> nothing;
    nothing.first.fill(kNoTag);
    nothing.count.fill(1);
    const Tag first = add_lane_nodes<T>(NodeKind::Combine, lane_spans<T>(a), nothing);
    if constexpr (requires(double x) { f.shadow(x); }) {
      if (HWY_UNLIKELY(tags_.shadows != nullptr)) add_shadows(f, first, a.v);
    }
    return zero_inactive_tags<T>(lane_nodes<T>(value, first), pred);
  }
  template <class T, class F>
  HWY_NOINLINE Reg lanewise(F f, const Pred& pred, const Reg& a, const Reg& b) {
    const VReg value = RunCore::lanewise<T>(f, pred.p, a.v, b.v);
    if (a.origin == Origin::None && b.origin == Origin::None) return untagged(value);
    Tag first = add_lane_nodes<T>(NodeKind::Combine, lane_spans<T>(a), lane_spans<T>(b));
    if constexpr (requires(double x) { f.shadow(x, x); }) {
      if (HWY_UNLIKELY(tags_.shadows != nullptr)) add_shadows(f, first, a.v, b.v);
    }
    if (pred.tagged()) first = add_lane_nodes<T>(NodeKind::Chosen, node_spans<T>(first), predicate_spans<T>(pred));
    return zero_inactive_tags<T>(lane_nodes<T>(value, first), pred);
  }
  HWY_NOINLINE Sum add_with_carry(const Reg& a, const Reg& b, const Pred& carry_in, const Pred& pred) {
    using Word = std::uint32_t;
    const RunCore::Sum value = RunCore::add_with_carry(a.v, b.v, carry_in.p, pred.p);
    Tag first = add_lane_nodes<Word>(NodeKind::Combine, lane_spans<Word>(a), lane_spans<Word>(b));
    if (carry_in.tagged()) first = add_lane_nodes<Word>(NodeKind::Combine, node_spans<Word>(first), predicate_spans<Word>(carry_in));
    auto carries = std::make_shared<std::array<Tag, 256>>();
    for (std::uint32_t lane = 0; lane < EPR<Word>; ++lane) (*carries)[lane * sizeof(Word)] = first + lane;
    return {zero_inactive_tags<Word>(lane_nodes<Word>(value.sum, first), pred), listed(value.carry, std::move(carries))};
  }
  template <class T>
  HWY_NOINLINE Reg select(const Pred& pred, const Reg& on, const Reg& off) {
    const VReg value = RunCore::select<T>(pred.p, on.v, off.v);
    if (pred.tagged()) {
      // Each lane is what it is because of its bit.
      LaneSpans<T> chosen = lane_spans<T>(off);
      take_where<T>(pred.p, lane_spans<T>(on), chosen);
      return lane_nodes<T>(value, add_lane_nodes<T>(NodeKind::Chosen, chosen, predicate_spans<T>(pred)));
    }
    Reg place[2];
    const Reg &on_planes = with_planes(on, place[0]), &off_planes = with_planes(off, place[1]);
    Reg out = untagged(value);
    out.origin = Origin::Planes;
    for (std::size_t i = 0; i < 4; ++i) out.plane[i] = RunCore::select<T>(pred.p, on_planes.plane[i], off_planes.plane[i]);
    return out;
  }
  template <class F>
  HWY_NOINLINE Reg permute(F f, const Reg& a) {
    Reg place;
    const Reg& planes = with_planes(a, place);
    Reg out = untagged(f(a.v));
    out.origin = Origin::Planes;
    for (std::size_t i = 0; i < 4; ++i) out.plane[i] = f(planes.plane[i]);
    return out;
  }
  template <class F>
  HWY_NOINLINE Reg permute(F f, const Reg& a, const Reg& b) {
    Reg place[2];
    const Reg &a_planes = with_planes(a, place[0]), &b_planes = with_planes(b, place[1]);
    Reg out = untagged(f(a.v, b.v));
    out.origin = Origin::Planes;
    for (std::size_t i = 0; i < 4; ++i) out.plane[i] = f(a_planes.plane[i], b_planes.plane[i]);
    return out;
  }
  template <class F>
  HWY_NOINLINE RegPair permute2(F f, const Reg& a, const Reg& b) {
    Reg place[2];
    const Reg &a_planes = with_planes(a, place[0]), &b_planes = with_planes(b, place[1]);
    const RunCore::RegPair value = RunCore::permute2(f, a.v, b.v);
    RegPair out{untagged(value.lo), untagged(value.hi)};
    out.lo.origin = out.hi.origin = Origin::Planes;
    for (std::size_t i = 0; i < 4; ++i) {
      const RunCore::RegPair pair = RunCore::permute2(f, a_planes.plane[i], b_planes.plane[i]);
      out.lo.plane[i] = pair.lo;
      out.hi.plane[i] = pair.hi;
    }
    return out;
  }
  template <class F>
  HWY_NOINLINE Pred permute_pred(F f, const Pred& a) {
    return moved(RunCore::permute_pred(f, a.p), bit_map_of<F>(), a, a);
  }
  template <class F>
  HWY_NOINLINE PredPair permute_pred2(F f, const Pred& a, const Pred& b) {
    const RunCore::PredPair value = RunCore::permute_pred2(f, a.p, b.p);
    const auto& maps = bit_maps_of_pair<F>();
    return {moved(value.lo, maps[0], a, b), moved(value.hi, maps[1], a, b)};
  }
  Reg zero() { return untagged(zero_register()); }
  Reg constant(const VReg& value) { return untagged(value); }
  Pred predicate(const VPred& image) { return untagged(image); }

  template <class T>
  HWY_NOINLINE Reg broadcast(const LaneScalar& scalar, const Pred& pred) {
    return zero_inactive_tags<T>(ruled(RunCore::broadcast<T>(scalar, pred.p), scalar.origin, 0, 0), pred);
  }

  HWY_NOINLINE void store_scalar(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size, const LaneScalar& scalar) {
    stores([&] { RunCore::store_scalar(op, space, address, size, scalar); },
           [&](RunCore& plane, std::size_t i) { plane.store_scalar(op, space, address, size, origin_plane(scalar, i)); });
  }
  HWY_NOINLINE void copy(const MicroOp& op, Space to_space, std::uint64_t to, Space from_space, std::uint64_t from, std::uint32_t size) {
    if (size == 0) return;
    if (inside(from_space, from, size)) tags_.ensure(flat(from_space, from), size);
    stores([&] { RunCore::copy(op, to_space, to, from_space, from, size); },
           [&](RunCore& plane, std::size_t) { plane.copy(op, to_space, to, from_space, from, size); });
  }
  HWY_NOINLINE void copy_elements(const MicroOp& op, const Elements& to, const Elements& from, std::uint32_t elem_bytes, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t at = from.address + std::uint64_t{i} * from.step;
      if (inside(from.space, at, elem_bytes)) tags_.ensure(flat(from.space, at), elem_bytes);
    }
    stores([&] { RunCore::copy_elements(op, to, from, elem_bytes, count); },
           [&](RunCore& plane, std::size_t) { plane.copy_elements(op, to, from, elem_bytes, count); });
  }
  HWY_NOINLINE void fill(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t elem_bytes, std::uint32_t count, const LaneScalar& scalar) {
    stores([&] { RunCore::fill(op, space, address, elem_bytes, count, scalar); },
           [&](RunCore& plane, std::size_t i) { plane.fill(op, space, address, elem_bytes, count, origin_plane(scalar, i)); });
  }
  void watch_bits(const Reg& offsets, const Pred& pred, std::uint32_t forbidden) { RunCore::watch_bits(offsets.v, pred.p, forbidden); }
  void unspecified(Space space, std::uint64_t address, std::uint32_t size, const char* why) {
    RunCore::unspecified(space, address, size, why);
    if (size == 0) return;
    const Tag node = tags_.arena.unspecified(why);
    const Flat begin = flat(space, address);
    for (int i = 0; i < 4; ++i) std::memset(tags_.plane(i) + begin, static_cast<int>(node >> (8 * i) & 0xFF), size);
    tags_.hold(begin, size);
  }

 private:
  // A run machine whose memory is one plane of the tags. Its log is overwritten by the next operation and never read.
  class PlaneCore : public RunCore {
   public:
    PlaneCore(StepContext& context, int plane, WritePattern* scratch, std::size_t scratch_size) : RunCore(context) {
      base_ = reinterpret_cast<std::uint8_t*>(context.tags->plane(plane));
      scratch_ = cursor_ = {scratch, scratch + scratch_size};
    }
    void forget_log() {
      cursor_ = scratch_;
      open_ = other_ = {0, 0};
    }

   private:
    WriteLog::Cursor scratch_;
  };
  PlaneCore plane_core(int plane) { return {*context_, plane, scratch_.data(), scratch_.size()}; }

  bool inside(Space space, std::uint64_t address, std::uint64_t size) const {
    return address + size <= context_->memory->map().size(space);
  }
  // Byte i of the scalar's tag, in every byte.
  static LaneScalar origin_plane(const LaneScalar& scalar, std::size_t i) {
    return {(scalar.origin >> (8 * i) & 0xFF) * 0x0101010101010101ull, scalar.dtype, 0};
  }
  static Reg untagged(const VReg& v) { return {v, Origin::None, kNoTag, 0, 0}; }
  static Reg ruled(const VReg& v, Tag first, std::uint8_t mask, std::uint8_t shift) {
    return {v, Origin::Ruled, first, mask, shift};
  }
  static Pred untagged(const VPred& p) { return {.p = p, .kind = Pred::Kind::None, .first = kNoTag, .map = nullptr, .list = nullptr}; }
  static Pred mapped(const VPred& p, Tag first, const BitMap* map) {
    return {.p = p, .kind = Pred::Kind::Mapped, .first = first, .map = map, .list = nullptr};
  }
  static Pred listed(const VPred& p, std::shared_ptr<const std::array<Tag, 256>> list) {
    return {.p = p, .kind = Pred::Kind::Listed, .first = kNoTag, .map = nullptr, .list = std::move(list)};
  }

  // A store on the values, then the same store on every plane; what the first one logged now has its tags in the planes.
  template <class OnValues, class OnPlane>
  void stores(OnValues on_values, OnPlane on_plane) {
    close_runs();
    const std::size_t logged = context_->log.count(cursor_);
    on_values();
    close_runs();
    for (std::size_t i = 0; i < 4; ++i) {
      plane_[i].forget_log();
      on_plane(plane_[i], i);
    }
    for (std::size_t i = logged; i < context_->log.count(cursor_); ++i)
      for_runs(context_->log.begin()[i], [&](Flat base, std::uint32_t size) { tags_.hold(base, size); });
  }

  Tag bit_of(Tag byte, std::uint32_t bit) {
    if (byte == kNoTag) return kNoTag;
    if (is_byte_tag(byte)) return kFirstBitTag + byte * 8 + bit;
    return tags_.arena.add(NodeKind::BitOf, {byte, 1}, {bit, 1});
  }

  // The register itself if it has planes, else a copy of it in `place` that has.
  static HWY_NOINLINE const Reg& with_planes(const Reg& reg, Reg& place) {
    if (reg.origin == Origin::Planes) return reg;
    place.v = reg.v;
    place.origin = Origin::Planes;
    if (reg.origin == Origin::None) {
      place.plane.fill(zero_register());
      return place;
    }
    for (int i = 0; i < kParts; ++i) rule_planes(reg, i, place);
    return place;
  }
  // Byte k has the tag first + ((k & mask) >> shift), and what is added is below 256: so the tag's lowest byte may carry
  // into the others, once.
  static TS_INLINE void rule_planes(const Reg& reg, int part, Reg& place) {
    static constexpr auto kShifted = [] {
      std::array<std::array<std::uint8_t, VL>, 4> table{};
      for (std::size_t shift = 0; shift < 4; ++shift)
        for (std::size_t k = 0; k < VL; ++k) table[shift][k] = static_cast<std::uint8_t>(k >> shift);
      return table;
    }();
    const Bytes d;
    const auto added = hn::And(hn::LoadU(d, kShifted[reg.shift].data() + part * kPartBytes), hn::Set(d, static_cast<std::uint8_t>(reg.mask >> reg.shift)));
    const auto low = hn::Add(added, hn::Set(d, static_cast<std::uint8_t>(reg.first)));
    const auto same = hn::Eq(hn::SaturatedAdd(added, hn::Set(d, static_cast<std::uint8_t>(reg.first))), low);  // no carry
    const Tag carried = reg.first + 256;
    place.plane[0].part[part] = low;
    for (std::size_t i = 1; i < 4; ++i)
      place.plane[i].part[part] = hn::IfThenElse(same, hn::Set(d, static_cast<std::uint8_t>(reg.first >> (8 * i))),
                                                 hn::Set(d, static_cast<std::uint8_t>(carried >> (8 * i))));
  }
  static void get_tags(const Reg& reg, Tag* tags) {
    auto* bytes = reinterpret_cast<std::uint8_t*>(tags);
    for (int i = 0; i < kParts; ++i)
      hn::StoreInterleaved4(reg.plane[0].part[i], reg.plane[1].part[i], reg.plane[2].part[i], reg.plane[3].part[i], Bytes(),
                            bytes + 4 * i * kPartBytes);
  }

  // The result of a predicate's value function: bit k comes from bit map[k] of a, or of b from 256 on.
  Pred moved(const VPred& value, const BitMap& map, const Pred& a, const Pred& b) {
    if (!a.tagged() && !b.tagged()) return untagged(value);
    if (a.kind == Pred::Kind::Mapped && (&a == &b || !b.tagged())) return mapped(value, a.first, tags_.composed(map, *a.map));
    auto list = std::make_shared<std::array<Tag, 256>>();
    for (std::size_t k = 0; k < 256; ++k) {
      const int from = map[k];
      (*list)[k] = from < 0 ? kNoTag : (from < 256 ? a : b).tag(static_cast<std::size_t>(from % 256));
    }
    return listed(value, std::move(list));
  }

  // The tags of every lane's bytes as one span; a lane whose bytes come from several places gets a node that joins them.
  template <class T>
  struct LaneSpans {
    std::array<Tag, EPR<T>> first;
    std::array<std::uint8_t, EPR<T>> count;
  };
  template <class T>
  HWY_NOINLINE LaneSpans<T> lane_spans(const Reg& reg) {
    constexpr std::uint32_t width = sizeof(T);
    LaneSpans<T> out;
    if (reg.origin == Origin::None || (reg.origin == Origin::Ruled && reg.mask == 0)) {
      out.first.fill(reg.first);
      out.count.fill(1);
      return out;
    }
    if (reg.origin == Origin::Ruled && (reg.shift == 0 || 1u << reg.shift == width) && reg.mask >= width - 1) {
      for (std::uint32_t lane = 0; lane < EPR<T>; ++lane) out.first[lane] = reg.first + ((lane * width & reg.mask) >> reg.shift);
      out.count.fill(reg.shift == 0 ? width : 1);
      return out;
    }
    alignas(64) Tag tags[VL];
    Reg place;
    get_tags(with_planes(reg, place), tags);
    Tag mixed = 0;
    for (std::uint32_t lane = 0; lane < EPR<T>; ++lane) {
      Tag same = 0, next = 0;
      for (std::uint32_t k = 1; k < width; ++k) {
        same |= tags[lane * width + k] ^ tags[lane * width];
        next |= tags[lane * width + k] ^ (tags[lane * width] + k);
      }
      out.first[lane] = tags[lane * width];
      out.count[lane] = same == 0 ? 1 : width;
      mixed |= same != 0 ? next : 0;
    }
    if (mixed != 0) join_mixed_lanes<T>(tags, out);
    return out;
  }
  // spans[lane] = from[lane] in active lanes.
  template <class T>
  static void take_where(const VPred& pred, const LaneSpans<T>& from, LaneSpans<T>& spans) {
    constexpr std::size_t kWordLanes = EPR<T> / 4;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::uint64_t bits = pack_lane_bits<sizeof(T)>(pred.word[i]);
      blend<kWordLanes>(hn::CappedTag<Tag, kWordLanes>(), bits, &from.first[i * kWordLanes], &spans.first[i * kWordLanes]);
      blend<kWordLanes>(hn::CappedTag<std::uint8_t, kWordLanes>(), bits, &from.count[i * kWordLanes], &spans.count[i * kWordLanes]);
    }
  }
  template <std::size_t lanes, class D, class V = hn::TFromD<D>>
  static TS_INLINE void blend(D d, std::uint64_t bits, const V* from, V* to) {
    constexpr std::size_t kStep = hn::MaxLanes(D());
    for (std::size_t lane = 0; lane < lanes; lane += kStep) {
      const std::uint64_t here = bits >> lane;
      const auto on = hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&here));
      hn::StoreU(hn::IfThenElse(on, hn::LoadU(d, from + lane), hn::LoadU(d, to + lane)), d, to + lane);
    }
  }
  template <class T>
  HWY_NOINLINE void join_mixed_lanes(const Tag* tags, LaneSpans<T>& out) {
    constexpr std::uint32_t width = sizeof(T);
    for (std::uint32_t lane = 0; lane < EPR<T>; ++lane) {
      const Tag* bytes = tags + lane * width;
      if (out.count[lane] == 1) continue;
      // A narrower element with zeros behind it is still that element.
      std::uint32_t in_row = 1, end = width;
      while (in_row < width && bytes[in_row] == bytes[0] + in_row) ++in_row;
      while (end > in_row && bytes[end - 1] == kNoTag) --end;
      if (in_row == end && bytes[0] != kNoTag) {
        out.count[lane] = static_cast<std::uint8_t>(in_row);
        continue;
      }
      Tag joined = bytes[0];
      for (std::uint32_t k = 1; k < width; ++k)
        if (bytes[k] != bytes[k - 1]) joined = tags_.arena.add(NodeKind::Combine, {joined, 1}, {bytes[k], 1});
      out.first[lane] = joined;
      out.count[lane] = 1;
    }
  }
  // One node per lane; a and b give its two parts.
  template <class T>
  HWY_NOINLINE Tag add_lane_nodes(NodeKind kind, const LaneSpans<T>& a, const LaneSpans<T>& b) {
    const TagArena::Rows rows = tags_.arena.add_rows(kind, EPR<T>);
    std::copy(a.first.begin(), a.first.end(), rows.a);
    std::copy(b.first.begin(), b.first.end(), rows.b);
    std::copy(a.count.begin(), a.count.end(), rows.a_count);
    std::copy(b.count.begin(), b.count.end(), rows.b_count);
    return rows.first;
  }
  // The nodes of a result get what the operation makes of the shadows of its operands' lanes.
  template <class F>
  HWY_NOINLINE void add_shadows(const F& f, Tag first, const VReg& a) {
    using Element = typename F::Element;
    const auto x = lane_shadows<Element>(first, &TagArena::a, a);
    Shadow* out = tags_.arena.add_shadows(first, EPR<Element>);
    for (std::size_t lane = 0; lane < EPR<Element>; ++lane) out[lane] = {f.shadow(x[lane]), dtype_of<Element>};
  }
  template <class F>
  HWY_NOINLINE void add_shadows(const F& f, Tag first, const VReg& a, const VReg& b) {
    using Element = typename F::Element;
    const auto x = lane_shadows<Element>(first, &TagArena::a, a), y = lane_shadows<Element>(first, &TagArena::b, b);
    Shadow* out = tags_.arena.add_shadows(first, EPR<Element>);
    for (std::size_t lane = 0; lane < EPR<Element>; ++lane) out[lane] = {f.shadow(x[lane], y[lane]), dtype_of<Element>};
  }
  // Of the operand that the nodes call a or b. A lane without a shadow of its type is its own.
  template <class Element>
  HWY_NOINLINE std::array<double, EPR<Element>> lane_shadows(Tag first, TagSpan (TagArena::*operand)(Tag) const, const VReg& value) {
    alignas(64) BitsOf<Element> bits[EPR<Element>];
    store_register(value, reinterpret_cast<std::uint8_t*>(bits));
    std::array<double, EPR<Element>> out;
    for (std::uint32_t lane = 0; lane < EPR<Element>; ++lane) {
      const Shadow shadow = tags_.shadow((tags_.arena.*operand)(first + lane));
      out[lane] = shadow && shadow.type == dtype_of<Element> ? shadow.value : to_double(dtype_of<Element>, bits[lane]);
    }
    return out;
  }
  template <class T>
  static LaneSpans<T> predicate_spans(const Pred& pred) {
    LaneSpans<T> out;
    out.count.fill(1);
    if (pred.kind == Pred::Kind::Mapped) {
      const std::int16_t* from = pred.map->data();
      for (std::uint32_t lane = 0; lane < EPR<T>; ++lane) {
        const std::int32_t bit = from[lane * sizeof(T)];
        out.first[lane] = (pred.first + static_cast<Tag>(bit)) & ~static_cast<Tag>(bit >> 31);  // no tag where bit is -1
      }
    } else {
      for (std::uint32_t lane = 0; lane < EPR<T>; ++lane) out.first[lane] = pred.tag(lane * sizeof(T));
    }
    return out;
  }
  template <class T>
  static LaneSpans<T> node_spans(Tag first) {
    LaneSpans<T> out;
    for (std::uint32_t lane = 0; lane < EPR<T>; ++lane) out.first[lane] = first + lane;
    out.count.fill(1);
    return out;
  }

  // Every byte of lane i has the node first + i.
  template <class T>
  static Reg lane_nodes(const VReg& value, Tag first) {
    return ruled(value, first, 255, std::countr_zero(sizeof(T)));
  }
  template <class T>
  HWY_NOINLINE static Reg zero_inactive_tags(const Reg& reg, const Pred& pred) {
    if (reg.origin == Origin::None || all_lanes_on<T>(pred.p)) return reg;
    Reg place;
    Reg out = with_planes(reg, place);
    for (VReg& plane : out.plane) plane = zero_inactive<T>(plane, pred.p);
    return out;
  }

  // Active lanes are what they are because of their predicate bit, if that came from data; else the register itself.
  template <class T>
  const Reg& decided(const Reg& reg, const Pred& pred, Reg& place) {
    if (!pred.tagged()) return reg;
    place = lane_nodes<T>(reg.v, add_lane_nodes<T>(NodeKind::Chosen, lane_spans<T>(reg), predicate_spans<T>(pred)));
    return place;
  }

  TagMemory& tags_;
  std::array<WritePattern, 2 * VL> scratch_;  // more than any one operation logs
  std::array<PlaneCore, 4> plane_;
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
