// Lane operations in double precision: the ones of lane_ops.h, on doubles.
#include "core/engine/tag/lane_shadows.h"

#include <cmath>

#include "core/engine/lane_ops.h"

namespace ts {

bool has_shadow(LaneOp op, DType type) {
  if (!is_float(type)) return false;
  switch (op) {
    case LaneOp::And:
    case LaneOp::Or:
    case LaneOp::Xor:
    case LaneOp::Not:
    case LaneOp::Shl:
    case LaneOp::Shr:
    case LaneOp::ShlModulo:
    case LaneOp::ShrModulo: return false;
    default: return true;
  }
}

double lane_shadow(LaneOp op, double a, double b, double c) {
  switch (op) {
    case LaneOp::Add: return lane::Add::of(a, b);
    case LaneOp::Sub: return lane::Sub::of(a, b);
    case LaneOp::Mul: return lane::Mul::of(a, b);
    case LaneOp::DivPlainNan:
    case LaneOp::Div: return lane::Div::of(a, b);
    case LaneOp::Max: return lane::Max::of(a, b);
    case LaneOp::Min: return lane::Min::of(a, b);
    case LaneOp::ExactMod: return lane::ExactMod::of(a, b);
    case LaneOp::ExactFloorMod: return lane::ExactFloorMod::of(a, b);
    case LaneOp::Power: return lane::Power::of(a, b);
    case LaneOp::Prelu: return lane::Prelu::of(a, b);
    case LaneOp::Abs: return std::fabs(a);
    case LaneOp::Neg: return -a;
    case LaneOp::Relu: return lane::ReluOf<false>::of(a);
    case LaneOp::ReluZero: return lane::ReluOf<true>::of(a);
    case LaneOp::Exp:
    case LaneOp::ExpFlush: return std::exp(a);
    case LaneOp::Ln: return std::log(a);
    case LaneOp::Sqrt: return lane::Sqrt::of(a);
    case LaneOp::Rsqrt: return 1 / std::sqrt(a);
    case LaneOp::Recip: return lane::Recip::of(a);
    case LaneOp::RoundEven: return lane::RoundEven::of(a);
    case LaneOp::RoundAway: return lane::RoundAway::of(a);
    case LaneOp::RoundDown: return lane::RoundDown::of(a);
    case LaneOp::RoundUp: return lane::RoundUp::of(a);
    case LaneOp::RoundZero: return lane::RoundZero::of(a);
    case LaneOp::MulAdd: return lane::MulAdd::of(a, b, c);
    default: return NAN;
  }
}

}  // namespace ts
