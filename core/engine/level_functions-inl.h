// Value functions that files of their own define, once per SIMD level; null or false where a type has no such function.
#if defined(TS_ENGINE_LEVEL_FUNCTIONS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_ENGINE_LEVEL_FUNCTIONS_INL_H
#undef TS_ENGINE_LEVEL_FUNCTIONS_INL_H
#else
#define TS_ENGINE_LEVEL_FUNCTIONS_INL_H
#endif

#include "core/engine/register_functions.h"
#include "core/engine/value_kinds.h"
#include "core/engine/vector-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

// f(Lane<T>()) for the unsigned T of this width.
template <class F>
TS_INLINE auto by_width(DType type, F f) {
  switch (size_bytes(type)) {
    case 1: return f(Lane<std::uint8_t>());
    case 2: return f(Lane<std::uint16_t>());
    case 4: return f(Lane<std::uint32_t>());
    default: return f(Lane<std::uint64_t>());
  }
}
template <class L>
using TypeIn = typename L::type;

// lane_functions.cpp
LaneFunction lane_function(LaneOp op, DType type);
MaskedFunction compare_function(CompareOp op, DType type);

// best_functions.cpp
MaskedFunction zero_function(DType type);
MaskedFunction select_function(DType type);
LaneFunction move_function(Move kind, DType type);

// reduce_functions.cpp
void reduce_lanes(std::uint8_t* out, ReduceOp op, ReduceScope scope, SumOrder order, DType type, const VPred& pred,
                  const std::uint8_t* a);
// convert_functions.cpp: `count` elements that stand close together.
void convert_lanes(std::uint8_t* out, DType to, const std::uint8_t* in, DType from, std::uint32_t count,
                   Rounding rounding, Overflow overflow);

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
