// The operands that steps worked on, as each was bound: one copy for all that work on the same.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "core/program/program.h"
#include "core/program/step_source.h"
#include "core/record/known_bounds.h"

namespace ts {

class StepBounds {
 public:
  explicit StepBounds(const Program& program)
      : program_(program), last_(program.instructions.size() * program.cores_at_once()) {}
  // Those of a recording that was made before.
  StepBounds(const Program& program, std::deque<Bound> bounds) : program_(program), bounds_(std::move(bounds)) {}

  // The number of what an instruction works on that is the source's step now; the next one is new. Nothing: an operand has
  // no value.
  std::optional<std::uint32_t> bind(const StepSource& source, std::size_t instruction);

  // They stay where they are.
  const Bound& operator[](std::uint32_t number) const { return bounds_[number]; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(bounds_.size()); }
  std::deque<Bound>& all() { return bounds_; }
  // Of what is bound; and of finding it again.
  std::size_t bytes() const { return bytes_; }
  std::size_t table_bytes() const { return known_.held_bytes(); }
  void count_bytes();

 private:
  const Program& program_;
  std::deque<Bound> bounds_;
  std::size_t bytes_ = 0;
  struct Last {
    std::uint32_t number = 0, environment = ~0u;
  };
  std::vector<Last> last_;  // by instruction and core
  KnownBounds known_;
  std::vector<std::uint64_t> words_;  // of the operands that are bound; kept for its room
};

}  // namespace ts
