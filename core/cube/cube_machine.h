// The cube core of both targets: matrices move from L1 into the operands' memories, are multiplied, and leave by the
// fixpipe. Micro-operations as methods, each built of a core's primitives.
#pragma once

#include "core/catalogue/row.h"
#include "core/cube/fixpipe.h"
#include "core/engine/any_core.h"
#include "core/isa/special_registers.h"
#include "core/tile/map_windows.h"
#include "core/tile/operands.h"

namespace ts {

// Elements that move from one tile to another, or to a view: so many rows and columns, from here to there.
struct Window {
  std::uint32_t rows = 0, cols = 0;
  std::uint32_t from_row = 0, from_col = 0;
  std::uint32_t to_row = 0, to_col = 0;
};

// Of packed elements, which share bytes along the rows of both tiles or down their columns, the bytes. `type`: of either tile.
Window in_bytes(Window window, const TileType& type);

class CubeMachine {
 public:
  CubeMachine(AnyCore& core, const Bound& bound) : core_(core), bound_(bound) {}

  // To the operands' memories, element by element; the boxes of both may differ.
  void l1_to_operand(const TileRef& dst, const TileRef& src, const Window& window);
  // Shared exponents, in boxes of the same order on both sides.
  void l1_to_scales(const TileRef& dst, const TileRef& src, const Window& window);
  // One row, which is widened to the type of the sums.
  void l1_to_bias(const TileRef& dst, const TileRef& src);
  // One row of factors.
  void l1_to_fixpipe(const TileRef& dst, const TileRef& src);
  // From UB, to L1 or within it, whatever the layouts of both.
  void ub_to_tile(const TileRef& dst, const TileRef& src, const Window& window);
  // So many blocks of a tile of L1 from an address on.
  void zero_blocks(const TileRef& tile, std::uint32_t address, std::uint32_t blocks);
  void zeros(const TileRef& tile, std::uint32_t first_row, std::uint32_t rows);

  // Windows of a map in L1, to the left operand's place: dst[i][j] = the matrix of all windows [row + i][col + j]. Of the
  // last group of lanes that a valid column stands in all columns are written.
  void windows_to_operand(const TileRef& dst, const TileRef& map, const MapWindows& how, std::uint32_t row,
                          std::uint32_t col);
  void set_register(const MicroOp& op, std::uint32_t address, std::uint64_t bits);
  std::uint64_t register_bits(std::uint32_t address) const { return core_.peek(Space::Spr, address); }
  // There is something about the data that the instruction's data rules say.
  void odd_data() { core_.watch_data(); }

  void mad(const Product& product);

  // Sums through the fixpipe.
  void l0c_to_gm(const GlobalRef& dst, const TileRef& src, const Fixpipe& how);
  void l0c_to_tile(const TileRef& dst, const TileRef& src, const Window& window, const Fixpipe& how);
  // The same to the UB of a certain vector core.
  void l0c_to_tile(const TileRef& dst, const TileRef& src, const Window& window, const Fixpipe& how, Space space);

 private:
  const MicroOp& operand_op(const TileRef& dst, bool turned) const;
  void unspecified_rest_of_boxes(const TileRef& tile, std::uint32_t rows, std::uint32_t cols);
  void move_elements(const MicroOp& op, const TileRef& dst, const TileRef& src, const Window& window);
  template <class Dst>
  void l0c_out(const MicroOp& op, Space space, const Dst& dst, const TileRef& src, const Window& window,
               const Fixpipe& how);

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
