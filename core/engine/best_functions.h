// Functions of registers of the best SIMD level, for whoever finds them once and calls them many times.
#pragma once

#include "core/engine/register_functions.h"
#include "core/engine/value_kinds.h"

namespace ts {

// Null: the type does not have the operation.
LaneFunction best_lane_function(LaneOp op, DType type);
// Lanes of `a`, and 0 where the predicate is off.
MaskedFunction best_zero_function(DType type);
// Lanes of `a` where the predicate is on, else of `b`.
MaskedFunction best_select_function(DType type);
// A predicate: where the comparison holds and the predicate is on. Null: the type does not have it.
MaskedFunction best_compare_function(CompareOp op, DType type);
// The predicate's image, `stored_bytes(kind)` of it.
MaskedFunction best_store_function(PredStore kind);
// Null: loads of this kind need to know more.
LoadFunction best_load_function(LoadKind kind, DType type);
LoadFunction best_predicate_load_function(PredLoad kind, DType type);
// Null: it needs a number besides, or there are no such lanes.
LaneFunction best_move_function(Move kind, DType type);
PairFunction best_pair_function(Move2 kind, DType type);

}  // namespace ts
