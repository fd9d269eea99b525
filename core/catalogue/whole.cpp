// Instructions that leave nothing of what their results held.
#include "core/catalogue/whole.h"

#include <algorithm>
#include <string_view>

namespace ts {
namespace {

bool has_quirks(const Options& options) {
  return std::any_of(kOptions, kOptions + kOptionCount, [&](const OptionRow& row) {
    return std::string_view(row.name).starts_with("quirks.") && options.*row.value != 0;
  });
}

}  // namespace

// Those that are drawn element by element compute each element of the result. A move stops where its source does.
bool writes_whole_results(const InstructionRow& row, const Options& options) {
  if (has_quirks(options)) return false;
  switch (row.draw) {
    case Drawing::Lanes: return !row.moves;
    case Drawing::Select:
    case Drawing::Fill:
    case Drawing::Broadcast:
    case Drawing::Quantise:
    case Drawing::Transfer: return true;
    default: return false;
  }
}

}  // namespace ts
