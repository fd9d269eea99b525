// An output and its golden: how many elements are wrong, which step made the first of them, and of which inputs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/cases/bind.h"
#include "core/debug/compare/compare.h"
#include "core/debug/origins/trace_value.h"

namespace ts {

// How far a result of this type may be from its golden where nobody says it: floats by the bits that they keep, integers
// not at all.
CompareOptions default_tolerance(DType type);
// What was said, and only where nothing was the default.
CompareOptions tolerance_for(DType type, const cases::Tolerance& said);
// "0.0001 absolute or 0.0001 relative", "exactly".
std::string tolerance_text(const CompareOptions& options);

struct WrongValue {
  Difference difference = {};  // of the output
  TracedValue made = {};
};

struct GoldenResult {
  std::string name, from;  // of the output; of the golden's file
  Elements output = {}, golden = {};
  CompareOptions tolerance = {};
  Comparison comparison = {};
  std::optional<WrongValue> first = {};  // of the wrong values the one that was made first
  bool right() const { return comparison.ok(); }
};

// `said` of the command line is before what the case says. Refused where the two cannot be compared.
std::variant<GoldenResult, Refusal> check_golden(Questions& questions, const cases::Golden& golden,
                                                 const cases::Tolerance& said, const std::function<bool()>& go_on = {});

// Of all goldens; refused at the first output that cannot be compared.
std::variant<std::vector<GoldenResult>, Refusal> check_goldens(Questions& questions,
                                                               const std::vector<cases::Golden>& goldens,
                                                               const cases::Tolerance& said,
                                                               const std::function<bool()>& go_on = {});
// Of the first wrong values of all outputs the one that was made first; null: no step made one.
const TracedValue* first_made(const std::vector<GoldenResult>& results);

}  // namespace ts
