// What differs between two runs, as a readable text and as JSON.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

#include "core/debug/compare/compare_runs.h"
#include "core/debug/session/session.h"

namespace ts {

// `what` begins the text: "masked_sum on a2a3 and on a5". `padding`: what began in padding alone (padding_cause.h).
void print_differences(std::FILE* out, Session& a, Session& b, const RunDifferences& found,
                       const std::optional<ResultDifference>& padding, const std::string& what);
void print_json_differences(std::FILE* out, Session& a, Session& b, const RunDifferences& found,
                            const std::optional<ResultDifference>& padding);

}  // namespace ts
