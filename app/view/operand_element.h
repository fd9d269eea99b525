// What panes call an element of a step's operand.
#pragma once

#include "app/view/element.h"
#include "core/debug/picture/step_map.h"

namespace ts::ui {

// Of a tile or a view.
inline Owner owner_of(const Operand& operand) {
  return {operand.spec->kind == OperandKind::Global ? Owner::Kind::Buffer : Owner::Kind::Tile, operand.id};
}

// Row and column as flows, findings and comparisons count.
inline Element element_of_operand(const Program& program, const Bound& bound, int operand, std::uint32_t row,
                                  std::uint32_t col) {
  const StepElement at = in_shape(program, bound, operand, row, col);
  return {owner_of(bound.operands[static_cast<std::size_t>(operand)]), at.row, at.col};
}

}  // namespace ts::ui
