// Counting over a region.
#include "core/debug/elements/statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "core/debug/elements/element_facts.h"

namespace ts {
namespace {

// Calls `defined(bits, class)` or `undefined()` for each element of the region.
template <class Defined, class Undefined>
void for_each_element(const Elements& elements, Region region, Defined defined, Undefined undefined) {
  for (std::uint32_t row = 0; row < elements.rows_of(region); ++row) {
    for (std::uint32_t col = 0; col < elements.cols_of(region); ++col) {
      const std::uint64_t bits = elements.at(row, col);
      if (elements.worth_at(row, col) == Definedness::Written) {
        defined(bits, classify(*elements.format, bits));
      } else {
        undefined();
      }
    }
  }
}

// Exact also for integers that no double holds.
bool less(const ElementFormat& format, std::uint64_t a, std::uint64_t b) {
  switch (format.kind) {
    case NumberKind::Float: return number(format, a) < number(format, b);
    case NumberKind::Signed: return integer(format, a) < integer(format, b);
    case NumberKind::Unsigned: break;
  }
  return static_cast<std::uint64_t>(integer(format, a)) < static_cast<std::uint64_t>(integer(format, b));
}

// A sum that does not lose the small numbers beside the large ones (Neumaier).
class Sum {
 public:
  void add(double value) {
    const double sum = sum_ + value;
    lost_ += std::fabs(sum_) >= std::fabs(value) ? (sum_ - sum) + value : (value - sum) + sum_;
    sum_ = sum;
  }
  double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0, lost_ = 0;
};

std::size_t bin_of(const Histogram& histogram, double value) {
  if (histogram.high == histogram.low) return 0;
  // Halves, so that the width of the largest range does not overflow.
  const double part = (value / 2 - histogram.low / 2) / (histogram.high / 2 - histogram.low / 2);
  const auto bin = static_cast<std::size_t>(part * static_cast<double>(histogram.bins.size()));
  return std::min(bin, histogram.bins.size() - 1);
}

}  // namespace

namespace {

// Counts elements whose numbers `number_of(bits)` gives. `is_less(a, b)` compares the bits of finite ones.
template <class NumberOf, class IsLess>
Statistics count(const Elements& elements, Region region, NumberOf number_of, IsLess is_less) {
  Statistics result;
  Sum sum;
  const auto add = [&](std::uint64_t bits, ElementClass element_class) {
    result.nan += element_class == ElementClass::Nan;
    result.inf += element_class == ElementClass::Infinite;
    result.zero += element_class == ElementClass::Zero;
    result.denormal += element_class == ElementClass::Denormal;
    if (element_class == ElementClass::Nan || element_class == ElementClass::Infinite) return;
    ++result.finite;
    sum.add(number_of(bits));
    if (!result.min_bits || is_less(bits, *result.min_bits)) result.min_bits = bits;
    if (!result.max_bits || is_less(*result.max_bits, bits)) result.max_bits = bits;
  };
  for_each_element(elements, region, add, [&] { ++result.undefined; });
  result.count = std::uint64_t{elements.rows_of(region)} * elements.cols_of(region);
  if (result.finite != 0) result.mean = sum.value() / static_cast<double>(result.finite);
  return result;
}

}  // namespace

Statistics statistics_of(const Elements& elements, Region region) {
  const ElementFormat& format = *elements.format;
  // The usual type, for pictures that are made in every frame of a drag.
  if (format.dtype == DType::F32) {
    const auto value = [](std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); };
    return count(
        elements, region, [&](std::uint64_t bits) { return double{value(bits)}; },
        [&](std::uint64_t a, std::uint64_t b) { return value(a) < value(b); });
  }
  return count(
      elements, region, [&](std::uint64_t bits) { return number(format, bits); },
      [&](std::uint64_t a, std::uint64_t b) { return less(format, a, b); });
}

std::vector<CodeCount> code_counts(const Elements& elements, Region region) {
  std::vector<CodeCount> counts;
  if (!has_few_codes(*elements.format)) return counts;
  std::vector<std::uint64_t> of_code(elements.format->mask() + 1, 0);
  for_each_element(
      elements, region, [&](std::uint64_t bits, ElementClass) { ++of_code[bits & elements.format->mask()]; }, [] {});
  for (const std::uint64_t bits : codes_in_order(*elements.format)) counts.push_back({bits, of_code[bits]});
  return counts;
}

Histogram histogram_of(const Elements& elements, Region region, std::uint32_t bins,
                       std::optional<std::pair<double, double>> range) {
  const ElementFormat& format = *elements.format;
  Histogram result;
  result.bins.assign(std::max(1u, bins), 0);
  if (!range) {
    const Statistics statistics = statistics_of(elements, region);
    if (statistics.finite != 0) range = {number(format, *statistics.min_bits), number(format, *statistics.max_bits)};
  }
  if (range) std::tie(result.low, result.high) = *range;
  const auto add = [&](std::uint64_t bits, ElementClass element_class) {
    result.nan += element_class == ElementClass::Nan;
    result.inf += element_class == ElementClass::Infinite;
    if (element_class == ElementClass::Nan || element_class == ElementClass::Infinite) return;
    const double value = number(format, bits);
    if (value < result.low) {
      ++result.below;
    } else if (value > result.high) {
      ++result.above;
    } else {
      ++result.bins[bin_of(result, value)];
    }
  };
  for_each_element(elements, region, add, [&] { ++result.undefined; });
  return result;
}

}  // namespace ts
