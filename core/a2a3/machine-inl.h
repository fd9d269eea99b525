// The A2A3 vector machine: memory to memory, in repeats of 256 bytes, under a vector mask. Its control registers are
// bytes of the spr space. Micro-operations as methods, each built of a core's primitives.
// Each file here is a part of it, and derives from the one before: repeats, lanes, across, scalar, moves, and here what moves
// between memories.
#if defined(TS_A2A3_MACHINE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_A2A3_MACHINE_INL_H
#undef TS_A2A3_MACHINE_INL_H
#else
#define TS_A2A3_MACHINE_INL_H
#endif

#include "core/a2a3/moves-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

template <class Core, class Element>
class A2A3Machine : public A2A3Moves<Core, Element> {
  using Base = A2A3Moves<Core, Element>;

 protected:
  using Base::core_, Base::place;
  using typename Base::LaneRule;

 public:
  using Base::bytes, Base::lanes, Base::kLanes;
  using typename Base::T, typename Base::Reg, typename Base::Pred;
  template <class U = T>
  TS_INLINE LaneOf<U> ty() const {
    return Base::template ty<U>();
  }

  TS_INLINE A2A3Machine(Core& core, LaneOf<T> lane, const Options& options) : Base(core, lane, options) {}

  // --- data movement ------------------------------------------------------------------------------------------------

  // n bursts of len bytes; after each the destination is padded by `right` elements and then filled up to its block's
  // end. Gaps: source in bytes, destination in blocks, from one burst's end to the next one's start.
  HWY_NOINLINE void copy_gm_to_ubuf_align(Ub to, Gm from, std::uint32_t n, std::uint32_t len, std::uint32_t right,
                                          std::uint64_t pad_bits, std::uint64_t from_gap, std::uint32_t to_gap) {
    constexpr const MicroOp& op = a2a3::op("copy_gm_to_ubuf_align");
    core_.micro(op, ty<T>(), place(to), AddressArg{Space::Gm, from.address, 0, bytes()}, CountArg{"n", n},
                CountArg{"len", len}, CountArg{"right", right}, CountArg{"sgap", from_gap}, CountArg{"dgap", to_gap});
    const std::uint32_t used = len + right * bytes();
    const std::uint32_t rounded = (used + BLK - 1) / BLK * BLK;
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint64_t source = from.address + k * (len + from_gap);
      const std::uint32_t burst = to.address + k * (rounded + to_gap * BLK);
      core_.copy(op, Space::Ub, burst, Space::Gm, source, len);
      core_.fill(op, Space::Ub, burst + len, bytes(), right, LaneScalar{pad_bits, ty<T>(), 0});
      // The filler is the burst's first element (unverified): shown, and promised to nobody.
      for (std::uint32_t at = used; at < rounded; at += bytes())
        core_.copy(op, Space::Ub, burst + at, Space::Gm, source, bytes());
      core_.unspecified(Space::Ub, burst + used, rounded - used, "filler of the DMA up to the block's end");
    }
  }
  HWY_NOINLINE void copy_ubuf_to_gm_align(Gm to, Ub from, std::uint32_t n, std::uint32_t len, std::uint32_t from_gap,
                                          std::uint64_t to_gap, bool adding) {
    constexpr const MicroOp& op = a2a3::op("copy_ubuf_to_gm_align");
    core_.micro(op, ty<T>(), AddressArg{Space::Gm, to.address, 0, bytes()}, place(from), CountArg{"n", n},
                CountArg{"len", len}, CountArg{"sgap", from_gap}, CountArg{"dgap", to_gap});
    const std::uint32_t rounded = (len + BLK - 1) / BLK * BLK + from_gap * BLK;
    for (std::uint32_t k = 0; k < n; ++k)
      this->store_run(op, to.address + k * (len + to_gap), Space::Ub, from.address + std::uint64_t{k} * rounded, len,
                      adding);
  }
  // L1: everything in blocks. Runs that are not whole blocks apart are an instruction each.
  HWY_NOINLINE void copy_gm_to_cbuf(std::uint32_t to, Gm from, std::uint32_t n, std::uint32_t blocks,
                                    std::uint64_t from_stride, std::uint32_t to_stride) {
    constexpr const MicroOp& op = a2a3::op("copy_gm_to_cbuf");
    for_block_runs(op, Space::L1, to, from, n, blocks, from_stride, [&](std::uint32_t k) HWY_ATTR {
      core_.copy(op, Space::L1, to + k * to_stride, Space::Gm, from.address + k * from_stride, blocks * BLK);
    });
  }
  HWY_NOINLINE void copy_cbuf_to_gm(Gm to, std::uint32_t from, std::uint32_t n, std::uint32_t blocks,
                                    std::uint32_t from_stride, std::uint64_t to_stride, bool adding) {
    constexpr const MicroOp& op = a2a3::op("copy_cbuf_to_gm");
    for_block_runs(op, Space::L1, from, to, n, blocks, to_stride, [&](std::uint32_t k) HWY_ATTR {
      this->store_run(op, to.address + k * to_stride, Space::L1, from + k * from_stride, blocks * BLK, adding);
    });
  }
  HWY_NOINLINE void copy_gm_to_cbuf_multi_nd2nz(std::uint32_t to, Gm from, std::uint32_t group_stride,
                                                std::uint64_t line_stride, std::uint64_t element_step,
                                                std::uint32_t lines, std::uint32_t elements) {
    constexpr const MicroOp& op = a2a3::op("copy_gm_to_cbuf_multi_nd2nz");
    core_.micro(op, ty<T>(), AddressArg{Space::L1, to, 0, bytes()}, AddressArg{Space::Gm, from.address, 0, bytes()},
                CountArg{"n", lines}, CountArg{"d", elements});
    this->load_fractal(op, to, group_stride, from.address, line_stride, element_step, lines, elements);
  }

 private:
  template <class Run>
  void for_block_runs(const MicroOp& op, Space space, std::uint32_t on_chip, Gm gm, std::uint32_t n,
                      std::uint32_t blocks, std::uint64_t gm_stride, Run run) {
    const std::uint32_t at_once = gm_stride % BLK == 0 ? n : 1;
    for (std::uint32_t k = 0; k < n; ++k) {
      if (k % at_once == 0)
        core_.micro(op, ty<T>(), AddressArg{space, on_chip, 0, bytes()},
                    AddressArg{Space::Gm, static_cast<std::uint32_t>(gm.address + k * gm_stride), 0, bytes()},
                    CountArg{"n", at_once}, CountArg{"blocks", blocks});
      run(k);
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
