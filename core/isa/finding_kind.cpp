// Kinds of findings by name.
#include "core/isa/finding_kind.h"

#include <algorithm>

namespace ts {
namespace {

constexpr std::string_view kFindingNames[kFindingKinds] = {
    "rule",    "bounds", "align", "reach", "offset", "order",     "defined", "overread",  "mask", "alias",
    "scratch", "sync",   "flags", "nan",   "inf",    "precision", "device",  "collision", "clip", "cores"};

}  // namespace

const char* name(FindingKind kind) { return kFindingNames[static_cast<int>(kind)].data(); }

std::optional<FindingKind> find_finding_kind(std::string_view name) {
  const auto* found = std::ranges::find(kFindingNames, name);
  if (found == std::end(kFindingNames)) return {};
  return static_cast<FindingKind>(found - kFindingNames);
}

}  // namespace ts
