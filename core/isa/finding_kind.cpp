// Kinds of findings by name.
#include "core/isa/finding_kind.h"

#include <algorithm>

namespace ts {
namespace {

constexpr std::string_view kNames[kFindingKinds] = {"rule",    "bounds",   "align", "reach",    "offset",  "order",
                                                    "defined", "overread", "mask",  "alias",    "scratch", "sync",
                                                    "flags",   "nan",      "inf",   "precision"};

}  // namespace

const char* name(FindingKind kind) { return kNames[static_cast<int>(kind)].data(); }

std::optional<FindingKind> find_finding_kind(std::string_view name) {
  const auto* found = std::ranges::find(kNames, name);
  if (found == std::end(kNames)) return {};
  return static_cast<FindingKind>(found - kNames);
}

}  // namespace ts
