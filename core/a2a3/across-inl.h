// The A2A3 machine's operations across lanes: sums and extremes, every second element, and one element to all of a block.
#if defined(TS_A2A3_ACROSS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_A2A3_ACROSS_INL_H
#undef TS_A2A3_ACROSS_INL_H
#else
#define TS_A2A3_ACROSS_INL_H
#endif

#include "core/a2a3/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

template <class Core, class Element>
class A2A3Across : public A2A3Lanes<Core, Element> {
  using Base = A2A3Lanes<Core, Element>;

 protected:
  using Base::core_, Base::options_, Base::place, Base::first_of, Base::at_repeat, Base::all_of, Base::each_repeat,
      Base::load_at, Base::store_at;
  using Base::rule_of, Base::pieces;
  using typename Base::LaneRule;

 public:
  using Base::bytes, Base::lanes, Base::kLanes;
  using typename Base::T, typename Base::Reg, typename Base::Pred;
  template <class U = T>
  TS_INLINE LaneOf<U> ty() const {
    return Base::template ty<U>();
  }

  TS_INLINE A2A3Across(Core& core, LaneOf<T> lane, const Options& options) : Base(core, lane, options) {}

  // --- across lanes -------------------------------------------------------------------------------------------------

  // One element a repeat, `step` elements apart.
  void vcadd(Ub d, Ub s, std::uint32_t n, std::uint32_t step, Strides ss) {
    constexpr const MicroOp& op = a2a3::op("vcadd");
    core_.micro(op, ty<T>(), place(d), place(s), CountArg{"rep", n}, CountArg{"dr", step});
    sums<ReduceScope::All>(op, ty<T>(), d, s, n, step * bytes(), ss);
  }
  void vcmax(AnyLane l, Ub d, Ub s, std::uint32_t n, std::uint32_t step, Strides ss) {
    across(a2a3::op("vcmax"), ReduceOp::Max, l, d, s, n, step, ss, 0, l.bytes());
  }
  void vcmin(AnyLane l, Ub d, Ub s, std::uint32_t n, std::uint32_t step, Strides ss) {
    across(a2a3::op("vcmin"), ReduceOp::Min, l, d, s, n, step, ss, 0, l.bytes());
  }
  // Pairs of value and lane; or 32-bit lane numbers alone.
  void vcext_pairs(ReduceOp what, AnyLane l, Ub d, Ub s, std::uint32_t n, std::uint32_t step, Strides ss) {
    across(what == ReduceOp::Max ? a2a3::op("vcmax.VALUE_INDEX") : a2a3::op("vcmin.VALUE_INDEX"), what, l, d, s, n,
           2 * step, ss, 0, 2 * l.bytes());
  }
  void vcext_index(ReduceOp what, AnyLane l, Ub d, Ub s, std::uint32_t n, std::uint32_t step, Strides ss) {
    across(what == ReduceOp::Max ? a2a3::op("vcmax.ONLY_INDEX") : a2a3::op("vcmin.ONLY_INDEX"), what, l, d, s, n,
           step * 4 / l.bytes(), ss, l.bytes(), 4);
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
    few(what == ReduceOp::Max ? a2a3::op("vcgmax") : a2a3::op("vcgmin"), what, ReduceScope::Groups, l, d, s, n,
        step * 8 * l.bytes(), ss);
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

  // Of `rows` times `count` elements, rows `pitch` bytes apart, every step-th from the `first` of each row on, close
  // together. Returns how many.
  std::uint32_t vreducev2(AnyLane l, Ub d, Ub s, std::uint32_t pattern, std::uint32_t first, std::uint32_t step,
                          std::uint32_t count, std::uint32_t rows, std::uint32_t pitch) {
    constexpr const MicroOp& op = a2a3::op("vreducev2");
    core_.micro(op, l, place(d), place(s), CountArg{"pattern", pattern}, CountArg{"n", count}, CountArg{"rep", rows});
    std::uint32_t stored = 0;
    for (std::uint32_t row = 0; row < rows; ++row) {
      core_.repeat();
      pieces(l, count, [&](std::uint32_t at, std::uint32_t size, const Pred&) {
        VPred image{};
        std::uint32_t kept = 0;
        for (std::uint32_t i = first; i < size / l.bytes(); i += step, ++kept) set_bit(image, i * l.bytes());
        Reg x = core_.template load<LoadKind::Some>(l, op, Space::Ub, s.address + std::uint64_t{row} * pitch + at, size,
                                                    l.bytes(), size);
        Reg packed = core_.squeeze(bits_of(l), x, core_.predicate(image));
        core_.store_span(op, Space::Ub, d.address + stored * l.bytes(), packed, kept * l.bytes());
        stored += kept;
      });
    }
    return stored;
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
        element[k] = core_.template load<LoadKind::Broadcast>(l, op, Space::Ub, s.address + (8 * r + k) * l.bytes(),
                                                              l.bytes(), l.bytes());
      for (std::uint32_t k = 0; k < 8; ++k)
        core_.store_span(op, Space::Ub, d.address + BLK * (r * repeat_step + k * block_step), element[k], BLK);
    }
  }

  // d = a op x, or x op a, for one element x; as many lanes as the mask's count says.
  void emu_with_element(LaneOp what, AnyLane l, Ub d, Ub a, Ub x, bool reversed) {
    constexpr const MicroOp& op = a2a3::op("emu.with_element");
    core_.micro(op, l, place(d), place(a), place(x));
    Reg element = core_.template load<LoadKind::Broadcast>(l, op, Space::Ub, x.address, l.bytes(), l.bytes());
    each_repeat(l, 1, [&](std::uint32_t r, const Pred& on) {
      Reg v = load_at(op, a, {}, r, on);
      store_at(op, l, d, {}, r,
               reversed ? core_.lanewise(what, l, on, element, v) : core_.lanewise(what, l, on, v, element), on);
    });
  }
  // For the instruction's data rules, not the hardware's: blocks that are not one element repeated.
  void watch_block(AnyLane l, Ub at) { core_.watch_block(l, at.address); }

 private:
  template <class L>
  static TS_INLINE Reg minus_zeros(Core& core, L l) {
    const std::uint64_t minus_zero = 1ull << (8 * l.bytes() - 1);
    if constexpr (std::is_same_v<L, AnyLane>) {
      return core.counting(bits_of(l), minus_zero, 0);
    } else {
      return core.broadcast(bits_of(l), LaneScalar{minus_zero, l, 0}, core.predicate(first_of(l, l.lanes())));
    }
  }
  // `size` bytes of a reduced register from byte `from` on, one such piece a repeat.
  void across(const MicroOp& op, ReduceOp what, AnyLane l, Ub d, Ub s, std::uint32_t n, std::uint32_t step, Strides ss,
              std::uint32_t from, std::uint32_t size) {
    core_.micro(op, l, place(d), place(s), CountArg{"rep", n}, CountArg{"dr", step});
    each_repeat(l, n, [&](std::uint32_t r, const Pred& on) {
      Reg few = core_.reduce(what, ReduceScope::All, static_cast<SumOrder>(options_.sum_order), l, on,
                             load_at(op, s, ss, r, on));
      if (from != 0) few = core_.template move<Move::Drop>(Lane<std::uint8_t>(), from, few, few);
      core_.store_span(op, Space::Ub, d.address + std::uint64_t{r} * step * l.bytes(), few, size);
    });
  }
  // Lanes that are off give nothing: a group or pair is written where its first lane is on.
  void few(const MicroOp& op, ReduceOp what, ReduceScope scope, AnyLane l, Ub d, Ub s, std::uint32_t n,
           std::uint32_t step_bytes, Strides ss) {
    core_.micro(op, l, place(d), place(s), CountArg{"rep", n});
    const std::uint32_t group = scope == ReduceScope::Pairs ? 2 : BLK / l.bytes();
    each_repeat(l, n, [&](std::uint32_t r, const Pred& on) {
      Reg few = core_.reduce(what, scope, static_cast<SumOrder>(options_.sum_order), l, on, load_at(op, s, ss, r, on));
      std::uint32_t results = 0;
      while (results < l.lanes() / group && lane_is_on(core_.bits(on), results * group * l.bytes())) ++results;
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
  template <ReduceScope scope, bool kWhole, class L>
  static TS_INLINE void sum_repeats(Core& core, const MicroOp& op, L l, const LaneRule& rule, std::uint32_t first,
                                    std::uint32_t last, Ub d, Ub s, std::uint32_t step, Strides ss, SumOrder order) {
    for (std::uint32_t r = first; r < last; ++r) {
      core.repeat();
      Pred on = core.predicate(rule.template lanes<kWhole>(l, r));
      Reg x = Base::template load_repeat<kWhole>(core, op, l, at_repeat(s, ss, r), ss, on);
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
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
