// Two recordings side by side: which of their steps left different results, and which of those only handed on what was
// different before.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/debug/compare/run_differences.h"
#include "core/debug/origins/questions.h"

namespace ts {

// `go_on` is told how many pairs were compared.
RunDifferences compare_runs(Questions& a, Questions& b, const CompareRunsOptions& options,
                            const std::function<bool(std::uint32_t)>& go_on = {});
RunDifferences compare_runs(const Recording& a, const Recording& b, const CompareRunsOptions& options,
                            const std::function<bool(std::uint32_t)>& go_on = {});

// What one needs to see why an element differs: both results, and the operands that each was made of.
struct DifferingElement {
  std::uint32_t row = 0, col = 0;
  Difference difference;
  std::vector<Source> from_a, from_b;
};
DifferingElement explain(Questions& a, Questions& b, const ResultDifference& difference, const Difference& element);
// "step 5 tadd, line 12: %t2[1,5] is 2.5 (0x40200000) on a2a3 and 2 (0x40000000) on a5, 2097152 ulp apart", and the
// operands, a line each. The first differing element.
std::string difference_text(Questions& a, Questions& b, const ResultDifference& difference);

}  // namespace ts
