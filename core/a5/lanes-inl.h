// The A5 machine's work on registers: lane by lane, across lanes, comparisons, other types and indices.
#if defined(TS_A5_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_A5_LANES_INL_H
#undef TS_A5_LANES_INL_H
#else
#define TS_A5_LANES_INL_H
#endif

#include "core/a5/micro_ops.h"
#include "core/engine/arithmetic-inl.h"
#include "core/engine/indexed_ops-inl.h"
#include "core/isa/options.h"
#include "core/tile/operands.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

template <class Core, class Element>
class A5Lanes : public IndexedOps<Core, Element> {
  using Base = IndexedOps<Core, Element>;

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

  TS_INLINE A5Lanes(Core& core, LaneOf<T> lane, const Options& options) : Base(core, lane, options) {}

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
  TS_INLINE Reg vdup(const LaneScalar& scalar, const Pred& pred) {
    return vdup(ty<U>(), scalar, pred);
  }
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
  Reg vsub(AnyLane lane, const Reg& a, const Reg& b, const Pred& pred) {
    return two(a5::op("vsub"), LaneOp::Sub, lane, a, b, pred);
  }
  Reg vmul(AnyLane lane, const Reg& a, const Reg& b, const Pred& pred) {
    return two(a5::op("vmul"), LaneOp::Mul, lane, a, b, pred);
  }
  Reg vdiv(AnyLane lane, const Reg& a, const Reg& b, const Pred& pred) {
    const bool zero = !is_float(lane) && options_.int_div_zero != 0;
    return two(a5::op("vdiv"), zero ? LaneOp::DivZero : LaneOp::Div, lane, a, b, pred);
  }
  Reg vmod(AnyLane lane, const Reg& a, const Reg& b, const Pred& pred) {
    return two(a5::op("vmod"), options_.int_div_zero ? LaneOp::FloorModZero : LaneOp::FloorMod, lane, a, b, pred);
  }
  Reg vmax(AnyLane lane, const Reg& a, const Reg& b, const Pred& pred) {
    return two(a5::op("vmax"), LaneOp::Max, lane, a, b, pred);
  }
  Reg vmin(AnyLane lane, const Reg& a, const Reg& b, const Pred& pred) {
    return two(a5::op("vmin"), LaneOp::Min, lane, a, b, pred);
  }
  Reg vadd(AnyLane lane, const Reg& a, const Reg& b, const Pred& pred) {
    return two(a5::op("vadd"), LaneOp::Add, lane, a, b, pred);
  }
  Reg vand(AnyLane lane, const Reg& a, const Reg& b, const Pred& pred) {
    return two(a5::op("vand"), LaneOp::And, lane, a, b, pred);
  }
  Reg vor(AnyLane lane, const Reg& a, const Reg& b, const Pred& pred) {
    return two(a5::op("vor"), LaneOp::Or, lane, a, b, pred);
  }
  Reg vxor(AnyLane lane, const Reg& a, const Reg& b, const Pred& pred) {
    return two(a5::op("vxor"), LaneOp::Xor, lane, a, b, pred);
  }
  Reg vshl(AnyLane lane, const Reg& a, const Reg& count, const Pred& pred) {
    return two(a5::op("vshl"), shift_left(), lane, a, count, pred);
  }
  Reg vshr(AnyLane lane, const Reg& a, const Reg& count, const Pred& pred) {
    return two(a5::op("vshr"), shift_right(), lane, a, count, pred);
  }
  Reg vprelu(AnyLane lane, const Reg& a, const Reg& slope, const Pred& pred) {
    return two(a5::op("vprelu"), LaneOp::Prelu, lane, a, slope, pred);
  }

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
  Reg vtrc(AnyLane lane, Rounding rounding, const Reg& a, const Pred& pred) {
    return one(a5::op("vtrc"), this->integral_op(rounding), lane, a, pred);
  }

  // With a scalar in every lane.
  Reg vadds(AnyLane lane, const Reg& a, const LaneScalar& x, const Pred& pred) {
    return scaled(a5::op("vadds"), LaneOp::Add, lane, a, x, pred);
  }
  Reg vmuls(AnyLane lane, const Reg& a, const LaneScalar& x, const Pred& pred) {
    return scaled(a5::op("vmuls"), LaneOp::Mul, lane, a, x, pred);
  }
  Reg vmaxs(AnyLane lane, const Reg& a, const LaneScalar& x, const Pred& pred) {
    return scaled(a5::op("vmaxs"), LaneOp::Max, lane, a, x, pred);
  }
  Reg vmins(AnyLane lane, const Reg& a, const LaneScalar& x, const Pred& pred) {
    return scaled(a5::op("vmins"), LaneOp::Min, lane, a, x, pred);
  }
  Reg vshls(AnyLane lane, const Reg& a, const LaneScalar& x, const Pred& pred) {
    return scaled(a5::op("vshls"), shift_left(), lane, a, x, pred);
  }
  Reg vshrs(AnyLane lane, const Reg& a, const LaneScalar& x, const Pred& pred) {
    return scaled(a5::op("vshrs"), shift_right(), lane, a, x, pred);
  }
  Reg vlrelu(AnyLane lane, const Reg& a, const LaneScalar& x, const Pred& pred) {
    return scaled(a5::op("vlrelu"), LaneOp::Prelu, lane, a, x, pred);
  }

  // dst * a + b, acc + a * b, x * alpha + y: rounded once.
  Reg vmadd(AnyLane lane, const Reg& dst, const Reg& a, const Reg& b, const Pred& pred) {
    return fused(a5::op("vmadd"), lane, a, dst, b, pred);
  }
  Reg vmula(AnyLane lane, const Reg& acc, const Reg& a, const Reg& b, const Pred& pred) {
    return fused(a5::op("vmula"), lane, a, b, acc, pred);
  }
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
    RegPair x = core_.template move2<Move2::Interleave>(word, a.lo, a.hi),
            y = core_.template move2<Move2::Interleave>(word, b.lo, b.hi);
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
    RegPair x = core_.template move2<Move2::Interleave>(word, a.lo, a.hi),
            y = core_.template move2<Move2::Interleave>(word, b.lo, b.hi);
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
  Reg vcmax(AnyLane lane, const Reg& a, const Pred& pred) {
    return across(a5::op("vcmax"), ReduceOp::Max, ReduceScope::All, lane, a, pred);
  }
  Reg vcmin(AnyLane lane, const Reg& a, const Pred& pred) {
    return across(a5::op("vcmin"), ReduceOp::Min, ReduceScope::All, lane, a, pred);
  }
  Reg vcgadd(AnyLane lane, const Reg& a, const Pred& pred) {
    return across(a5::op("vcgadd"), ReduceOp::Sum, ReduceScope::Groups, lane, a, pred);
  }
  Reg vcgmax(AnyLane lane, const Reg& a, const Pred& pred) {
    return across(a5::op("vcgmax"), ReduceOp::Max, ReduceScope::Groups, lane, a, pred);
  }
  Reg vcgmin(AnyLane lane, const Reg& a, const Pred& pred) {
    return across(a5::op("vcgmin"), ReduceOp::Min, ReduceScope::Groups, lane, a, pred);
  }
  Reg vcpadd(AnyLane lane, const Reg& a, const Pred& pred) {
    return across(a5::op("vcpadd"), ReduceOp::Sum, ReduceScope::Pairs, lane, a, pred);
  }

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
      core_.store_span(op, Space::Ub, address(lane, d, done), values,
                       std::min(count - done, lane.lanes()) * lane.bytes());
    }
  }
  // For the instruction's data rules, not the hardware's: divisors of zero, and blocks that are not one element repeated.
  void watch_zeros(const TileRef& tile) { core_.watch_zeros(tile); }
  void watch_factors(const TileRef& tile, bool zeros) { core_.watch_factors(tile, zeros); }
  void watch_block(AnyLane lane, Ub base, std::uint32_t offset) {
    core_.watch_block(lane, address(lane, base, offset));
  }

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
    core_.micro(a5::op("vcvt"), is_packed(from) ? AnyLane{DType::U8} : from, a, pred, TextArg{name(to.dtype)},
                TextArg{this->rounding_name(how.rounding)}, TextArg{how.overflow == Overflow::Clamp ? "SAT" : "NOSAT"},
                CountArg{"part", how.part});
    // i16 to u32 gives 0 for what is negative: two public sets of results agree, and no source names a mode for it.
    if (from.dtype == DType::I16 && to.dtype == DType::U32)
      return core_.convert(to, from, {.overflow = Overflow::Clamp, .part = how.part}, pred, a);
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

 protected:
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
  TS_INLINE Reg across(const MicroOp& op, ReduceOp what, ReduceScope scope, AnyLane lane, const Reg& a,
                       const Pred& pred) {
    core_.micro(op, lane, a, pred);
    return core_.reduce(what, scope, static_cast<SumOrder>(options_.sum_order), lane, pred, a);
  }
  LaneOp shift_left() const { return options_.shift_modulo ? LaneOp::ShlModulo : LaneOp::Shl; }
  LaneOp shift_right() const { return options_.shift_modulo ? LaneOp::ShrModulo : LaneOp::Shr; }

  template <class Idx, LaneOp what>
  TS_INLINE Reg with_scalar(const MicroOp& op, const Reg& a, std::uint32_t scalar, const Pred& pred) {
    core_.micro(op, ty<Idx>(), a, CountArg{"scalar", scalar}, pred);
    return core_.template lanewise<what>(ty<Idx>(), pred, a,
                                         core_.scalar_lanes(ty<Idx>(), LaneScalar{scalar, ty<Idx>(), 0}, pred));
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
  static TS_INLINE VPred first_of(Lane<U>, std::uint32_t count) {
    return first_lanes<U>(count);
  }
  static VPred first_of(AnyLane lane, std::uint32_t count) { return first_lanes_of(lane.bytes(), count); }
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
