// The way of one core through a program, as whoever gives turns to cores sees it: a walk through code, or compiled code that
// says what it calls.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/engine/write_log.h"
#include "core/program/environment.h"
#include "core/program/walk_state.h"

namespace ts {

struct LoopTurn;

class CoreWalk {
 public:
  virtual ~CoreWalk() = default;

  // Goes on to the next step; false at the end, where it cannot go on (stop, problem), and where it has to wait.
  virtual bool next() = 0;
  // What it waits for: to be asked again when other cores went on. Null: it does not.
  virtual const CodeOp* waits() const = 0;
  // Whether it only looks again and again at what another core will write: asked once more it may go on.
  virtual bool polls() const { return false; }
  // Whether it has nothing left to do in this launch, and waits for the others only to come to the next.
  virtual bool is_through() const { return false; }
  virtual std::uint32_t instruction() const = 0;
  virtual std::uint32_t block() const = 0;
  // The loops around the step, outermost first.
  virtual std::span<const LoopTurn> loops() const = 0;
  virtual const Environment& environment() const = 0;
  // With its operands as they stand; nothing where one is unknown.
  virtual std::optional<Bound> bind(std::size_t instruction) const = 0;
  // The same in words (step_source.h).
  virtual bool operand_words(std::size_t, std::vector<std::uint64_t>&) const { return false; }
  // The step ran, and wrote this.
  virtual void ran(const Bound& bound, std::span<const WritePattern> writes) = 0;
  // A number that somebody changed by hand.
  virtual void set_number(Slot slot, std::uint64_t bits) = 0;

  virtual WalkStop stop() const = 0;
  virtual const std::optional<Diagnostic>& problem() const = 0;
  // What was odd since the last step, but goes on.
  virtual Diagnostics take_warnings() = 0;
  // Warnings that the end of the program has: flags that nobody waited for.
  virtual Diagnostics leftovers() const = 0;
  // A line of the source, for people: "line 7", "kernel.cpp:29".
  virtual std::string line_text(SourcePos pos) const = 0;
};

}  // namespace ts
