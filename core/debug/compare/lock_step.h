// One program on both targets with the same inputs.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "core/compile/open.h"
#include "core/debug/compare/compare_runs.h"

namespace ts {

struct BothTargets {
  std::shared_ptr<const Recording> a, b;  // A2A3, A5
};

struct LockStep : BothTargets {
  RunDifferences differences;
};

// Refused where one of the targets does not take the program, with what it says. `request.target` is not looked at.
std::variant<BothTargets, Refusal> record_on_both(std::shared_ptr<const text::Tree> tree, const EntryPoint& entry,
                                                  OpenRequest request, const RecordOptions& record);
std::variant<LockStep, Refusal> lock_step(std::shared_ptr<const text::Tree> tree, const EntryPoint& entry,
                                          OpenRequest request, const RecordOptions& record,
                                          const CompareRunsOptions& options,
                                          const std::function<bool(std::uint32_t)>& go_on = {});

}  // namespace ts
