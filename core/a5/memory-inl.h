// The A5 machine's loads and stores: registers, unaligned store streams, gathers and scatters.
#if defined(TS_A5_MEMORY_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_A5_MEMORY_INL_H
#undef TS_A5_MEMORY_INL_H
#else
#define TS_A5_MEMORY_INL_H
#endif

#include "core/a5/predicates-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

template <class Core, class Element>
class A5Memory : public A5Predicates<Core, Element> {
  using Base = A5Predicates<Core, Element>;

 protected:
  using Base::core_, Base::options_, Base::address, Base::place, Base::first_of, Base::span_of;

 public:
  using typename Base::T, typename Base::Reg, typename Base::Few, typename Base::Pred, typename Base::RegPair,
      typename Base::PredPair;
  template <class U = T>
  TS_INLINE LaneOf<U> ty() const {
    return Base::template ty<U>();
  }

  TS_INLINE A5Memory(Core& core, LaneOf<T> lane, const Options& options) : Base(core, lane, options) {}

  // --- loads and stores; offsets count elements ---------------------------------------------------------------------

  template <class U = T>
  TS_INLINE Reg vlds(Ub base, std::uint32_t offset) {
    constexpr const MicroOp& op = a5::op("vlds");
    core_.micro(op, ty<U>(), place(ty<U>(), base, offset));
    return core_.template load<LoadKind::Norm>(ty<U>(), op, Space::Ub, address(ty<U>(), base, offset), VL, BLK);
  }
  // One element, in every lane.
  template <class U = T>
  TS_INLINE Reg vlds_brc(Ub base, std::uint32_t offset) {
    constexpr const MicroOp& op = a5::op("vlds.BRC");
    core_.micro(op, ty<U>(), place(ty<U>(), base, offset));
    return core_.template load<LoadKind::Broadcast>(ty<U>(), op, Space::Ub, address(ty<U>(), base, offset),
                                                    ty<U>().bytes(), ty<U>().bytes());
  }
  // One block, eight times.
  TS_INLINE Reg vlds_blk(Ub base, std::uint32_t offset) {
    constexpr const MicroOp& op = a5::op("vlds.BLK");
    core_.micro(op, ty<T>(), place(ty<T>(), base, offset));
    return core_.template load<LoadKind::BlockAll>(ty<T>(), op, Space::Ub, address(ty<T>(), base, offset), BLK, BLK);
  }
  // Two registers: low and high words of 64-bit elements.
  TS_INLINE RegPair vlds_dintlv_b32(Ub base, std::uint32_t byte_offset) {
    constexpr const MicroOp& op = a5::op("vlds.DINTLV_B32");
    core_.micro(op, DType::U32, place(Lane<std::uint8_t>(), base, byte_offset));
    return core_.template load2<Load2Kind::Deinterleaved>(
        Lane<std::uint32_t>(), op, Space::Ub, address(Lane<std::uint8_t>(), base, byte_offset), 2 * VL, BLK);
  }
  // Even and odd bytes, or halves.
  RegPair vlds_dintlv(AnyLane lane, Ub base, std::uint32_t byte_offset) {
    const MicroOp& op = lane.bytes() == 1 ? a5::op("vlds.DINTLV_B8") : a5::op("vlds.DINTLV_B16");
    core_.micro(op, lane, place(Lane<std::uint8_t>(), base, byte_offset));
    return core_.template load2<Load2Kind::Deinterleaved>(
        lane, op, Space::Ub, address(Lane<std::uint8_t>(), base, byte_offset), 2 * VL, BLK);
  }
  // Bytes into the low halves of 16-bit lanes; halves into the low halves of 32-bit lanes.
  TS_INLINE Reg vlds_unpk_b8(Ub base, std::uint32_t offset) {
    constexpr const MicroOp& op = a5::op("vlds.UNPK_B8");
    core_.micro(op, DType::U8, place(Lane<std::uint8_t>(), base, offset));
    return core_.template load<LoadKind::Unpack8>(Lane<std::uint8_t>(), op, Space::Ub,
                                                  address(Lane<std::uint8_t>(), base, offset), VL / 2, BLK);
  }
  TS_INLINE Reg vlds_unpk_b16(Ub base, std::uint32_t offset) {
    constexpr const MicroOp& op = a5::op("vlds.UNPK_B16");
    core_.micro(op, DType::U16, place(Lane<std::uint16_t>(), base, offset));
    return core_.template load<LoadKind::Unpack16>(Lane<std::uint16_t>(), op, Space::Ub,
                                                   address(Lane<std::uint16_t>(), base, offset), VL / 2, BLK);
  }
  // Bytes into 32-bit lanes; words into 64-bit lanes.
  Reg vlds_unpk4_b8(Ub base, std::uint32_t offset) {
    constexpr const MicroOp& op = a5::op("vlds.UNPK4");
    core_.micro(op, DType::U8, place(Lane<std::uint8_t>(), base, offset));
    Reg halves = core_.template move<Move::WidenZero>(Lane<std::uint8_t>(), 0,
                                                      load_part(op, Lane<std::uint8_t>(), base, offset, VL / 4), {});
    core_.hide(halves);
    return core_.template move<Move::WidenZero>(Lane<std::uint16_t>(), 0, halves, halves);
  }
  Reg vlds_unpk_b32(Ub base, std::uint32_t offset) {
    constexpr const MicroOp& op = a5::op("vlds.UNPK_B32");
    core_.micro(op, DType::U32, place(Lane<std::uint32_t>(), base, offset));
    return core_.template move<Move::WidenZero>(Lane<std::uint32_t>(), 0,
                                                load_part(op, Lane<std::uint32_t>(), base, offset, VL / 2), {});
  }
  TS_INLINE void vldas(Ub base, std::uint32_t offset) {
    core_.micro(a5::op("vldas"), ty<T>(), place(ty<T>(), base, offset));
  }
  TS_INLINE Reg vldus(Ub base, std::uint32_t offset) {
    constexpr const MicroOp& op = a5::op("vldus");
    core_.micro(op, ty<T>(), place(ty<T>(), base, offset));
    return core_.template load<LoadKind::Norm>(ty<T>(), op, Space::Ub, address(ty<T>(), base, offset), VL,
                                               ty<T>().bytes());
  }
  template <class U = T>
  TS_INLINE void vsts(const Reg& v, Ub base, std::uint32_t offset, const Pred& pred) {
    constexpr const MicroOp& op = a5::op("vsts");
    core_.micro(op, ty<U>(), v, place(ty<U>(), base, offset), pred);
    core_.store_lanes(bits_of(ty<U>()), op, address(ty<U>(), base, offset), BLK, v, pred);
  }
  void vsts(AnyLane lane, const Reg& v, Ub base, std::uint32_t offset, const Pred& pred) {
    constexpr const MicroOp& op = a5::op("vsts");
    core_.micro(op, lane, v, place(lane, base, offset), pred);
    core_.store_lanes(bits_of(lane), op, address(lane, base, offset), BLK, v, pred);
  }
  // The lowest lane, to any element.
  template <class L, class R>
  TS_INLINE void vsts_1pt(L lane, const R& v, Ub base, std::uint32_t offset) {
    constexpr const MicroOp& op = a5::op("vsts.1PT");
    core_.micro(op, lane, v, place(lane, base, offset));
    core_.store_span(op, Space::Ub, address(lane, base, offset), v, lane.bytes());
  }
  // The low bytes of active 16-bit lanes.
  TS_INLINE void vsts_pk_b16(const Reg& v, Ub base, std::uint32_t offset, const Pred& pred) {
    store_low_halves<std::uint16_t, std::uint8_t>(a5::op("vsts.PK_B16"), v, base, offset, pred);
  }
  // The low halves of active 32-bit lanes.
  TS_INLINE void vsts_pk_b32(const Reg& v, Ub base, std::uint32_t offset, const Pred& pred) {
    store_low_halves<std::uint32_t, std::uint16_t>(a5::op("vsts.PK_B32"), v, base, offset, pred);
  }
  // The low words of active 64-bit lanes; the lowest bytes of active 32-bit lanes.
  void vsts_pk_b64(const Reg& v, Ub base, std::uint32_t offset, const Pred& pred) {
    store_low_halves<std::uint64_t, std::uint32_t>(a5::op("vsts.PK_B64"), v, base, offset, pred);
  }
  void vsts_pk4_b32(const Reg& v, Ub base, std::uint32_t offset, const Pred& pred) {
    constexpr const MicroOp& op = a5::op("vsts.PK4_B32");
    core_.micro(op, DType::U8, v, place(Lane<std::uint8_t>(), base, offset), pred);
    Reg lowest = core_.template move<Move::PackByte>(Lane<std::uint32_t>(), 0, v, v);
    core_.hide(lowest);
    Pred half = core_.template move_predicate<PredMove::PackLower>(pred);
    core_.hide(half);
    Pred kept = core_.template move_predicate<PredMove::PackLower>(half);
    core_.hide(kept);
    core_.store_lanes(Lane<std::uint8_t>(), op, address(Lane<std::uint8_t>(), base, offset), BLK, lowest, kept);
  }
  // The documents' promise for 64-bit tiles: only the elements of active lanes are written.
  TS_INLINE void emu_vsts_intlv(const RegPair& words, Ub base, std::uint32_t byte_offset, const Pred& pred) {
    constexpr const MicroOp& op = a5::op("emu.vsts_intlv");
    core_.micro(op, DType::U32, words.lo, words.hi, place(Lane<std::uint8_t>(), base, byte_offset), pred);
    core_.store_pairs(op, address(Lane<std::uint8_t>(), base, byte_offset), words.lo, words.hi, pred);
  }

  // A store stream's bytes that have not reached memory yet: the first `count` bytes of `bytes`.
  struct Align {
    Reg bytes;
    std::uint32_t count;
  };
  TS_INLINE Align init_align() {
    core_.micro(a5::op("init_align"), ty<T>());
    return {core_.zero(), 0};
  }
  // Appends the first n lanes; the stream's end is then base + offset + n.
  TS_INLINE Align vstus(const Align& align, std::uint32_t n, const Reg& v, Ub base, std::uint32_t offset) {
    constexpr const MicroOp& op = a5::op("vstus");
    core_.micro(op, ty<T>(), CountArg{"n", n}, v, place(ty<T>(), base, offset));
    const std::uint64_t begin = address(ty<T>(), base, offset);
    const std::uint32_t size = n * ty<T>().bytes();
    const std::uint64_t end = begin + size, boundary = end / BLK * BLK, start = begin - align.count;
    if (boundary <= start) {  // no block is complete
      if (align.count == 0) return {v, size};
      return {core_.template move<Move::Splice>(Lane<std::uint8_t>(), align.count, align.bytes, v), align.count + size};
    }
    core_.store_span(op, Space::Ub, start, align.bytes, align.count);
    const auto stored = static_cast<std::uint32_t>(boundary - begin);
    core_.store_span(op, Space::Ub, begin, v, stored);
    return {core_.template move<Move::Drop>(Lane<std::uint8_t>(), stored, v, v), size - stored};
  }
  TS_INLINE void vstas(const Align& align, Ub base, std::uint32_t offset) {
    constexpr const MicroOp& op = a5::op("vstas");
    core_.micro(op, ty<T>(), place(ty<T>(), base, offset), CountArg{"bytes held", align.count});
    core_.store_span(op, Space::Ub, address(ty<T>(), base, offset) - align.count, align.bytes, align.count);
  }

  // --- by indices ---------------------------------------------------------------------------------------------------

  // Indices count elements; a byte goes to the low half of its index's lane.
  template <class Idx>
  TS_INLINE Reg vgather2(const TileRef& tile, const Reg& idx, const Pred& pred) {
    constexpr const MicroOp& op = a5::op("vgather2");
    core_.micro(op, ty<T>(), place(ty<T>(), tile.ub(), 0), idx, pred);
    return core_.template gather<static_cast<int>(sizeof(T))>(bits_of(ty<T>()), ty<Idx>(), op, span_of(tile), idx,
                                                              pred);
  }
  // What vgather2 gave, close together again.
  TS_INLINE void vsts_gathered(const Reg& v, Ub base, std::uint32_t offset, const Pred& pred) {
    if constexpr (sizeof(T) == 1) {
      vsts_pk_b16(v, base, offset, pred);
    } else {
      vsts(v, base, offset, pred);
    }
  }
  template <class Idx>
  TS_INLINE void vscatter(const Reg& v, const TileRef& tile, const Reg& idx, const Pred& pred) {
    constexpr const MicroOp& op = a5::op("vscatter");
    core_.micro(op, ty<T>(), v, place(ty<T>(), tile.ub(), 0), idx, pred);
    core_.template scatter<static_cast<int>(sizeof(T))>(bits_of(ty<T>()), ty<Idx>(), op, span_of(tile), idx, v, pred);
  }
  // The same for elements of any type; an index may be wider than its element, which then stands in the low part of a lane.
  Reg vgather2(AnyLane element, AnyLane index, const TileRef& tile, const Reg& idx, const Pred& pred) {
    const MicroOp& op =
        element.bytes() == 1 || element.bytes() == index.bytes() ? a5::op("vgather2") : a5::op("vgather2_bc");
    core_.micro(op, element, place(element, tile.ub(), 0), idx, pred);
    return core_.gather(bits_of(element), bits_of(index), static_cast<int>(element.bytes()), op, this->span_of(tile),
                        idx, pred);
  }
  void vscatter(AnyLane element, AnyLane index, const Reg& v, const TileRef& tile, const Reg& idx, const Pred& pred) {
    constexpr const MicroOp& op = a5::op("vscatter");
    core_.micro(op, element, v, place(element, tile.ub(), 0), idx, pred);
    Indexed where = this->span_of(tile);
    where.last_wins = true;
    core_.scatter(bits_of(element), bits_of(index), static_cast<int>(element.bytes()), op, where, idx, v, pred);
  }
  // The lanes that are on, close together.
  Reg vsqz(const Reg& v, const Pred& pred) {
    core_.micro(a5::op("vsqz"), ty<T>(), v, pred);
    return core_.squeeze(bits_of(ty<T>()), v, pred);
  }
  // Active words behind the `stored` ones of a stream.
  void vstur(const Reg& v, Ub base, const Pred& pred, Reg& stored) {
    constexpr const MicroOp& op = a5::op("vstur");
    core_.micro(op, DType::U32, v, place(Lane<std::uint32_t>(), base, 0), pred);
    this->append(op, v, pred, base.address, stored);
  }
  // Lanes `first`, first + step, ... of so many.
  Pred pset_every(AnyLane lane, std::uint32_t first, std::uint32_t step, std::uint32_t lanes) {
    core_.micro(a5::op("pset"), lane, CountArg{"first", first}, CountArg{"step", step}, CountArg{"n", lanes});
    VPred image{};
    for (std::uint32_t i = first; i < std::min(lanes, lane.lanes()); i += step) set_bit(image, i * lane.bytes());
    return core_.predicate(image);
  }
  // `blocks`: how many of the eight somebody stores; the others are read for nobody, and may stand anywhere.
  TS_INLINE Reg vgatherb(const TileRef& tile, const Reg& offsets, const Pred& pred, std::uint32_t blocks) {
    constexpr const MicroOp& op = a5::op("vgatherb");
    core_.micro(op, ty<T>(), place(ty<T>(), tile.ub(), 0), offsets, pred, CountArg{"blocks stored", blocks});
    return core_.gather_blocks(bits_of(ty<T>()), op, span_of(tile), offsets, (1u << blocks) - 1);
  }
  // Not the hardware's: offsets that are no multiples of the element, or too large for a 16-bit index, are for the
  // instruction's rules to tell.
  TS_INLINE void watch_offsets(const Reg& offsets, const Pred& pred) {
    constexpr std::uint32_t kSize = sizeof(T), kLast = kSize == 4 ? ~0u : 0xFFFFu * kSize + kSize - 1;
    core_.watch_bits(offsets, pred, (kSize - 1) | ~kLast);
  }

 protected:
  // The low halves of active Wide lanes, close together.
  template <class Wide, class Half>
  TS_INLINE void store_low_halves(const MicroOp& op, const Reg& v, Ub base, std::uint32_t offset, const Pred& pred) {
    core_.micro(op, dtype_of<Half>, v, place(Lane<Half>(), base, offset), pred);
    Reg low = core_.template move<Move::PackHalf>(Lane<Wide>(), 0, v, v);
    core_.hide(low);
    Pred kept = core_.template move_predicate<PredMove::PackLower>(pred);
    core_.hide(kept);
    core_.store_lanes(Lane<Half>(), op, address(Lane<Half>(), base, offset), BLK, low, kept);
  }
  // The first bytes of a register.
  template <class L>
  Reg load_part(const MicroOp& op, L lane, Ub base, std::uint32_t offset, std::uint32_t size) {
    Reg part = core_.template load<LoadKind::Some>(lane, op, Space::Ub, address(lane, base, offset), size, BLK, size);
    core_.hide(part);
    return part;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
