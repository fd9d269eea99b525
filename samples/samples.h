// The programs a newcomer runs first. Each is one file, explained in its first lines.
#pragma once

#include <string_view>
#include <vector>

#include "core/program/builder.h"

namespace ts {

struct Sample {
  const char* name;
  const char* summary;
  Target target;  // where it runs best
  // Adds the program to a builder.
  void (*build)(ProgramBuilder&);
  // What a report shows in depth: one step, and one element of one of its results.
  std::uint32_t step;
  const char* tile;
  std::uint32_t row, col;
};

// The best one first.
const std::vector<Sample>& samples();
const Sample* find_sample(std::string_view name);

extern const Sample kComplexSplit;
extern const Sample kMaskedSum;
extern const Sample kComplexMerge;
extern const Sample kMaskedSelect;
extern const Sample kTranspose;
extern const Sample kTableLookup;
extern const Sample kFillTails;

}  // namespace ts
