// Where the elements of a step's results came from, as the tag machine says; kept for what a picture shows.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/record/inspector.h"

namespace ts {

// An element of an operand of a step. Rows and columns of a view are those of its buffer (`shape_of`).
struct StepElement {
  int operand = -1;
  std::uint32_t row = 0, col = 0;
  auto operator<=>(const StepElement&) const = default;
};

// Rows and columns as pictures have them: of a tile, or of a view's buffer.
std::pair<std::uint32_t, std::uint32_t> shape_of_operand(const Program& program, const Operand& operand);
// Flows, findings and comparisons count through all elements of a buffer, as one row.
StepElement in_shape(const Program& program, const Bound& bound, int operand, std::uint32_t row, std::uint32_t col);
ByteRange place_of(const Program& program, const Bound& bound, const StepElement& element);
// The element that a source is; nothing for scalars, and for bytes of no operand. A mask bit's is the mask's element
// that the bit's byte is part of.
std::optional<StepElement> element_of_source(const Program& program, const Bound& bound, const Source& source);

class StepMap {
 public:
  // From now on of this step.
  void look_at(std::uint32_t step);
  std::uint32_t step() const { return step_; }
  // Empty where the step did not write the element. Valid until another step is looked at. `flow` is that step's.
  const std::vector<Source>& sources(const Recording& recording, const Flow& flow, const StepElement& element);
  // The elements of results that this input took part in.
  const std::vector<StepElement>& reached_by(const Recording& recording, const Flow& flow, const StepElement& element);

 private:
  std::uint32_t step_ = ~0u;
  std::map<StepElement, std::vector<Source>> sources_;
  std::map<StepElement, std::vector<StepElement>> reached_;
};

}  // namespace ts
