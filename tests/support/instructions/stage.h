// Instructions on given memories, looked at from every side: what the run machine leaves on each SIMD level, what the
// trace and the recording leave, definedness, the write log, and where every element says it came from.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/engine/step_context.h"
#include "core/engine/tag/tag.h"
#include "core/program/builder.h"
#include "core/record/inspector.h"
#include "tests/oracle/effects.h"
#include "tests/support/instructions/shapes.h"
#include "tests/support/random.h"

namespace ts::test {

// Builds the program; an error of the rules fails the test.
Program build(ProgramBuilder& builder);
Bound bound_of(const Program& program, std::size_t instruction);

// Target, types, shapes and places of an instruction, for failures.
std::string label_of(const Bound& bound);
// "" when equal; else the first byte that differs, with the operand and element it belongs to.
std::string first_difference(const Bound& bound, const MemoryMap& map, std::span<const std::byte> expected,
                             std::span<const std::byte> got);

// The memories of one target, kept from program to program because making them costs more than most instructions.
class Stage {
 public:
  explicit Stage(Target target, std::uint32_t gm_bytes = 0);

  // Random bytes in gm and in every mask; elements of the type of the first instruction everywhere else.
  void fill(const Program& program, Random& random, Values values);
  void set_element(const TileRef& tile, std::uint32_t row, std::uint32_t col, std::uint64_t bits);
  void set_bytes(const TileRef& tile, int byte);
  void set_bits(const ByteRange& place, std::uint64_t bits);

  // All checks of every instruction, each on what the ones before it left. `fill` comes first.
  void check(const Program& program, Random& random);
  // What the instruction did by its oracle.
  const oracle::Effects& effects(std::size_t instruction) const { return effects_[instruction]; }

 private:
  std::vector<Space> live_memories() const;  // of live_ the ones that hold data
  oracle::Before now() const;
  void expect(const Bound& bound, oracle::Effects& effects);
  void check_machine(const char* what, const Bound& bound, oracle::Effects& effects, const LoweringTable& table,
                     bool whole);
  void check_plan(const Bound& bound, oracle::Effects& effects, Random& random, bool whole);
  void take_cmpmask(const Bound& bound, const Memory& memory);
  void check_recording(const Program& program, Random& random);
  void check_definedness(const Bound& bound, const Memory& memory, const oracle::Effects& effects);
  void check_whole(const Bound& bound, const oracle::Effects& effects);
  void check_write_log(const Recording& recording, std::uint32_t step);
  void choose_definedness(const Bound& bound, Random& random);
  void restore(Memory& memory, const std::vector<std::byte>& image) const;
  std::vector<WritePattern> written() const;

  Target target_;
  std::vector<Space> live_;  // what these programs may change; the other memories stay as they were made
  Memory work_;
  StepContext context_;
  std::vector<std::byte> pool_;  // random bytes to cut from
  std::vector<std::byte> start_, before_,
      expected_;                      // all memories: of the first instruction, before and after the current
  std::vector<Definedness> defined_;  // now
  std::vector<oracle::Effects> effects_;
};

}  // namespace ts::test
