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
#include "core/isa/options.h"
#include "core/tile/operands.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

template <class Core, class Element>
class A5Machine : public SharedOps<Core, Element> {
  using Base = SharedOps<Core, Element>;
  using Base::span_of;

 protected:
  using Base::core_;
  using Base::options_;

 public:
  using T = Element;
  using Reg = typename Core::Reg;
  using Few = typename Core::Few;
  using Pred = typename Core::Pred;
  using RegPair = typename Core::RegPair;
  using PredPair = typename Core::PredPair;
  using Sum = typename Core::Sum;
  using Base::lanes;
  static constexpr std::uint32_t kLanes = Base::kLanes;
  template <class U = T>
  TS_INLINE LaneOf<U> ty() const {
    return Base::template ty<U>();
  }

  TS_INLINE A5Machine(Core& core, LaneOf<T> lane, const Options& options) : Base(core, lane, options) {}

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
    return core_.template load<LoadKind::Broadcast>(ty<U>(), op, Space::Ub, address(ty<U>(), base, offset), ty<U>().bytes(), ty<U>().bytes());
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
    return core_.template load2<Load2Kind::Deinterleaved>(Lane<std::uint32_t>(), op, Space::Ub, address(Lane<std::uint8_t>(), base, byte_offset), 2 * VL, BLK);
  }
  // Even and odd bytes, or halves.
  RegPair vlds_dintlv(AnyLane lane, Ub base, std::uint32_t byte_offset) {
    const MicroOp& op = lane.bytes() == 1 ? a5::op("vlds.DINTLV_B8") : a5::op("vlds.DINTLV_B16");
    core_.micro(op, lane, place(Lane<std::uint8_t>(), base, byte_offset));
    return core_.template load2<Load2Kind::Deinterleaved>(lane, op, Space::Ub, address(Lane<std::uint8_t>(), base, byte_offset), 2 * VL, BLK);
  }
  // Bytes into the low halves of 16-bit lanes; halves into the low halves of 32-bit lanes.
  TS_INLINE Reg vlds_unpk_b8(Ub base, std::uint32_t offset) {
    constexpr const MicroOp& op = a5::op("vlds.UNPK_B8");
    core_.micro(op, DType::U8, place(Lane<std::uint8_t>(), base, offset));
    return core_.template load<LoadKind::Unpack8>(Lane<std::uint8_t>(), op, Space::Ub, address(Lane<std::uint8_t>(), base, offset), VL / 2, BLK);
  }
  TS_INLINE Reg vlds_unpk_b16(Ub base, std::uint32_t offset) {
    constexpr const MicroOp& op = a5::op("vlds.UNPK_B16");
    core_.micro(op, DType::U16, place(Lane<std::uint16_t>(), base, offset));
    return core_.template load<LoadKind::Unpack16>(Lane<std::uint16_t>(), op, Space::Ub, address(Lane<std::uint16_t>(), base, offset), VL / 2, BLK);
  }
  // Bytes into 32-bit lanes; words into 64-bit lanes.
  Reg vlds_unpk4_b8(Ub base, std::uint32_t offset) {
    constexpr const MicroOp& op = a5::op("vlds.UNPK4");
    core_.micro(op, DType::U8, place(Lane<std::uint8_t>(), base, offset));
    Reg halves = core_.template move<Move::WidenZero>(Lane<std::uint8_t>(), 0, load_part(op, Lane<std::uint8_t>(), base, offset, VL / 4), {});
    core_.hide(halves);
    return core_.template move<Move::WidenZero>(Lane<std::uint16_t>(), 0, halves, halves);
  }
  Reg vlds_unpk_b32(Ub base, std::uint32_t offset) {
    constexpr const MicroOp& op = a5::op("vlds.UNPK_B32");
    core_.micro(op, DType::U32, place(Lane<std::uint32_t>(), base, offset));
    return core_.template move<Move::WidenZero>(Lane<std::uint32_t>(), 0, load_part(op, Lane<std::uint32_t>(), base, offset, VL / 2), {});
  }
  TS_INLINE void vldas(Ub base, std::uint32_t offset) { core_.micro(a5::op("vldas"), ty<T>(), place(ty<T>(), base, offset)); }
  TS_INLINE Reg vldus(Ub base, std::uint32_t offset) {
    constexpr const MicroOp& op = a5::op("vldus");
    core_.micro(op, ty<T>(), place(ty<T>(), base, offset));
    return core_.template load<LoadKind::Norm>(ty<T>(), op, Space::Ub, address(ty<T>(), base, offset), VL, ty<T>().bytes());
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

  // --- registers ----------------------------------------------------------------------------------------------------

  template <class U = T>
  TS_INLINE RegPair vdintlv(const Reg& a, const Reg& b) {
    core_.micro(a5::op("vdintlv"), ty<U>(), a, b);
    return core_.template move2<Move2::Deinterleave>(bits_of(ty<U>()), a, b);
  }
  template <class U = T>
  TS_INLINE RegPair vintlv(const Reg& a, const Reg& b) {
    core_.micro(a5::op("vintlv"), ty<U>(), a, b);
    return core_.template move2<Move2::Interleave>(bits_of(ty<U>()), a, b);
  }
  template <class U = T>
  TS_INLINE Reg vsel(const Reg& on, const Reg& off, const Pred& pred) {
    core_.micro(a5::op("vsel"), ty<U>(), on, off, pred);
    return core_.select(bits_of(ty<U>()), pred, on, off);
  }
  template <class U = T>
  TS_INLINE Reg vdup(const LaneScalar& scalar, const Pred& pred) { return vdup(ty<U>(), scalar, pred); }
  template <class L>
  TS_INLINE Reg vdup(L lane, const LaneScalar& scalar, const Pred& pred) {
    core_.micro(a5::op("vdup"), lane, scalar, pred);
    return core_.broadcast(bits_of(lane), scalar, pred);
  }
  // The lowest lane of a register, in every lane.
  TS_INLINE Reg vdup_lowest(const Reg& v) {
    core_.micro(a5::op("vdup.LOWEST"), ty<T>(), v);
    return core_.template move<Move::Lowest>(bits_of(ty<T>()), 0, v, v);
  }
  // Low and high words of a 64-bit scalar.
  TS_INLINE RegPair vdup_words(const LaneScalar& scalar, const Pred& pred) {
    return {vdup<std::uint32_t>({scalar.bits & 0xFFFFFFFFu, DType::U32, scalar.origin}, pred),
            vdup<std::uint32_t>({scalar.bits >> 32, DType::U32, scalar.origin}, pred)};
  }

  // --- lane by lane -------------------------------------------------------------------------------------------------

  TS_INLINE Reg vadd(const Reg& a, const Reg& b, const Pred& pred) {
    core_.micro(a5::op("vadd"), ty<T>(), a, b, pred);
    return core_.template lanewise<LaneOp::Add>(ty<T>(), pred, a, b);
  }
  TS_INLINE Sum vaddc(const Reg& a, const Reg& b, const Pred& pred) {
    core_.micro(a5::op("vaddc"), DType::U32, a, b, pred);
    Pred none = core_.predicate(VPred{});
    core_.hide(none);
    return core_.add_with_carry(a, b, none, pred);
  }
  TS_INLINE Sum vaddcs(const Reg& a, const Reg& b, const Pred& carry, const Pred& pred) {
    core_.micro(a5::op("vaddcs"), DType::U32, a, b, carry, pred);
    return core_.add_with_carry(a, b, carry, pred);
  }
  Sum vsubc(const Reg& a, const Reg& b, const Pred& pred) {
    core_.micro(a5::op("vsubc"), DType::U32, a, b, pred);
    Pred all = core_.predicate(first_lanes_of(4, VL));
    core_.hide(all);
    return core_.sub_with_carry(a, b, all, pred);
  }
  Sum vsubcs(const Reg& a, const Reg& b, const Pred& carry, const Pred& pred) {
    core_.micro(a5::op("vsubcs"), DType::U32, a, b, carry, pred);
    return core_.sub_with_carry(a, b, carry, pred);
  }

  // The others, which nobody needs to be dissolved in a loop: the operation is found at run time. A lane type of its own
  // says that the instruction's is not meant.
  Reg vsub(AnyLane lane, const Reg& a, const Reg& b, const Pred& pred) { return two(a5::op("vsub"), LaneOp::Sub, lane, a, b, pred); }
  Reg vmul(AnyLane lane, const Reg& a, const Reg& b, const Pred& pred) { return two(a5::op("vmul"), LaneOp::Mul, lane, a, b, pred); }
  Reg vdiv(AnyLane lane, const Reg& a, const Reg& b, const Pred& pred) {
    const bool zero = !is_float(lane) && options_.int_div_zero != 0;
    return two(a5::op("vdiv"), zero ? LaneOp::DivZero : LaneOp::Div, lane, a, b, pred);
  }
  Reg vmod(AnyLane lane, const Reg& a, const Reg& b, const Pred& pred) {
    return two(a5::op("vmod"), options_.int_div_zero ? LaneOp::FloorModZero : LaneOp::FloorMod, lane, a, b, pred);
  }
  Reg vmax(AnyLane lane, const Reg& a, const Reg& b, const Pred& pred) { return two(a5::op("vmax"), LaneOp::Max, lane, a, b, pred); }
  Reg vmin(AnyLane lane, const Reg& a, const Reg& b, const Pred& pred) { return two(a5::op("vmin"), LaneOp::Min, lane, a, b, pred); }
  Reg vadd(AnyLane lane, const Reg& a, const Reg& b, const Pred& pred) { return two(a5::op("vadd"), LaneOp::Add, lane, a, b, pred); }
  Reg vand(AnyLane lane, const Reg& a, const Reg& b, const Pred& pred) { return two(a5::op("vand"), LaneOp::And, lane, a, b, pred); }
  Reg vor(AnyLane lane, const Reg& a, const Reg& b, const Pred& pred) { return two(a5::op("vor"), LaneOp::Or, lane, a, b, pred); }
  Reg vxor(AnyLane lane, const Reg& a, const Reg& b, const Pred& pred) { return two(a5::op("vxor"), LaneOp::Xor, lane, a, b, pred); }
  Reg vshl(AnyLane lane, const Reg& a, const Reg& count, const Pred& pred) { return two(a5::op("vshl"), shift_left(), lane, a, count, pred); }
  Reg vshr(AnyLane lane, const Reg& a, const Reg& count, const Pred& pred) { return two(a5::op("vshr"), shift_right(), lane, a, count, pred); }
  Reg vprelu(AnyLane lane, const Reg& a, const Reg& slope, const Pred& pred) { return two(a5::op("vprelu"), LaneOp::Prelu, lane, a, slope, pred); }

  Reg vabs(AnyLane lane, const Reg& a, const Pred& pred) { return one(a5::op("vabs"), LaneOp::Abs, lane, a, pred); }
  Reg vneg(AnyLane lane, const Reg& a, const Pred& pred) { return one(a5::op("vneg"), LaneOp::Neg, lane, a, pred); }
  Reg vnot(AnyLane lane, const Reg& a, const Pred& pred) { return one(a5::op("vnot"), LaneOp::Not, lane, a, pred); }
  Reg vexp(AnyLane lane, const Reg& a, const Pred& pred) {
    return one(a5::op("vexp"), options_.exp_flush ? LaneOp::ExpFlush : LaneOp::Exp, lane, a, pred);
  }
  Reg vln(AnyLane lane, const Reg& a, const Pred& pred) { return one(a5::op("vln"), LaneOp::Ln, lane, a, pred); }
  Reg vsqrt(AnyLane lane, const Reg& a, const Pred& pred) { return one(a5::op("vsqrt"), LaneOp::Sqrt, lane, a, pred); }
  Reg vrelu(AnyLane lane, const Reg& a, const Pred& pred) {
    return one(a5::op("vrelu"), options_.relu_of_nan ? LaneOp::ReluZero : LaneOp::Relu, lane, a, pred);
  }
  Reg vtrc(AnyLane lane, Rounding rounding, const Reg& a, const Pred& pred) { return one(a5::op("vtrc"), this->integral_op(rounding), lane, a, pred); }

  // With a scalar in every lane.
  Reg vadds(AnyLane lane, const Reg& a, const LaneScalar& x, const Pred& pred) { return scaled(a5::op("vadds"), LaneOp::Add, lane, a, x, pred); }
  Reg vmuls(AnyLane lane, const Reg& a, const LaneScalar& x, const Pred& pred) { return scaled(a5::op("vmuls"), LaneOp::Mul, lane, a, x, pred); }
  Reg vmaxs(AnyLane lane, const Reg& a, const LaneScalar& x, const Pred& pred) { return scaled(a5::op("vmaxs"), LaneOp::Max, lane, a, x, pred); }
  Reg vmins(AnyLane lane, const Reg& a, const LaneScalar& x, const Pred& pred) { return scaled(a5::op("vmins"), LaneOp::Min, lane, a, x, pred); }
  Reg vshls(AnyLane lane, const Reg& a, const LaneScalar& x, const Pred& pred) { return scaled(a5::op("vshls"), shift_left(), lane, a, x, pred); }
  Reg vshrs(AnyLane lane, const Reg& a, const LaneScalar& x, const Pred& pred) { return scaled(a5::op("vshrs"), shift_right(), lane, a, x, pred); }
  Reg vlrelu(AnyLane lane, const Reg& a, const LaneScalar& x, const Pred& pred) { return scaled(a5::op("vlrelu"), LaneOp::Prelu, lane, a, x, pred); }

  // dst * a + b, acc + a * b, x * alpha + y: rounded once.
  Reg vmadd(AnyLane lane, const Reg& dst, const Reg& a, const Reg& b, const Pred& pred) { return fused(a5::op("vmadd"), lane, a, dst, b, pred); }
  Reg vmula(AnyLane lane, const Reg& acc, const Reg& a, const Reg& b, const Pred& pred) { return fused(a5::op("vmula"), lane, a, b, acc, pred); }
  Reg vaxpy(AnyLane lane, const Reg& x, const Reg& y, const LaneScalar& alpha, const Pred& pred) {
    constexpr const MicroOp& op = a5::op("vaxpy");
    core_.micro(op, lane, x, y, alpha, pred);
    return core_.lanewise(LaneOp::MulAdd, lane, pred, x, core_.scalar_lanes(bits_of(lane), alpha, pred), y);
  }
  // The 64-bit product of 32-bit lanes.
  RegPair vmull(AnyLane lane, const Reg& a, const Reg& b, const Pred& pred) {
    core_.micro(a5::op("vmull"), lane, a, b, pred);
    return {core_.lanewise(LaneOp::Mul, lane, pred, a, b), core_.lanewise(LaneOp::MulHigh, lane, pred, a, b)};
  }
  // exp(x - m), both in f32.
  Reg vexpdif(const Reg& x, const Reg& m, const Pred& pred) {
    constexpr AnyLane kF32{DType::F32};
    core_.micro(a5::op("vexpdif"), kF32, x, m, pred);
    return exp_of_difference(kF32, x, m, pred);
  }
  // What the library computes by a sequence that no document shows: in one step, and right.
  Reg emu_lanes(LaneOp what, AnyLane lane, const char* name, const Reg& a, const Reg& b, const Pred& pred) {
    core_.micro(a5::op("emu.lanes"), lane, TextArg{name}, a, b, pred);
    return core_.lanewise(what, lane, pred, a, b);
  }
  Reg emu_lanes(LaneOp what, AnyLane lane, const char* name, const Reg& a, const Pred& pred) {
    core_.micro(a5::op("emu.lanes"), lane, TextArg{name}, a, pred);
    return core_.lanewise(what, lane, pred, a);
  }
  // Every NaN as the default one of its type.
  Reg emu_default_nan(AnyLane lane, const Reg& a, const Pred& pred) {
    core_.micro(a5::op("emu.lanes"), lane, TextArg{"default NaN"}, a, pred);
    return core_.convert(lane, lane, {}, pred, a);
  }
  // The same for 64-bit lanes that stand as low and high words.
  RegPair emu_words(LaneOp what, DType type, const char* name, const RegPair& a, const RegPair& b) {
    core_.micro(a5::op("emu.words"), type, TextArg{name}, a.lo, a.hi, b.lo, b.hi);
    Pred all = core_.predicate(first_lanes_of(8, VL));
    const Lane<std::uint32_t> word;
    RegPair x = core_.template move2<Move2::Interleave>(word, a.lo, a.hi), y = core_.template move2<Move2::Interleave>(word, b.lo, b.hi);
    Reg low = core_.lanewise(what, type, all, x.lo, y.lo), high = core_.lanewise(what, type, all, x.hi, y.hi);
    return core_.template move2<Move2::Deinterleave>(word, low, high);
  }

  // --- comparing ----------------------------------------------------------------------------------------------------

  Pred vcmp(AnyLane lane, CompareOp mode, const Reg& a, const Reg& b, const Pred& seed) {
    core_.micro(a5::op("vcmp"), lane, TextArg{this->mode_name(mode)}, a, b, seed);
    return core_.compare(mode, lane, seed, a, b);
  }
  Pred vcmps(AnyLane lane, CompareOp mode, const Reg& a, const LaneScalar& x, const Pred& seed) {
    core_.micro(a5::op("vcmps"), lane, TextArg{this->mode_name(mode)}, a, x, seed);
    return core_.compare(mode, lane, seed, a, core_.scalar_lanes(bits_of(lane), x, hidden_all(lane)));
  }
  // 64-bit lanes that stand as words: two predicates of 32 lanes each become one of 64 words.
  Pred emu_compare_words(CompareOp mode, DType type, const RegPair& a, const RegPair& b, const Pred& seed) {
    core_.micro(a5::op("emu.compare_words"), type, TextArg{this->mode_name(mode)}, a.lo, a.hi, b.lo, b.hi, seed);
    const Lane<std::uint32_t> word;
    PredPair on = core_.template move_predicates<PredMove2::Interleave32>(seed, seed);
    RegPair x = core_.template move2<Move2::Interleave>(word, a.lo, a.hi), y = core_.template move2<Move2::Interleave>(word, b.lo, b.hi);
    Pred low = core_.compare(mode, type, on.lo, x.lo, y.lo), high = core_.compare(mode, type, on.hi, x.hi, y.hi);
    return core_.template move_predicates<PredMove2::Deinterleave32>(low, high).lo;
  }

  // --- across lanes -------------------------------------------------------------------------------------------------

  template <class L>
  TS_INLINE Few vcadd(L lane, const Reg& a, const Pred& pred) {
    core_.micro(a5::op("vcadd"), lane, a, pred);
    return core_.template sums<ReduceScope::All>(static_cast<SumOrder>(options_.sum_order), lane, pred, a);
  }
  // Of sums; all lanes are on.
  template <class L>
  TS_INLINE Few vadd_few(L lane, const Few& a, const Few& b, const Pred& all) {
    core_.micro(a5::op("vadd"), lane, a, b, all);
    return core_.template lanewise<LaneOp::Add>(lane, all, a, b);
  }
  Reg vcmax(AnyLane lane, const Reg& a, const Pred& pred) { return across(a5::op("vcmax"), ReduceOp::Max, ReduceScope::All, lane, a, pred); }
  Reg vcmin(AnyLane lane, const Reg& a, const Pred& pred) { return across(a5::op("vcmin"), ReduceOp::Min, ReduceScope::All, lane, a, pred); }
  Reg vcgadd(AnyLane lane, const Reg& a, const Pred& pred) { return across(a5::op("vcgadd"), ReduceOp::Sum, ReduceScope::Groups, lane, a, pred); }
  Reg vcgmax(AnyLane lane, const Reg& a, const Pred& pred) { return across(a5::op("vcgmax"), ReduceOp::Max, ReduceScope::Groups, lane, a, pred); }
  Reg vcgmin(AnyLane lane, const Reg& a, const Pred& pred) { return across(a5::op("vcgmin"), ReduceOp::Min, ReduceScope::Groups, lane, a, pred); }
  Reg vcpadd(AnyLane lane, const Reg& a, const Pred& pred) { return across(a5::op("vcpadd"), ReduceOp::Sum, ReduceScope::Pairs, lane, a, pred); }

  // Of active bytes: 128 counts of 16 bits from value `first` on.
  Reg histv2(bool cumulative, std::uint32_t first, const Reg& bytes, const Pred& pred) {
    core_.micro(cumulative ? a5::op("chistv2") : a5::op("dhistv2"), DType::U8, bytes, pred, CountArg{"first", first});
    return core_.histogram(first, cumulative, bytes, pred);
  }
  // The scalar pipe writes `count` integers: first, and up or down.
  void scalar_count(AnyLane lane, Ub d, const LaneScalar& first, bool down, std::uint32_t count) {
    constexpr const MicroOp& op = a5::op("scalar loop");
    core_.micro(op, lane, place(lane, d, 0), first, TextArg{down ? "down" : "up"}, CountArg{"elements", count});
    Pred all = core_.predicate(first_lanes_of(lane.bytes(), VL));
    for (std::uint32_t done = 0; done < count; done += lane.lanes()) {
      Reg k = core_.counting(lane, down ? std::uint64_t{0} - done : done, down ? -1 : 1);
      Reg values = core_.lanewise(LaneOp::Add, lane, all, core_.scalar_lanes(bits_of(lane), first, all), k);
      core_.store_span(op, Space::Ub, address(lane, d, done), values, std::min(count - done, lane.lanes()) * lane.bytes());
    }
  }
  // For the instruction's data rules, not the hardware's: divisors of zero, and blocks that are not one element repeated.
  void watch_zeros(const TileRef& tile) { core_.watch_zeros(tile); }
  void watch_block(AnyLane lane, Ub base, std::uint32_t offset) { core_.watch_block(lane, address(lane, base, offset)); }

  // 64-bit lanes that stand as words; the result is the lowest of them.
  RegPair emu_reduce_words(ReduceOp what, DType type, const RegPair& a, const Pred& pred) {
    constexpr const char* kNames[] = {"sum", "max", "min", "product"};
    constexpr LaneOp kJoin[] = {LaneOp::Add, LaneOp::Max, LaneOp::Min, LaneOp::Mul};
    core_.micro(a5::op("emu.reduce_words"), type, TextArg{kNames[static_cast<int>(what)]}, a.lo, a.hi, pred);
    const Lane<std::uint32_t> word;
    RegPair x = core_.template move2<Move2::Interleave>(word, a.lo, a.hi);
    PredPair on = core_.template move_predicates<PredMove2::Interleave32>(pred, pred);
    Reg low = core_.reduce(what, ReduceScope::All, SumOrder::Sequential, type, on.lo, x.lo);
    Reg high = core_.reduce(what, ReduceScope::All, SumOrder::Sequential, type, on.hi, x.hi);
    Reg both = core_.lanewise(kJoin[static_cast<int>(what)], type, core_.predicate(first_lanes_of(8, 1)), low, high);
    return core_.template move2<Move2::Deinterleave>(word, both, both);
  }

  // --- other types --------------------------------------------------------------------------------------------------

  Reg vcvt(AnyLane to, AnyLane from, const Conversion& how, const Reg& a, const Pred& pred) {
    core_.micro(a5::op("vcvt"), from, a, pred, TextArg{name(to.dtype)}, TextArg{this->rounding_name(how.rounding)},
                TextArg{how.overflow == Overflow::Clamp ? "SAT" : "NOSAT"}, CountArg{"part", how.part});
    return core_.convert(to, from, how, pred, a);
  }

  // --- indices ------------------------------------------------------------------------------------------------------

  template <class Idx>
  TS_INLINE Reg vci(std::uint32_t first) {
    core_.micro(a5::op("vci"), ty<Idx>(), CountArg{"base", first});
    return core_.counting(ty<Idx>(), first);
  }
  // From first up, or down.
  Reg vci(AnyLane lane, const LaneScalar& first, bool down) {
    core_.micro(a5::op("vci"), lane, first, TextArg{down ? "DEC_ORDER" : "INC_ORDER"});
    Pred all = hidden_all(lane);
    Reg numbers = core_.counting(lane, 0, down ? -1 : 1);
    core_.hide(numbers);
    return core_.lanewise(LaneOp::Add, lane, all, numbers, core_.scalar_lanes(bits_of(lane), first, all));
  }
  template <class Idx>
  TS_INLINE Reg vmins(const Reg& a, std::uint32_t scalar, const Pred& pred) {
    return with_scalar<Idx, LaneOp::Min>(a5::op("vmins"), a, scalar, pred);
  }
  template <class Idx>
  TS_INLINE Reg vmuls(const Reg& a, std::uint32_t scalar, const Pred& pred) {
    return with_scalar<Idx, LaneOp::Mul>(a5::op("vmuls"), a, scalar, pred);
  }
  template <class Idx>
  TS_INLINE Reg vadds(const Reg& a, std::uint32_t scalar, const Pred& pred) {
    return with_scalar<Idx, LaneOp::Add>(a5::op("vadds"), a, scalar, pred);
  }
  template <class Idx>
  TS_INLINE Reg vshrs(const Reg& a, std::uint32_t bits, const Pred& pred) {
    return with_scalar<Idx, LaneOp::Shr>(a5::op("vshrs"), a, bits, pred);
  }
  // Indices count elements; a byte goes to the low half of its index's lane.
  template <class Idx>
  TS_INLINE Reg vgather2(const TileRef& tile, const Reg& idx, const Pred& pred) {
    constexpr const MicroOp& op = a5::op("vgather2");
    core_.micro(op, ty<T>(), place(ty<T>(), tile.ub(), 0), idx, pred);
    return core_.template gather<static_cast<int>(sizeof(T))>(bits_of(ty<T>()), ty<Idx>(), op, span_of(tile), idx, pred);
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

  // --- predicates ---------------------------------------------------------------------------------------------------

  template <class U = T>
  TS_INLINE Pred plt(std::uint32_t& n) { return plt(ty<U>(), n); }
  template <class L>
  TS_INLINE Pred plt(L lane, std::uint32_t& n) {
    core_.micro(a5::op("plt"), lane, CountArg{"n", n});
    VPred image = first_of(lane, n);
    n = n > lane.lanes() ? n - lane.lanes() : 0;
    return core_.predicate(image);
  }
  template <class U = T>
  TS_INLINE Pred pset_all() { return pset_all(ty<U>()); }
  template <class L>
  TS_INLINE Pred pset_all(L lane) {
    core_.micro(a5::op("pset"), lane);
    return core_.predicate(first_of(lane, lane.lanes()));
  }
  TS_INLINE Pred plds_us(Ub base, std::uint32_t byte_offset) {
    constexpr const MicroOp& op = a5::op("plds.US");
    core_.micro(op, DType::U8, place(Lane<std::uint8_t>(), base, byte_offset));
    return core_.template load_predicate<PredLoad::Unpacked>(Lane<std::uint8_t>(), op, Space::Ub, address(Lane<std::uint8_t>(), base, byte_offset), 16);
  }
  TS_INLINE Pred plds(Ub base, std::uint32_t byte_offset) {
    constexpr const MicroOp& op = a5::op("plds");
    core_.micro(op, DType::U8, place(Lane<std::uint8_t>(), base, byte_offset));
    return core_.template load_predicate<PredLoad::Norm>(Lane<std::uint8_t>(), op, Space::Ub, address(Lane<std::uint8_t>(), base, byte_offset), 32);
  }
  // Mask bits from where the documents say they are, when the library's own step would read others.
  TS_INLINE Pred emu_plds(Ub base, std::uint32_t byte_offset) {
    constexpr const MicroOp& op = a5::op("emu.plds");
    core_.micro(op, DType::U8, place(Lane<std::uint8_t>(), base, byte_offset));
    if (ty<T>().bytes() == 1) {
      return core_.template load_predicate<PredLoad::Norm>(Lane<std::uint8_t>(), op, Space::Ub, address(Lane<std::uint8_t>(), base, byte_offset), 1);
    } else {
      return core_.template load_predicate<PredLoad::Unpacked>(Lane<std::uint8_t>(), op, Space::Ub, address(Lane<std::uint8_t>(), base, byte_offset), 1);
    }
  }
  // All bits as they are (32 bytes), or every second one (16 bytes).
  void psts(const Pred& pred, Ub base, std::uint32_t byte_offset) {
    constexpr const MicroOp& op = a5::op("psts");
    core_.micro(op, DType::U8, pred, place(Lane<std::uint8_t>(), base, byte_offset));
    core_.store_predicate(PredStore::Norm, op, Space::Ub, base.address + byte_offset, 32, pred);
  }
  void psts_pk(const Pred& pred, Ub base, std::uint32_t byte_offset) {
    constexpr const MicroOp& op = a5::op("psts.PK");
    core_.micro(op, DType::U8, pred, place(Lane<std::uint8_t>(), base, byte_offset));
    core_.store_predicate(PredStore::Pack, op, Space::Ub, base.address + byte_offset, 16, pred);
  }
  TS_INLINE PredPair pintlv_b16(const Pred& a, const Pred& b) {
    core_.micro(a5::op("pintlv_b16"), DType::U16, a, b);
    return core_.template move_predicates<PredMove2::Interleave16>(a, b);
  }
  PredPair pdintlv_b8(const Pred& a, const Pred& b) {
    core_.micro(a5::op("pdintlv_b8"), DType::U8, a, b);
    return core_.template move_predicates<PredMove2::Deinterleave8>(a, b);
  }
  TS_INLINE Pred punpack_lower(const Pred& a) {
    core_.micro(a5::op("punpack"), DType::U16, a);
    return core_.template move_predicate<PredMove::UnpackLower>(a);
  }
  Pred pand(const Pred& a, const Pred& b, const Pred& mask) {
    core_.micro(a5::op("pand"), DType::U8, a, b, mask);
    return core_.combine_predicates(PredLogic::And, a, b, mask);
  }
  Pred por(const Pred& a, const Pred& b, const Pred& mask) {
    core_.micro(a5::op("por"), DType::U8, a, b, mask);
    return core_.combine_predicates(PredLogic::Or, a, b, mask);
  }
  Pred pnot(const Pred& a, const Pred& mask) {
    core_.micro(a5::op("pnot"), DType::U8, a, mask);
    return core_.combine_predicates(PredLogic::Not, a, a, mask);
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
    core_.micro(op, ty<T>(), AddressArg{space, to, 0, sizeof(T)}, AddressArg{Space::Gm, from.address, 0, sizeof(T)}, CountArg{"len", len},
                CountArg{"n", n}, CountArg{"sstride", from_stride}, CountArg{"dstride", to_stride});
    for (std::uint32_t row = 0; row < n; ++row) {
      const std::uint64_t source = from.address + row * from_stride;
      const std::uint32_t row_begin = to + row * to_stride, data_end = row_begin + len;
      core_.copy(op, space, row_begin, Space::Gm, source, len);
      core_.fill(op, space, data_end, sizeof(T), tail.padded / static_cast<std::uint32_t>(sizeof(T)), LaneScalar{tail.pad_bits, ty<T>(), 0});
      // The filler is the row's first element on the silicon that tells (unverified): shown, and promised to nobody.
      for (std::uint32_t at = tail.padded; at < tail.bytes; at += static_cast<std::uint32_t>(sizeof(T)))
        core_.copy(op, space, data_end + at, Space::Gm, source, sizeof(T));
      core_.unspecified(space, data_end + tail.padded, tail.bytes - tail.padded, "filler of the DMA up to the block's end");
    }
  }
  TS_INLINE void mte_ub_gm(Ub from, Gm to, std::uint32_t len, std::uint32_t n, std::uint32_t from_stride, std::uint64_t to_stride, bool adding) {
    constexpr const MicroOp& op = a5::op("mte_ub_gm");
    core_.micro(op, ty<T>(), AddressArg{Space::Gm, to.address, 0, sizeof(T)}, place(ty<T>(), from, 0), CountArg{"len", len},
                CountArg{"n", n}, CountArg{"sstride", from_stride}, CountArg{"dstride", to_stride});
    for (std::uint32_t row = 0; row < n; ++row)
      this->store_run(op, to.address + row * to_stride, Space::Ub, from.address + std::uint64_t{row} * from_stride, len, adding);
  }
  // Lines of a view into groups of blocks, as the cube unit wants them; see load_fractal.
  TS_INLINE void mte_gm_l1_frac(const char* order, Gm from, std::uint32_t to, std::uint32_t group_stride, std::uint64_t line_stride,
                                std::uint64_t element_step, std::uint32_t lines, std::uint32_t elements) {
    constexpr const MicroOp& op = a5::op("mte_gm_l1_frac");
    core_.micro(op, ty<T>(), AddressArg{Space::L1, to, 0, sizeof(T)}, AddressArg{Space::Gm, from.address, 0, sizeof(T)}, TextArg{order},
                CountArg{"n", lines}, CountArg{"d", elements});
    this->load_fractal(op, to, group_stride, from.address, line_stride, element_step, lines, elements);
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
  Reg exp_of_difference(AnyLane lane, const Reg& x, const Reg& m, const Pred& pred) {
    Reg difference = core_.lanewise(LaneOp::Sub, lane, pred, x, m);
    core_.hide(difference);
    return core_.lanewise(options_.exp_flush ? LaneOp::ExpFlush : LaneOp::Exp, lane, pred, difference);
  }
  Pred hidden_all(AnyLane lane) {
    Pred all = core_.predicate(first_lanes_of(lane.bytes(), VL));
    core_.hide(all);
    return all;
  }
  Reg two(const MicroOp& op, LaneOp what, AnyLane lane, const Reg& a, const Reg& b, const Pred& pred) {
    core_.micro(op, lane, a, b, pred);
    return core_.lanewise(what, lane, pred, a, b);
  }
  Reg one(const MicroOp& op, LaneOp what, AnyLane lane, const Reg& a, const Pred& pred) {
    core_.micro(op, lane, a, pred);
    return core_.lanewise(what, lane, pred, a);
  }
  Reg fused(const MicroOp& op, AnyLane lane, const Reg& a, const Reg& b, const Reg& c, const Pred& pred) {
    core_.micro(op, lane, a, b, c, pred);
    return core_.lanewise(LaneOp::MulAdd, lane, pred, a, b, c);
  }
  Reg scaled(const MicroOp& op, LaneOp what, AnyLane lane, const Reg& a, const LaneScalar& x, const Pred& pred) {
    core_.micro(op, lane, a, x, pred);
    return core_.lanewise(what, lane, pred, a, core_.scalar_lanes(bits_of(lane), x, pred));
  }
  TS_INLINE Reg across(const MicroOp& op, ReduceOp what, ReduceScope scope, AnyLane lane, const Reg& a, const Pred& pred) {
    core_.micro(op, lane, a, pred);
    return core_.reduce(what, scope, static_cast<SumOrder>(options_.sum_order), lane, pred, a);
  }
  LaneOp shift_left() const { return options_.shift_modulo ? LaneOp::ShlModulo : LaneOp::Shl; }
  LaneOp shift_right() const { return options_.shift_modulo ? LaneOp::ShrModulo : LaneOp::Shr; }

  template <class Idx, LaneOp what>
  TS_INLINE Reg with_scalar(const MicroOp& op, const Reg& a, std::uint32_t scalar, const Pred& pred) {
    core_.micro(op, ty<Idx>(), a, CountArg{"scalar", scalar}, pred);
    return core_.template lanewise<what>(ty<Idx>(), pred, a, core_.scalar_lanes(ty<Idx>(), LaneScalar{scalar, ty<Idx>(), 0}, pred));
  }
  template <class L>
  static TS_INLINE std::uint64_t address(L lane, Ub base, std::uint32_t offset) {
    return base.address + std::uint64_t{offset} * lane.bytes();
  }
  template <class L>
  static TS_INLINE AddressArg place(L lane, Ub base, std::uint32_t offset) {
    return {Space::Ub, base.address, offset, lane.bytes()};
  }
  template <class U>
  static TS_INLINE VPred first_of(Lane<U>, std::uint32_t count) { return first_lanes<U>(count); }
  static VPred first_of(AnyLane lane, std::uint32_t count) { return first_lanes_of(lane.bytes(), count); }
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
