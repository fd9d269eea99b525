// The forms of the A5 micro-operations that no tile instruction needs, for lanes of any type: with them the families are
// complete, for programs that are written in micro-operations.
#if defined(TS_A5_FAMILIES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_A5_FAMILIES_INL_H
#undef TS_A5_FAMILIES_INL_H
#else
#define TS_A5_FAMILIES_INL_H
#endif

#include <algorithm>

#include "core/a5/machine-inl.h"
#include "core/a5/patterns.h"
#include "core/engine/any_core.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

class A5Families : public A5Machine<AnyCore, AnyLane> {
  using Base = A5Machine<AnyCore, AnyLane>;

 public:
  A5Families(AnyCore& core, DType lanes, const Options& options) : Base(core, {lanes}, options) {}
  // The same machine for lanes of another type.
  A5Families with(DType lanes) const { return {core_, lanes, options_}; }
  const VPred& bits(const Pred& pred) { return core_.bits(pred); }

  // --- loads and stores ---------------------------------------------------------------------------------------------

  Reg vlds_us(Ub from) {
    const MicroOp& op = a5::op("vlds.US");
    core_.micro(op, ty(), place(ty(), from, 0));
    const Reg half = some(op, from, VL / 2);
    return doubled(ty(), half);
  }
  Reg vlds_ds(Ub from) {
    const MicroOp& op = a5::op("vlds.DS");
    core_.micro(op, ty(), place(ty(), from, 0));
    return low_of(
        core_.template load2<Load2Kind::Deinterleaved>(bits_of(ty()), op, Space::Ub, from.address, 2 * VL, BLK));
  }
  // Eight elements; each is doubled until it fills a block. Neighbours are alike by then, so 64 bits at a time will do.
  Reg vlds_e2b(Ub from) {
    const MicroOp& op = a5::op("vlds.E2B");
    core_.micro(op, ty(), place(ty(), from, 0));
    const std::uint32_t size = 8 * ty().bytes();
    Reg out = core_.template load<LoadKind::Some>(ty(), op, Space::Ub, from.address, size, size, size);
    for (std::uint32_t width = ty().bytes(); width < BLK; width *= 2)
      out = doubled(unsigned_of(std::min(width, 8u)), hidden(out));
    return out;
  }
  RegPair vlds_bdintlv(Ub from) {
    const MicroOp& op = a5::op("vldsx2.BDINTLV");
    core_.micro(op, ty(), place(ty(), from, 0));
    const Pred all = hidden_all({DType::U8});
    Reg even = core_.load_blocks(op, from.address, 2 * BLK, all);
    return {even, core_.load_blocks(op, std::uint64_t{from.address} + BLK, 2 * BLK, all)};
  }
  // Strides in blocks. A block is loaded whole if one of its lanes is on.
  Reg vsldb(Ub base, std::uint32_t block_stride, std::uint32_t repeat_stride, const Pred& pred) {
    const MicroOp& op = a5::op("vsldb");
    core_.micro(op, ty(), place(ty(), base, 0), CountArg{"block stride", block_stride},
                CountArg{"repeat stride", repeat_stride}, pred);
    Pred lanes = core_.combine_predicates(PredLogic::And, pred, pred, all_lanes());
    core_.hide(lanes);
    Reg blocks = core_.load_blocks(op, base.address + std::uint64_t{repeat_stride} * BLK, block_stride * BLK, lanes);
    return in_blocks(blocks, [&](std::uint32_t k) { return block_active(core_.bits(lanes), k); });
  }
  void vsstb(const Reg& v, Ub base, std::uint32_t block_stride, std::uint32_t repeat_stride, const Pred& pred) {
    const MicroOp& op = a5::op("vsstb");
    core_.micro(op, ty(), v, place(ty(), base, 0), CountArg{"block stride", block_stride},
                CountArg{"repeat stride", repeat_stride}, pred);
    core_.store_blocks(bits_of(ty()), op, base.address + std::uint64_t{repeat_stride} * BLK, block_stride * BLK, v,
                       pred);
  }
  // All 512 bytes, whatever a predicate says.
  void vstsx2(const Reg& low, const Reg& high, Ub to) {
    const MicroOp& op = a5::op("vstsx2");
    core_.micro(op, ty(), low, high, place(ty(), to, 0));
    const RegPair stream = core_.template move2<Move2::Interleave>(bits_of(ty()), low, high);
    core_.hide(stream.hi);
    core_.hide(stream.lo);
    const Pred all = hidden_all({DType::U8});
    core_.store_lanes(DType::U8, op, to.address, BLK, stream.lo, all);
    core_.store_lanes(DType::U8, op, std::uint64_t{to.address} + VL, BLK, stream.hi, all);
  }

  // Indices count elements of the machine's type. Of bytes, the even lanes are stored.
  Reg vgather2(AnyLane index, Ub base, const Reg& idx, const Pred& pred) {
    return gathered(a5::op("vgather2"), index, base, idx, pred);
  }
  Reg vgather2_bc(AnyLane index, Ub base, const Reg& idx, const Pred& pred) {
    return gathered(a5::op("vgather2_bc"), index, base, idx, pred);
  }
  void vscatter(AnyLane index, const Reg& v, Ub base, const Reg& idx, const Pred& pred) {
    const MicroOp& op = a5::op("vscatter");
    core_.micro(op, ty(), v, place(ty(), base, 0), idx, pred);
    core_.scatter(bits_of(ty()), bits_of(index), static_cast<int>(ty().bytes()), op, behind(base), idx, v, pred);
  }
  // Lane k of the predicate, not lane 8k, says whether block k is read.
  Reg vgatherb(Ub base, const Reg& offsets, const Pred& pred) {
    const MicroOp& op = a5::op("vgatherb");
    core_.micro(op, ty(), place(ty(), base, 0), offsets, pred);
    std::uint32_t needed = 0;
    for (std::uint32_t k = 0; k < 8; ++k) needed |= std::uint32_t{lane_is_on(core_.bits(pred), 4 * k)} << k;
    Reg blocks = core_.gather_blocks(bits_of(ty()), op, behind(base), offsets, needed);
    return in_blocks(blocks, [&](std::uint32_t k) { return needed >> k & 1; });
  }

  // --- registers ----------------------------------------------------------------------------------------------------

  Reg vbr(const LaneScalar& scalar) {
    core_.micro(a5::op("vbr"), ty(), scalar);
    return core_.broadcast(bits_of(ty()), scalar, all_lanes());
  }
  Reg vdup_lane(bool highest, const Reg& v, const Pred& pred) {
    core_.micro(highest ? a5::op("vdup.HIGHEST") : a5::op("vdup.LOWEST"), ty(), v, pred);
    const AnyLane lane = bits_of(ty());
    Reg every =
        highest ? core_.template move<Move::Highest>(lane, 0, v, v) : core_.template move<Move::Lowest>(lane, 0, v, v);
    return active_or_zero(lane, every, pred);
  }
  Reg vselr(const Reg& v, const Reg& idx) {
    core_.micro(a5::op("vselr"), ty(), v, idx);
    return core_.pick(bits_of(ty()), v, idx);
  }
  Reg vsqz(const Reg& v, const Pred& pred) {
    core_.micro(a5::op("vsqz"), ty(), v, pred);
    return core_.squeeze(bits_of(ty()), v, pred);
  }
  Reg vusqz(const Pred& pred) {
    core_.micro(a5::op("vusqz"), ty(), pred);
    return core_.rank(bits_of(ty()), pred);
  }
  // The lower halves of lanes, in the lower or the upper half of the register; 0 in the other.
  Reg vpack(bool upper, const Reg& v) {
    core_.micro(a5::op("vpack"), ty(), v, TextArg{half_name(upper)});
    Reg packed = core_.template move<Move::PackHalf>(bits_of(ty()), 0, v, v);
    if (!upper) return packed;
    core_.hide(packed);
    return core_.template move<Move::Splice>(DType::U8, VL / 2, hidden_zero(), packed);
  }
  Reg vzunpack(bool upper, const Reg& v) {
    core_.micro(a5::op("vzunpack"), ty(), v, CountArg{"half", upper});
    const Reg half = upper ? hidden(upper_half(v)) : v;
    return core_.template move<Move::WidenZero>(bits_of(ty()), 0, half, half);
  }
  Reg vsunpack(bool upper, const Reg& v) {
    core_.micro(a5::op("vsunpack"), ty(), v, CountArg{"half", upper});
    const Reg half = upper ? hidden(upper_half(v)) : v;
    const Reg spread = hidden(core_.template move<Move::WidenZero>(bits_of(ty()), 0, half, half));
    const DType from = ty().bytes() == 1 ? DType::I8 : DType::I16, to = ty().bytes() == 1 ? DType::I16 : DType::I32;
    return core_.convert(to, from, {}, all_lanes(), spread);
  }
  // Counts in its own type: floats of what the lane's number is as one.
  Reg vci(const LaneScalar& first, bool down) {
    if (!is_float(ty())) return Base::vci(ty(), first, down);
    core_.micro(a5::op("vci"), ty(), first, TextArg{down ? "DEC_ORDER" : "INC_ORDER"});
    const AnyLane number{ty().bytes() == 2 ? DType::I16 : DType::I32};
    const Pred all = all_lanes();
    const Reg numbers = hidden(core_.convert(ty(), number, {}, all, hidden(core_.counting(number, 0))));
    return core_.lanewise(down ? LaneOp::Sub : LaneOp::Add, ty(), all, core_.scalar_lanes(bits_of(ty()), first, all),
                          numbers);
  }
  // exp(x - m) in f32 of one half of the 16-bit lanes: the even or the odd ones.
  Reg vexpdif_half(std::uint8_t part, const Reg& x, const Reg& m, const Pred& pred) {
    constexpr AnyLane kF32{DType::F32};
    core_.micro(a5::op("vexpdif"), ty(), x, m, pred, TextArg{part == 0 ? "EVEN" : "ODD"});
    const Conversion how{.part = part};
    const Reg wide_x = hidden(core_.convert(kF32, ty(), how, pred, x)),
              wide_m = hidden(core_.convert(kF32, ty(), how, pred, m));
    return exp_of_difference(kF32, wide_x, wide_m, part == 0 ? pred : odd_lanes(pred));
  }

  // --- predicates ---------------------------------------------------------------------------------------------------

  Pred pset(const a5::Pattern& pattern, bool as_pge) {
    core_.micro(as_pge ? a5::op("pge") : a5::op("pset"), ty(), TextArg{pattern.name});
    return core_.predicate(a5::lanes_of(pattern, ty().bytes()));
  }
  // A bit for each lane, at the end of a stream of stores. The bits become bytes where the new stream is going to stand.
  typename Base::Align pstu(const typename Base::Align& align, const Pred& pred, Ub to, std::uint32_t staging) {
    static constexpr MicroOp kOp{"pstu", FlowKind::Store, "align = pstu align, pred, base",
                                 "appends a bit for each lane to an unaligned stream"};
    core_.micro(kOp, ty(), pred, place(ty(), to, 0));
    Pred bits = hidden(core_.template move_predicate<PredMove::PackLower>(pred));
    if (ty().bytes() == 4) bits = hidden(core_.template move_predicate<PredMove::PackLower>(bits));
    core_.store_predicate(PredStore::Norm, kOp, Space::Reg, staging, BLK, bits);
    const Reg bytes = hidden(core_.template load<LoadKind::Block>(DType::U8, kOp, Space::Reg, staging, BLK, BLK));
    return with(DType::U8).vstus(align, VL / 8 / ty().bytes(), bytes, to, 0);
  }
  Pred plds_ds(Ub from) {
    const MicroOp& op = a5::op("plds.DS");
    core_.micro(op, DType::U8, place(ty(), from, 0));
    return core_.template load_predicate<PredLoad::Thinned>(DType::U8, op, Space::Ub, from.address, BLK);
  }
  Pred pxor(const Pred& a, const Pred& b, const Pred& mask) {
    return logic(a5::op("pxor"), PredLogic::Xor, a, b, mask);
  }
  Pred psel(const Pred& a, const Pred& b, const Pred& mask) {
    return logic(a5::op("psel"), PredLogic::Select, a, b, mask);
  }
  Pred ppack(bool upper, const Pred& a) {
    core_.micro(upper ? a5::op("ppack.HIGHER") : a5::op("ppack"), ty(), a);
    return upper ? core_.template move_predicate<PredMove::PackUpper>(a)
                 : core_.template move_predicate<PredMove::PackLower>(a);
  }
  Pred punpack(bool upper, const Pred& a) {
    core_.micro(upper ? a5::op("punpack.HIGHER") : a5::op("punpack"), ty(), a);
    return upper ? core_.template move_predicate<PredMove::UnpackUpper>(a)
                 : core_.template move_predicate<PredMove::UnpackLower>(a);
  }
  PredPair pintlv(const Pred& a, const Pred& b) {
    switch (ty().bytes()) {
      case 1: return pair<PredMove2::Interleave8>(a5::op("pintlv_b8"), a, b);
      case 2: return pintlv_b16(a, b);
      default: return pair<PredMove2::Interleave32>(a5::op("pintlv_b32"), a, b);
    }
  }
  PredPair pdintlv(const Pred& a, const Pred& b) {
    switch (ty().bytes()) {
      case 1: return pdintlv_b8(a, b);
      case 2: return pair<PredMove2::Deinterleave16>(a5::op("pdintlv_b16"), a, b);
      default: return pair<PredMove2::Deinterleave32>(a5::op("pdintlv_b32"), a, b);
    }
  }

 private:
  static const char* half_name(bool upper) { return upper ? "HIGHER" : "LOWER"; }
  static AnyLane unsigned_of(std::uint32_t bytes) {
    return {bytes == 1 ? DType::U8 : bytes == 2 ? DType::U16 : bytes == 4 ? DType::U32 : DType::U64};
  }
  // A pointer may reach all of UB behind it.
  static Indexed behind(Ub base) { return {base.address, UINT32_MAX - base.address}; }

  // Values on the way to a result, which the trace does not show.
  Reg hidden(Reg value) {
    core_.hide(value);
    return value;
  }
  Pred hidden(Pred value) {
    core_.hide(value);
    return value;
  }
  Reg hidden_zero() { return hidden(core_.zero()); }
  Pred all_lanes() { return hidden_all(ty()); }
  Reg low_of(const RegPair& pair) {
    core_.hide(pair.hi);
    return pair.lo;
  }
  Reg some(const MicroOp& op, Ub from, std::uint32_t size) {
    return hidden(core_.template load<LoadKind::Some>(ty(), op, Space::Ub, from.address, size, BLK, size));
  }
  // Every lane of the lower half twice.
  Reg doubled(AnyLane lane, const Reg& v) {
    return low_of(core_.template move2<Move2::Interleave>(bits_of(lane), v, v));
  }
  Reg upper_half(const Reg& v) { return core_.template move<Move::Drop>(DType::U8, VL / 2, v, v); }
  Reg active_or_zero(AnyLane lane, const Reg& v, const Pred& pred) {
    core_.hide(v);
    return core_.select(lane, pred, v, hidden_zero());
  }
  // Those blocks for which f says so; 0 elsewhere.
  template <class F>
  Reg in_blocks(const Reg& blocks, F f) {
    VPred image{};
    for (std::uint32_t k = 0; k < VL; ++k)
      if (f(k / BLK)) set_bit(image, k);
    core_.hide(blocks);
    const Pred on = core_.predicate(image);
    core_.hide(on);
    return core_.select(DType::U8, on, blocks, hidden_zero());
  }
  Reg gathered(const MicroOp& op, AnyLane index, Ub base, const Reg& idx, const Pred& pred) {
    core_.micro(op, ty(), place(ty(), base, 0), idx, pred);
    return core_.gather(bits_of(ty()), bits_of(index), static_cast<int>(ty().bytes()), op, behind(base), idx, pred);
  }
  Pred logic(const MicroOp& op, PredLogic kind, const Pred& a, const Pred& b, const Pred& mask) {
    core_.micro(op, DType::U8, a, b, mask);
    return core_.combine_predicates(kind, a, b, mask);
  }
  template <PredMove2 kind>
  PredPair pair(const MicroOp& op, const Pred& a, const Pred& b) {
    core_.micro(op, ty(), a, b);
    return core_.template move_predicates<kind>(a, b);
  }
  // Lanes 1, 3, 5, ... of 16 bits, as lanes of 32 bits.
  Pred odd_lanes(const Pred& pred) {
    const PredPair parts = core_.template move_predicates<PredMove2::Deinterleave16>(pred, pred);
    core_.hide(parts.hi);
    core_.hide(parts.lo);
    const Pred odd = core_.template move_predicate<PredMove::UnpackLower>(parts.hi);
    core_.hide(odd);
    return odd;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
