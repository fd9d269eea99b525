// Going through the elements of a step's results, and what each was made of: for what looks at a whole step.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/debug/picture/step_map.h"

namespace ts {

// The elements of a result that a step can make: of a tile the valid region, of a view its matrix.
class MadeElements {
 public:
  MadeElements(const Program& program, const Bound& bound, int operand);
  int operand() const { return operand_; }
  std::uint32_t rows() const;
  std::uint32_t cols() const;
  StepElement at(std::uint32_t row, std::uint32_t col) const;

 private:
  bool is_tile() const;

  const Program& program_;
  const Bound& bound_;
  int operand_;
  const Operand& what_;
};

class ResultSources {
 public:
  ResultSources(const Recording& recording, std::uint32_t step, const Flow& flow);
  // Of every result that has elements.
  const std::vector<MadeElements>& results() const { return results_; }
  // Empty where the step did not write it.
  std::vector<Source> of(const StepElement& element) const;
  // Every so many rows and columns one is asked where not more than `most` sources are to be looked at; from how many a few
  // elements have.
  std::uint32_t lattice(std::size_t most) const;

 private:
  bool touches(Flat begin, Flat end) const;

  const Program& program_;
  const Bound& bound_;
  const Flow& flow_;
  std::vector<MadeElements> results_;
  std::vector<std::pair<Flat, Flat>> written_;  // as runs
};

}  // namespace ts
