// The cube core of both targets: matrices move from L1 into the operands' memories, are multiplied, and leave by the
// fixpipe. Micro-operations as methods, each built of a core's primitives.
#pragma once

#include "core/catalogue/row.h"
#include "core/engine/any_core.h"
#include "core/isa/dtype.h"
#include "core/tile/operands.h"

namespace ts {

// What becomes of results on their way out of the accumulator.
struct Fixpipe {
  DType to = DType::F32;
  bool relu = false;
  bool adding = false;  // to what is in global memory
};

class CubeMachine {
 public:
  CubeMachine(AnyCore& core, const Bound& bound) : core_(core), bound_(bound) {}

  // All of `dst` from the window of `src` that begins at (row, col), element by element; the boxes of both may differ.
  void l1_to_operand(const TileRef& dst, const TileRef& src, std::uint32_t row, std::uint32_t col);
  // One row, which is widened to the type of the sums.
  void l1_to_bias(const TileRef& dst, const TileRef& src);

  void mad(const Product& product);

  // Valid elements to a view of the same rows and columns.
  void l0c_to_gm(const GlobalRef& dst, const TileRef& src, const Fixpipe& how);

 private:
  const MicroOp& operand_op(const TileRef& dst, bool turned) const;
  void unspecified_rest_of_boxes(const TileRef& tile, std::uint32_t rows, std::uint32_t cols);
  AnyReg through_fixpipe(const AnyReg& sums, std::uint32_t count, const TileRef& src, const Fixpipe& how);

  AnyCore& core_;
  const Bound& bound_;
};

// The three machines of lowerings for the cube core, which are functions of both targets.
using CubeLowering = void (*)(CubeMachine& machine, const Bound& bound);
template <CubeLowering lowering>
void lower_on_cube(AnyCore& core, const Bound& bound, DType) {
  CubeMachine machine(core, bound);
  lowering(machine, bound);
}
template <CubeLowering lowering, auto enter>
const LoweringTable& cube_table() {
  static const LoweringTable table = [] {
    LoweringTable made;
    for (auto& of_target : made.entry)
      for (Lowering& entry : of_target)
        entry = [](StepContext& context, const Bound& bound) {
          enter(context, bound, bound.dtype(), lower_on_cube<lowering>);
        };
    return made;
  }();
  return table;
}
template <CubeLowering lowering>
Machines cube_machines() {
  return {.run = &cube_table<lowering, run_any>,
          .trace = &cube_table<lowering, trace_any>,
          .tag = &cube_table<lowering, tag_any>};
}

}  // namespace ts
