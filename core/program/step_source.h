// Where the steps of a run come from: the walk through a program's code, or compiled code that runs beside the engine and
// says what it calls. A recorder knows no more of either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/engine/write_log.h"
#include "core/program/environment.h"
#include "core/program/walk_state.h"

namespace ts {

struct LoopTurn;
struct CoreWait;

// Bytes that no step wrote: those that compiled code changed by itself, between two calls.
struct HostWrite {
  ByteRange place;
  std::vector<std::byte> bytes;
};

class StepSource {
 public:
  virtual ~StepSource() = default;

  // To the next step; false at the end, or where nobody can go on (stop, problem).
  virtual bool next() = 0;
  virtual std::uint32_t instruction() const = 0;
  // Which core's it is, of all that there are at once, and of which block.
  virtual CoreId core() const = 0;
  virtual std::uint32_t block() const = 0;
  // The loops around it, outermost first.
  virtual std::span<const LoopTurn> loops() const = 0;
  // Counts what changes where tiles stand, for that core.
  virtual std::uint32_t environment_version() const = 0;
  // With its operands as they stand; nothing where one is unknown.
  virtual std::optional<Bound> bind(std::size_t instruction) const = 0;
  // The same in words, which are quicker to get: of an instruction and a core, equal words are equal operands. False, with
  // any words: it has to be bound.
  virtual bool operand_words(std::size_t, std::vector<std::uint64_t>&) const { return false; }
  // It ran, and wrote this.
  virtual void ran(const Bound& bound, std::span<const WritePattern> writes) = 0;
  // What was changed since the last step by nobody's step, and is so before the next one.
  virtual std::vector<HostWrite> take_host_writes() { return {}; }

  // A number of the program is another from now on, on every core.
  virtual void set_number(Slot slot, std::uint64_t bits) = 0;

  // What was odd since the last step, but goes on.
  virtual Diagnostics take_warnings() = 0;
  virtual WalkStop stop() const = 0;
  virtual const std::optional<Diagnostic>& problem() const = 0;
  // The cores that could not go on when nobody could.
  virtual const std::vector<CoreWait>& waits() const = 0;
  // What the end of the program has to say; of one that came to its end, and of any.
  virtual Diagnostics leftovers() const = 0;
  virtual Diagnostics uneven() const = 0;
  // Where a tile stands now.
  virtual Environment::TileState place_of(std::uint32_t tile) const = 0;
  // The run is over, and only now there is a text. By instruction its place in it; and the loops around each step, which
  // is asked for all of them in their order. Where the text has another order: the numbers that instructions and tiles have
  // there, by those that they had.
  struct Finished {
    std::vector<SourcePos> places;
    std::vector<std::uint32_t> instructions, tiles;
    std::function<std::span<const LoopTurn>(std::uint32_t instruction, CoreId core)> loops;
  };
  virtual Finished finish() { return {}; }
};

}  // namespace ts
