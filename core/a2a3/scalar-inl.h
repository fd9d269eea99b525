// What the scalar pipe of A2A3 does: elements one by one.
#if defined(TS_A2A3_SCALAR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_A2A3_SCALAR_INL_H
#undef TS_A2A3_SCALAR_INL_H
#else
#define TS_A2A3_SCALAR_INL_H
#endif

#include <cmath>

#include "core/a2a3/across-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

template <class Core, class Element>
class A2A3Scalar : public A2A3Across<Core, Element> {
  using Base = A2A3Across<Core, Element>;

 protected:
  using Base::core_, Base::options_, Base::place, Base::first_of, Base::at_repeat, Base::all_of, Base::each_repeat,
      Base::load_at, Base::store_at;
  using Base::pieces;
  using typename Base::LaneRule;

 public:
  using Base::bytes, Base::lanes, Base::kLanes;
  using typename Base::T, typename Base::Reg, typename Base::Pred;
  template <class U = T>
  TS_INLINE LaneOf<U> ty() const {
    return Base::template ty<U>();
  }

  TS_INLINE A2A3Scalar(Core& core, LaneOf<T> lane, const Options& options) : Base(core, lane, options) {}

  // --- the scalar pipe ----------------------------------------------------------------------------------------------

  // One element, in every lane of what the next operation takes for a scalar.
  Reg scalar_load(AnyLane l, Ub from) {
    constexpr const MicroOp& op = a2a3::op("scalar load");
    core_.micro(op, l, place(from));
    return core_.template load<LoadKind::Broadcast>(l, op, Space::Ub, from.address, l.bytes(), l.bytes());
  }
  // The same with the other sign.
  Reg scalar_load_negated(AnyLane l, Ub from) {
    constexpr const MicroOp& op = a2a3::op("scalar load");
    core_.micro(op, l, TextArg{"-"}, place(from));
    Reg x = core_.template load<LoadKind::Broadcast>(l, op, Space::Ub, from.address, l.bytes(), l.bytes());
    core_.hide(x);
    return core_.lanewise(LaneOp::Neg, l, all_of(l), x);
  }
  // The same as an element of another type.
  Reg scalar_load_as(AnyLane to, AnyLane l, Ub from) {
    Reg x = scalar_load(l, from);
    if (to.dtype == l.dtype) return x;
    core_.hide(x);
    return core_.convert(to, l, {}, all_of(l), x);
  }
  Reg scalar_value(const LaneScalar& scalar) {
    const AnyLane l{scalar.dtype};
    return core_.scalar_lanes(bits_of(l), scalar, all_of(l));
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
      core_.store_span(op, Space::Ub, d.address + done * l.bytes(), values,
                       std::min(count - done, in.lanes()) * l.bytes());
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
  void watch_factors(const TileRef& tile, bool zeros) { core_.watch_factors(tile, zeros); }
  // The same with a scalar: a op x, or x op a.
  void scalar_op(const char* what, LaneOp op, AnyLane l, Ub d, Ub a, const LaneScalar& x, bool reversed,
                 std::uint32_t count) {
    constexpr const MicroOp& row = a2a3::op("scalar arithmetic");
    core_.micro(row, l, TextArg{what}, place(d), place(a), x, CountArg{"elements", count});
    pieces(l, count, [&](std::uint32_t at, std::uint32_t size, const Pred& on) {
      Reg y = core_.template load<LoadKind::Some>(l, row, Space::Ub, a.address + at, size, l.bytes(), size);
      Reg scalar = core_.broadcast(bits_of(l), x, on);
      core_.store_span(row, Space::Ub, d.address + at,
                       reversed ? core_.lanewise(op, l, on, scalar, y) : core_.lanewise(op, l, on, y, scalar), size);
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
    core_.store_span(op, Space::Ub, d.address, core_.reduce(what, ReduceScope::All, SumOrder::Sequential, l, on, x),
                     l.bytes());
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
      Reg found = core_.reduce(ReduceOp::Sum, ReduceScope::All, SumOrder::Sequential, bits, on,
                               core_.lanewise(LaneOp::And, bits, all, x, mask));
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

 private:
  template <std::size_t n, class F>
  void lanes_by(const MicroOp& op, const char* what, AnyLane l, Ub d, const Ub (&from)[n], std::uint32_t count, F& f) {
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      core_.micro(op, l, TextArg{what}, place(d), place(from[k])..., CountArg{"elements", count});
    }
    (std::make_index_sequence<n>());
    pieces(l, count, [&](std::uint32_t at, std::uint32_t size, const Pred& on) {
      Reg in[n];
      for (std::size_t k = 0; k < n; ++k)
        in[k] = core_.template load<LoadKind::Some>(l, op, Space::Ub, from[k].address + at, size, l.bytes(), size);
      core_.store_span(op, Space::Ub, d.address + at, f(core_, on, in), size);
    });
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
