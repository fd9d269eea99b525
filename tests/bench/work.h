// One instruction on tiles of one shape, with sources that hold small finite numbers; and long loops of steps.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/program/builder.h"
#include "core/record/recording.h"
#include "tests/bench/table.h"

namespace ts::bench {

struct Work {
  std::string name;
  std::string instruction;
  Target target;
  DType type;
  std::uint32_t rows, cols;
  Limit limit = {};
  std::string granularity = "";  // of tgatherb
};

std::vector<std::byte> random_bytes(std::size_t size);
// The instruction so many times, behind the loads of its tiles; every run really changes the destination. Throws where the
// program has an error.
Program program_of(const Work& work, int repeats);
// Recorded up to so many steps: the last two instructions take turns.
std::unique_ptr<Recording> loop_of(const Work& work, std::uint32_t steps, std::size_t budget_bytes);

// A long loop: two sums take turns in writing one tile.
struct LongLoop {
  LongLoop(std::uint32_t steps, std::uint32_t cols);
  std::shared_ptr<const Recording> recording;
  ByteRange changed, kept;  // of the two tiles
};

// What was built without an error; else it throws.
Program built(ProgramBuilder& builder);

}  // namespace ts::bench
