// What drawings of the stage are given: one step with its operands, ready to be looked at, and where to draw.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/draw/rect.h"
#include "app/theme/color.h"
#include "app/view/command.h"
#include "app/view/debug_view.h"

namespace ts::ui {

// An operand of the step. Inputs are drawn as they stood before it, results as they stand after it.
struct StageOperand {
  int index = -1;                  // in the step's bound operands
  const Operand* operand = nullptr;
  std::string title;               // "src0 %re"
  char letter = 0;                 // a, b, ... of inputs
  Color color;                     // of its part: src0, src1, mask, scratch, result
  bool result = false;
  const TilePicture* picture = nullptr;  // null: a scalar
};

// An element of an operand of the step.
struct StageCell {
  int operand = -1;
  std::uint32_t row = 0, col = 0;
  bool operator==(const StageCell&) const = default;
};

struct StageStep {
  DebugView& view;
  CommandQueue& out;
  std::uint32_t step;
  const Bound& bound;
  bool made;  // the step has been made; else it comes next, and its results still hold what they held
  std::vector<StageOperand> operands;
  // The result's element that is explained: under the mouse, else selected.
  std::optional<StageCell> focus;
  // What the focus was made of, from the tag machine.
  std::vector<Source> sources;

  const StageOperand* find(Role role, std::size_t nth = 0) const;  // null: there is none
  // Whether an element is a source of the focus.
  bool is_source(const StageCell& cell) const;
  // To be called for a cell under the mouse: it is hovered for all panes, and a click selects it.
  void point_at(const StageCell& cell);
};

using DrawStep = void (*)(StageStep& step, const Rect& area);
// The drawing of a family; there is one for every value.
DrawStep drawing_of(Drawing drawing);

}  // namespace ts::ui
