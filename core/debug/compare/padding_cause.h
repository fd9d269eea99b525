// Two runs whose valid results do not say where they part: the step that made padding different.
#pragma once

#include <functional>
#include <optional>

#include "core/debug/compare/compare_runs.h"

namespace ts {

// The first result that differs in padding only, where that is before all that is different in valid elements. Nothing: there
// is none, or one of `found` is a cause itself.
std::optional<ResultDifference> padding_cause(Questions& a, Questions& b, const RunDifferences& found,
                                              const CompareRunsOptions& options,
                                              const std::function<bool(std::uint32_t)>& go_on = {});

}  // namespace ts
