// What the elements of a tile are like as a whole: counts by class, range, mean, and how the values are spread.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/debug/elements/elements.h"

namespace ts {

// Elements whose bytes nobody promised count as undefined, and as nothing else.
struct Statistics {
  std::uint64_t count = 0;  // all that were looked at
  std::uint64_t nan = 0, inf = 0, zero = 0, denormal = 0, undefined = 0;
  std::uint64_t finite = 0;
  // Of the finite ones, nothing when there are none.
  std::optional<std::uint64_t> min_bits, max_bits;
  double mean = 0;
};
Statistics statistics_of(const Elements& elements, Region region);

struct Histogram {
  double low = 0, high = 0;
  std::vector<std::uint64_t> bins;     // of equal width, from low to high; the last one takes what is `high`
  std::uint64_t below = 0, above = 0;  // finite, outside
  std::uint64_t nan = 0, inf = 0, undefined = 0;
};
// Without a range: that of the finite elements. `bins` is at least 1.
Histogram histogram_of(const Elements& elements, Region region, std::uint32_t bins,
                       std::optional<std::pair<double, double>> range = {});

// How often each code appears, where there are few of them: in the order of their values.
struct CodeCount {
  std::uint64_t bits, count;
};
std::vector<CodeCount> code_counts(const Elements& elements, Region region);

}  // namespace ts
