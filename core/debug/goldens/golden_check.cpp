// Comparing, and walking back from the first wrong element.
#include "core/debug/goldens/golden_check.h"

#include <fmt/format.h>

#include <utility>

#include "core/isa/stop_question.h"

namespace ts {
namespace {

// Of the wrong elements the one whose step is the earliest; of equal ones the first. Those that no step wrote come last.
class FirstWrong {
 public:
  FirstWrong(Questions& questions, const NamedElements& output, const Comparing& comparing)
      : questions_(questions), output_(output), comparing_(comparing) {}

  std::pair<Difference, std::optional<std::uint32_t>> find(const Difference& first,
                                                           const std::function<bool()>& go_on) {
    Difference found = first;
    std::optional<std::uint32_t> step = step_of(first);
    StopQuestion stop(go_on);
    for (std::uint64_t index = comparing_.index_of(first) + 1; looked_ < kMostLooked && !stop.stops(); ++looked_) {
      const auto next = comparing_.next(index);
      if (!next) break;
      index = comparing_.index_of(*next) + 1;
      const auto made = step_of(*next);
      if (!made || (step && *made >= *step)) continue;
      found = *next;
      step = made;
    }
    return {found, step};
  }

 private:
  static constexpr std::uint64_t kMostLooked = 100'000;

  // Neighbours were mostly made by the same step.
  std::optional<std::uint32_t> step_of(const Difference& difference) {
    return maker_of(questions_, output_.place(difference.row, difference.col), questions_.count());
  }

  Questions& questions_;
  const NamedElements& output_;
  const Comparing& comparing_;
  std::uint64_t looked_ = 0;
};

}  // namespace

CompareOptions default_tolerance(DType type) {
  CompareOptions options;
  if (type == DType::F32) options.abs = options.rel = 1e-4;
  if (type == DType::F16) options.abs = options.rel = 1e-3;
  if (type == DType::BF16) options.abs = options.rel = 1e-2;
  return options;
}

CompareOptions tolerance_for(DType type, const cases::Tolerance& said) {
  if (!said) return default_tolerance(type);
  CompareOptions options;
  options.abs = said.abs.value_or(0);
  options.rel = said.rel.value_or(0);
  options.ulp = said.ulp.value_or(0);
  return options;
}

std::string tolerance_text(const CompareOptions& options) {
  std::string text;
  const auto add = [&](const std::string& one) { text += (text.empty() ? "within " : " or ") + one; };
  if (options.abs > 0) add(fmt::format("{:g} absolute", options.abs));
  if (options.rel > 0) add(fmt::format("{:g} relative", options.rel));
  if (options.ulp > 0) add(fmt::format("{} ulp", options.ulp));
  return text.empty() ? "exactly" : text;
}

std::variant<GoldenResult, Refusal> check_golden(Questions& questions, const cases::Golden& golden,
                                                 const cases::Tolerance& said, const std::function<bool()>& go_on) {
  std::optional<NamedElements> output = elements_called(questions, golden.name, questions.count());
  if (!output) return Refusal{fmt::format("{}: the program has no %{}", golden.from, golden.name), ""};
  auto elements = elements_of(golden.array, output->dtype);
  if (auto* refusal = std::get_if<Refusal>(&elements))
    return Refusal{fmt::format("{}: {}", golden.from, refusal->text), refusal->hint};
  GoldenResult out{.name = golden.name, .from = golden.from, .golden = std::move(std::get<Elements>(elements))};
  out.tolerance = tolerance_for(output->dtype, said ? said : golden.tolerance);
  // In one row, whatever its shape: it was found to fit before the run.
  out.golden.cols = out.golden.valid_cols = static_cast<std::uint32_t>(out.golden.bits.size());
  out.golden.rows = out.golden.valid_rows = 1;
  const auto made = Comparing::make(output->elements, out.golden, out.tolerance);
  if (const auto* refusal = std::get_if<Refusal>(&made))
    return Refusal{fmt::format("{} and %{}: {}", golden.from, golden.name, refusal->text), refusal->hint};
  const auto& comparing = std::get<Comparing>(made);
  out.comparison = comparing.all(go_on);
  if (out.comparison.first) {
    const auto [first, step] = FirstWrong(questions, *output, comparing).find(*out.comparison.first, go_on);
    out.first = WrongValue{first};
    if (step) out.first->made = trace_value(questions, output->place(first.row, first.col), questions.count(), go_on);
  }
  out.output = std::move(output->elements);
  return out;
}

std::variant<std::vector<GoldenResult>, Refusal> check_goldens(Questions& questions,
                                                               const std::vector<cases::Golden>& goldens,
                                                               const cases::Tolerance& said,
                                                               const std::function<bool()>& go_on) {
  std::vector<GoldenResult> results;
  for (const cases::Golden& golden : goldens) {
    auto result = check_golden(questions, golden, said, go_on);
    if (auto* refusal = std::get_if<Refusal>(&result)) return std::move(*refusal);
    results.push_back(std::move(std::get<GoldenResult>(result)));
  }
  return results;
}

const TracedValue* first_made(const std::vector<GoldenResult>& results) {
  const TracedValue* first = nullptr;
  for (const GoldenResult& result : results)
    if (result.first && result.first->made.step && (first == nullptr || *result.first->made.step < *first->step))
      first = &result.first->made;
  return first;
}

}  // namespace ts
