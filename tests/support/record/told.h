// What a recording tells, and what the check of cores finds in it.
#pragma once

#include <string_view>
#include <vector>

#include "core/check/check.h"
#include "core/record/recording.h"

namespace ts::test {

// Null: it tells nothing by this rule.
inline const Diagnostic* told_by(const Recording& recording, std::string_view rule) {
  for (const Finding& finding : recording.findings())
    if (finding.diagnostic.rule == rule) return &finding.diagnostic;
  return nullptr;
}

inline std::vector<Diagnostic> found_of_cores(const Recording& recording) {
  std::vector<Diagnostic> out;
  for (const Finding& finding : check(recording).findings)
    if (finding.kind() == FindingKind::Cores) out.push_back(finding.diagnostic);
  return out;
}

}  // namespace ts::test
