// Names of the flow kinds.
#include "core/catalogue/micro_op.h"

namespace ts {

const char* name(FlowKind flow) {
  switch (flow) {
    case FlowKind::LaneWise: return "lane-wise";
    case FlowKind::Compare: return "compare";
    case FlowKind::Reduction: return "reduction";
    case FlowKind::Product: return "product";
    case FlowKind::Permutation: return "permutation";
    case FlowKind::Select: return "select";
    case FlowKind::Load: return "load";
    case FlowKind::Store: return "store";
    case FlowKind::Predicate: return "predicate";
    case FlowKind::Copy: return "copy";
    case FlowKind::Fill: return "fill";
    case FlowKind::Repeat: return "repeat";
    case FlowKind::Control: return "control";
    case FlowKind::Emulator: return "emulator step";
  }
  return "?";
}

}  // namespace ts
