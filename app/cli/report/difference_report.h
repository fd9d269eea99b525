// What differs between two runs, as a readable text and as JSON.
#pragma once

#include <cstdio>

#include "core/debug/compare/compare_runs.h"
#include "core/debug/session/session.h"

namespace ts {

// `what` begins the text: "masked_sum on a2a3 and on a5".
void print_differences(std::FILE* out, Session& a, Session& b, const RunDifferences& found, const std::string& what);
void print_json_differences(std::FILE* out, Session& a, Session& b, const RunDifferences& found);

}  // namespace ts
