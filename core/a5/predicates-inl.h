// The A5 machine's predicates: 256 bits, made, moved, loaded and stored.
#if defined(TS_A5_PREDICATES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_A5_PREDICATES_INL_H
#undef TS_A5_PREDICATES_INL_H
#else
#define TS_A5_PREDICATES_INL_H
#endif

#include "core/a5/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

template <class Core, class Element>
class A5Predicates : public A5Lanes<Core, Element> {
  using Base = A5Lanes<Core, Element>;

 protected:
  using Base::core_, Base::options_, Base::address, Base::place, Base::first_of;

 public:
  using typename Base::T, typename Base::Reg, typename Base::Few, typename Base::Pred, typename Base::RegPair,
      typename Base::PredPair;
  template <class U = T>
  TS_INLINE LaneOf<U> ty() const {
    return Base::template ty<U>();
  }

  TS_INLINE A5Predicates(Core& core, LaneOf<T> lane, const Options& options) : Base(core, lane, options) {}

  template <class U = T>
  TS_INLINE Pred plt(std::uint32_t& n) {
    return plt(ty<U>(), n);
  }
  template <class L>
  TS_INLINE Pred plt(L lane, std::uint32_t& n) {
    core_.micro(a5::op("plt"), lane, CountArg{"n", n});
    VPred image = first_of(lane, n);
    n = n > lane.lanes() ? n - lane.lanes() : 0;
    return core_.predicate(image);
  }
  template <class U = T>
  TS_INLINE Pred pset_all() {
    return pset_all(ty<U>());
  }
  template <class L>
  TS_INLINE Pred pset_all(L lane) {
    core_.micro(a5::op("pset"), lane);
    return core_.predicate(first_of(lane, lane.lanes()));
  }
  TS_INLINE Pred plds_us(Ub base, std::uint32_t byte_offset) {
    constexpr const MicroOp& op = a5::op("plds.US");
    core_.micro(op, DType::U8, place(Lane<std::uint8_t>(), base, byte_offset));
    return core_.template load_predicate<PredLoad::Unpacked>(Lane<std::uint8_t>(), op, Space::Ub,
                                                             address(Lane<std::uint8_t>(), base, byte_offset), 16);
  }
  TS_INLINE Pred plds(Ub base, std::uint32_t byte_offset) {
    constexpr const MicroOp& op = a5::op("plds");
    core_.micro(op, DType::U8, place(Lane<std::uint8_t>(), base, byte_offset));
    return core_.template load_predicate<PredLoad::Norm>(Lane<std::uint8_t>(), op, Space::Ub,
                                                         address(Lane<std::uint8_t>(), base, byte_offset), 32);
  }
  // Mask bits from where the documents say they are, when the library's own step would read others.
  TS_INLINE Pred emu_plds(Ub base, std::uint32_t byte_offset) {
    constexpr const MicroOp& op = a5::op("emu.plds");
    core_.micro(op, DType::U8, place(Lane<std::uint8_t>(), base, byte_offset));
    if (ty<T>().bytes() == 1) {
      return core_.template load_predicate<PredLoad::Norm>(Lane<std::uint8_t>(), op, Space::Ub,
                                                           address(Lane<std::uint8_t>(), base, byte_offset), 1);
    } else {
      return core_.template load_predicate<PredLoad::Unpacked>(Lane<std::uint8_t>(), op, Space::Ub,
                                                               address(Lane<std::uint8_t>(), base, byte_offset), 1);
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
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
