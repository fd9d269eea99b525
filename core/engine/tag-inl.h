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

#include "core/engine/run-inl.h"
#include "core/engine/tag.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

// Where each result bit of a predicate's value function comes from: found by running the function on the planes of bit
// numbers. -1: a constant.
using BitMap = std::array<std::int16_t, 256>;

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
  enum class Origin : std::uint8_t { None, Memory, Planes };
  // Memory: byte k has the tag first + k, as a plain load makes it; the planes are filled only when they are needed.
  struct Reg {
    VReg v;
    Origin origin;
    Tag first;
    std::array<VReg, 4> plane;
  };
  // The tags of the 256 bits; not looked at when the predicate depends on no data.
  struct Pred {
    VPred p;
    bool tagged;
    std::array<Tag, 256> tag;
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
    Reg out{.v = RunCore::load(op, space, address, size, align, f), .origin = Origin::None, .first = kNoTag, .plane = {}};
    if (!inside(space, address, size)) return out;
    const Flat begin = flat(space, address);
    if constexpr (std::is_same_v<F, LoadNorm>) {
      if (!tags_.any_held(begin, size)) {
        out.origin = Origin::Memory;
        out.first = begin;
        return out;
      }
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
    Pred out{.p = RunCore::load_predicate(op, address, align, f), .tagged = false, .tag = {}};
    if (!inside(Space::Ub, address, F::kBytes)) return out;
    out.tagged = true;
    const Flat begin = flat(Space::Ub, address);
    const BitMap& map = bit_map_of_load<F>();
    const bool plain = !tags_.any_held(begin, F::kBytes);
    for (std::size_t k = 0; k < 256; ++k) {
      if (map[k] < 0) continue;
      const auto bit = static_cast<std::uint32_t>(map[k]);
      const Tag byte = plain ? begin + bit / 8 : tags_.tag(begin + bit / 8);
      out.tag[k] = is_byte_tag(byte) ? kFirstBitTag + byte * 8 + bit % 8 : bit_of(byte, bit % 8);
    }
    return out;
  }

  template <class T>
  HWY_NOINLINE void store_lanes(const MicroOp& op, std::uint64_t address, std::uint32_t align, const Reg& v, const Pred& pred) {
    const Reg stored = decided<T>(v, pred);
    stores([&] { RunCore::store_lanes<T>(op, address, align, v.v, pred.p); },
           [&](RunCore& plane, std::size_t i) { plane.store_lanes<T>(op, address, align, stored.plane[i], pred.p); });
  }
  template <class T>
  HWY_NOINLINE void store_blocks(const MicroOp& op, std::uint64_t address, std::uint32_t stride_bytes, const Reg& v, const Pred& pred) {
    const Reg stored = decided<T>(v, pred);
    stores([&] { RunCore::store_blocks<T>(op, address, stride_bytes, v.v, pred.p); },
           [&](RunCore& plane, std::size_t i) { plane.store_blocks<T>(op, address, stride_bytes, stored.plane[i], pred.p); });
  }
  HWY_NOINLINE void store_pairs(const MicroOp& op, std::uint64_t address, const Reg& lo, const Reg& hi, const Pred& pred) {
    const Reg low = decided<std::uint32_t>(lo, pred), high = decided<std::uint32_t>(hi, pred);
    stores([&] { RunCore::store_pairs(op, address, lo.v, hi.v, pred.p); },
           [&](RunCore& plane, std::size_t i) { plane.store_pairs(op, address, low.plane[i], high.plane[i], pred.p); });
  }
  HWY_NOINLINE void store_span(const MicroOp& op, std::uint64_t address, const Reg& v, std::uint32_t size) {
    const Reg stored = with_planes(v);
    stores([&] { RunCore::store_span(op, address, v.v, size); },
           [&](RunCore& plane, std::size_t i) { plane.store_span(op, address, stored.plane[i], size); });
  }

  template <class T, class F>
  HWY_NOINLINE Reg lanewise(F f, const Pred& pred, const Reg& a, const Reg& b) {
    const VReg value = RunCore::lanewise<T>(f, pred.p, a.v, b.v);
    if (a.origin == Origin::None && b.origin == Origin::None) return untagged(value);
    const Tag first = add_lane_nodes<T>(NodeKind::Combine, lane_spans<T>(a), lane_spans<T>(b));
    return decided<T>(zero_inactive_tags<T>(from_lane_nodes<T>(value, first), pred), pred);
  }
  HWY_NOINLINE Sum add_with_carry(const Reg& a, const Reg& b, const Pred& carry_in, const Pred& pred) {
    using Word = std::uint32_t;
    const RunCore::Sum value = RunCore::add_with_carry(a.v, b.v, carry_in.p, pred.p);
    Tag first = add_lane_nodes<Word>(NodeKind::Combine, lane_spans<Word>(a), lane_spans<Word>(b));
    if (carry_in.tagged) first = add_lane_nodes<Word>(NodeKind::Combine, node_spans<Word>(first), predicate_spans<Word>(carry_in));
    Sum out{zero_inactive_tags<Word>(from_lane_nodes<Word>(value.sum, first), pred), {value.carry, true, {}}};
    for (std::uint32_t lane = 0; lane < EPR<Word>; ++lane) out.carry.tag[lane * sizeof(Word)] = first + lane;
    return out;
  }
  template <class T>
  HWY_NOINLINE Reg select(const Pred& pred, const Reg& on, const Reg& off) {
    const Reg on_planes = with_planes(on), off_planes = with_planes(off);
    Reg out = untagged(RunCore::select<T>(pred.p, on.v, off.v));
    out.origin = Origin::Planes;
    for (std::size_t i = 0; i < 4; ++i) out.plane[i] = RunCore::select<T>(pred.p, on_planes.plane[i], off_planes.plane[i]);
    return decided<T>(out, pred);
  }
  template <class F, class... Regs>
  HWY_NOINLINE Reg permute(F f, const Regs&... regs) {
    return permute_planes(f, regs.v..., with_planes(regs)...);
  }
  template <class F>
  HWY_NOINLINE RegPair permute2(F f, const Reg& a, const Reg& b) {
    const Reg a_planes = with_planes(a), b_planes = with_planes(b);
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
    Pred out{.p = RunCore::permute_pred(f, a.p), .tagged = a.tagged, .tag = {}};
    if (a.tagged) move_bits(bit_map_of<F>(), a, a, out);
    return out;
  }
  template <class F>
  HWY_NOINLINE PredPair permute_pred2(F f, const Pred& a, const Pred& b) {
    const RunCore::PredPair value = RunCore::permute_pred2(f, a.p, b.p);
    PredPair out{{value.lo, a.tagged || b.tagged, {}}, {value.hi, a.tagged || b.tagged, {}}};
    if (!out.lo.tagged) return out;
    move_bits(bit_maps_of_pair<F>()[0], a, b, out.lo);
    move_bits(bit_maps_of_pair<F>()[1], a, b, out.hi);
    return out;
  }
  Reg zero() { return untagged(zero_register()); }
  Pred predicate(const VPred& image) { return {.p = image, .tagged = false, .tag = {}}; }

  template <class T>
  HWY_NOINLINE Reg broadcast(const LaneScalar& scalar, const Pred& pred) {
    Reg out = untagged(RunCore::broadcast<T>(scalar, pred.p));
    if (scalar.origin == 0) return out;
    out.origin = Origin::Planes;
    for (std::size_t i = 0; i < 4; ++i) out.plane[i] = HWY_NAMESPACE::broadcast<std::uint8_t>(scalar.origin >> (8 * i) & 0xFF);
    return zero_inactive_tags<T>(out, pred);
  }

  HWY_NOINLINE void store_scalar(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size, const LaneScalar& scalar) {
    stores([&] { RunCore::store_scalar(op, space, address, size, scalar); },
           [&](RunCore& plane, std::size_t i) {
             const std::uint64_t byte = scalar.origin >> (8 * i) & 0xFF;
             plane.store_scalar(op, space, address, size, {byte * 0x0101010101010101ull, scalar.dtype, 0});
           });
  }
  HWY_NOINLINE void copy(const MicroOp& op, Space to_space, std::uint64_t to, Space from_space, std::uint64_t from, std::uint32_t size) {
    if (size == 0) return;
    if (inside(from_space, from, size)) tags_.ensure(flat(from_space, from), size);
    stores([&] { RunCore::copy(op, to_space, to, from_space, from, size); },
           [&](RunCore& plane, std::size_t) { plane.copy(op, to_space, to, from_space, from, size); });
  }
  HWY_NOINLINE void fill(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t elem_bytes, std::uint32_t count, std::uint64_t bits) {
    stores([&] { RunCore::fill(op, space, address, elem_bytes, count, bits); },
           [&](RunCore& plane, std::size_t) { plane.fill(op, space, address, elem_bytes, count, 0); });
  }
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
    void forget_log() { cursor_ = scratch_; }

   private:
    WriteLog::Cursor scratch_;
  };
  PlaneCore plane_core(int plane) { return {*context_, plane, scratch_.data(), scratch_.size()}; }

  bool inside(Space space, std::uint64_t address, std::uint32_t size) const {
    return address + size <= context_->memory->map().size(space);
  }
  static Reg untagged(const VReg& v) { return {.v = v, .origin = Origin::None, .first = kNoTag, .plane = {}}; }

  // A store on the values, then the same store on every plane; what the first one logged now has its tags in the planes.
  template <class OnValues, class OnPlane>
  void stores(OnValues on_values, OnPlane on_plane) {
    const std::size_t logged = context_->log.count(cursor_);
    on_values();
    for (std::size_t i = 0; i < 4; ++i) {
      plane_[i].forget_log();
      on_plane(plane_[i], i);
    }
    for (std::size_t i = logged; i < context_->log.count(cursor_); ++i)
      for_runs(context_->log.begin()[i], [&](Flat base, std::uint32_t size) { tags_.hold(base, size); });
  }

  Tag bit_of(Tag byte, std::uint32_t bit) {
    if (byte == kNoTag) return kNoTag;
    return tags_.arena.add(NodeKind::BitOf, {byte, 1}, {bit, 1});
  }

  HWY_NOINLINE Reg with_planes(const Reg& reg) {
    if (reg.origin == Origin::Planes) return reg;
    Reg out = reg;
    out.origin = Origin::Planes;
    if (reg.origin == Origin::None) {
      out.plane.fill(zero_register());
      return out;
    }
    alignas(64) Tag tags[VL];
    for (std::uint32_t k = 0; k < VL; ++k) tags[k] = reg.first + k;
    set_planes(out, tags);
    return out;
  }
  static void set_planes(Reg& reg, const Tag* tags) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(tags);
    for (int i = 0; i < kParts; ++i)
      hn::LoadInterleaved4(Bytes(), bytes + 4 * i * kPartBytes, reg.plane[0].part[i], reg.plane[1].part[i], reg.plane[2].part[i],
                           reg.plane[3].part[i]);
  }
  static void get_tags(const Reg& reg, Tag* tags) {
    auto* bytes = reinterpret_cast<std::uint8_t*>(tags);
    for (int i = 0; i < kParts; ++i)
      hn::StoreInterleaved4(reg.plane[0].part[i], reg.plane[1].part[i], reg.plane[2].part[i], reg.plane[3].part[i], Bytes(),
                            bytes + 4 * i * kPartBytes);
  }

  template <class F>
  Reg permute_planes(F f, const VReg& value, const Reg& a) {
    Reg out = untagged(f(value));
    out.origin = Origin::Planes;
    for (std::size_t i = 0; i < 4; ++i) out.plane[i] = f(a.plane[i]);
    return out;
  }
  template <class F>
  Reg permute_planes(F f, const VReg& a_value, const VReg& b_value, const Reg& a, const Reg& b) {
    Reg out = untagged(f(a_value, b_value));
    out.origin = Origin::Planes;
    for (std::size_t i = 0; i < 4; ++i) out.plane[i] = f(a.plane[i], b.plane[i]);
    return out;
  }
  static void move_bits(const BitMap& map, const Pred& a, const Pred& b, Pred& out) {
    for (std::size_t k = 0; k < 256; ++k) {
      const int from = map[k];
      if (from < 0) continue;
      const Pred& source = from < 256 ? a : b;
      out.tag[k] = source.tagged ? source.tag[static_cast<std::size_t>(from % 256)] : kNoTag;
    }
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
    if (reg.origin != Origin::Planes) {
      const Tag step = reg.origin == Origin::Memory ? width : 0;
      for (std::uint32_t lane = 0; lane < EPR<T>; ++lane) out.first[lane] = reg.first + lane * step;
      out.count.fill(reg.origin == Origin::Memory ? width : 1);
      return out;
    }
    alignas(64) Tag tags[VL];
    get_tags(reg, tags);
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
  template <class T>
  HWY_NOINLINE void join_mixed_lanes(const Tag* tags, LaneSpans<T>& out) {
    constexpr std::uint32_t width = sizeof(T);
    for (std::uint32_t lane = 0; lane < EPR<T>; ++lane) {
      const Tag* bytes = tags + lane * width;
      bool consecutive = true;
      for (std::uint32_t k = 1; k < width; ++k) consecutive = consecutive && bytes[k] == bytes[0] + k;
      if (out.count[lane] == 1 || consecutive) continue;
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
  template <class T>
  static LaneSpans<T> predicate_spans(const Pred& pred) {
    LaneSpans<T> out;
    for (std::uint32_t lane = 0; lane < EPR<T>; ++lane) out.first[lane] = pred.tag[lane * sizeof(T)];
    out.count.fill(1);
    return out;
  }
  template <class T>
  static LaneSpans<T> node_spans(Tag first) {
    LaneSpans<T> out;
    for (std::uint32_t lane = 0; lane < EPR<T>; ++lane) out.first[lane] = first + lane;
    out.count.fill(1);
    return out;
  }

  // Every byte of lane i gets node first + i.
  template <class T>
  static HWY_NOINLINE Reg from_lane_nodes(const VReg& value, Tag first) {
    Reg out = untagged(value);
    out.origin = Origin::Planes;
    alignas(64) Tag tags[VL];
    for (std::uint32_t k = 0; k < VL; ++k) tags[k] = first + k / static_cast<std::uint32_t>(sizeof(T));
    set_planes(out, tags);
    return out;
  }
  template <class T>
  static HWY_NOINLINE Reg zero_inactive_tags(Reg reg, const Pred& pred) {
    if (all_lanes_on<T>(pred.p)) return reg;
    for (VReg& plane : reg.plane) plane = zero_inactive<T>(plane, pred.p);
    return reg;
  }

  // Active lanes are what they are because of their predicate bit, if that came from data.
  template <class T>
  HWY_NOINLINE Reg decided(const Reg& reg, const Pred& pred) {
    if (!pred.tagged) return with_planes(reg);
    return from_lane_nodes<T>(reg.v, add_lane_nodes<T>(NodeKind::Chosen, lane_spans<T>(reg), predicate_spans<T>(pred)));
  }

  TagMemory& tags_;
  std::array<WritePattern, 2 * VL> scratch_;  // more than any one operation logs
  std::array<PlaneCore, 4> plane_;
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
