// A recording as JSON, for programs.
#pragma once

#include <string>

#include "core/program/inputs.h"
#include "core/record/inspector.h"

namespace ts {

// One object; with `trace` every step has its micro-operations, with registers and predicates.
std::string json_report(const Recording& recording, const std::vector<InputSource>& inputs, const Diagnostics& diagnostics, bool trace);

}  // namespace ts
