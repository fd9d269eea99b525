// The program once more with every float operation in double precision and nothing rounded between, beside itself: is it
// the algorithm or the rounding?
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/debug/goldens/golden_check.h"
#include "core/debug/origins/questions.h"

namespace ts {

// The first element that rounding alone took past the tolerance of its type.
struct RoundedAway {
  DType type = DType::F32;
  std::uint64_t bits = 0;
  double exact = 0;
  CompareOptions tolerance = {};
  TracedValue made = {};
};

// A buffer of floats that the program wrote, as the run left it.
struct ExactOutput {
  std::string name;
  Elements output = {}, exact = {};  // exact: of type f64
  CompareOptions tolerance = {};
  Comparison comparison = {};  // what is further than the tolerance
  Comparison rounded = {};     // what is not the nearest element
};

struct ExactRun {
  std::optional<RoundedAway> first = {};
  std::vector<ExactOutput> outputs = {};  // in the order of the program's buffers; no others hold floats
  bool complete = true;                   // false: `go_on` said no
};

// What of the wrong elements of an output double precision would have made right.
struct GoldenVerdict {
  std::string output, golden;
  std::uint64_t wrong = 0, rounding = 0;  // elements; of them those that double precision makes as the golden has them
  bool all_rounding() const { return rounding == wrong; }
};

// Tolerances: what was said, else those that goldens of the type have.
ExactRun run_exactly(Questions& questions, const cases::Tolerance& said, const std::function<bool()>& go_on = {});
// Nothing: all of it is right, or it is none of the outputs.
std::optional<GoldenVerdict> verdict_on(const ExactRun& run, const GoldenResult& result);

}  // namespace ts
