// What two recordings leave different.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/debug/compare/compare.h"
#include "core/debug/compare/step_pairs.h"

namespace ts {

// A result of two steps that correspond. Elements of a view: row is 0, col is the index in the buffer.
struct ResultDifference {
  std::uint32_t step_a = 0, step_b = 0;
  int operand_a = -1, operand_b = -1;  // index into the bound operands
  std::string name = {};               // of the tile or buffer, in a
  // Of the elements that one of the steps wrote and both sides promise; what only one of them promises counts as
  // undefined and is neither same nor different.
  Comparison comparison = {};
  bool inherited = false;  // something that the step read was different already
  // Of two forms: where the first element stands in b, whose operand counts its elements in another way.
  std::optional<ByteRange> place_b = {};
};

struct RunDifferences {
  std::vector<ResultDifference> differences = {};  // by step
  std::uint32_t compared = 0;                      // pairs of steps
  std::uint32_t paired = 0;                        // that there are
  std::uint64_t stored_bytes = 0;                  // of two forms (compare_forms.h): that both stored
  std::optional<Parting> parted = {};
  std::vector<StepRange> only_a = {}, only_b = {};  // of different programs: steps that have no partner
  bool complete = true;                             // false: `go_on` said no, or the list ended at `most`
  bool same() const { return differences.empty() && !parted && complete; }
  std::size_t causes() const;  // differences that are not inherited
};

struct CompareRunsOptions {
  CompareOptions values = {};
  std::size_t most = 10'000;  // differences that are listed; 1: the first is enough
};

}  // namespace ts
