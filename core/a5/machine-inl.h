// The A5 vector machine: registers of 256 bytes, predicates of 256 bits, unaligned store streams.
// Micro-operations as methods, each built of a core's primitives, so that one lowering serves run, trace and tag.
// T is the element type that the lowering is compiled for; a method's own parameter says when another one is meant.
// Each file here is a part of it, and derives from the one before: lanes, predicates, memory, and what moves between memories.
#if defined(TS_A5_MACHINE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_A5_MACHINE_INL_H
#undef TS_A5_MACHINE_INL_H
#else
#define TS_A5_MACHINE_INL_H
#endif

#include "core/a5/memory-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

template <class Core, class Element>
class A5Machine : public A5Memory<Core, Element> {
  using Base = A5Memory<Core, Element>;

 protected:
  using Base::core_, Base::options_, Base::address, Base::place, Base::first_of;

 public:
  using typename Base::T, typename Base::Reg, typename Base::Few, typename Base::Pred, typename Base::RegPair,
      typename Base::PredPair;
  template <class U = T>
  TS_INLINE LaneOf<U> ty() const {
    return Base::template ty<U>();
  }

  TS_INLINE A5Machine(Core& core, LaneOf<T> lane, const Options& options) : Base(core, lane, options) {}

  // --- data movement ------------------------------------------------------------------------------------------------

  // What becomes of the bytes behind a row's data: `bytes` of them, the first `padded` with the pad value, the others with
  // the DMA's own filler.
  struct RowTail {
    std::uint32_t bytes, padded;
    std::uint64_t pad_bits;
  };
  // n rows of len bytes to UB or L1; strides in bytes from row start to row start.
  TS_INLINE void mte_gm(Space space, Gm from, std::uint32_t to, std::uint32_t len, std::uint32_t n,
                        std::uint64_t from_stride, std::uint32_t to_stride, RowTail tail) {
    const MicroOp& op = space == Space::Ub ? a5::op("mte_gm_ub") : a5::op("mte_gm_l1");
    core_.micro(op, ty<T>(), AddressArg{space, to, 0, sizeof(T)}, AddressArg{Space::Gm, from.address, 0, sizeof(T)},
                CountArg{"len", len}, CountArg{"n", n}, CountArg{"sstride", from_stride},
                CountArg{"dstride", to_stride});
    for (std::uint32_t row = 0; row < n; ++row) {
      const std::uint64_t source = from.address + row * from_stride;
      const std::uint32_t row_begin = to + row * to_stride, data_end = row_begin + len;
      core_.copy(op, space, row_begin, Space::Gm, source, len);
      core_.fill(op, space, data_end, sizeof(T), tail.padded / static_cast<std::uint32_t>(sizeof(T)),
                 LaneScalar{tail.pad_bits, ty<T>(), 0});
      // The filler is the row's first element on the silicon that tells (unverified): shown, and promised to nobody.
      for (std::uint32_t at = tail.padded; at < tail.bytes; at += static_cast<std::uint32_t>(sizeof(T)))
        core_.copy(op, space, data_end + at, Space::Gm, source, sizeof(T));
      core_.unspecified(space, data_end + tail.padded, tail.bytes - tail.padded,
                        "filler of the DMA up to the block's end");
    }
  }
  TS_INLINE void mte_ub_gm(Ub from, Gm to, std::uint32_t len, std::uint32_t n, std::uint32_t from_stride,
                           std::uint64_t to_stride, bool adding) {
    constexpr const MicroOp& op = a5::op("mte_ub_gm");
    core_.micro(op, ty<T>(), AddressArg{Space::Gm, to.address, 0, sizeof(T)}, place(ty<T>(), from, 0),
                CountArg{"len", len}, CountArg{"n", n}, CountArg{"sstride", from_stride},
                CountArg{"dstride", to_stride});
    for (std::uint32_t row = 0; row < n; ++row)
      this->store_run(op, to.address + row * to_stride, Space::Ub, from.address + std::uint64_t{row} * from_stride, len,
                      adding);
  }
  // Lines of a view into groups of blocks, as the cube unit wants them; see load_fractal.
  TS_INLINE void mte_gm_l1_frac(const char* order, Gm from, std::uint32_t to, std::uint32_t group_stride,
                                std::uint64_t line_stride, std::uint64_t element_step, std::uint32_t lines,
                                std::uint32_t elements) {
    constexpr const MicroOp& op = a5::op("mte_gm_l1_frac");
    core_.micro(op, ty<T>(), AddressArg{Space::L1, to, 0, sizeof(T)}, AddressArg{Space::Gm, from.address, 0, sizeof(T)},
                TextArg{order}, CountArg{"n", lines}, CountArg{"d", elements});
    this->load_fractal(op, to, group_stride, from.address, line_stride, element_step, lines, elements);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
