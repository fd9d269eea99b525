// The A5 vector machine: registers of 256 bytes, predicates of 256 bits, unaligned store streams.
// Micro-operations as methods, each built of a core's primitives, so that one lowering serves run, trace and tag.
// T is the element type that the lowering is compiled for; a method's own parameter says when another one is meant.
#if defined(TS_A5_MACHINE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_A5_MACHINE_INL_H
#undef TS_A5_MACHINE_INL_H
#else
#define TS_A5_MACHINE_INL_H
#endif

#include <algorithm>

#include "core/a5/micro_ops.h"
#include "core/engine/arithmetic-inl.h"
#include "core/engine/core_base-inl.h"
#include "core/engine/shared_ops-inl.h"
#include "core/tile/operands.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

template <class Core, class Element>
class A5Machine : public SharedOps<Core, Element> {
  using SharedOps<Core, Element>::core_;
  using SharedOps<Core, Element>::span_of;

 public:
  using T = Element;
  using Reg = typename Core::Reg;
  using Pred = typename Core::Pred;
  using RegPair = typename Core::RegPair;
  using PredPair = typename Core::PredPair;
  using Sum = typename Core::Sum;
  static constexpr std::uint32_t kLanes = EPR<T>;

  explicit TS_INLINE A5Machine(Core& core) : SharedOps<Core, Element>(core) {}

  // --- loads and stores; offsets count elements ---------------------------------------------------------------------

  template <class U = T>
  TS_INLINE Reg vlds(Ub base, std::uint32_t offset) {
    constexpr const MicroOp& op = a5::op("vlds");
    core_.micro(op, dtype_of<U>, place<U>(base, offset));
    return core_.load(op, Space::Ub, address<U>(base, offset), VL, BLK, LoadNorm());
  }
  // Two registers: low and high words of 64-bit elements.
  TS_INLINE RegPair vlds_dintlv_b32(Ub base, std::uint32_t byte_offset) {
    constexpr const MicroOp& op = a5::op("vlds.DINTLV_B32");
    core_.micro(op, DType::U32, place<std::uint8_t>(base, byte_offset));
    return core_.load2(op, Space::Ub, address<std::uint8_t>(base, byte_offset), 2 * VL, BLK, LoadDeinterleaved<std::uint32_t>());
  }
  // Bytes into the low halves of 16-bit lanes.
  TS_INLINE Reg vlds_unpk_b8(Ub base, std::uint32_t offset) {
    constexpr const MicroOp& op = a5::op("vlds.UNPK_B8");
    core_.micro(op, DType::U8, place<std::uint8_t>(base, offset));
    return core_.load(op, Space::Ub, address<std::uint8_t>(base, offset), VL / 2, BLK, LoadUnpack8());
  }
  TS_INLINE void vldas(Ub base, std::uint32_t offset) { core_.micro(a5::op("vldas"), dtype_of<T>, place<T>(base, offset)); }
  TS_INLINE Reg vldus(Ub base, std::uint32_t offset) {
    constexpr const MicroOp& op = a5::op("vldus");
    core_.micro(op, dtype_of<T>, place<T>(base, offset));
    return core_.load(op, Space::Ub, address<T>(base, offset), VL, sizeof(T), LoadNorm());
  }
  // The low bytes of active 16-bit lanes.
  TS_INLINE void vsts_pk_b16(const Reg& v, Ub base, std::uint32_t offset, const Pred& pred) {
    constexpr const MicroOp& op = a5::op("vsts.PK_B16");
    core_.micro(op, DType::U8, v, place<std::uint8_t>(base, offset), pred);
    Reg bytes = core_.permute(PackLanes<std::uint16_t, std::uint8_t>(), v);
    Pred lanes = core_.permute_pred(PackPredLower(), pred);
    core_.template store_lanes<std::uint8_t>(op, address<std::uint8_t>(base, offset), BLK, bytes, lanes);
  }
  template <class U = T>
  TS_INLINE void vsts(const Reg& v, Ub base, std::uint32_t offset, const Pred& pred) {
    constexpr const MicroOp& op = a5::op("vsts");
    core_.micro(op, dtype_of<U>, v, place<U>(base, offset), pred);
    core_.template store_lanes<BitsOf<U>>(op, address<U>(base, offset), BLK, v, pred);
  }
  // The documents' promise for 64-bit tiles: only the elements of active lanes are written.
  TS_INLINE void emu_vsts_intlv(const RegPair& words, Ub base, std::uint32_t byte_offset, const Pred& pred) {
    constexpr const MicroOp& op = a5::op("emu.vsts_intlv");
    core_.micro(op, DType::U32, words.lo, words.hi, place<std::uint8_t>(base, byte_offset), pred);
    core_.store_pairs(op, address<std::uint8_t>(base, byte_offset), words.lo, words.hi, pred);
  }

  // A store stream's bytes that have not reached memory yet: the first `count` bytes of `bytes`.
  struct Align {
    Reg bytes;
    std::uint32_t count;
  };
  TS_INLINE Align init_align() {
    core_.micro(a5::op("init_align"), dtype_of<T>);
    return {core_.zero(), 0};
  }
  // Appends the first n lanes; the stream's end is then base + offset + n.
  TS_INLINE Align vstus(const Align& align, std::uint32_t n, const Reg& v, Ub base, std::uint32_t offset) {
    constexpr const MicroOp& op = a5::op("vstus");
    core_.micro(op, dtype_of<T>, CountArg{"n", n}, v, place<T>(base, offset));
    const std::uint64_t begin = address<T>(base, offset);
    const std::uint32_t size = n * static_cast<std::uint32_t>(sizeof(T));
    const std::uint64_t end = begin + size, boundary = end / BLK * BLK, start = begin - align.count;
    if (boundary <= start) {  // no block is complete
      if (align.count == 0) return {v, size};
      return {core_.permute(SpliceBytes{align.count}, align.bytes, v), align.count + size};
    }
    core_.store_span(op, Space::Ub, start, align.bytes, align.count);
    const auto stored = static_cast<std::uint32_t>(boundary - begin);
    core_.store_span(op, Space::Ub, begin, v, stored);
    return {core_.permute(DropBytes{stored}, v), size - stored};
  }
  TS_INLINE void vstas(const Align& align, Ub base, std::uint32_t offset) {
    constexpr const MicroOp& op = a5::op("vstas");
    core_.micro(op, dtype_of<T>, place<T>(base, offset), CountArg{"bytes held", align.count});
    core_.store_span(op, Space::Ub, address<T>(base, offset) - align.count, align.bytes, align.count);
  }

  // --- registers ----------------------------------------------------------------------------------------------------

  template <class U = T>
  TS_INLINE RegPair vdintlv(const Reg& a, const Reg& b) {
    core_.micro(a5::op("vdintlv"), dtype_of<U>, a, b);
    return core_.permute2(Deinterleave<BitsOf<U>>(), a, b);
  }
  template <class U = T>
  TS_INLINE RegPair vintlv(const Reg& a, const Reg& b) {
    core_.micro(a5::op("vintlv"), dtype_of<U>, a, b);
    return core_.permute2(Interleave<BitsOf<U>>(), a, b);
  }
  template <class U = T>
  TS_INLINE Reg vsel(const Reg& on, const Reg& off, const Pred& pred) {
    core_.micro(a5::op("vsel"), dtype_of<U>, on, off, pred);
    return core_.template select<BitsOf<U>>(pred, on, off);
  }
  template <class U = T>
  TS_INLINE Reg vdup(const LaneScalar& scalar, const Pred& pred) {
    core_.micro(a5::op("vdup"), dtype_of<U>, scalar, pred);
    return core_.template broadcast<BitsOf<U>>(scalar, pred);
  }
  // Low and high words of a 64-bit scalar.
  TS_INLINE RegPair vdup_words(const LaneScalar& scalar, const Pred& pred) {
    return {vdup<std::uint32_t>({scalar.bits & 0xFFFFFFFFu, DType::U32, scalar.origin}, pred),
            vdup<std::uint32_t>({scalar.bits >> 32, DType::U32, scalar.origin}, pred)};
  }
  TS_INLINE Reg vadd(const Reg& a, const Reg& b, const Pred& pred) {
    core_.micro(a5::op("vadd"), dtype_of<T>, a, b, pred);
    return core_.template lanewise<BitsOf<T>>(BinaryLanes<T, AddOp>(), pred, a, b);
  }
  TS_INLINE Sum vaddc(const Reg& a, const Reg& b, const Pred& pred) {
    core_.micro(a5::op("vaddc"), DType::U32, a, b, pred);
    return core_.add_with_carry(a, b, core_.predicate(VPred{}), pred);
  }
  TS_INLINE Sum vaddcs(const Reg& a, const Reg& b, const Pred& carry, const Pred& pred) {
    core_.micro(a5::op("vaddcs"), DType::U32, a, b, carry, pred);
    return core_.add_with_carry(a, b, carry, pred);
  }

  // --- indices ------------------------------------------------------------------------------------------------------

  template <class Idx>
  TS_INLINE Reg vci(std::uint32_t first) {
    core_.micro(a5::op("vci"), dtype_of<Idx>, CountArg{"base", first});
    return core_.constant(counting_lanes<Idx>(first));
  }
  template <class Idx>
  TS_INLINE Reg vmins(const Reg& a, std::uint32_t scalar, const Pred& pred) {
    return with_scalar<Idx, MinScalar>(a5::op("vmins"), a, scalar, pred);
  }
  template <class Idx>
  TS_INLINE Reg vmuls(const Reg& a, std::uint32_t scalar, const Pred& pred) {
    return with_scalar<Idx, MulScalar>(a5::op("vmuls"), a, scalar, pred);
  }
  template <class Idx>
  TS_INLINE Reg vadds(const Reg& a, std::uint32_t scalar, const Pred& pred) {
    return with_scalar<Idx, AddScalar>(a5::op("vadds"), a, scalar, pred);
  }
  template <class Idx>
  TS_INLINE Reg vshrs(const Reg& a, std::uint32_t bits, const Pred& pred) {
    return with_scalar<Idx, ShiftRightScalar>(a5::op("vshrs"), a, bits, pred);
  }
  // Indices count elements; a byte goes to the low half of its index's lane.
  template <class Idx>
  TS_INLINE Reg vgather2(const TileRef& tile, const Reg& idx, const Pred& pred) {
    constexpr const MicroOp& op = a5::op("vgather2");
    core_.micro(op, dtype_of<T>, place<T>(tile.ub(), 0), idx, pred);
    return core_.template gather<BitsOf<T>, Idx, sizeof(T)>(op, span_of(tile), idx, pred);
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
    core_.micro(op, dtype_of<T>, v, place<T>(tile.ub(), 0), idx, pred);
    core_.template scatter<BitsOf<T>, Idx, sizeof(T)>(op, span_of(tile), idx, v, pred);
  }
  // `blocks`: how many of the eight somebody stores; the others are read for nobody, and may stand anywhere.
  TS_INLINE Reg vgatherb(const TileRef& tile, const Reg& offsets, const Pred& pred, std::uint32_t blocks) {
    constexpr const MicroOp& op = a5::op("vgatherb");
    core_.micro(op, dtype_of<T>, place<T>(tile.ub(), 0), offsets, pred, CountArg{"blocks stored", blocks});
    return core_.template gather_blocks<BitsOf<T>>(op, span_of(tile), offsets, (1u << blocks) - 1);
  }
  // Not the hardware's: offsets that are no multiples of the element, or too large for a 16-bit index, are for the
  // instruction's rules to tell.
  TS_INLINE void watch_offsets(const Reg& offsets, const Pred& pred) {
    constexpr std::uint32_t kSize = sizeof(T), kLast = kSize == 4 ? ~0u : 0xFFFFu * kSize + kSize - 1;
    core_.watch_bits(offsets, pred, (kSize - 1) | ~kLast);
  }

  // --- predicates ---------------------------------------------------------------------------------------------------

  template <class U = T>
  TS_INLINE Pred plt(std::uint32_t& n) {
    core_.micro(a5::op("plt"), dtype_of<U>, CountArg{"n", n});
    VPred image = first_lanes<U>(n);
    n = n > EPR<U> ? n - EPR<U> : 0;
    return core_.predicate(image);
  }
  template <class U = T>
  TS_INLINE Pred pset_all() {
    core_.micro(a5::op("pset"), dtype_of<U>);
    return core_.predicate(first_lanes<U>(EPR<U>));
  }
  TS_INLINE Pred plds_us(Ub base, std::uint32_t byte_offset) {
    constexpr const MicroOp& op = a5::op("plds.US");
    core_.micro(op, DType::U8, place<std::uint8_t>(base, byte_offset));
    return core_.load_predicate(op, address<std::uint8_t>(base, byte_offset), 16, LoadPredUnpacked());
  }
  TS_INLINE Pred plds(Ub base, std::uint32_t byte_offset) {
    constexpr const MicroOp& op = a5::op("plds");
    core_.micro(op, DType::U8, place<std::uint8_t>(base, byte_offset));
    return core_.load_predicate(op, address<std::uint8_t>(base, byte_offset), 32, LoadPredNorm());
  }
  // Mask bits from where the documents say they are, when the library's own step would read others.
  TS_INLINE Pred emu_plds(Ub base, std::uint32_t byte_offset) {
    constexpr const MicroOp& op = a5::op("emu.plds");
    core_.micro(op, DType::U8, place<std::uint8_t>(base, byte_offset));
    if constexpr (sizeof(T) == 1) {
      return core_.load_predicate(op, address<std::uint8_t>(base, byte_offset), 1, LoadPredNorm());
    } else {
      return core_.load_predicate(op, address<std::uint8_t>(base, byte_offset), 1, LoadPredUnpacked());
    }
  }
  TS_INLINE PredPair pintlv_b16(const Pred& a, const Pred& b) {
    core_.micro(a5::op("pintlv_b16"), DType::U16, a, b);
    return core_.permute_pred2(InterleavePred16(), a, b);
  }
  TS_INLINE Pred punpack_lower(const Pred& a) {
    core_.micro(a5::op("punpack"), DType::U16, a);
    return core_.permute_pred(UnpackPredLower(), a);
  }

  // --- data movement ------------------------------------------------------------------------------------------------

  // What becomes of the bytes behind a row's data: `bytes` of them, the first `padded` with the pad value, the others with
  // the DMA's own filler.
  struct RowTail {
    std::uint32_t bytes, padded;
    std::uint64_t pad_bits;
  };
  // n rows of len bytes to UB or L1; strides in bytes from row start to row start.
  TS_INLINE void mte_gm(Space space, Gm from, std::uint32_t to, std::uint32_t len, std::uint32_t n, std::uint64_t from_stride,
                        std::uint32_t to_stride, RowTail tail) {
    const MicroOp& op = space == Space::Ub ? a5::op("mte_gm_ub") : a5::op("mte_gm_l1");
    core_.micro(op, dtype_of<T>, AddressArg{space, to, 0, sizeof(T)}, AddressArg{Space::Gm, from.address, 0, sizeof(T)}, CountArg{"len", len},
                CountArg{"n", n}, CountArg{"sstride", from_stride}, CountArg{"dstride", to_stride});
    for (std::uint32_t row = 0; row < n; ++row) {
      const std::uint64_t source = from.address + row * from_stride;
      const std::uint32_t row_begin = to + row * to_stride, data_end = row_begin + len;
      core_.copy(op, space, row_begin, Space::Gm, source, len);
      core_.fill(op, space, data_end, sizeof(T), tail.padded / static_cast<std::uint32_t>(sizeof(T)), LaneScalar{tail.pad_bits, dtype_of<T>, 0});
      // The filler is the row's first element on the silicon that tells (unverified): shown, and promised to nobody.
      for (std::uint32_t at = tail.padded; at < tail.bytes; at += static_cast<std::uint32_t>(sizeof(T)))
        core_.copy(op, space, data_end + at, Space::Gm, source, sizeof(T));
      core_.unspecified(space, data_end + tail.padded, tail.bytes - tail.padded, "filler of the DMA up to the block's end");
    }
  }
  TS_INLINE void mte_ub_gm(Ub from, Gm to, std::uint32_t len, std::uint32_t n, std::uint32_t from_stride, std::uint64_t to_stride, bool adding) {
    constexpr const MicroOp& op = a5::op("mte_ub_gm");
    core_.micro(op, dtype_of<T>, AddressArg{Space::Gm, to.address, 0, sizeof(T)}, place<T>(from, 0), CountArg{"len", len},
                CountArg{"n", n}, CountArg{"sstride", from_stride}, CountArg{"dstride", to_stride});
    for (std::uint32_t row = 0; row < n; ++row)
      this->store_run(op, to.address + row * to_stride, Space::Ub, from.address + std::uint64_t{row} * from_stride, len, adding);
  }
  // Lines of a view into groups of blocks, as the cube unit wants them; see load_fractal.
  TS_INLINE void mte_gm_l1_frac(const char* order, Gm from, std::uint32_t to, std::uint32_t group_stride, std::uint64_t line_stride,
                                std::uint64_t element_step, std::uint32_t lines, std::uint32_t elements) {
    constexpr const MicroOp& op = a5::op("mte_gm_l1_frac");
    core_.micro(op, dtype_of<T>, AddressArg{Space::L1, to, 0, sizeof(T)}, AddressArg{Space::Gm, from.address, 0, sizeof(T)}, TextArg{order},
                CountArg{"n", lines}, CountArg{"d", elements});
    this->load_fractal(op, to, group_stride, from.address, line_stride, element_step, lines, elements);
  }

 private:
  template <class Idx, class Op>
  TS_INLINE Reg with_scalar(const MicroOp& op, const Reg& a, std::uint32_t scalar, const Pred& pred) {
    core_.micro(op, dtype_of<Idx>, a, CountArg{"scalar", scalar}, pred);
    return core_.template lanewise<Idx>(LanesWithScalar<Idx, Op>{scalar}, pred, a);
  }
  template <class U>
  static TS_INLINE std::uint64_t address(Ub base, std::uint32_t offset) {
    return base.address + std::uint64_t{offset} * sizeof(U);
  }
  template <class U>
  static TS_INLINE AddressArg place(Ub base, std::uint32_t offset) {
    return {Space::Ub, base.address, offset, sizeof(U)};
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
