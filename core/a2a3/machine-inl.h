// The A2A3 vector machine: memory to memory, in repeats of 256 bytes, under a vector mask. Its control registers are
// bytes of the spr space. Micro-operations as methods, each built of a core's primitives.
#if defined(TS_A2A3_MACHINE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_A2A3_MACHINE_INL_H
#undef TS_A2A3_MACHINE_INL_H
#else
#define TS_A2A3_MACHINE_INL_H
#endif

#include <algorithm>
#include <cmath>

#include "core/a2a3/micro_ops.h"
#include "core/engine/arithmetic-inl.h"
#include "core/engine/core_base-inl.h"
#include "core/engine/gather-inl.h"
#include "core/engine/shared_ops-inl.h"
#include "core/tile/operands.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

// Block and repeat strides of one operand, in blocks of 32 bytes.
struct Strides {
  std::uint32_t block = 1, repeat = 8;
};

template <class Core, class Element>
class A2A3Machine : public SharedOps<Core, Element> {
  using Base = SharedOps<Core, Element>;
  using Base::core_;
  using Base::options_;
  using Base::span_of;

 public:
  using T = Element;
  using Reg = typename Core::Reg;
  using Pred = typename Core::Pred;
  using Base::bytes;
  using Base::lanes;  // epr: elements of a repeat
  static constexpr std::uint32_t kLanes = Base::kLanes;
  template <class U = T>
  TS_INLINE LaneOf<U> ty() const {
    return Base::template ty<U>();
  }
  static constexpr std::uint32_t kMaxRepeat = 255;
  static constexpr std::uint32_t kMaxStride = 255;

  TS_INLINE A2A3Machine(Core& core, LaneOf<T> lane, const Options& options) : Base(core, lane, options) {}

  // --- control ------------------------------------------------------------------------------------------------------

  TS_INLINE void set_mask_norm() { set_control(a2a3::op("set_mask_norm"), a2a3::kMaskMode, 0); }
  TS_INLINE void set_mask_count() { set_control(a2a3::op("set_mask_count"), a2a3::kMaskMode, 1); }
  TS_INLINE void set_vector_mask(std::uint64_t high, std::uint64_t low) {
    constexpr const MicroOp& op = a2a3::op("set_vector_mask");
    core_.micro(op, DType::U64, CountArg{"hi", high}, CountArg{"lo", low});
    core_.store_scalar(op, Space::Spr, a2a3::kMask, 8, LaneScalar{low, DType::U64, 0});
    core_.store_scalar(op, Space::Spr, a2a3::kMask + 8, 8, LaneScalar{high, DType::U64, 0});
  }
  // The mask that enables the first n lanes of every repeat (norm mode).
  TS_INLINE void set_mask_first(std::uint32_t n) {
    set_vector_mask(n > 64 ? low_bits(n - 64) : 0, low_bits(n));
  }
  TS_INLINE void set_mask_all() { set_vector_mask(~0ull, ~0ull); }
  TS_INLINE void set_cmpmask(Ub from) {
    constexpr const MicroOp& op = a2a3::op("set_cmpmask");
    core_.micro(op, DType::U8, place(from));
    core_.copy(op, Space::Spr, a2a3::kCmpMask, Space::Ub, from.address, 16);
  }
  // Whether conversions clamp, or keep low bits: each of them is told by itself here, and shows what it was told.
  void set_ctrl_saturation(bool clamp) { core_.micro(a2a3::op("set_ctrl"), DType::U64, CountArg{"bit 59", clamp ? 0u : 1u}); }
  TS_INLINE void store_element(Ub to, const LaneScalar& scalar) {
    constexpr const MicroOp& op = a2a3::op("scalar store");
    core_.micro(op, ty<T>(), place(to), scalar);
    core_.store_scalar(op, Space::Ub, to.address, bytes(), scalar);
  }
  TS_INLINE void sync(Pipe from, Pipe to) {
    core_.micro(a2a3::op("set_flag/wait_flag"), ty<T>(), TextArg{name(from)}, TextArg{name(to)});
  }
  TS_INLINE void pipe_barrier() { core_.micro(a2a3::op("pipe_barrier"), ty<T>()); }

  // --- vector operations --------------------------------------------------------------------------------------------

  // Not inlined: the shapes call it at many places, and each call is many repeats of work.
  HWY_NOINLINE void vadd(Ub d, Ub a, Ub b, std::uint32_t repeats, Strides ds, Strides as, Strides bs) {
    constexpr const MicroOp& op = a2a3::op("vadd");
    core_.micro(op, ty<T>(), place(d), place(a), place(b), CountArg{"rep", repeats});
    decltype(auto) core = core_.local();
    const LaneRule rule = lane_rule(repeats);
    const std::uint32_t whole = ds.block == 1 && as.block == 1 && bs.block == 1 ? rule.whole : 0;
    add_repeats<true>(core, op, ty<T>(), rule, 0, whole, d, a, b, ds, as, bs);
    add_repeats<false>(core, op, ty<T>(), rule, whole, rule.repeats, d, a, b, ds, as, bs);
    core_.join(core);
  }

  // The others, which nobody needs to be dissolved in a loop: the operation is found at run time. A lane type of its own
  // says that the instruction's is not meant.
  void vsub(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) { two(a2a3::op("vsub"), LaneOp::Sub, l, d, a, b, n, ds, as, bs); }
  void vmul(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) { two(a2a3::op("vmul"), LaneOp::Mul, l, d, a, b, n, ds, as, bs); }
  void vdiv(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) { two(a2a3::op("vdiv"), LaneOp::Div, l, d, a, b, n, ds, as, bs); }
  void vmax(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) { two(a2a3::op("vmax"), LaneOp::Max, l, d, a, b, n, ds, as, bs); }
  void vmin(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) { two(a2a3::op("vmin"), LaneOp::Min, l, d, a, b, n, ds, as, bs); }
  void vadd(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) { two(a2a3::op("vadd"), LaneOp::Add, l, d, a, b, n, ds, as, bs); }
  void vand(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) { two(a2a3::op("vand"), LaneOp::And, l, d, a, b, n, ds, as, bs); }
  void vor(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) { two(a2a3::op("vor"), LaneOp::Or, l, d, a, b, n, ds, as, bs); }
  // max(a - b, 0).
  void vsubrelu(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
    constexpr const MicroOp& op = a2a3::op("vsubrelu");
    core_.micro(op, l, place(d), place(a), place(b), CountArg{"rep", n});
    repeats(l, n, [&](std::uint32_t r, const Pred& on) {
      Reg x = load_at(op, a, as, r, on), y = load_at(op, b, bs, r, on);
      store_at(op, l, d, ds, r, core_.lanewise(relu(), l, on, core_.lanewise(LaneOp::Sub, l, on, x, y)), on);
    });
  }
  // d + a * b, a * d + b, the second one with relu: two roundings, or one by option.
  void vmla(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
    accumulate(a2a3::op("vmla"), l, d, a, b, n, ds, as, bs, [&](const Pred& on, const Reg& x, const Reg& y, const Reg& old) { return mul_add(l, on, x, y, old); });
  }
  void vmadd(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
    accumulate(a2a3::op("vmadd"), l, d, a, b, n, ds, as, bs, [&](const Pred& on, const Reg& x, const Reg& y, const Reg& old) { return mul_add(l, on, x, old, y); });
  }
  void vmaddrelu(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
    accumulate(a2a3::op("vmaddrelu"), l, d, a, b, n, ds, as, bs, [&](const Pred& on, const Reg& x, const Reg& y, const Reg& old) {
      return core_.lanewise(relu(), l, on, mul_add(l, on, x, old, y));
    });
  }

  void vabs(AnyLane l, Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) { one(a2a3::op("vabs"), LaneOp::Abs, l, d, s, n, ds, ss); }
  void vexp(AnyLane l, Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) {
    one(a2a3::op("vexp"), options_.exp_flush ? LaneOp::ExpFlush : LaneOp::Exp, l, d, s, n, ds, ss);
  }
  void vln(AnyLane l, Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) { one(a2a3::op("vln"), LaneOp::Ln, l, d, s, n, ds, ss); }
  void vsqrt(AnyLane l, Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) { one(a2a3::op("vsqrt"), LaneOp::Sqrt, l, d, s, n, ds, ss); }
  void vrsqrt(AnyLane l, Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) { one(a2a3::op("vrsqrt"), LaneOp::Rsqrt, l, d, s, n, ds, ss); }
  void vrelu(AnyLane l, Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) { one(a2a3::op("vrelu"), relu(), l, d, s, n, ds, ss); }
  void vnot(AnyLane l, Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) { one(a2a3::op("vnot"), LaneOp::Not, l, d, s, n, ds, ss); }
  // To an integral value.
  void vconv_same(AnyLane l, Rounding rounding, Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) {
    one(a2a3::op("vconv.same"), this->integral_op(rounding), l, d, s, n, ds, ss);
  }
  // In counter mode vcopy does what no other instruction does: each repeat copies as many elements as MASK says, and the
  // instruction's own repeat counts. Pitches in blocks.
  void vcopy_rows(AnyLane l, Ub d, Ub s, std::uint32_t n, std::uint32_t d_pitch, std::uint32_t s_pitch) {
    constexpr const MicroOp& op = a2a3::op("vcopy");
    core_.micro(op, l, place(d), place(s), CountArg{"rep", n}, CountArg{"dr", d_pitch}, CountArg{"sr", s_pitch});
    for (std::uint32_t row = 0; row < n; ++row) {
      const Ub to{d.address + row * d_pitch * BLK}, from{s.address + row * s_pitch * BLK};
      repeats(l, 0, [&](std::uint32_t r, const Pred& on) { store_at(op, l, to, {}, r, load_at(op, from, {}, r, on), on); });
    }
  }
  void vcopy(AnyLane l, Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) {
    constexpr const MicroOp& op = a2a3::op("vcopy");
    core_.micro(op, l, place(d), place(s), CountArg{"rep", n});
    repeats(l, n, [&](std::uint32_t r, const Pred& on) { store_at(op, l, d, ds, r, load_at(op, s, ss, r, on), on); });
  }

  void vadds(AnyLane l, Ub d, Ub s, const LaneScalar& x, std::uint32_t n, Strides ds, Strides ss) { scaled(a2a3::op("vadds"), LaneOp::Add, l, d, s, x, n, ds, ss); }
  void vmuls(AnyLane l, Ub d, Ub s, const LaneScalar& x, std::uint32_t n, Strides ds, Strides ss) { scaled(a2a3::op("vmuls"), LaneOp::Mul, l, d, s, x, n, ds, ss); }
  void vmaxs(AnyLane l, Ub d, Ub s, const LaneScalar& x, std::uint32_t n, Strides ds, Strides ss) { scaled(a2a3::op("vmaxs"), LaneOp::Max, l, d, s, x, n, ds, ss); }
  void vmins(AnyLane l, Ub d, Ub s, const LaneScalar& x, std::uint32_t n, Strides ds, Strides ss) { scaled(a2a3::op("vmins"), LaneOp::Min, l, d, s, x, n, ds, ss); }
  void vlrelu(AnyLane l, Ub d, Ub s, const LaneScalar& x, std::uint32_t n, Strides ds, Strides ss) { scaled(a2a3::op("vlrelu"), LaneOp::Prelu, l, d, s, x, n, ds, ss); }
  void vshl(AnyLane l, Ub d, Ub s, const LaneScalar& x, std::uint32_t n, Strides ds, Strides ss) {
    scaled(a2a3::op("vshl"), options_.shift_modulo ? LaneOp::ShlModulo : LaneOp::Shl, l, d, s, x, n, ds, ss);
  }
  void vshr(AnyLane l, Ub d, Ub s, const LaneScalar& x, std::uint32_t n, Strides ds, Strides ss) {
    scaled(a2a3::op("vshr"), options_.shift_modulo ? LaneOp::ShrModulo : LaneOp::Shr, l, d, s, x, n, ds, ss);
  }
  // d + x * s.
  void vaxpy(AnyLane l, Ub d, Ub s, const LaneScalar& x, std::uint32_t n, Strides ds, Strides ss) {
    constexpr const MicroOp& op = a2a3::op("vaxpy");
    core_.micro(op, l, place(d), place(s), x, CountArg{"rep", n});
    repeats(l, n, [&](std::uint32_t r, const Pred& on) {
      Reg a = load_at(op, s, ss, r, on), old = load_at(op, d, ds, r, on);
      store_at(op, l, d, ds, r, mul_add(l, on, a, core_.broadcast(bits_of(l), x, all_of(l)), old), on);
    });
  }

  // a / x, or x / a, in one step: the library fills the destination with x first, which may hold a.
  void emu_divs(AnyLane l, Ub d, Ub s, const LaneScalar& x, std::uint32_t n, Strides ds, Strides ss) {
    scaled(a2a3::op("emu.vdivs"), LaneOp::Div, l, d, s, x, n, ds, ss);
  }
  // a first b, plus c, in counter mode; b may be a scalar.
  template <class B>
  void emu_chain(LaneOp first, Ub d, Ub a, const B& b, Ub c) {
    constexpr const MicroOp& op = a2a3::op("emu.chain");
    if constexpr (std::is_same_v<B, Ub>) {
      core_.micro(op, ty<T>(), place(d), place(a), place(b), place(c));
    } else {
      core_.micro(op, ty<T>(), place(d), place(a), b, place(c));
    }
    repeats(ty<T>(), 1, [&](std::uint32_t r, const Pred& on) {
      Reg x = load_at(op, a, {}, r, on), z = load_at(op, c, {}, r, on);
      Reg y;
      if constexpr (std::is_same_v<B, Ub>) {
        y = load_at(op, b, {}, r, on);
      } else {
        y = core_.broadcast(bits_of(ty<T>()), b, on);
      }
      store_at(op, ty<T>(), d, {}, r, core_.lanewise(LaneOp::Add, ty<T>(), on, core_.lanewise(first, ty<T>(), on, x, y), z), on);
    });
  }

  // d + x * s in the wider lanes of d.
  void vaxpy_mixed(AnyLane wide, AnyLane narrow, Ub d, Ub s, const LaneScalar& x) {
    constexpr const MicroOp& op = a2a3::op("vaxpy");
    core_.micro(op, wide, place(d), place(s), x);
    const Conversion widened{};
    repeats(wide, 1, [&](std::uint32_t r, const Pred& on) {
      Reg a = core_.convert(wide, narrow, widened, on, load_narrow(op, narrow, wide, s.address + r * (wide.lanes() * narrow.bytes()), on));
      Reg factor = core_.convert(wide, narrow, widened, on, core_.broadcast(bits_of(narrow), x, all_of(narrow)));
      store_at(op, wide, d, {}, r, mul_add(wide, on, a, factor, load_at(op, d, {}, r, on)), on);
    });
  }

  // --- comparing ----------------------------------------------------------------------------------------------------

  // One bit a lane, packed without gaps, repeat after repeat; all lanes, whatever the mask says.
  void vcmpv(AnyLane l, CompareOp mode, Ub d, Ub a, Ub b, std::uint32_t n, Strides as, Strides bs) {
    constexpr const MicroOp& op = a2a3::op("vcmpv");
    core_.micro(op, l, TextArg{this->mode_name(mode)}, place(d), place(a), place(b), CountArg{"rep", n});
    Pred all = all_of(l);
    for (std::uint32_t r = 0; r < n; ++r) {
      core_.repeat();
      Reg x = load_at(op, a, as, r, all), y = load_at(op, b, bs, r, all);
      store_bits(op, l, d, r, core_.compare(mode, l, all, x, y));
    }
  }
  void vcmpvs(AnyLane l, CompareOp mode, Ub d, Ub s, const LaneScalar& x, std::uint32_t n, Strides ss) {
    constexpr const MicroOp& op = a2a3::op("vcmpvs");
    core_.micro(op, l, TextArg{this->mode_name(mode)}, place(d), place(s), x, CountArg{"rep", n});
    Pred all = all_of(l);
    Reg scalar = core_.broadcast(bits_of(l), x, all);
    compare_repeats(op, l, mode, d, s, scalar, n, ss, all);
  }
  // The scalar is an element that the scalar pipe read.
  void vcmpvs(AnyLane l, CompareOp mode, Ub d, Ub s, Ub scalar, std::uint32_t n, Strides ss) {
    constexpr const MicroOp& op = a2a3::op("vcmpvs");
    core_.micro(op, l, TextArg{this->mode_name(mode)}, place(d), place(s), place(scalar), CountArg{"rep", n});
    Pred all = all_of(l);
    Reg x = core_.template load<LoadKind::Broadcast>(l, op, Space::Ub, scalar.address, l.bytes(), l.bytes());
    compare_repeats(op, l, mode, d, s, x, n, ss, all);
  }
  // One repeat's answers to CMPMASK.
  void vcmp(AnyLane l, CompareOp mode, Ub a, Ub b) {
    constexpr const MicroOp& op = a2a3::op("vcmp");
    core_.micro(op, l, TextArg{this->mode_name(mode)}, place(a), place(b));
    Pred on = core_.predicate(rule_of(l, 1).lanes(l, 0));
    Pred answers = core_.compare(mode, l, on, load_at(op, a, {}, 0, on), load_at(op, b, {}, 0, on));
    core_.store_predicate(l.bytes() == 2 ? PredStore::Pack : PredStore::Pack4, op, Space::Spr, a2a3::kCmpMask, l.lanes() / 8, answers);
  }
  // a where CMPMASK has a 1, else b.
  void vsel_mask(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
    constexpr const MicroOp& op = a2a3::op("vsel.mode0");
    core_.micro(op, l, place(d), place(a), place(b), CountArg{"rep", n});
    Pred bits = core_.template load_predicate<PredLoad::LaneBits>(l, op, Space::Spr, a2a3::kCmpMask, 1);
    repeats(l, n, [&](std::uint32_t r, const Pred& on) {
      Reg x = load_at(op, a, as, r, on), y = load_at(op, b, bs, r, on);
      store_at(op, l, d, ds, r, core_.select(bits_of(l), bits, x, y), on);
    });
  }

  // --- across lanes -------------------------------------------------------------------------------------------------

  // One element a repeat, `step` elements apart.
  void vcadd(Ub d, Ub s, std::uint32_t n, std::uint32_t step, Strides ss) {
    constexpr const MicroOp& op = a2a3::op("vcadd");
    core_.micro(op, ty<T>(), place(d), place(s), CountArg{"rep", n}, CountArg{"dr", step});
    sums<ReduceScope::All>(op, ty<T>(), d, s, n, step * bytes(), ss);
  }
  void vcmax(AnyLane l, Ub d, Ub s, std::uint32_t n, std::uint32_t step, Strides ss) { across(a2a3::op("vcmax"), ReduceOp::Max, l, d, s, n, step, ss, 0, l.bytes()); }
  void vcmin(AnyLane l, Ub d, Ub s, std::uint32_t n, std::uint32_t step, Strides ss) { across(a2a3::op("vcmin"), ReduceOp::Min, l, d, s, n, step, ss, 0, l.bytes()); }
  // Pairs of value and lane; or 32-bit lane numbers alone.
  void vcext_pairs(ReduceOp what, AnyLane l, Ub d, Ub s, std::uint32_t n, std::uint32_t step, Strides ss) {
    across(what == ReduceOp::Max ? a2a3::op("vcmax.VALUE_INDEX") : a2a3::op("vcmin.VALUE_INDEX"), what, l, d, s, n, 2 * step, ss, 0, 2 * l.bytes());
  }
  void vcext_index(ReduceOp what, AnyLane l, Ub d, Ub s, std::uint32_t n, std::uint32_t step, Strides ss) {
    across(what == ReduceOp::Max ? a2a3::op("vcmax.ONLY_INDEX") : a2a3::op("vcmin.ONLY_INDEX"), what, l, d, s, n, step * 4 / l.bytes(), ss, l.bytes(), 4);
  }
  // Eight results a repeat, one for each block; half as many as lanes, one for each pair.
  template <class L>
  void vcgadd(L l, Ub d, Ub s, std::uint32_t n, std::uint32_t step, Strides ss) {
    constexpr const MicroOp& op = a2a3::op("vcgadd");
    core_.micro(op, l, place(d), place(s), CountArg{"rep", n});
    sums<ReduceScope::Groups>(op, l, d, s, n, step * 8 * l.bytes(), ss);
  }
  void vcgroup(ReduceOp what, AnyLane l, Ub d, Ub s, std::uint32_t n, std::uint32_t step, Strides ss) {
    if (what == ReduceOp::Sum) return vcgadd(l, d, s, n, step, ss);
    few(what == ReduceOp::Max ? a2a3::op("vcgmax") : a2a3::op("vcgmin"), what, ReduceScope::Groups, l, d, s, n, step * 8 * l.bytes(), ss);
  }
  void vcpadd(AnyLane l, Ub d, Ub s, std::uint32_t n, std::uint32_t step_bytes, Strides ss) {
    few(a2a3::op("vcpadd"), ReduceOp::Sum, ReduceScope::Pairs, l, d, s, n, step_bytes, ss);
  }

  // Of `count` elements that stand close together the even ones (pattern 1) or the odd ones (2). May be done in place.
  void vreducev2(AnyLane l, Ub d, Ub s, std::uint32_t pattern, std::uint32_t count) {
    constexpr const MicroOp& op = a2a3::op("vreducev2");
    core_.micro(op, l, place(d), place(s), CountArg{"pattern", pattern}, CountArg{"n", count});
    pieces(l, count, [&](std::uint32_t at, std::uint32_t size, const Pred&) {
      Reg x = core_.template load<LoadKind::Some>(l, op, Space::Ub, s.address + at, size, l.bytes(), size);
      auto parts = core_.template move2<Move2::Deinterleave>(bits_of(l), x, x);
      const std::uint32_t elements = (size / l.bytes() + 2 - pattern) / 2;
      core_.store_span(op, Space::Ub, d.address + at / 2, pattern == 1 ? parts.lo : parts.hi, elements * l.bytes());
    });
  }

  // --- other types --------------------------------------------------------------------------------------------------

  // Lanes are counted by the wider type; the narrower side takes as many elements, close together.
  void vconv(AnyLane to, AnyLane from, const Conversion& how, Ub d, Ub s, std::uint32_t n, std::uint32_t d_repeat, std::uint32_t s_repeat) {
    constexpr const MicroOp& op = a2a3::op("vconv");
    core_.micro(op, from, TextArg{name(to.dtype)}, TextArg{this->rounding_name(how.rounding)}, place(d), place(s), CountArg{"rep", n});
    const AnyLane wide = to.bytes() > from.bytes() ? to : from;
    repeats(wide, n, [&](std::uint32_t r, const Pred& on) {
      Reg x = load_narrow(op, from, wide, s.address + r * s_repeat * BLK, on);
      store_narrow(op, to, wide, d.address + r * d_repeat * BLK, core_.convert(to, from, how, on, x), on);
    });
  }
  // convert(max(a + b, 0)), or of a - b.
  void vaddreluconv(bool subtract, AnyLane to, AnyLane from, Ub d, Ub a, Ub b, std::uint32_t n) {
    const MicroOp& op = subtract ? a2a3::op("vsubreluconv") : a2a3::op("vaddreluconv");
    core_.micro(op, from, TextArg{name(to.dtype)}, place(d), place(a), place(b), CountArg{"rep", n});
    repeats(from, n, [&](std::uint32_t r, const Pred& on) {
      Reg x = load_at(op, a, {}, r, on), y = load_at(op, b, {}, r, on);
      store_narrow(op, to, from, d.address + r * 4 * BLK, relu_converted(subtract, to, from, x, y, on), on);
    });
  }

  // --- spreading ----------------------------------------------------------------------------------------------------

  // Eight elements a repeat, each to all of a block.
  void vbrcb(AnyLane l, Ub d, Ub s, std::uint32_t block_step, std::uint32_t repeat_step, std::uint32_t n) {
    constexpr const MicroOp& op = a2a3::op("vbrcb");
    core_.micro(op, l, place(d), place(s), CountArg{"rep", n});
    for (std::uint32_t r = 0; r < n; ++r) {
      core_.repeat();
      Reg element[8];
      for (std::uint32_t k = 0; k < 8; ++k)
        element[k] = core_.template load<LoadKind::Broadcast>(l, op, Space::Ub, s.address + (8 * r + k) * l.bytes(), l.bytes(), l.bytes());
      for (std::uint32_t k = 0; k < 8; ++k) core_.store_span(op, Space::Ub, d.address + BLK * (r * repeat_step + k * block_step), element[k], BLK);
    }
  }

  // d = a op x, or x op a, for one element x; as many lanes as the mask's count says.
  void emu_with_element(LaneOp what, AnyLane l, Ub d, Ub a, Ub x, bool reversed) {
    constexpr const MicroOp& op = a2a3::op("emu.with_element");
    core_.micro(op, l, place(d), place(a), place(x));
    Reg element = core_.template load<LoadKind::Broadcast>(l, op, Space::Ub, x.address, l.bytes(), l.bytes());
    repeats(l, 1, [&](std::uint32_t r, const Pred& on) {
      Reg v = load_at(op, a, {}, r, on);
      store_at(op, l, d, {}, r, reversed ? core_.lanewise(what, l, on, element, v) : core_.lanewise(what, l, on, v, element), on);
    });
  }
  // For the instruction's data rules, not the hardware's: blocks that are not one element repeated.
  void watch_block(AnyLane l, Ub at) { core_.watch_block(l, at.address); }

  // --- the scalar pipe ----------------------------------------------------------------------------------------------

  // One element, in every lane of what the next operation takes for a scalar.
  Reg scalar_load(AnyLane l, Ub from) {
    constexpr const MicroOp& op = a2a3::op("scalar load");
    core_.micro(op, l, place(from));
    return core_.template load<LoadKind::Broadcast>(l, op, Space::Ub, from.address, l.bytes(), l.bytes());
  }
  // `count` elements: first, and up or down. Floats count in f32.
  void scalar_count(AnyLane l, Ub d, const LaneScalar& first, bool down, std::uint32_t count) {
    constexpr const MicroOp& op = a2a3::op("scalar count");
    core_.micro(op, l, place(d), first, TextArg{down ? "down" : "up"}, CountArg{"elements", count});
    constexpr AnyLane kCount{DType::I32}, kFloat{DType::F32};
    const bool nan = is_float(l) && std::isnan(to_double(l, first.bits)), in_float = is_float(l) && !nan;
    const AnyLane in = in_float ? kFloat : l;
    const bool narrow = in.bytes() > l.bytes();
    Reg start = core_.broadcast(bits_of(l), first, all_of(l));
    if (narrow) start = core_.convert(in, l, {}, all_of(l), start);
    for (std::uint32_t done = 0; done < count; done += in.lanes()) {
      Reg k = nan ? core_.zero() : core_.counting(in_float ? kCount : l, done);
      if (in_float) k = core_.convert(in, kCount, {}, all_of(kCount), k);
      Reg values = core_.lanewise(down ? LaneOp::Sub : LaneOp::Add, in, all_of(in), start, k);
      if (narrow) {
        values = core_.convert(l, in, {}, all_of(in), values);
        values = core_.template move<Move::PackHalf>(Lane<std::uint32_t>(), 0, values, values);
      }
      core_.store_span(op, Space::Ub, d.address + done * l.bytes(), values, std::min(count - done, in.lanes()) * l.bytes());
    }
  }

  // d[i] = a[i] op b[i] for elements that stand close together, one by one.
  void scalar_op(const char* what, LaneOp op, AnyLane l, Ub d, Ub a, Ub b, std::uint32_t count) {
    constexpr const MicroOp& row = a2a3::op("scalar arithmetic");
    core_.micro(row, l, TextArg{what}, place(d), place(a), place(b), CountArg{"elements", count});
    pieces(l, count, [&](std::uint32_t at, std::uint32_t size, const Pred& on) {
      Reg x = core_.template load<LoadKind::Some>(l, row, Space::Ub, a.address + at, size, l.bytes(), size);
      Reg y = core_.template load<LoadKind::Some>(l, row, Space::Ub, b.address + at, size, l.bytes(), size);
      core_.store_span(row, Space::Ub, d.address + at, core_.lanewise(op, l, on, x, y), size);
    });
  }
  void watch_zeros(const TileRef& tile) { core_.watch_zeros(tile); }
  // The same with a scalar: a op x, or x op a.
  void scalar_op(const char* what, LaneOp op, AnyLane l, Ub d, Ub a, const LaneScalar& x, bool reversed, std::uint32_t count) {
    constexpr const MicroOp& row = a2a3::op("scalar arithmetic");
    core_.micro(row, l, TextArg{what}, place(d), place(a), x, CountArg{"elements", count});
    pieces(l, count, [&](std::uint32_t at, std::uint32_t size, const Pred& on) {
      Reg y = core_.template load<LoadKind::Some>(l, row, Space::Ub, a.address + at, size, l.bytes(), size);
      Reg scalar = core_.broadcast(bits_of(l), x, on);
      core_.store_span(row, Space::Ub, d.address + at, reversed ? core_.lanewise(op, l, on, scalar, y) : core_.lanewise(op, l, on, y, scalar), size);
    });
  }

  // *d = s[0] op s[1] op ..., of at most a repeat.
  void scalar_fold(ReduceOp what, AnyLane l, Ub d, Ub s, std::uint32_t count) {
    constexpr const MicroOp& op = a2a3::op("scalar fold");
    constexpr const char* kNames[] = {"+", "max", "min", "*"};
    core_.micro(op, l, TextArg{kNames[static_cast<int>(what)]}, place(d), place(s), CountArg{"elements", count});
    const std::uint32_t size = count * l.bytes();
    Reg x = core_.template load<LoadKind::Some>(l, op, Space::Ub, s.address, size, l.bytes(), size);
    Pred on = core_.predicate(first_lanes_of(l.bytes(), count));
    core_.store_span(op, Space::Ub, d.address, core_.reduce(what, ReduceScope::All, SumOrder::Sequential, l, on, x), l.bytes());
  }
  // *d = *which * step + list[*which], with as many bytes as `to` has. Without a list: *d = *which * step.
  void scalar_index(AnyLane to, AnyLane l, Ub d, Ub which, Ub list, std::uint32_t count, std::uint32_t step) {
    constexpr const MicroOp& op = a2a3::op("scalar index");
    constexpr AnyLane kWord{DType::U32};
    core_.micro(op, l, place(d), place(which), place(list), CountArg{"elements", count}, CountArg{"step", step});
    const AnyLane bits = bits_of(l);
    Pred all = all_of(l), word = core_.predicate(first_lanes_of(4, 1));
    Reg i = core_.template load<LoadKind::Some>(l, op, Space::Ub, which.address, l.bytes(), l.bytes(), l.bytes());
    Reg spread = core_.template move<Move::Lowest>(bits, 0, i, i), one = core_.counting(bits, 1, 0);
    Reg index = core_.lanewise(LaneOp::Mul, kWord, word, i, core_.counting(kWord, step, 0));
    // The element with that number, found without an address that depends on data: all bits where the numbers agree.
    pieces(l, count, [&](std::uint32_t at, std::uint32_t size, const Pred& on) {
      Reg x = core_.template load<LoadKind::Some>(l, op, Space::Ub, list.address + at, size, l.bytes(), size);
      Reg differs = core_.lanewise(LaneOp::Xor, bits, all, spread, core_.counting(bits, at / l.bytes()));
      Reg mask = core_.lanewise(LaneOp::Sub, bits, all, core_.lanewise(LaneOp::Min, bits, all, differs, one), one);
      Reg found = core_.reduce(ReduceOp::Sum, ReduceScope::All, SumOrder::Sequential, bits, on, core_.lanewise(LaneOp::And, bits, all, x, mask));
      index = core_.lanewise(LaneOp::Add, kWord, word, index, found);
    });
    core_.store_span(op, Space::Ub, d.address, index, to.bytes());
  }

  // d[i] = f(core, lanes that are on, a register of each source) for elements that stand close together: the scalar pipe
  // does what takes it several operations, one element after another. Or the emulator, where the library's steps cannot be taken.
  template <std::size_t n, class F>
  void scalar_lanes(const char* what, AnyLane l, Ub d, const Ub (&from)[n], std::uint32_t count, F f) {
    lanes_by(a2a3::op("scalar arithmetic"), what, l, d, from, count, f);
  }
  template <std::size_t n, class F>
  void emu_lanes(const char* what, AnyLane l, Ub d, const Ub (&from)[n], std::uint32_t count, F f) {
    lanes_by(a2a3::op("emu.lanes"), what, l, d, from, count, f);
  }

  // Mask bits are streamed from `bits`, repeat after repeat; false lanes take the low element of CMPMASK.
  TS_INLINE void vsel_scalar(Ub d, Ub a, Ub bits, std::uint32_t repeats, Strides ds, Strides as) {
    constexpr const MicroOp& op = a2a3::op("vsel.mode1");
    core_.micro(op, ty<T>(), place(d), place(a), place(bits), CountArg{"rep", repeats});
    const LaneRule rule = lane_rule(repeats);
    Reg scalar = core_.template load<LoadKind::Broadcast>(ty<T>(), op, Space::Spr, a2a3::kCmpMask, bytes(), 1);
    const std::uint32_t whole = ds.block == 1 && as.block == 1 ? rule.whole : 0;
    select_repeats<true>(op, rule, 0, whole, scalar, d, a, bits, ds, as);
    select_repeats<false>(op, rule, whole, rule.repeats, scalar, d, a, bits, ds, as);
  }

  // Mask bits are streamed from the address that CMPMASK holds.
  TS_INLINE void vsel_tensor(Ub d, Ub a, Ub b, std::uint32_t repeats, Strides ds, Strides as, Strides bs) {
    constexpr const MicroOp& op = a2a3::op("vsel.mode2");
    core_.micro(op, ty<T>(), place(d), place(a), place(b), CountArg{"rep", repeats});
    const LaneRule rule = lane_rule(repeats);
    const auto bits = static_cast<std::uint32_t>(core_.peek(Space::Spr, a2a3::kCmpMask));
    for (std::uint32_t r = 0; r < rule.repeats; ++r) {
      core_.repeat();
      Pred on = core_.predicate(rule.template lanes<false>(ty<T>(), r));
      Pred mask = core_.template load_predicate<PredLoad::LaneBits>(ty<T>(), op, Space::Ub, bits + std::uint64_t{r} * (lanes() / 8), 1);
      Reg x = load_repeat<false>(core_, op, ty<T>(), at_repeat(a, as, r), as, on);
      Reg y = load_repeat<false>(core_, op, ty<T>(), at_repeat(b, bs, r), bs, on);
      Reg chosen = core_.select(bits_of(ty<T>()), mask, x, y);
      store_repeat<false>(core_, op, ty<T>(), at_repeat(d, ds, r), ds, chosen, on);
    }
  }

  // U: the element type of the instruction, which needs not be the lowering's.
  template <class U = T>
  TS_INLINE void vector_dup(Ub d, const LaneScalar& scalar, std::uint32_t repeats, Strides ds) {
    constexpr const MicroOp& op = a2a3::op("vector_dup");
    core_.micro(op, ty<U>(), AddressArg{Space::Ub, d.address, 0, ty<U>().bytes()}, scalar, CountArg{"rep", repeats});
    const LaneRule rule = rule_of(ty<U>(), repeats);
    Reg value = core_.broadcast(bits_of(ty<U>()), scalar, core_.predicate(first_of(ty<U>(), ty<U>().lanes())));
    const std::uint32_t whole = ds.block == 1 ? rule.whole : 0;
    for (std::uint32_t r = 0; r < whole; ++r) {
      core_.repeat();
      store_repeat<true>(core_, op, ty<U>(), at_repeat(d, ds, r), ds, value, core_.predicate(rule.template lanes<true>(ty<U>(), r)));
    }
    for (std::uint32_t r = whole; r < rule.repeats; ++r) {
      core_.repeat();
      store_repeat<false>(core_, op, ty<U>(), at_repeat(d, ds, r), ds, value, core_.predicate(rule.template lanes<false>(ty<U>(), r)));
    }
  }
  void vector_dup(AnyLane l, Ub d, const LaneScalar& scalar, std::uint32_t n, Strides ds) {
    constexpr const MicroOp& op = a2a3::op("vector_dup");
    core_.micro(op, l, AddressArg{Space::Ub, d.address, 0, l.bytes()}, scalar, CountArg{"rep", n});
    Reg value = core_.broadcast(bits_of(l), scalar, all_of(l));
    repeats(l, n, [&](std::uint32_t r, const Pred& on) { store_at(op, l, d, ds, r, value, on); });
  }

  void vector_dup(AnyLane l, Ub d, const Reg& scalar, std::uint32_t n, Strides ds) {
    constexpr const MicroOp& op = a2a3::op("vector_dup");
    core_.micro(op, l, AddressArg{Space::Ub, d.address, 0, l.bytes()}, scalar, CountArg{"rep", n});
    repeats(l, n, [&](std::uint32_t r, const Pred& on) { store_at(op, l, d, ds, r, scalar, on); });
  }

  // --- blocks -------------------------------------------------------------------------------------------------------

  // VA registers come in pairs that hold 16 addresses. Everybody sets them before use, so they are not kept between
  // instructions.
  TS_INLINE void set_va(const char* pair, const BlockList& blocks) {
    constexpr const MicroOp& op = a2a3::op("set_va_reg");
    core_.micro(op, ty<T>(), TextArg{pair}, place({blocks[0]}), place({blocks[1]}), place({blocks[2]}), place({blocks[3]}), place({blocks[4]}),
                place({blocks[5]}), place({blocks[6]}), place({blocks[7]}), place({blocks[8]}), place({blocks[9]}), place({blocks[10]}),
                place({blocks[11]}), place({blocks[12]}), place({blocks[13]}), place({blocks[14]}), place({blocks[15]}));
  }
  // Steps in blocks.
  TS_INLINE void vnchwconv(const BlockList& d, const BlockList& a, std::uint32_t repeats, std::uint32_t d_step, std::uint32_t a_step) {
    constexpr const MicroOp& op = a2a3::op("vnchwconv");
    core_.micro(op, ty<T>(), place({d[0]}), place({a[0]}), CountArg{"rep", repeats}, CountArg{"ds", d_step}, CountArg{"ss", a_step});
    core_.template turn_blocks<sizeof(T) == 2 ? TurnKind::Halves : TurnKind::Words>(op, d, a, repeats, d_step * BLK, a_step * BLK);
  }
  // Bytes: one half of each block.
  TS_INLINE void vnchwconv_b8(const BlockList& d, const BlockList& a, std::uint32_t repeats, std::uint32_t d_step, std::uint32_t a_step,
                              bool d_high, bool a_high) {
    constexpr const MicroOp& op = a2a3::op("vnchwconv");
    core_.micro(op, DType::U8, place({d[0]}), place({a[0]}), CountArg{"rep", repeats}, CountArg{"ds", d_step}, CountArg{"ss", a_step},
                CountArg{"dst half", d_high}, CountArg{"src half", a_high});
    core_.template turn_blocks<TurnKind::Bytes>(op, half_of(d, d_high), half_of(a, a_high), repeats, d_step * BLK, a_step * BLK);
  }
  // n runs of len blocks; gaps in blocks from one run's end to the next one's start.
  TS_INLINE void copy_ubuf_to_ubuf(Ub to, Ub from, std::uint32_t n, std::uint32_t len, std::uint32_t from_gap, std::uint32_t to_gap) {
    constexpr const MicroOp& op = a2a3::op("copy_ubuf_to_ubuf");
    core_.micro(op, ty<T>(), place(to), place(from), CountArg{"n", n}, CountArg{"len", len}, CountArg{"sgap", from_gap}, CountArg{"dgap", to_gap});
    for (std::uint32_t k = 0; k < n; ++k)
      core_.copy(op, Space::Ub, to.address + std::uint64_t{k} * (len + to_gap) * BLK, Space::Ub, from.address + std::uint64_t{k} * (len + from_gap) * BLK, len * BLK);
  }
  // Repeat r takes eight offsets at offsets + 32 r and writes eight blocks at d + 32 step r.
  TS_INLINE void vgatherb(Ub d, Ub offsets, const TileRef& src, std::uint32_t step, std::uint32_t repeats) {
    constexpr const MicroOp& op = a2a3::op("vgatherb");
    core_.micro(op, ty<T>(), place(d), place_offsets(offsets), place(src.ub()), CountArg{"ds", step}, CountArg{"rep", repeats});
    for (std::uint32_t r = 0; r < repeats; ++r) gather_repeat(op, {d.address + r * step * BLK}, {offsets.address + r * BLK}, src, kLanes);
  }
  // One repeat that stores its first `elements` only.
  TS_INLINE void emu_vgatherb(Ub d, Ub offsets, const TileRef& src, std::uint32_t elements) {
    constexpr const MicroOp& op = a2a3::op("emu.vgatherb");
    core_.micro(op, ty<T>(), place(d), place_offsets(offsets), place(src.ub()), CountArg{"elements", elements});
    gather_repeat(op, d, offsets, src, elements);
  }

  // --- elements -----------------------------------------------------------------------------------------------------

  // Counter mode: as many elements as MASK says, each from src + its byte offset.
  TS_INLINE void vgather(Ub d, Ub offsets, const TileRef& src) {
    constexpr const MicroOp& op = a2a3::op("vgather");
    core_.micro(op, ty<T>(), place(d), place_offsets(offsets), place(src.ub()));
    gather_elements(op, d, offsets, src, static_cast<std::uint32_t>(core_.peek(Space::Spr, a2a3::kMask)));
  }
  TS_INLINE void scalar_gather(Ub d, Ub offsets, const TileRef& src, std::uint32_t elements) {
    constexpr const MicroOp& op = a2a3::op("scalar gather");
    core_.micro(op, ty<T>(), place(d), place_offsets(offsets), place(src.ub()), CountArg{"elements", elements});
    gather_elements(op, d, offsets, src, elements);
  }
  // Evenly spaced elements by the scalar pipe.
  TS_INLINE void scalar_loop(Ub to, std::uint32_t to_step, Ub from, std::uint32_t from_step, std::uint32_t count) {
    constexpr const MicroOp& op = a2a3::op("scalar loop");
    core_.micro(op, ty<T>(), place(to), place(from), CountArg{"elements", count});
    core_.copy_elements(op, {Space::Ub, to.address, to_step}, {Space::Ub, from.address, from_step}, bytes(), count);
  }

  // --- data movement ------------------------------------------------------------------------------------------------

  // n bursts of len bytes; after each the destination is padded by `right` elements and then filled up to its block's
  // end. Gaps: source in bytes, destination in blocks, from one burst's end to the next one's start.
  HWY_NOINLINE void copy_gm_to_ubuf_align(Ub to, Gm from, std::uint32_t n, std::uint32_t len, std::uint32_t right, std::uint64_t pad_bits,
                                        std::uint64_t from_gap, std::uint32_t to_gap) {
    constexpr const MicroOp& op = a2a3::op("copy_gm_to_ubuf_align");
    core_.micro(op, ty<T>(), place(to), AddressArg{Space::Gm, from.address, 0, bytes()}, CountArg{"n", n}, CountArg{"len", len},
                CountArg{"right", right}, CountArg{"sgap", from_gap}, CountArg{"dgap", to_gap});
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
  HWY_NOINLINE void copy_ubuf_to_gm_align(Gm to, Ub from, std::uint32_t n, std::uint32_t len, std::uint32_t from_gap, std::uint64_t to_gap,
                                        bool adding) {
    constexpr const MicroOp& op = a2a3::op("copy_ubuf_to_gm_align");
    core_.micro(op, ty<T>(), AddressArg{Space::Gm, to.address, 0, bytes()}, place(from), CountArg{"n", n}, CountArg{"len", len},
                CountArg{"sgap", from_gap}, CountArg{"dgap", to_gap});
    const std::uint32_t rounded = (len + BLK - 1) / BLK * BLK + from_gap * BLK;
    for (std::uint32_t k = 0; k < n; ++k)
      this->store_run(op, to.address + k * (len + to_gap), Space::Ub, from.address + std::uint64_t{k} * rounded, len, adding);
  }
  // L1: everything in blocks. Runs that are not whole blocks apart are an instruction each.
  HWY_NOINLINE void copy_gm_to_cbuf(std::uint32_t to, Gm from, std::uint32_t n, std::uint32_t blocks, std::uint64_t from_stride, std::uint32_t to_stride) {
    constexpr const MicroOp& op = a2a3::op("copy_gm_to_cbuf");
    for_block_runs(op, Space::L1, to, from, n, blocks, from_stride,
                   [&](std::uint32_t k) HWY_ATTR { core_.copy(op, Space::L1, to + k * to_stride, Space::Gm, from.address + k * from_stride, blocks * BLK); });
  }
  HWY_NOINLINE void copy_cbuf_to_gm(Gm to, std::uint32_t from, std::uint32_t n, std::uint32_t blocks, std::uint32_t from_stride, std::uint64_t to_stride,
                                  bool adding) {
    constexpr const MicroOp& op = a2a3::op("copy_cbuf_to_gm");
    for_block_runs(op, Space::L1, from, to, n, blocks, to_stride, [&](std::uint32_t k) HWY_ATTR {
      this->store_run(op, to.address + k * to_stride, Space::L1, from + k * from_stride, blocks * BLK, adding);
    });
  }
  HWY_NOINLINE void copy_gm_to_cbuf_multi_nd2nz(std::uint32_t to, Gm from, std::uint32_t group_stride, std::uint64_t line_stride,
                                              std::uint64_t element_step, std::uint32_t lines, std::uint32_t elements) {
    constexpr const MicroOp& op = a2a3::op("copy_gm_to_cbuf_multi_nd2nz");
    core_.micro(op, ty<T>(), AddressArg{Space::L1, to, 0, bytes()}, AddressArg{Space::Gm, from.address, 0, bytes()}, CountArg{"n", lines},
                CountArg{"d", elements});
    this->load_fractal(op, to, group_stride, from.address, line_stride, element_step, lines, elements);
  }

 private:
  template <class Run>
  void for_block_runs(const MicroOp& op, Space space, std::uint32_t on_chip, Gm gm, std::uint32_t n, std::uint32_t blocks, std::uint64_t gm_stride, Run run) {
    const std::uint32_t at_once = gm_stride % BLK == 0 ? n : 1;
    for (std::uint32_t k = 0; k < n; ++k) {
      if (k % at_once == 0)
        core_.micro(op, ty<T>(), AddressArg{space, on_chip, 0, bytes()},
                    AddressArg{Space::Gm, static_cast<std::uint32_t>(gm.address + k * gm_stride), 0, bytes()}, CountArg{"n", at_once},
                    CountArg{"blocks", blocks});
      run(k);
    }
  }
  // What lanes of repeat r an instruction on these lanes may touch.
  template <class F>
  void repeats(AnyLane l, std::uint32_t n, F f) {
    const auto rule = rule_of(l, n);
    for (std::uint32_t r = 0; r < rule.repeats; ++r) {
      core_.repeat();
      f(r, core_.predicate(rule.lanes(l, r)));
    }
  }
  Reg load_at(const MicroOp& op, Ub base, Strides strides, std::uint32_t r, const Pred& on) {
    return core_.load_blocks(op, at_repeat(base, strides, r), strides.block * BLK, on);
  }
  void store_at(const MicroOp& op, AnyLane l, Ub base, Strides strides, std::uint32_t r, const Reg& v, const Pred& on) {
    core_.store_blocks(bits_of(l), op, at_repeat(base, strides, r), strides.block * BLK, v, on);
  }
  template <class L>
  static TS_INLINE Reg minus_zeros(Core& core, L l) {
    const std::uint64_t minus_zero = 1ull << (8 * l.bytes() - 1);
    if constexpr (std::is_same_v<L, AnyLane>) {
      return core.counting(bits_of(l), minus_zero, 0);
    } else {
      return core.broadcast(bits_of(l), LaneScalar{minus_zero, l, 0}, core.predicate(first_of(l, l.lanes())));
    }
  }
  Pred all_of(AnyLane l) { return core_.predicate(first_lanes_of(l.bytes(), VL)); }
  LaneOp relu() const { return options_.relu_of_nan ? LaneOp::ReluZero : LaneOp::Relu; }
  // a * b + c.
  Reg mul_add(AnyLane l, const Pred& on, const Reg& a, const Reg& b, const Reg& c) {
    if (options_.a2a3_fused) return core_.lanewise(LaneOp::MulAdd, l, on, a, b, c);
    return core_.lanewise(LaneOp::Add, l, on, core_.lanewise(LaneOp::Mul, l, on, a, b), c);
  }
  void two(const MicroOp& op, LaneOp what, AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
    core_.micro(op, l, place(d), place(a), place(b), CountArg{"rep", n});
    repeats(l, n, [&](std::uint32_t r, const Pred& on) {
      Reg x = load_at(op, a, as, r, on), y = load_at(op, b, bs, r, on);
      store_at(op, l, d, ds, r, core_.lanewise(what, l, on, x, y), on);
    });
  }
  void one(const MicroOp& op, LaneOp what, AnyLane l, Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) {
    core_.micro(op, l, place(d), place(s), CountArg{"rep", n});
    repeats(l, n, [&](std::uint32_t r, const Pred& on) {
      store_at(op, l, d, ds, r, core_.lanewise(what, l, on, load_at(op, s, ss, r, on)), on);
    });
  }
  void scaled(const MicroOp& op, LaneOp what, AnyLane l, Ub d, Ub s, const LaneScalar& x, std::uint32_t n, Strides ds, Strides ss) {
    core_.micro(op, l, place(d), place(s), x, CountArg{"rep", n});
    Reg scalar = core_.broadcast(bits_of(l), x, all_of(l));
    repeats(l, n, [&](std::uint32_t r, const Pred& on) {
      store_at(op, l, d, ds, r, core_.lanewise(what, l, on, load_at(op, s, ss, r, on), scalar), on);
    });
  }
  template <class F>
  void accumulate(const MicroOp& op, AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs, F f) {
    core_.micro(op, l, place(d), place(a), place(b), CountArg{"rep", n});
    repeats(l, n, [&](std::uint32_t r, const Pred& on) {
      Reg x = load_at(op, a, as, r, on), y = load_at(op, b, bs, r, on), old = load_at(op, d, ds, r, on);
      store_at(op, l, d, ds, r, f(on, x, y, old), on);
    });
  }
  // max(a + b, 0) or of a - b, in a narrower type: floats to the nearest, bytes clamped.
  Reg relu_converted(bool subtract, AnyLane to, AnyLane from, const Reg& a, const Reg& b, const Pred& on) {
    const bool clamped = from.dtype == DType::I16 && !options_.reluconv_wrap;
    const LaneOp sum = subtract ? (clamped ? LaneOp::SubClamp : LaneOp::Sub) : (clamped ? LaneOp::AddClamp : LaneOp::Add);
    const Conversion how{.overflow = is_float(to) ? Overflow::Wrap : Overflow::Clamp};
    return core_.convert(to, from, how, on, core_.lanewise(relu(), from, on, core_.lanewise(sum, from, on, a, b)));
  }
  void compare_repeats(const MicroOp& op, AnyLane l, CompareOp mode, Ub d, Ub s, const Reg& with, std::uint32_t n, Strides ss, const Pred& all) {
    for (std::uint32_t r = 0; r < n; ++r) {
      core_.repeat();
      store_bits(op, l, d, r, core_.compare(mode, l, all, load_at(op, s, ss, r, all), with));
    }
  }
  void store_bits(const MicroOp& op, AnyLane l, Ub d, std::uint32_t r, const Pred& answers) {
    core_.store_predicate(l.bytes() == 2 ? PredStore::Pack : PredStore::Pack4, op, Space::Ub, d.address + r * (l.lanes() / 8), l.lanes() / 8, answers);
  }
  // `size` bytes of a reduced register from byte `from` on, one such piece a repeat.
  void across(const MicroOp& op, ReduceOp what, AnyLane l, Ub d, Ub s, std::uint32_t n, std::uint32_t step, Strides ss, std::uint32_t from, std::uint32_t size) {
    core_.micro(op, l, place(d), place(s), CountArg{"rep", n}, CountArg{"dr", step});
    repeats(l, n, [&](std::uint32_t r, const Pred& on) {
      Reg few = core_.reduce(what, ReduceScope::All, static_cast<SumOrder>(options_.sum_order), l, on, load_at(op, s, ss, r, on));
      if (from != 0) few = core_.template move<Move::Drop>(Lane<std::uint8_t>(), from, few, few);
      core_.store_span(op, Space::Ub, d.address + std::uint64_t{r} * step * l.bytes(), few, size);
    });
  }
  // Lanes that are off give nothing: a group or pair is written where its first lane is on.
  void few(const MicroOp& op, ReduceOp what, ReduceScope scope, AnyLane l, Ub d, Ub s, std::uint32_t n, std::uint32_t step_bytes, Strides ss) {
    core_.micro(op, l, place(d), place(s), CountArg{"rep", n});
    const std::uint32_t group = scope == ReduceScope::Pairs ? 2 : BLK / l.bytes();
    repeats(l, n, [&](std::uint32_t r, const Pred& on) {
      Reg few = core_.reduce(what, scope, static_cast<SumOrder>(options_.sum_order), l, on, load_at(op, s, ss, r, on));
      std::uint32_t results = 0;
      while (results < l.lanes() / group && lane_is_on(on.p, results * group * l.bytes())) ++results;
      core_.store_span(op, Space::Ub, d.address + std::uint64_t{r} * step_bytes, few, results * l.bytes());
    });
  }
  // Sums of each repeat's lanes, or of its blocks; `step` bytes from result to result.
  template <ReduceScope scope, class L>
  HWY_NOINLINE void sums(const MicroOp& op, L l, Ub d, Ub s, std::uint32_t n, std::uint32_t step, Strides ss) {
    decltype(auto) core = core_.local();
    const LaneRule rule = rule_of(l, n);
    const auto order = static_cast<SumOrder>(options_.sum_order);
    const std::uint32_t whole = !std::is_same_v<L, AnyLane> && ss.block == 1 ? rule.whole : 0;
    sum_repeats<scope, true>(core, op, l, rule, 0, whole, d, s, step, ss, order);
    sum_repeats<scope, false>(core, op, l, rule, whole, rule.repeats, d, s, step, ss, order);
    core_.join(core);
  }
  template <class P>
  static TS_INLINE const VPred& image(const P& pred) {
    if constexpr (requires { pred.p; }) {
      return pred.p;
    } else {
      return pred;
    }
  }
  // As many elements as the wider type has lanes, each at the start of its wide lane.
  Reg load_narrow(const MicroOp& op, AnyLane l, AnyLane wide, std::uint64_t address, const Pred& on) {
    if (l.bytes() == wide.bytes()) return core_.load_blocks(op, address, BLK, on);
    const std::uint32_t size = leading_lanes(on.p, wide.bytes()) * l.bytes();
    Reg out = core_.template load<LoadKind::Some>(l, op, Space::Ub, address, size, 1, size);
    for (AnyLane width = bits_of(l); width.bytes() < wide.bytes(); width = wider(width)) out = core_.template move<Move::WidenZero>(width, 0, out, out);
    return out;
  }
  void store_narrow(const MicroOp& op, AnyLane l, AnyLane wide, std::uint64_t address, const Reg& v, const Pred& on) {
    if (l.bytes() == wide.bytes()) return core_.store_blocks(bits_of(l), op, address, BLK, v, on);
    Reg packed = v;
    const std::uint32_t count = leading_lanes(on.p, wide.bytes());
    for (AnyLane width = bits_of(wide); width.bytes() > l.bytes(); width = narrower(width)) packed = core_.template move<Move::PackHalf>(width, 0, packed, packed);
    core_.store_span(op, Space::Ub, address, packed, count * l.bytes());
  }
  static AnyLane wider(AnyLane l) { return {l.bytes() == 1 ? DType::U16 : l.bytes() == 2 ? DType::U32 : DType::U64}; }
  static AnyLane narrower(AnyLane l) { return {l.bytes() == 8 ? DType::U32 : l.bytes() == 4 ? DType::U16 : DType::U8}; }
  template <std::size_t n, class F>
  void lanes_by(const MicroOp& op, const char* what, AnyLane l, Ub d, const Ub (&from)[n], std::uint32_t count, F& f) {
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      core_.micro(op, l, TextArg{what}, place(d), place(from[k])..., CountArg{"elements", count});
    }(std::make_index_sequence<n>());
    pieces(l, count, [&](std::uint32_t at, std::uint32_t size, const Pred& on) {
      Reg in[n];
      for (std::size_t k = 0; k < n; ++k) in[k] = core_.template load<LoadKind::Some>(l, op, Space::Ub, from[k].address + at, size, l.bytes(), size);
      core_.store_span(op, Space::Ub, d.address + at, f(core_, on, in), size);
    });
  }
  // Pieces of at most a register: f(byte offset, bytes, lanes).
  template <class F>
  void pieces(AnyLane l, std::uint32_t count, F f) {
    for (std::uint32_t done = 0; done < count; done += l.lanes()) {
      const std::uint32_t n = std::min(count - done, l.lanes());
      f(done * l.bytes(), n * l.bytes(), core_.predicate(first_lanes_of(l.bytes(), n)));
    }
  }
  TS_INLINE Reg pack_words(const Reg& wide) {
    if constexpr (sizeof(T) == 2) {
      return core_.template move<Move::PackHalf>(Lane<std::uint32_t>(), 0, wide, wide);
    } else {
      return core_.template move<Move::PackByte>(Lane<std::uint32_t>(), 0, wide, wide);
    }
  }
  template <class U>
  static TS_INLINE VPred first_of(Lane<U>, std::uint32_t count) { return first_lanes<U>(count); }
  static VPred first_of(AnyLane l, std::uint32_t count) { return first_lanes_of(l.bytes(), count); }
  static TS_INLINE AddressArg place_offsets(Ub base) { return {Space::Ub, base.address, 0, 4}; }
  static TS_INLINE BlockList half_of(const BlockList& blocks, bool high) {
    BlockList halves = blocks;
    for (std::uint32_t& at : halves) at += high ? BLK / 2 : 0;
    return halves;
  }
  TS_INLINE void gather_repeat(const MicroOp& op, Ub d, Ub offsets, const TileRef& src, std::uint32_t elements) {
    const std::uint32_t blocks = (elements * bytes() + BLK - 1) / BLK;
    core_.repeat();
    Reg at = core_.template load<LoadKind::Block>(ty<T>(), op, Space::Ub, offsets.address, BLK, BLK);
    Reg value = core_.gather_blocks(bits_of(ty<T>()), op, span_of(src), at, (1u << blocks) - 1);
    core_.store_lanes(bits_of(ty<T>()), op, d.address, BLK, value, core_.predicate(first_of(ty<T>(), elements)));
  }
  // 64 offsets at a time; what they fetch stands in 32-bit lanes until it is packed.
  TS_INLINE void gather_elements(const MicroOp& op, Ub d, Ub offsets, const TileRef& src, std::uint32_t elements) {
    constexpr std::uint32_t kStep = VL / 4;
    for (std::uint32_t done = 0; done < elements; done += kStep) {
      const std::uint32_t n = std::min(elements - done, kStep);
      core_.repeat();
      Pred on = core_.predicate(first_lanes<std::uint32_t>(n));
      Reg at = core_.template load<LoadKind::Some>(Lane<std::uint32_t>(), op, Space::Ub, offsets.address + done * 4, n * 4, 4, n * 4);
      core_.watch_bits(at, on, bytes() - 1);
      Reg wide = core_.template gather<1>(bits_of(ty<T>()), Lane<std::uint32_t>(), op, span_of(src), at, on);
      if constexpr (sizeof(T) == 4) {
        core_.store_lanes(Lane<std::uint32_t>(), op, d.address + done * 4, BLK, wide, on);
      } else {
        Reg packed = pack_words(wide);
        core_.store_span(op, Space::Ub, d.address + done * bytes(), packed, n * bytes());
      }
    }
  }
  TS_INLINE AddressArg place(Ub base) const { return {Space::Ub, base.address, 0, bytes()}; }
  static TS_INLINE std::uint64_t at_repeat(Ub base, Strides strides, std::uint32_t repeat) {
    return base.address + std::uint64_t{repeat} * strides.repeat * BLK;
  }

  TS_INLINE void set_control(const MicroOp& op, std::uint32_t where, std::uint64_t value) {
    core_.micro(op, DType::U64, CountArg{"value", value});
    core_.store_scalar(op, Space::Spr, where, 8, LaneScalar{value, DType::U64, 0});
  }

  // More elements than UB has bytes, so no lowering counts as many. The registers of a damaged recording do, and must not
  // keep an instruction busy for minutes.
  static constexpr std::uint64_t kMostCounted = 1u << 18;

  // How many repeats an instruction runs, and which lanes each of them may write. In counter mode the mask says how many
  // elements there are, and the instruction's own repeat is not looked at. The first `whole` repeats have all lanes on:
  // instructions run them apart, where the compiler sees that they need no mask and no blocks picked one by one.
  struct LaneRule {
    std::uint32_t repeats, whole;
    bool counting;
    std::uint64_t elements;
    VPred mask;
    template <class L>
    TS_INLINE VPred lanes(L l, std::uint32_t repeat) const {
      if (!counting) return mask;
      return first_of(l, static_cast<std::uint32_t>(std::min<std::uint64_t>(elements - std::uint64_t{repeat} * l.lanes(), l.lanes())));
    }
    template <bool kWhole, class L>
    TS_INLINE VPred lanes(L l, std::uint32_t repeat) const {
      return kWhole ? first_of(l, l.lanes()) : lanes(l, repeat);
    }
  };
  TS_INLINE LaneRule lane_rule(std::uint32_t repeats) const { return rule_of(ty<T>(), repeats); }
  template <class L>
  TS_INLINE LaneRule rule_of(L l, std::uint32_t repeats) const {
    const std::uint64_t low = core_.peek(Space::Spr, a2a3::kMask);
    const std::uint32_t count = l.lanes();
    if (core_.peek(Space::Spr, a2a3::kMaskMode) != 0) {
      const auto elements = static_cast<std::uint32_t>(std::min(low, kMostCounted));
      return {(elements + count - 1) / count, elements / count, true, elements, {}};
    }
    const VPred mask = mask_lanes(l, low, core_.peek(Space::Spr, a2a3::kMask + 8));
    return {repeats, all_on(mask, l.bytes()) ? repeats : 0, false, 0, mask};
  }
  // Bit i of MASK governs lane i.
  template <class U>
  static TS_INLINE VPred mask_lanes(Lane<U>, std::uint64_t low, std::uint64_t high) {
    const std::uint64_t bits[2] = {low, high};
    return LoadLaneBits<BitsOf<U>>()(reinterpret_cast<const std::uint8_t*>(bits));
  }
  static VPred mask_lanes(AnyLane l, std::uint64_t low, std::uint64_t high) {
    if (low == ~0ull && high == ~0ull) return first_lanes_of(l.bytes(), VL);
    const std::uint64_t bits[2] = {low, high};
    const auto* from = reinterpret_cast<const std::uint8_t*>(bits);
    switch (l.bytes()) {
      case 1: return {{low, high, 0, 0}};
      case 2: return LoadLaneBits<std::uint16_t>()(from);
      case 4: return LoadLaneBits<std::uint32_t>()(from);
      default: return LoadLaneBits<std::uint64_t>()(from);
    }
  }

  // Repeats [first, last) of vadd, of sums and of vsel in mode 1.
  template <bool kWhole, class L>
  static TS_INLINE void add_repeats(Core& core, const MicroOp& op, L lane, const LaneRule& rule, std::uint32_t first, std::uint32_t last, Ub d,
                                     Ub a, Ub b, Strides ds, Strides as, Strides bs) {
    std::uint64_t at_d = at_repeat(d, ds, first), at_a = at_repeat(a, as, first), at_b = at_repeat(b, bs, first);
    for (std::uint32_t r = first; r < last; ++r, at_d += ds.repeat * BLK, at_a += as.repeat * BLK, at_b += bs.repeat * BLK) {
      core.repeat();
      Pred on = core.predicate(rule.template lanes<kWhole>(lane, r));
      Reg x = load_repeat<kWhole>(core, op, lane, at_a, as, on);
      Reg y = load_repeat<kWhole>(core, op, lane, at_b, bs, on);
      Reg sum = core.template lanewise<LaneOp::Add>(lane, on, x, y);
      store_repeat<kWhole>(core, op, lane, at_d, ds, sum, on);
    }
  }
  template <ReduceScope scope, bool kWhole, class L>
  static TS_INLINE void sum_repeats(Core& core, const MicroOp& op, L l, const LaneRule& rule, std::uint32_t first, std::uint32_t last, Ub d, Ub s,
                                    std::uint32_t step, Strides ss, SumOrder order) {
    for (std::uint32_t r = first; r < last; ++r) {
      core.repeat();
      Pred on = core.predicate(rule.template lanes<kWhole>(l, r));
      Reg x = load_repeat<kWhole>(core, op, l, at_repeat(s, ss, r), ss, on);
      std::uint32_t results = 1;
      if constexpr (scope == ReduceScope::Groups) {
        // Lanes that are off give nothing: a block's sum is written where its first lane is on.
        results = kWhole ? 8 : 0;
        while (results < 8 && lane_is_on(image(on), results * BLK)) ++results;
      } else if (!kWhole && is_float(l) && !all_on(image(on), l.bytes())) {
        // Lanes that are off are left out, which is to add -0.
        x = core.select(bits_of(l), on, x, minus_zeros(core, l));
        on = core.predicate(first_of(l, l.lanes()));
      }
      typename Core::Few few = core.template sums<scope>(order, l, on, x);
      core.store_span(op, Space::Ub, d.address + std::uint64_t{r} * step, few, results * l.bytes());
    }
  }
  template <bool kWhole>
  TS_INLINE void select_repeats(const MicroOp& op, const LaneRule& rule, std::uint32_t first, std::uint32_t last, const Reg& scalar, Ub d,
                                 Ub a, Ub bits, Strides ds, Strides as) {
    std::uint64_t at_d = at_repeat(d, ds, first), at_a = at_repeat(a, as, first);
    for (std::uint32_t r = first; r < last; ++r, at_d += ds.repeat * BLK, at_a += as.repeat * BLK) {
      core_.repeat();
      Pred on = core_.predicate(rule.template lanes<kWhole>(ty<T>(), r));
      Pred mask = core_.template load_predicate<PredLoad::LaneBits>(ty<T>(), op, Space::Ub, bits.address + std::uint64_t{r} * (lanes() / 8), 1);
      Reg x = load_repeat<kWhole>(core_, op, ty<T>(), at_a, as, on);
      Reg chosen = core_.select(bits_of(ty<T>()), mask, x, scalar);
      store_repeat<kWhole>(core_, op, ty<T>(), at_d, ds, chosen, on);
    }
  }
  template <bool kWhole, class L>
  static TS_INLINE Reg load_repeat(Core& core, const MicroOp& op, L lane, std::uint64_t at, Strides strides, const Pred& on) {
    if constexpr (kWhole) {
      return core.template load<LoadKind::Norm>(lane, op, Space::Ub, at, VL, BLK);
    } else {
      return core.load_blocks(op, at, strides.block * BLK, on);
    }
  }
  template <bool kWhole, class L>
  static TS_INLINE void store_repeat(Core& core, const MicroOp& op, L lane, std::uint64_t at, Strides strides, const Reg& v, const Pred& on) {
    if constexpr (kWhole) {
      core.store_lanes(bits_of(lane), op, at, BLK, v, on);
    } else {
      core.store_blocks(bits_of(lane), op, at, strides.block * BLK, v, on);
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
