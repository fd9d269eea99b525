// The list of samples.
#include "samples/samples.h"

#include <algorithm>

namespace ts {

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all{kComplexSplit, kComplexMerge, kMaskedSum, kMaskedSelect, kTranspose, kTableLookup, kFillTails};
  return all;
}

const Sample* find_sample(std::string_view name) {
  const auto it = std::ranges::find_if(samples(), [&](const Sample& sample) { return name == sample.name; });
  return it == samples().end() ? nullptr : &*it;
}

}  // namespace ts
