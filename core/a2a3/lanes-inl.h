// The A2A3 machine's operations lane by lane: arithmetic, comparisons, selections by CMPMASK, other types.
#if defined(TS_A2A3_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_A2A3_LANES_INL_H
#undef TS_A2A3_LANES_INL_H
#else
#define TS_A2A3_LANES_INL_H
#endif

#include "core/a2a3/repeats-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

template <class Core, class Element>
class A2A3Lanes : public A2A3Repeats<Core, Element> {
  using Base = A2A3Repeats<Core, Element>;

 protected:
  using Base::core_, Base::options_, Base::place, Base::first_of, Base::at_repeat, Base::all_of, Base::each_repeat,
      Base::load_at, Base::store_at;
  using Base::relu, Base::mul_add, Base::load_narrow, Base::store_narrow, Base::rule_of, Base::lane_rule;
  using typename Base::LaneRule;

 public:
  using Base::bytes, Base::lanes, Base::kLanes;
  using typename Base::T, typename Base::Reg, typename Base::Pred;
  template <class U = T>
  TS_INLINE LaneOf<U> ty() const {
    return Base::template ty<U>();
  }

  TS_INLINE A2A3Lanes(Core& core, LaneOf<T> lane, const Options& options) : Base(core, lane, options) {}

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
  void vsub(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
    two(a2a3::op("vsub"), LaneOp::Sub, l, d, a, b, n, ds, as, bs);
  }
  void vmul(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
    two(a2a3::op("vmul"), LaneOp::Mul, l, d, a, b, n, ds, as, bs);
  }
  void vdiv(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
    two(a2a3::op("vdiv"), LaneOp::Div, l, d, a, b, n, ds, as, bs);
  }
  void vmax(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
    two(a2a3::op("vmax"), LaneOp::Max, l, d, a, b, n, ds, as, bs);
  }
  void vmin(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
    two(a2a3::op("vmin"), LaneOp::Min, l, d, a, b, n, ds, as, bs);
  }
  void vadd(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
    two(a2a3::op("vadd"), LaneOp::Add, l, d, a, b, n, ds, as, bs);
  }
  void vand(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
    two(a2a3::op("vand"), LaneOp::And, l, d, a, b, n, ds, as, bs);
  }
  void vor(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
    two(a2a3::op("vor"), LaneOp::Or, l, d, a, b, n, ds, as, bs);
  }
  // max(a - b, 0).
  void vsubrelu(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
    constexpr const MicroOp& op = a2a3::op("vsubrelu");
    core_.micro(op, l, place(d), place(a), place(b), CountArg{"rep", n});
    each_repeat(l, n, [&](std::uint32_t r, const Pred& on) {
      Reg x = load_at(op, a, as, r, on), y = load_at(op, b, bs, r, on);
      store_at(op, l, d, ds, r, core_.lanewise(relu(), l, on, core_.lanewise(LaneOp::Sub, l, on, x, y)), on);
    });
  }
  // d + a * b, a * d + b, the second one with relu: two roundings, or one by option.
  void vmla(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
    accumulate(a2a3::op("vmla"), l, d, a, b, n, ds, as, bs,
               [&](const Pred& on, const Reg& x, const Reg& y, const Reg& old) { return mul_add(l, on, x, y, old); });
  }
  void vmadd(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
    accumulate(a2a3::op("vmadd"), l, d, a, b, n, ds, as, bs,
               [&](const Pred& on, const Reg& x, const Reg& y, const Reg& old) { return mul_add(l, on, x, old, y); });
  }
  void vmaddrelu(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
    accumulate(a2a3::op("vmaddrelu"), l, d, a, b, n, ds, as, bs,
               [&](const Pred& on, const Reg& x, const Reg& y, const Reg& old) {
                 return core_.lanewise(relu(), l, on, mul_add(l, on, x, old, y));
               });
  }

  void vabs(AnyLane l, Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) {
    one(a2a3::op("vabs"), LaneOp::Abs, l, d, s, n, ds, ss);
  }
  void vexp(AnyLane l, Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) {
    one(a2a3::op("vexp"), options_.exp_flush ? LaneOp::ExpFlush : LaneOp::Exp, l, d, s, n, ds, ss);
  }
  void vln(AnyLane l, Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) {
    one(a2a3::op("vln"), LaneOp::Ln, l, d, s, n, ds, ss);
  }
  void vsqrt(AnyLane l, Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) {
    one(a2a3::op("vsqrt"), LaneOp::Sqrt, l, d, s, n, ds, ss);
  }
  void vrsqrt(AnyLane l, Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) {
    one(a2a3::op("vrsqrt"), LaneOp::Rsqrt, l, d, s, n, ds, ss);
  }
  void vrelu(AnyLane l, Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) {
    one(a2a3::op("vrelu"), relu(), l, d, s, n, ds, ss);
  }
  void vnot(AnyLane l, Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) {
    one(a2a3::op("vnot"), LaneOp::Not, l, d, s, n, ds, ss);
  }
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
      each_repeat(
          l, 0, [&](std::uint32_t r, const Pred& on) { store_at(op, l, to, {}, r, load_at(op, from, {}, r, on), on); });
    }
  }
  void vcopy(AnyLane l, Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) {
    constexpr const MicroOp& op = a2a3::op("vcopy");
    core_.micro(op, l, place(d), place(s), CountArg{"rep", n});
    each_repeat(l, n,
                [&](std::uint32_t r, const Pred& on) { store_at(op, l, d, ds, r, load_at(op, s, ss, r, on), on); });
  }

  void vadds(AnyLane l, Ub d, Ub s, const LaneScalar& x, std::uint32_t n, Strides ds, Strides ss) {
    scaled(a2a3::op("vadds"), LaneOp::Add, l, d, s, x, n, ds, ss);
  }
  void vmuls(AnyLane l, Ub d, Ub s, const LaneScalar& x, std::uint32_t n, Strides ds, Strides ss) {
    scaled(a2a3::op("vmuls"), LaneOp::Mul, l, d, s, x, n, ds, ss);
  }
  // The scalar is what the scalar pipe read.
  void vadds(AnyLane l, Ub d, Ub s, const Reg& x, std::uint32_t n, Strides ds, Strides ss) {
    scaled_by(a2a3::op("vadds"), LaneOp::Add, l, d, s, x, n, ds, ss);
  }
  void vmuls(AnyLane l, Ub d, Ub s, const Reg& x, std::uint32_t n, Strides ds, Strides ss) {
    scaled_by(a2a3::op("vmuls"), LaneOp::Mul, l, d, s, x, n, ds, ss);
  }
  void vmaxs(AnyLane l, Ub d, Ub s, const LaneScalar& x, std::uint32_t n, Strides ds, Strides ss) {
    scaled(a2a3::op("vmaxs"), LaneOp::Max, l, d, s, x, n, ds, ss);
  }
  void vmins(AnyLane l, Ub d, Ub s, const LaneScalar& x, std::uint32_t n, Strides ds, Strides ss) {
    scaled(a2a3::op("vmins"), LaneOp::Min, l, d, s, x, n, ds, ss);
  }
  void vlrelu(AnyLane l, Ub d, Ub s, const LaneScalar& x, std::uint32_t n, Strides ds, Strides ss) {
    scaled(a2a3::op("vlrelu"), LaneOp::Prelu, l, d, s, x, n, ds, ss);
  }
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
    each_repeat(l, n, [&](std::uint32_t r, const Pred& on) {
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
    each_repeat(ty<T>(), 1, [&](std::uint32_t r, const Pred& on) {
      Reg x = load_at(op, a, {}, r, on), z = load_at(op, c, {}, r, on);
      Reg y;
      if constexpr (std::is_same_v<B, Ub>) {
        y = load_at(op, b, {}, r, on);
      } else {
        y = core_.broadcast(bits_of(ty<T>()), b, on);
      }
      store_at(op, ty<T>(), d, {}, r,
               core_.lanewise(LaneOp::Add, ty<T>(), on, core_.lanewise(first, ty<T>(), on, x, y), z), on);
    });
  }

  // d + x * s in the wider lanes of d.
  void vaxpy_mixed(AnyLane wide, AnyLane narrow, Ub d, Ub s, const LaneScalar& x) {
    constexpr const MicroOp& op = a2a3::op("vaxpy");
    core_.micro(op, wide, place(d), place(s), x);
    const Conversion widened{};
    each_repeat(wide, 1, [&](std::uint32_t r, const Pred& on) {
      Reg a = core_.convert(wide, narrow, widened, on,
                            load_narrow(op, narrow, wide, s.address + r * (wide.lanes() * narrow.bytes()), on));
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
    core_.store_predicate(l.bytes() == 2 ? PredStore::Pack : PredStore::Pack4, op, Space::Spr, a2a3::kCmpMask,
                          l.lanes() / 8, answers);
  }
  // a where CMPMASK has a 1, else b.
  void vsel_mask(AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
    constexpr const MicroOp& op = a2a3::op("vsel.mode0");
    core_.micro(op, l, place(d), place(a), place(b), CountArg{"rep", n});
    Pred bits = core_.template load_predicate<PredLoad::LaneBits>(l, op, Space::Spr, a2a3::kCmpMask, 1);
    each_repeat(l, n, [&](std::uint32_t r, const Pred& on) {
      Reg x = load_at(op, a, as, r, on), y = load_at(op, b, bs, r, on);
      store_at(op, l, d, ds, r, core_.select(bits_of(l), bits, x, y), on);
    });
  }

  // --- other types --------------------------------------------------------------------------------------------------

  // Lanes are counted by the wider type; the narrower side takes as many elements, close together.
  void vconv(AnyLane to, AnyLane from, const Conversion& how, Ub d, Ub s, std::uint32_t n, std::uint32_t d_repeat,
             std::uint32_t s_repeat) {
    constexpr const MicroOp& op = a2a3::op("vconv");
    core_.micro(op, is_packed(from) ? AnyLane{DType::U8} : from, TextArg{name(to.dtype)},
                TextArg{this->rounding_name(how.rounding)}, place(d), place(s), CountArg{"rep", n});
    const AnyLane wide = to.bytes() > from.bytes() ? to : from;
    each_repeat(wide, n, [&](std::uint32_t r, const Pred& on) {
      Reg x = load_narrow(op, from, beside(from, wide), s.address + r * s_repeat * BLK, on);
      store_narrow(op, to, beside(to, wide), d.address + r * d_repeat * BLK, core_.convert(to, from, how, on, x), on);
    });
  }
  // Blocks of the wider type's side close together or apart; of the narrower side those that are read only, too.
  void vconv(AnyLane to, AnyLane from, const Conversion& how, Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) {
    constexpr const MicroOp& op = a2a3::op("vconv");
    core_.micro(op, from, TextArg{name(to.dtype)}, TextArg{this->rounding_name(how.rounding)}, place(d), place(s),
                CountArg{"rep", n}, CountArg{"db", ds.block}, CountArg{"sb", ss.block});
    const AnyLane wide = to.bytes() > from.bytes() ? to : from;
    each_repeat(wide, n, [&](std::uint32_t r, const Pred& on) {
      Reg x = load_narrow(op, from, wide, at_repeat(s, ss, r), on, ss.block);
      store_at(op, to, d, ds, r, core_.convert(to, from, how, on, x), on);
    });
  }
  // convert(max(a + b, 0)), or of a - b.
  void vaddreluconv(bool subtract, AnyLane to, AnyLane from, Ub d, Ub a, Ub b, std::uint32_t n) {
    const MicroOp& op = subtract ? a2a3::op("vsubreluconv") : a2a3::op("vaddreluconv");
    core_.micro(op, from, TextArg{name(to.dtype)}, place(d), place(a), place(b), CountArg{"rep", n});
    each_repeat(from, n, [&](std::uint32_t r, const Pred& on) {
      Reg x = load_at(op, a, {}, r, on), y = load_at(op, b, {}, r, on);
      store_narrow(op, to, from, d.address + r * 4 * BLK, relu_converted(subtract, to, from, x, y, on), on);
    });
  }

 private:
  // The lanes at whose starts narrower elements stand: a byte of two of them at that of a pair.
  static AnyLane beside(AnyLane narrow, AnyLane wide) { return is_packed(narrow) ? AnyLane{DType::U32} : wide; }
  void two(const MicroOp& op, LaneOp what, AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as,
           Strides bs) {
    core_.micro(op, l, place(d), place(a), place(b), CountArg{"rep", n});
    each_repeat(l, n, [&](std::uint32_t r, const Pred& on) {
      Reg x = load_at(op, a, as, r, on), y = load_at(op, b, bs, r, on);
      store_at(op, l, d, ds, r, core_.lanewise(what, l, on, x, y), on);
    });
  }
  void one(const MicroOp& op, LaneOp what, AnyLane l, Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) {
    core_.micro(op, l, place(d), place(s), CountArg{"rep", n});
    each_repeat(l, n, [&](std::uint32_t r, const Pred& on) {
      store_at(op, l, d, ds, r, core_.lanewise(what, l, on, load_at(op, s, ss, r, on)), on);
    });
  }
  void scaled(const MicroOp& op, LaneOp what, AnyLane l, Ub d, Ub s, const LaneScalar& x, std::uint32_t n, Strides ds,
              Strides ss) {
    core_.micro(op, l, place(d), place(s), x, CountArg{"rep", n});
    Reg scalar = core_.broadcast(bits_of(l), x, all_of(l));
    each_repeat(l, n, [&](std::uint32_t r, const Pred& on) {
      store_at(op, l, d, ds, r, core_.lanewise(what, l, on, load_at(op, s, ss, r, on), scalar), on);
    });
  }
  void scaled_by(const MicroOp& op, LaneOp what, AnyLane l, Ub d, Ub s, const Reg& x, std::uint32_t n, Strides ds,
                 Strides ss) {
    core_.micro(op, l, place(d), place(s), x, CountArg{"rep", n});
    each_repeat(l, n, [&](std::uint32_t r, const Pred& on) {
      store_at(op, l, d, ds, r, core_.lanewise(what, l, on, load_at(op, s, ss, r, on), x), on);
    });
  }
  template <class F>
  void accumulate(const MicroOp& op, AnyLane l, Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs,
                  F f) {
    core_.micro(op, l, place(d), place(a), place(b), CountArg{"rep", n});
    each_repeat(l, n, [&](std::uint32_t r, const Pred& on) {
      Reg x = load_at(op, a, as, r, on), y = load_at(op, b, bs, r, on), old = load_at(op, d, ds, r, on);
      store_at(op, l, d, ds, r, f(on, x, y, old), on);
    });
  }
  // max(a + b, 0) or of a - b, in a narrower type: floats to the nearest, bytes clamped.
  Reg relu_converted(bool subtract, AnyLane to, AnyLane from, const Reg& a, const Reg& b, const Pred& on) {
    const bool clamped = from.dtype == DType::I16 && !options_.reluconv_wrap;
    const LaneOp sum =
        subtract ? (clamped ? LaneOp::SubClamp : LaneOp::Sub) : (clamped ? LaneOp::AddClamp : LaneOp::Add);
    const Conversion how{.overflow = is_float(to) ? Overflow::Wrap : Overflow::Clamp};
    return core_.convert(to, from, how, on, core_.lanewise(relu(), from, on, core_.lanewise(sum, from, on, a, b)));
  }
  void compare_repeats(const MicroOp& op, AnyLane l, CompareOp mode, Ub d, Ub s, const Reg& with, std::uint32_t n,
                       Strides ss, const Pred& all) {
    for (std::uint32_t r = 0; r < n; ++r) {
      core_.repeat();
      store_bits(op, l, d, r, core_.compare(mode, l, all, load_at(op, s, ss, r, all), with));
    }
  }
  void store_bits(const MicroOp& op, AnyLane l, Ub d, std::uint32_t r, const Pred& answers) {
    core_.store_predicate(l.bytes() == 2 ? PredStore::Pack : PredStore::Pack4, op, Space::Ub,
                          d.address + r * (l.lanes() / 8), l.lanes() / 8, answers);
  }
  // Repeats [first, last) of vadd.
  template <bool kWhole, class L>
  static TS_INLINE void add_repeats(Core& core, const MicroOp& op, L lane, const LaneRule& rule, std::uint32_t first,
                                    std::uint32_t last, Ub d, Ub a, Ub b, Strides ds, Strides as, Strides bs) {
    std::uint64_t at_d = at_repeat(d, ds, first), at_a = at_repeat(a, as, first), at_b = at_repeat(b, bs, first);
    for (std::uint32_t r = first; r < last;
         ++r, at_d += ds.repeat * BLK, at_a += as.repeat * BLK, at_b += bs.repeat * BLK) {
      core.repeat();
      Pred on = core.predicate(rule.template lanes<kWhole>(lane, r));
      Reg x = Base::template load_repeat<kWhole>(core, op, lane, at_a, as, on);
      Reg y = Base::template load_repeat<kWhole>(core, op, lane, at_b, bs, on);
      Reg sum = core.template lanewise<LaneOp::Add>(lane, on, x, y);
      Base::template store_repeat<kWhole>(core, op, lane, at_d, ds, sum, on);
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
