// Comparing two recordings: pto.compareRuns, pto.lockstep, and what stops and events say of differences.
#pragma once

#include <memory>

#include "core/debug/compare/compare_runs.h"
#include "scripting/run/open_recording.h"

namespace ts::scripting {

struct RunComparisonObject {
  std::shared_ptr<OpenRecording> a, b;
  std::shared_ptr<const RunDifferences> differences;
  static const ObjectType& type();
};

// Compares, and makes each the other's reference.
std::shared_ptr<const RunDifferences> compare_with(lua_State* L, Session& a, Session& b,
                                                   const CompareOptions& tolerances, std::size_t most = 10'000);
// How a step differs from what its recording was compared with, as a table; nil where it does not.
void push_difference_at(lua_State* L, const std::shared_ptr<OpenRecording>& recording, std::uint32_t step);
// Tells listeners of "divergence" where a run stopped at a difference.
void tell_divergence(lua_State* L, const std::shared_ptr<OpenRecording>& recording, const Stopped& stop);

}  // namespace ts::scripting
