// Code that a program stands for and does not hold: it was compiled, and runs beside the engine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/program/execution.h"
#include "core/program/step_source.h"

namespace ts {

class Kernel {
 public:
  virtual ~Kernel() = default;

  struct Use {
    bool read = false, written = false;
    std::uint64_t bytes = 0;  // that views reach
    std::vector<std::uint32_t> view_shape = {};
    std::optional<DType> dtype = {};  // of the first view
  };
  // How a run would use the program's buffers, found by one that computes nothing.
  struct Survey {
    std::vector<Use> buffers;
    bool exact = true;  // it came to its end without asking for a value
  };
  virtual Survey survey(const Program& program, const WalkLimits& limits) const = 0;

  // Which cores a block has, and whether blocks wait for each other.
  virtual void set_cores(Program& program) const = 0;

  // Whether it says how many blocks run each time that it launches something, so that nobody else may.
  virtual bool launches_itself() const { return false; }

  // A run. The program, whose buffers have places and contents, gets its tiles and instructions as the run comes to them.
  // Both have to live as long as what comes back.
  virtual std::unique_ptr<StepSource> start(Program& program, const Memory& memory, const WalkLimits& limits) const = 0;
};

}  // namespace ts
