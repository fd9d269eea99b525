// The machine that writes a plan: a run, whose operations are written down as they are made.
#pragma once

#include <memory>

#include "core/engine/any_core.h"
#include "core/engine/plan/plan.h"

namespace ts {

// Runs the lowering, and gives its plan; null: it looked at data to decide what it does. `assumes`: masks that registers
// hold are taken for known, and where others are the plan does not run.
std::unique_ptr<Plan> run_and_plan(StepContext& context, const Bound& bound, DType lanes, AnyLowering lowering,
                                   bool assumes = true);

}  // namespace ts
