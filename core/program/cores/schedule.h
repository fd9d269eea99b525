// The cores of a launch, and which of them goes on: each runs until it has to wait or comes to its end; then the next one
// that can go on, in the order of blocks and, in a block, of the cube core and its vector cores.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/program/cores/deadlock.h"
#include "core/program/cores/together.h"
#include "core/program/execution.h"

namespace ts {

class Schedule {
 public:
  // A program of one core needs none of it: there is one walk, through all blocks.
  Schedule(const Program& program, const Memory* memory, const WalkLimits& limits);

  // To the next step of whichever core has its turn; false at the end, or where nobody can go on (stop, problem).
  bool next();
  // The core that the last step is of.
  Execution& walk() { return *walks_[current_]; }
  const Execution& walk() const { return *walks_[current_]; }
  CoreId core() const { return static_cast<CoreId>(current_); }

  WalkStop stop() const { return stop_; }
  const std::optional<Diagnostic>& problem() const { return problem_ ? problem_ : walk().problem(); }
  // The cores that could not go on when nobody could.
  const std::vector<CoreWait>& waits() const { return waits_; }
  // Vector cores of a block that do not take part in a queue as often as each other, where both have to; also where
  // nobody can go on because of it.
  Diagnostics uneven() const;
  // Warnings that the end of the program has: flags that nobody waited for, entries that nobody took.
  Diagnostics leftovers() const;
  // Where a tile stands now, on the first core that runs the code that it is declared in.
  Environment::TileState place_of(std::uint32_t tile) const;

 private:
  enum class Turn : std::uint8_t { Step, Over, Stopped };
  Turn turn(std::size_t core);
  Execution& begin(std::size_t core);
  bool is_over(std::size_t core) const { return walks_[core] != nullptr && walks_[core]->stop() == WalkStop::End; }
  std::size_t first_asked();
  std::size_t next_asked(std::size_t core) const;
  bool ends();
  bool assumes_a_signal();
  void add_left(std::uint32_t block, std::uint32_t queue, Diagnostics& out) const;

  const Program& program_;
  const Memory* memory_;
  WalkLimits limits_;
  std::uint64_t random_;
  Together together_;
  std::vector<std::unique_ptr<Execution>> walks_;  // by core; null: it did not begin yet
  std::size_t current_ = 0;
  std::uint64_t steps_ = 0;
  WalkStop stop_ = WalkStop::None;
  std::vector<CoreWait> waits_;
  std::optional<Diagnostic> problem_;
};

}  // namespace ts
