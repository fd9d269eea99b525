// Long random programs over a small part of the memories, and what a state of them is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/memory/memory.h"
#include "core/program/program.h"
#include "tests/support/random.h"

namespace ts::test {

// Loads, sums, selections, splits (A5) and stores in random order, on small tiles of f32 in the first 64 KiB of UB that
// often share bytes, and on four buffers.
Program random_program(Random& random, Target target, std::uint32_t steps);

// All that a position must bring back, for many positions: the bytes and definedness of ub's first 64 KiB, the special
// registers and gm, as one number.
std::uint64_t live_hash(const Memory& memory);
// The same of plain arrays, laid out as the memory.
std::uint64_t live_hash(const MemoryMap& map, const std::vector<std::byte>& bytes,
                        const std::vector<Definedness>& defined);

// A run without a recorder, one instruction at a time.
class StraightRun {
 public:
  explicit StraightRun(const Program& program);
  void step();  // the next instruction; after the last one the first
  std::uint32_t position() const { return position_; }
  std::vector<std::byte> bytes() const { return {memory_.base(), memory_.base() + memory_.map().end()}; }
  const std::vector<Definedness>& defined() const { return defined_; }
  std::uint64_t hash() const { return live_hash(memory_.map(), bytes(), defined_); }
  const MemoryMap& map() const { return memory_.map(); }

 private:
  const Program& program_;
  Memory memory_;
  std::vector<Definedness> defined_;
  std::uint32_t position_ = 0;
};

}  // namespace ts::test
