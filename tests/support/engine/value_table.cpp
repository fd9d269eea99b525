// Filling of the value tables, once per SIMD level.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/support/engine/value_table.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "tests/support/engine/value_table.h"
#include "core/engine/arithmetic-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

using test::LaneFunctions;
using test::PredPairWords;
using test::PredWords;
using test::RegBytes;
using test::RegPairBytes;
using test::ValueTable;

inline VReg in(const RegBytes& bytes) { return load_register(bytes.data()); }
inline RegBytes out(const VReg& v) {
  RegBytes bytes;
  store_register(v, bytes.data());
  return bytes;
}
inline VPred in(const PredWords& words) { return {{words.word[0], words.word[1], words.word[2], words.word[3]}}; }
inline PredWords out(const VPred& pred) { return {{pred.word[0], pred.word[1], pred.word[2], pred.word[3]}}; }

template <class T>
LaneFunctions lane_functions() {
  LaneFunctions f{};
  f.first_lanes = [](std::uint32_t count) { return out(first_lanes<T>(count)); };
  f.all_lanes_on = [](const PredWords& p) { return all_lanes_on<T>(in(p)); };
  f.active_bytes = [](const PredWords& p) { return out(active_bytes<T>(in(p))); };
  f.pack = [](std::uint64_t x) HWY_ATTR { return pack_lane_bits<sizeof(T)>(x); };
  f.spread = [](std::uint64_t x) HWY_ATTR { return spread_lane_bits<sizeof(T)>(x); };
  f.broadcast = [](std::uint64_t bits) HWY_ATTR { return out(broadcast<T>(bits)); };
  f.select = [](const PredWords& p, const RegBytes& on, const RegBytes& off)
                 HWY_ATTR { return out(SelectLanes<T>()(in(p), in(on), in(off))); };
  f.zero_inactive = [](const RegBytes& v, const PredWords& p) HWY_ATTR { return out(zero_inactive<T>(in(v), in(p))); };
  f.store_lanes = [](const RegBytes& v, const PredWords& p, std::uint8_t* to)
                      HWY_ATTR { store_lanes<T>(in(v), in(p), to); };
  if constexpr (sizeof(T) < 8) {
    f.deinterleave = [](const RegBytes& a, const RegBytes& b) HWY_ATTR {
      const VPair pair = Deinterleave<T>()(in(a), in(b));
      return RegPairBytes{out(pair.lo), out(pair.hi)};
    };
  }
  if constexpr (sizeof(T) == 2 || sizeof(T) == 4)
    f.load_lane_bits = [](const std::uint8_t* from) HWY_ATTR { return out(LoadLaneBits<T>()(from)); };
  return f;
}

template <class T>
RegBytes add_lanes(const RegBytes& a, const RegBytes& b) {
  return out(BinaryLanes<T, AddOp>()(in(a), in(b)));
}

template <class... T>
void fill_add(ValueTable& table, TypeList<T...>) {
  ((table.add[static_cast<int>(dtype_of<T>)] = &add_lanes<T>), ...);
}

const ValueTable& level_table() {
  static const ValueTable table = [] {
    ValueTable t{};
    t.lanes[0] = lane_functions<std::uint8_t>();
    t.lanes[1] = lane_functions<std::uint16_t>();
    t.lanes[2] = lane_functions<std::uint32_t>();
    t.lanes[3] = lane_functions<std::uint64_t>();
    fill_add(t, TypeList<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, f16, bf16,
                         float>());
    t.interleave16 = [](const PredWords& a, const PredWords& b) HWY_ATTR {
      const VPredPair pair = InterleavePred16()(in(a), in(b));
      return PredPairWords{out(pair.lo), out(pair.hi)};
    };
    t.unpack_lower = [](const PredWords& a) HWY_ATTR { return out(UnpackPredLower()(in(a))); };
    t.load_pred = [](const std::uint8_t* from) { return out(LoadPredNorm()(from)); };
    t.load_pred_us = [](const std::uint8_t* from) HWY_ATTR { return out(LoadPredUnpacked()(from)); };
    t.splice = [](const RegBytes& a, const RegBytes& b, std::uint32_t count)
                   HWY_ATTR { return out(SpliceBytes{count}(in(a), in(b))); };
    t.drop = [](const RegBytes& a, std::uint32_t from) HWY_ATTR { return out(DropBytes{from}(in(a))); };
    t.add_with_carry = [](const RegBytes& a, const RegBytes& b, const PredWords& carry_in, RegBytes& sum,
                          PredWords& carry) HWY_ATTR {
      const SumAndCarry result = AddWithCarry()(in(a), in(b), in(carry_in));
      sum = out(result.sum);
      carry = out(result.carry);
    };
    return t;
  }();
  return table;
}

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ts {
HWY_EXPORT(level_table);
namespace test {
const ValueTable& value_table() { return HWY_DYNAMIC_DISPATCH(level_table)(); }
}  // namespace test
}  // namespace ts
#endif
