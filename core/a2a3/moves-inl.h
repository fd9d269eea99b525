// The A2A3 machine's operations that move elements and blocks: selections by streamed bits, copies of a scalar, transposed
// blocks, gathers.
#if defined(TS_A2A3_MOVES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_A2A3_MOVES_INL_H
#undef TS_A2A3_MOVES_INL_H
#else
#define TS_A2A3_MOVES_INL_H
#endif

#include "core/a2a3/scalar-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

template <class Core, class Element>
class A2A3Moves : public A2A3Scalar<Core, Element> {
  using Base = A2A3Scalar<Core, Element>;

 protected:
  using Base::core_, Base::options_, Base::place, Base::first_of, Base::at_repeat, Base::all_of, Base::each_repeat,
      Base::load_at, Base::store_at;
  using Base::span_of, Base::rule_of, Base::lane_rule;
  using typename Base::LaneRule;

 public:
  using Base::bytes, Base::lanes, Base::kLanes;
  using typename Base::T, typename Base::Reg, typename Base::Pred;
  template <class U = T>
  TS_INLINE LaneOf<U> ty() const {
    return Base::template ty<U>();
  }

  TS_INLINE A2A3Moves(Core& core, LaneOf<T> lane, const Options& options) : Base(core, lane, options) {}

  // --- lanes --------------------------------------------------------------------------------------------------------

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
      Pred mask = core_.template load_predicate<PredLoad::LaneBits>(ty<T>(), op, Space::Ub,
                                                                    bits + std::uint64_t{r} * (lanes() / 8), 1);
      Reg x = Base::template load_repeat<false>(core_, op, ty<T>(), at_repeat(a, as, r), as, on);
      Reg y = Base::template load_repeat<false>(core_, op, ty<T>(), at_repeat(b, bs, r), bs, on);
      Reg chosen = core_.select(bits_of(ty<T>()), mask, x, y);
      Base::template store_repeat<false>(core_, op, ty<T>(), at_repeat(d, ds, r), ds, chosen, on);
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
      Base::template store_repeat<true>(core_, op, ty<U>(), at_repeat(d, ds, r), ds, value,
                                        core_.predicate(rule.template lanes<true>(ty<U>(), r)));
    }
    for (std::uint32_t r = whole; r < rule.repeats; ++r) {
      core_.repeat();
      Base::template store_repeat<false>(core_, op, ty<U>(), at_repeat(d, ds, r), ds, value,
                                         core_.predicate(rule.template lanes<false>(ty<U>(), r)));
    }
  }
  void vector_dup(AnyLane l, Ub d, const LaneScalar& scalar, std::uint32_t n, Strides ds) {
    constexpr const MicroOp& op = a2a3::op("vector_dup");
    core_.micro(op, l, AddressArg{Space::Ub, d.address, 0, l.bytes()}, scalar, CountArg{"rep", n});
    Reg value = core_.broadcast(bits_of(l), scalar, all_of(l));
    each_repeat(l, n, [&](std::uint32_t r, const Pred& on) { store_at(op, l, d, ds, r, value, on); });
  }

  void vector_dup(AnyLane l, Ub d, const Reg& scalar, std::uint32_t n, Strides ds) {
    constexpr const MicroOp& op = a2a3::op("vector_dup");
    core_.micro(op, l, AddressArg{Space::Ub, d.address, 0, l.bytes()}, scalar, CountArg{"rep", n});
    each_repeat(l, n, [&](std::uint32_t r, const Pred& on) { store_at(op, l, d, ds, r, scalar, on); });
  }

  // --- blocks -------------------------------------------------------------------------------------------------------

  // VA registers come in pairs that hold 16 addresses. Everybody sets them before use, so they are not kept between
  // instructions.
  TS_INLINE void set_va(const char* pair, const BlockList& blocks) {
    constexpr const MicroOp& op = a2a3::op("set_va_reg");
    core_.micro(op, ty<T>(), TextArg{pair}, place({blocks[0]}), place({blocks[1]}), place({blocks[2]}),
                place({blocks[3]}), place({blocks[4]}), place({blocks[5]}), place({blocks[6]}), place({blocks[7]}),
                place({blocks[8]}), place({blocks[9]}), place({blocks[10]}), place({blocks[11]}), place({blocks[12]}),
                place({blocks[13]}), place({blocks[14]}), place({blocks[15]}));
  }
  // Steps in blocks.
  TS_INLINE void vnchwconv(const BlockList& d, const BlockList& a, std::uint32_t repeats, std::uint32_t d_step,
                           std::uint32_t a_step) {
    constexpr const MicroOp& op = a2a3::op("vnchwconv");
    core_.micro(op, ty<T>(), place({d[0]}), place({a[0]}), CountArg{"rep", repeats}, CountArg{"ds", d_step},
                CountArg{"ss", a_step});
    core_.template turn_blocks<sizeof(T) == 2 ? TurnKind::Halves : TurnKind::Words>(op, d, a, repeats, d_step * BLK,
                                                                                    a_step * BLK);
  }
  // Bytes: one half of each block.
  TS_INLINE void vnchwconv_b8(const BlockList& d, const BlockList& a, std::uint32_t repeats, std::uint32_t d_step,
                              std::uint32_t a_step, bool d_high, bool a_high) {
    constexpr const MicroOp& op = a2a3::op("vnchwconv");
    core_.micro(op, DType::U8, place({d[0]}), place({a[0]}), CountArg{"rep", repeats}, CountArg{"ds", d_step},
                CountArg{"ss", a_step}, CountArg{"dst half", d_high}, CountArg{"src half", a_high});
    core_.template turn_blocks<TurnKind::Bytes>(op, half_of(d, d_high), half_of(a, a_high), repeats, d_step * BLK,
                                                a_step * BLK);
  }
  // n runs of len blocks; gaps in blocks from one run's end to the next one's start.
  TS_INLINE void copy_ubuf_to_ubuf(Ub to, Ub from, std::uint32_t n, std::uint32_t len, std::uint32_t from_gap,
                                   std::uint32_t to_gap) {
    constexpr const MicroOp& op = a2a3::op("copy_ubuf_to_ubuf");
    core_.micro(op, ty<T>(), place(to), place(from), CountArg{"n", n}, CountArg{"len", len}, CountArg{"sgap", from_gap},
                CountArg{"dgap", to_gap});
    for (std::uint32_t k = 0; k < n; ++k)
      core_.copy(op, Space::Ub, to.address + std::uint64_t{k} * (len + to_gap) * BLK, Space::Ub,
                 from.address + std::uint64_t{k} * (len + from_gap) * BLK, len * BLK);
  }
  // Repeat r takes eight offsets at offsets + 32 r and writes eight blocks at d + 32 step r.
  TS_INLINE void vgatherb(Ub d, Ub offsets, const TileRef& src, std::uint32_t step, std::uint32_t repeats) {
    constexpr const MicroOp& op = a2a3::op("vgatherb");
    core_.micro(op, ty<T>(), place(d), place_offsets(offsets), place(src.ub()), CountArg{"ds", step},
                CountArg{"rep", repeats});
    for (std::uint32_t r = 0; r < repeats; ++r)
      gather_repeat(op, {d.address + r * step * BLK}, {offsets.address + r * BLK}, src, kLanes);
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
  // The same for elements of 16 or 32 bits, whose type is only known now.
  void vgather(AnyLane l, Ub d, Ub offsets, const TileRef& src) {
    constexpr const MicroOp& op = a2a3::op("vgather");
    core_.micro(op, l, place(d), place_offsets(offsets), place(src.ub()));
    each_index(op, offsets, static_cast<std::uint32_t>(core_.peek(Space::Spr, a2a3::kMask)),
               [&](std::uint32_t done, std::uint32_t n, const Reg& at, const Pred& on) {
                 put_words(op, l, d.address + done * l.bytes(),
                           core_.gather(bits_of(l), kIndexLane, 1, op, span_of(src), at, on), n, on);
               });
  }
  // By indices, not offsets: 0 for those from `limit` on.
  void emu_vgather(AnyLane l, Ub d, Ub indices, const TileRef& src, std::uint32_t limit, std::uint32_t elements) {
    constexpr const MicroOp& op = a2a3::op("emu.vgather");
    core_.micro(op, l, place(d), place_offsets(indices), place(src.ub()), CountArg{"limit", limit},
                CountArg{"elements", elements});
    each_index(op, indices, elements, [&](std::uint32_t done, std::uint32_t n, const Reg& at, const Pred& on) {
      Pred inside = core_.compare(CompareOp::Lt, kIndexLane, on, at, core_.counting(kIndexLane, limit, 0));
      put_words(op, l, d.address + done * l.bytes(),
                core_.gather(bits_of(l), kIndexLane, static_cast<int>(l.bytes()), op, span_of(src), at, inside), n, on);
    });
  }
  // base[idx[i]] = s[i], one after the other; those from `limit` on go nowhere. Where `rows`, an index is a row of base, and
  // the column that of s.
  void scalar_scatter(AnyLane l, AnyLane index, const TileRef& base, Ub s, Ub indices, std::uint32_t limit, bool rows,
                      std::uint32_t elements) {
    constexpr const MicroOp& op = a2a3::op("scalar scatter");
    core_.micro(op, l, place(base.ub()), place(s), AddressArg{Space::Ub, indices.address, 0, index.bytes()},
                CountArg{"elements", elements});
    Indexed where = span_of(base);
    where.last_wins = true;
    this->pieces(kIndexLane, elements, [&](std::uint32_t at, std::uint32_t size, const Pred& on) {
      const std::uint32_t done = at / 4, n = size / 4;
      Reg i = load_words(op, index, indices.address + done * index.bytes(), n),
          v = load_words(op, l, s.address + done * l.bytes(), n);
      Pred inside = core_.compare(CompareOp::Lt, kIndexLane, on, i, core_.counting(kIndexLane, limit, 0));
      if (rows)
        i = this->word_op(LaneOp::Add, this->word_op(LaneOp::Mul, i, core_.counting(kIndexLane, base.row_stride(), 0)),
                          core_.counting(kIndexLane, done));
      core_.scatter(bits_of(l), kIndexLane, static_cast<int>(l.bytes()), op, where, i, v, inside);
    });
  }
  // The numbers of the elements of s that compare with k, from `first` + `number` on, close together at d; *c = how many,
  // in `count_bytes`.
  void vreducev2_mask(AnyLane l, CompareOp mode, Ub d, Ub c, std::uint32_t count_bytes, Ub s, const Reg& k,
                      const LaneScalar& first, std::uint32_t number, std::uint32_t elements) {
    constexpr const MicroOp& op = a2a3::op("vreducev2.mask");
    core_.micro(op, l, place(d), place(c), place(s), TextArg{this->mode_name(mode)}, k, first, CountArg{"n", elements});
    Reg stored = this->words(0);
    this->pieces(l, elements, [&](std::uint32_t at, std::uint32_t size, const Pred& on) {
      core_.repeat();
      Reg x = core_.template load<LoadKind::Some>(l, op, Space::Ub, s.address + at, size, l.bytes(), size);
      Pred kept = core_.compare(mode, l, on, x, k);
      const std::uint32_t begin = number + at / l.bytes(), n = size / l.bytes();
      if (l.bytes() == 4) return append_numbers(op, d, first, begin, kept, stored);
      auto halves = core_.template move_predicates<PredMove2::Interleave16>(kept, kept);
      append_numbers(op, d, first, begin, halves.lo, stored);
      if (n > kIndexLane.lanes()) append_numbers(op, d, first, begin + kIndexLane.lanes(), halves.hi, stored);
    });
    core_.store_span(op, Space::Ub, c.address, stored, count_bytes);
  }
  // Evenly spaced elements by the scalar pipe.
  TS_INLINE void scalar_loop(Ub to, std::uint32_t to_step, Ub from, std::uint32_t from_step, std::uint32_t count) {
    constexpr const MicroOp& op = a2a3::op("scalar loop");
    core_.micro(op, ty<T>(), place(to), place(from), CountArg{"elements", count});
    core_.copy_elements(op, {Space::Ub, to.address, to_step}, {Space::Ub, from.address, from_step}, bytes(), count);
  }

 private:
  using Base::kIndexLane;
  template <class F>
  void each_index(const MicroOp& op, Ub indices, std::uint32_t elements, F f) {
    for (std::uint32_t done = 0; done < elements; done += kIndexLane.lanes()) {
      const std::uint32_t n = std::min(elements - done, kIndexLane.lanes());
      core_.repeat();
      Pred on = core_.predicate(first_lanes_of(4, n));
      Reg at =
          core_.template load<LoadKind::Some>(kIndexLane, op, Space::Ub, indices.address + done * 4, n * 4, 4, n * 4);
      f(done, n, at, on);
    }
  }
  // Elements, each in the low part of a word.
  Reg load_words(const MicroOp& op, AnyLane l, std::uint64_t address, std::uint32_t n) {
    const std::uint32_t size = n * l.bytes();
    Reg out = core_.template load<LoadKind::Some>(l, op, Space::Ub, address, size, l.bytes(), size);
    for (AnyLane lane = bits_of(l); lane.bytes() < 4; lane = {lane.bytes() == 1 ? DType::U16 : DType::U32})
      out = core_.template move<Move::WidenZero>(lane, 0, out, out);
    return out;
  }
  void put_words(const MicroOp& op, AnyLane l, std::uint64_t to, const Reg& wide, std::uint32_t n, const Pred& on) {
    if (l.bytes() == 4) return core_.store_lanes(kIndexLane, op, to, BLK, wide, on);
    Reg packed = core_.template move<Move::PackHalf>(kIndexLane, 0, wide, wide);
    core_.store_span(op, Space::Ub, to, packed, n * l.bytes());
  }
  void append_numbers(const MicroOp& op, Ub d, const LaneScalar& first, std::uint32_t number, const Pred& kept,
                      Reg& stored) {
    Reg numbers = this->word_op(LaneOp::Add, core_.counting(kIndexLane, number),
                                core_.scalar_lanes(kIndexLane, first, this->all_words()));
    this->append(op, numbers, kept, d.address, stored);
  }
  TS_INLINE Reg pack_words(const Reg& wide) {
    if constexpr (sizeof(T) == 2) {
      return core_.template move<Move::PackHalf>(Lane<std::uint32_t>(), 0, wide, wide);
    } else {
      return core_.template move<Move::PackByte>(Lane<std::uint32_t>(), 0, wide, wide);
    }
  }
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
      Reg at = core_.template load<LoadKind::Some>(Lane<std::uint32_t>(), op, Space::Ub, offsets.address + done * 4,
                                                   n * 4, 4, n * 4);
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
  template <bool kWhole>
  TS_INLINE void select_repeats(const MicroOp& op, const LaneRule& rule, std::uint32_t first, std::uint32_t last,
                                const Reg& scalar, Ub d, Ub a, Ub bits, Strides ds, Strides as) {
    std::uint64_t at_d = at_repeat(d, ds, first), at_a = at_repeat(a, as, first);
    for (std::uint32_t r = first; r < last; ++r, at_d += ds.repeat * BLK, at_a += as.repeat * BLK) {
      core_.repeat();
      Pred on = core_.predicate(rule.template lanes<kWhole>(ty<T>(), r));
      Pred mask = core_.template load_predicate<PredLoad::LaneBits>(ty<T>(), op, Space::Ub,
                                                                    bits.address + std::uint64_t{r} * (lanes() / 8), 1);
      Reg x = Base::template load_repeat<kWhole>(core_, op, ty<T>(), at_a, as, on);
      Reg chosen = core_.select(bits_of(ty<T>()), mask, x, scalar);
      Base::template store_repeat<kWhole>(core_, op, ty<T>(), at_d, ds, chosen, on);
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
