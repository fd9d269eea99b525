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
#include "core/debug/origins/questions.h"

namespace ts {

// How far a result of this type may be from its golden where nobody says it: floats by the bits that they keep, integers
// not at all.
CompareOptions default_tolerance(DType type);
// What was said, and only where nothing was the default.
CompareOptions tolerance_for(DType type, const cases::Tolerance& said);
// "0.0001 absolute or 0.0001 relative", "exactly".
std::string tolerance_text(const CompareOptions& options);

// Elements of an input that a value came from: a rectangle around them.
struct InputPart {
  std::string name;
  std::uint32_t first_row = 0, last_row = 0, first_col = 0, last_col = 0;
  std::uint64_t count = 0;
  std::string first_value = {};  // of the first of them
  bool decided = false;          // they only chose values
};

// Where a wrong value was made.
struct WrongValue {
  Difference difference = {};                // of the output
  std::optional<std::uint32_t> step = {};    // that made it; nothing: no step wrote the element
  std::optional<std::uint32_t> stored = {};  // that brought it to where it is, when that is another one
  bool only_moved = false;                   // no step computed it: an input's value got there
  std::string element = {};                  // "%c[6,3]", of that step's result
  std::string tile = {};                     // its name alone, and the place in it; empty: it is a buffer
  std::uint32_t row = 0, col = 0;
  std::vector<InputPart> inputs = {};
  std::vector<std::string> odd = {};  // values that it came from and nobody gave: "never written: ..."
  bool complete = true;               // false: there was more than could be looked through
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

}  // namespace ts
