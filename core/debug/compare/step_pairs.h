// Which steps of two recordings correspond: of one program the steps in their order, of an edited one those of the same
// instruction in the same turn of its loops.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/record/recording.h"

namespace ts {

// From there on the two do not run the same instructions.
struct Parting {
  std::uint32_t step_a = 0, step_b = 0;
  std::string text = {};  // "a2a3 runs tadd at line 12, a5 is at its end"
};

struct StepRange {
  std::uint32_t first = 0, end = 0;
  bool operator==(const StepRange&) const = default;
};

// So many steps from these on correspond, one by one.
struct PairedRun {
  std::uint32_t a = 0, b = 0, count = 0;
  bool operator==(const PairedRun&) const = default;
};

struct StepPairs {
  std::vector<PairedRun> runs = {};  // in order
  std::optional<Parting> parted = {};
  std::vector<StepRange> only_a = {}, only_b = {};
  bool same_program = false;
};
// Where both have come to their ends, but not to the same one.
std::optional<Parting> parting_at_ends(const Recording& a, const Recording& b);
StepPairs pair_steps(const Recording& a, const Recording& b);

// What the two are called: their targets, or "the first" and "the second".
std::pair<std::string, std::string> side_names(const Recording& a, const Recording& b);

// What two lists have in common, by few edits. Beyond `most_edits` only their begins and ends are.
std::vector<PairedRun> common_runs(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b,
                                   std::uint32_t most_edits);

}  // namespace ts
