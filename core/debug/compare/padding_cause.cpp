// The comparison again, of all elements, up to the first difference.
#include "core/debug/compare/padding_cause.h"

namespace ts {

std::optional<ResultDifference> padding_cause(Questions& a, Questions& b, const RunDifferences& found,
                                              const CompareRunsOptions& options,
                                              const std::function<bool(std::uint32_t)>& go_on) {
  if (options.values.region != Region::Valid || !found.complete || found.causes() > 0) return {};
  CompareRunsOptions all = options;
  all.values.region = Region::All;
  all.most = 1;
  const RunDifferences with_padding = compare_runs(a, b, all, go_on);
  if (with_padding.differences.empty()) return {};
  const ResultDifference& first = with_padding.differences.front();
  const bool is_before = found.differences.empty() || first.step_a < found.differences.front().step_a;
  return is_before ? std::optional(first) : std::nullopt;
}

}  // namespace ts
