// The cores of a launch, and which of them goes on: each runs until it has to wait or comes to its end; then the next one
// that can go on, in the order of blocks and, in a block, of the cube core and its vector cores.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/program/cores/deadlock.h"
#include "core/program/cores/together.h"
#include "core/program/execution.h"
#include "core/program/step_source.h"

namespace ts {

// The way of a core, which begins when its turn comes first.
using BeginsWalk = std::function<std::unique_ptr<CoreWalk>(CoreId core, Together& together)>;

class Schedule : public StepSource {
 public:
  // A program of one core needs none of it: there is one walk, through all blocks.
  Schedule(const Program& program, const Memory* memory, const WalkLimits& limits);
  Schedule(const Program& program, const WalkLimits& limits, BeginsWalk begins);

  // Of whichever core has its turn.
  bool next() override;
  std::uint32_t instruction() const override { return walk().instruction(); }
  CoreId core() const override { return static_cast<CoreId>(current_); }
  std::uint32_t block() const override { return walk().block(); }
  std::span<const LoopTurn> loops() const override { return walk().loops(); }
  std::uint32_t environment_version() const override { return walk().environment().version; }
  std::optional<Bound> bind(std::size_t instruction) const override { return walk().bind(instruction); }
  bool operand_words(std::size_t instruction, std::vector<std::uint64_t>& words) const override {
    return walk().operand_words(instruction, words);
  }
  void ran(const Bound& bound, std::span<const WritePattern> writes) override { walk().ran(bound, writes); }
  void set_number(Slot slot, std::uint64_t bits) override {
    for (std::size_t core = 0; core < walks_.size(); ++core) begin(core).set_number(slot, bits);
  }

  Diagnostics take_warnings() override { return walk().take_warnings(); }
  WalkStop stop() const override { return stop_; }
  const std::optional<Diagnostic>& problem() const override { return problem_ ? problem_ : walk().problem(); }
  const std::vector<CoreWait>& waits() const override { return waits_; }
  // Vector cores of a block that do not take part in a queue as often as each other, where both have to; also where
  // nobody can go on because of it.
  Diagnostics uneven() const override;
  // Flags that nobody waited for, entries that nobody took.
  Diagnostics leftovers() const override;
  // On the first core that runs the code that the tile is declared in.
  Environment::TileState place_of(std::uint32_t tile) const override;

 private:
  enum class Turn : std::uint8_t { Step, Over, Stopped };
  // Of the core that the last step is of.
  CoreWalk& walk() { return *walks_[current_]; }
  const CoreWalk& walk() const { return *walks_[current_]; }
  Turn turn(std::size_t core);
  CoreWalk& begin(std::size_t core);
  bool is_over(std::size_t core) const { return walks_[core] != nullptr && walks_[core]->stop() == WalkStop::End; }
  bool takes(std::size_t core) const {
    return !limits_.takes_block || !program_.together() ||
           limits_.takes_block(static_cast<std::uint32_t>(core / program_.cores.size()));
  }
  std::size_t first_core() const;
  std::size_t first_asked();
  std::size_t next_asked(std::size_t core) const;
  std::optional<bool> ask_all();
  bool someone_polls() const;
  bool ends();
  bool assumes_a_signal();
  void add_left(std::uint32_t block, std::uint32_t queue, Diagnostics& out) const;

  const Program& program_;
  WalkLimits limits_;
  BeginsWalk begins_;
  std::uint64_t random_;
  Together together_;
  std::vector<std::unique_ptr<CoreWalk>> walks_;  // by core; null: it did not begin yet
  std::size_t current_ = 0;
  std::uint32_t polled_ = 0;  // rounds in a row in which cores did nothing but look
  std::uint64_t steps_ = 0;
  WalkStop stop_ = WalkStop::None;
  std::vector<CoreWait> waits_;
  std::optional<Diagnostic> problem_;
};

}  // namespace ts
