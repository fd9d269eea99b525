// Functions of registers and predicates that stand in memory, by kind and type, of one SIMD level and of the best one.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engine/best_functions.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "core/engine/level_functions-inl.h"
#include "core/engine/vector-inl.h"

#include <cstring>

#include "core/engine/best_functions.h"
#include "core/engine/block_core.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

template <class T>
void zero_lanes(std::uint8_t* out, const VPred& pred, const std::uint8_t* a, const std::uint8_t*) {
  store_register(zero_inactive<T>(load_register(a), pred), out);
}
MaskedFunction zero_function(DType type) {
  return by_width(type, [](auto lane) HWY_ATTR { return MaskedFunction{zero_lanes<TypeIn<decltype(lane)>>}; });
}
template <class T>
void select_lanes(std::uint8_t* out, const VPred& pred, const std::uint8_t* a, const std::uint8_t* b) {
  store_register(SelectLanes<T>()(pred, load_register(a), load_register(b)), out);
}
MaskedFunction select_function(DType type) {
  return by_width(type, [](auto lane) HWY_ATTR { return MaskedFunction{select_lanes<TypeIn<decltype(lane)>>}; });
}

// Lanes to other places, from register to register; those that need a number are no such functions.
template <class Wide, class Low>
void pack_lanes(std::uint8_t* out, const std::uint8_t* a) {
  store_register(PackLanes<Wide, Low>()(load_register(a)), out);
}
// The lower half of the lanes, zero-extended.
template <class Wide, class Low>
void widen_low_lanes(std::uint8_t* out, const std::uint8_t* a) {
  Low low[VL / sizeof(Low)];
  Wide wide[VL / sizeof(Wide)];
  std::memcpy(low, a, VL);
  for (std::uint32_t lane = 0; lane < VL / sizeof(Wide); ++lane) wide[lane] = low[lane];
  std::memcpy(out, wide, VL);
}
// The first or the last lane in all of them.
template <class T, bool kLast>
void repeat_lane(std::uint8_t* out, const std::uint8_t* a) {
  T one;
  std::memcpy(&one, a + (kLast ? VL - sizeof one : 0), sizeof one);
  store_register(broadcast<T>(one), out);
}
using OneMove = void (*)(std::uint8_t* out, const std::uint8_t* a);
template <OneMove one>
void by_moves(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t*, const std::uint8_t*, std::uint32_t count,
              LaneSteps steps) {
  for (; count > 0; --count, out += steps.out, a += steps.in[0]) one(out, a);
}
LaneFunction move_function(Move kind, DType type) {
  return by_width(type, [&](auto lane) HWY_ATTR {
    using T = TypeIn<decltype(lane)>;
    if (kind == Move::Lowest) return LaneFunction{by_moves<repeat_lane<T, false>>};
    if (kind == Move::Highest) return LaneFunction{by_moves<repeat_lane<T, true>>};
    if (kind == Move::PackByte) return LaneFunction{by_moves<pack_lanes<T, std::uint8_t>>};
    if constexpr (sizeof(T) > 1)
      if (kind == Move::PackHalf)
        return LaneFunction{by_moves<pack_lanes<T, typename UnsignedOf<sizeof(T) / 2>::type>>};
    if constexpr (sizeof(T) < 8)
      if (kind == Move::WidenZero)
        return LaneFunction{by_moves<widen_low_lanes<typename UnsignedOf<sizeof(T) * 2>::type, T>>};
    return LaneFunction{nullptr};
  });
}

// Every kStep-th bit, side by side.
template <int kStep>
void store_every(std::uint8_t* out, const VPred& pred, const std::uint8_t*, const std::uint8_t*) {
  std::uint64_t image[4] = {};
  constexpr std::uint32_t kBits = 64 / kStep;
  for (std::uint32_t i = 0; i < 4; ++i)
    image[i / kStep] |= pack_lane_bits<kStep>(pred.word[i]) << (i % kStep * kBits % 64);
  std::memcpy(out, image, VL / 8 / kStep);
}
MaskedFunction store_predicate_function(PredStore kind) {
  switch (kind) {
    case PredStore::Norm: return store_every<1>;
    case PredStore::Pack: return store_every<2>;
    case PredStore::Pack4: return store_every<4>;
  }
  return nullptr;
}

template <class Load>
void load_from(std::uint8_t* out, const std::uint8_t* from) {
  store_register(Load()(from), out);
}
LoadFunction load_function(LoadKind kind, DType type) {
  switch (kind) {
    case LoadKind::Norm: return load_from<LoadNorm>;
    case LoadKind::Broadcast:
      return by_width(
          type, [](auto lane) HWY_ATTR { return LoadFunction{load_from<LoadBroadcast<TypeIn<decltype(lane)>>>}; });
    case LoadKind::Unpack8: return load_from<LoadUnpack8>;
    case LoadKind::Unpack16: return load_from<LoadUnpack16>;
    case LoadKind::Block: return load_from<LoadBlock>;
    case LoadKind::BlockAll: return load_from<LoadBlockAll>;
    case LoadKind::Some: break;
  }
  return nullptr;
}

template <class Load>
void load_predicate_from(std::uint8_t* out, const std::uint8_t* from) {
  const VPred pred = Load()(from);
  std::memcpy(out, &pred, sizeof pred);
}
LoadFunction predicate_load_function(PredLoad kind, DType type) {
  switch (kind) {
    case PredLoad::Norm: return load_predicate_from<LoadPredNorm>;
    case PredLoad::Unpacked: return load_predicate_from<LoadPredUnpacked>;
    case PredLoad::Thinned: return load_predicate_from<LoadPredThinned>;
    case PredLoad::LaneBits: break;
  }
  return by_width(
      type, [](auto lane) HWY_ATTR { return LoadFunction{load_predicate_from<LoadLaneBits<TypeIn<decltype(lane)>>>}; });
}

// Part by part, each of them read just before it is needed: two whole registers and their results are more than most hosts
// have room for.
template <class T>
void split_pairs(std::uint8_t* lo, std::uint8_t* hi, const std::uint8_t* a, const std::uint8_t* b) {
  const Lanes<T> d;
  for (int i = 0; i < kParts; ++i) {
    const std::uint8_t* from = 2 * i < kParts ? a + 2 * i * kPartBytes : b + (2 * i - kParts) * kPartBytes;
    const auto first = hn::BitCast(d, hn::LoadU(Bytes(), from)),
               second = hn::BitCast(d, hn::LoadU(Bytes(), from + kPartBytes));
    hn::StoreU(hn::BitCast(Bytes(), hn::ConcatEven(d, second, first)), Bytes(), lo + i * kPartBytes);
    hn::StoreU(hn::BitCast(Bytes(), hn::ConcatOdd(d, second, first)), Bytes(), hi + i * kPartBytes);
  }
}
template <class T>
void join_pairs(std::uint8_t* lo, std::uint8_t* hi, const std::uint8_t* a, const std::uint8_t* b) {
  for (int i = 0; i < kParts; ++i) {
    const auto two =
        Interleave<T>::of_parts(hn::LoadU(Bytes(), a + i * kPartBytes), hn::LoadU(Bytes(), b + i * kPartBytes));
    std::uint8_t* to = 2 * i < kParts ? lo + 2 * i * kPartBytes : hi + (2 * i - kParts) * kPartBytes;
    hn::StoreU(two.first, Bytes(), to);
    hn::StoreU(two.second, Bytes(), to + kPartBytes);
  }
}
using OnePair = void (*)(std::uint8_t* lo, std::uint8_t* hi, const std::uint8_t* a, const std::uint8_t* b);
template <OnePair one>
void by_pairs(std::uint8_t* lo, std::uint8_t* hi, const std::uint8_t* a, const std::uint8_t* b, std::uint32_t count,
              LaneSteps steps) {
  for (; count > 0; --count) {
    one(lo, hi, a, b);
    lo += steps.out;
    hi += steps.in[2];
    a += steps.in[0];
    b += steps.in[1];
  }
}
PairFunction pair_function(Move2 kind, DType type) {
  return by_width(type, [&](auto lane) HWY_ATTR {
    using T = TypeIn<decltype(lane)>;
    return kind == Move2::Deinterleave ? PairFunction{by_pairs<split_pairs<T>>} : PairFunction{by_pairs<join_pairs<T>>};
  });
}

bool compute_lane_here(LaneOp op, DType type, std::uint64_t a, std::uint64_t b, std::uint64_t& out) {
  const LaneFunction function = lane_function(op, type);
  if (function == nullptr) return false;
  alignas(64) std::uint8_t x[VL] = {}, y[VL] = {}, result[VL];
  std::memcpy(x, &a, sizeof a);
  std::memcpy(y, &b, sizeof b);
  function(result, x, y, y, 1, {});
  std::memcpy(&out, result, size_bytes(type));
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ts {

HWY_EXPORT(compute_lane_here);
HWY_EXPORT(lane_function);
HWY_EXPORT(zero_function);
HWY_EXPORT(select_function);
HWY_EXPORT(compare_function);
HWY_EXPORT(load_function);
HWY_EXPORT(store_predicate_function);
HWY_EXPORT(predicate_load_function);
HWY_EXPORT(pair_function);
HWY_EXPORT(move_function);

LaneFunction best_lane_function(LaneOp op, DType type) { return HWY_DYNAMIC_DISPATCH(lane_function)(op, type); }

MaskedFunction best_zero_function(DType type) { return HWY_DYNAMIC_DISPATCH(zero_function)(type); }
MaskedFunction best_select_function(DType type) { return HWY_DYNAMIC_DISPATCH(select_function)(type); }
MaskedFunction best_compare_function(CompareOp op, DType type) {
  return HWY_DYNAMIC_DISPATCH(compare_function)(op, type);
}
MaskedFunction best_store_function(PredStore kind) { return HWY_DYNAMIC_DISPATCH(store_predicate_function)(kind); }
LoadFunction best_load_function(LoadKind kind, DType type) { return HWY_DYNAMIC_DISPATCH(load_function)(kind, type); }
LoadFunction best_predicate_load_function(PredLoad kind, DType type) {
  return HWY_DYNAMIC_DISPATCH(predicate_load_function)(kind, type);
}
LaneFunction best_move_function(Move kind, DType type) { return HWY_DYNAMIC_DISPATCH(move_function)(kind, type); }
PairFunction best_pair_function(Move2 kind, DType type) { return HWY_DYNAMIC_DISPATCH(pair_function)(kind, type); }

std::optional<std::uint64_t> compute_lane(LaneOp op, DType type, std::uint64_t a, std::uint64_t b) {
  std::uint64_t out = 0;
  return HWY_DYNAMIC_DISPATCH(compute_lane_here)(op, type, a, b, out) ? std::optional(out) : std::nullopt;
}

}  // namespace ts
#endif
