// Giving a program what it needs from outside: numbers, the contents of buffers and tiles, sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/data/made/made_up.h"
#include "core/memory/late_pages.h"
#include "core/program/execution.h"
#include "core/program/program.h"

namespace ts {

// By the names of the program's inputs, without their %.
struct InputValues {
  std::map<std::string, std::vector<std::byte>> data;
  std::map<std::string, std::string> data_types;    // as NumPy says, where packed elements may come one a byte
  std::map<std::string, std::string> numbers;       // as literals: 16, 0.5, 0x7F800000
  std::map<std::string, std::uint64_t> size_bytes;  // of buffers
  std::map<std::string, DType> element_types;       // of what pointers without a type of their own point to
  std::map<std::string, data::MadeUp> made;         // what buffers and tiles without data are made of; else seeded
  std::uint64_t seed = 1;
  std::uint64_t most_bytes = ~0ull;  // of all contents together
  bool guess = true;                 // numbers that are not given are 1 or seeded; else they stay unknown, for a check
};

// The rule of what is told when they are more than `most_bytes`.
inline constexpr const char* kInputsTooLarge = "E-MEMORY";

// Where an input got its value from, for the report.
struct InputSource {
  std::string name, text;  // "f32, 256 elements, seeded"
};

// Numbers first; then the program is walked to see how far its views reach; then buffers get their places and contents.
// What is not given is seeded, where the program reads it; integers are 1. Names that the program does not have are
// errors.
std::vector<InputSource> bind_inputs(Program& program, const InputValues& values, Diagnostics& out,
                                     const WalkLimits& limits = {});

// What the walk before a run tells of a buffer.
struct BufferUse {
  bool read = false, written = false;
  std::uint64_t bytes = 0;  // that its views reach; 0: nobody knows before the run
};
// By buffer. The buffers get the shapes of their views, and their sizes, but neither places nor contents. Of the values
// the numbers and sizes count.
std::vector<BufferUse> survey_buffers(Program& program, const InputValues& values, Diagnostics& out,
                                      const WalkLimits& limits = {});

// Gives the buffers, whose sizes are known, their places in global memory; false: it does not hold them all.
bool place_buffers(Program& program);

// The contents of buffers that are made late, where they fill whole pages; null: there are none.
std::shared_ptr<const LatePages> late_inputs(const Program& program);
// Puts the contents of buffers and tiles into fresh memories.
void load_inputs(const Program& program, Memory& memory);
// What the program is given, in bytes, without what is made late.
std::uint64_t given_bytes(const Program& program);

}  // namespace ts
