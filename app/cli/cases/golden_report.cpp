// The report of `tilescope run CASE --golden`.
#include "app/cli/cases/golden_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/cases/traced_text.h"
#include "app/cli/program_file.h"
#include "app/cli/terminal/terminal.h"
#include "core/data/fields.h"
#include "core/program/source_map.h"

namespace ts {
namespace {

using Json = nlohmann::ordered_json;

void print_wrong(std::FILE* out, const Recording& recording, const SourceMap& map, const GoldenResult& result,
                 SourceTexts& sources) {
  const WrongValue& wrong = *result.first;
  print_label(out, "worst", difference_text(result.output, result.golden, *result.comparison.worst));
  print_label(out, "first", difference_text(result.output, result.golden, wrong.difference));
  print_traced(out, recording, map, wrong.made, sources);
}

Json side_json(const Elements& elements, std::uint64_t bits) {
  return {{"type", elements.format->name},
          {"bits", hex_text(*elements.format, bits)},
          {"value", short_text(*elements.format, bits)}};
}

Json difference_json(const GoldenResult& result, const Difference& difference) {
  Json out{{"row", difference.row},
           {"col", difference.col},
           {"is", side_json(result.output, difference.a)},
           {"golden", side_json(result.golden, difference.b)},
           {"defined", !difference.undefined},
           {"ulp", nullptr}};
  if (difference.ulps) out["ulp"] = *difference.ulps;
  return out;
}

}  // namespace

std::optional<std::vector<GoldenResult>> check_goldens(const std::shared_ptr<const Recording>& recording,
                                                       const std::vector<cases::Golden>& goldens,
                                                       const cases::Tolerance& said) {
  Questions questions(recording);
  auto results = check_goldens(questions, goldens, said, [] { return !interrupted(); });
  if (const auto* refusal = std::get_if<Refusal>(&results)) {
    fail(refusal->text, refusal->hint);
    return {};
  }
  return std::move(std::get<std::vector<GoldenResult>>(results));
}

bool all_right(const std::vector<GoldenResult>& results) { return std::ranges::all_of(results, &GoldenResult::right); }

void print_goldens(std::FILE* out, const Recording& recording, const std::vector<GoldenResult>& results,
                   SourceTexts& sources) {
  const SourceMap map(recording.program());
  if (recording.stop_reason() != StopReason::End)
    fmt::print(out, "the run did not come to its end: {} after {} steps\n", name(recording.stop_reason()),
               recording.count());
  for (const GoldenResult& result : results) {
    const Comparison& found = result.comparison;
    const std::string how = fmt::format("({}, {})", result.output.format->name, tolerance_text(result.tolerance));
    if (result.right()) {
      fmt::print(out, "%{}: all {} elements are right {}\n", result.name, found.compared, how);
      continue;
    }
    fmt::print(out, "%{}: {} of {} elements {} wrong {}\n", result.name, found.count, found.compared,
               found.count == 1 ? "is" : "are", how);
    print_wrong(out, recording, map, result, sources);
  }
}

Json tolerance_json(const CompareOptions& options) {
  return {{"abs", options.abs}, {"rel", options.rel}, {"ulp", options.ulp}};
}

Json goldens_json(const Recording& recording, const std::vector<GoldenResult>& results, SourceTexts& sources) {
  const SourceMap map(recording.program());
  Json out = Json::array();
  for (const GoldenResult& result : results) {
    const Comparison& found = result.comparison;
    Json one{{"output", result.name},      {"golden", result.from}, {"type", result.output.format->name},
             {"elements", found.compared}, {"wrong", found.count},  {"tolerance", tolerance_json(result.tolerance)}};
    if (result.first) {
      one["worst"] = difference_json(result, *found.worst);
      one["first"] = difference_json(result, result.first->difference);
      add_traced_json(recording, map, result.first->made, sources, one);
    }
    out.push_back(std::move(one));
  }
  return out;
}

void print_json_goldens(std::FILE* out, const Recording& recording, const std::vector<GoldenResult>& results,
                        SourceTexts& sources, const Json* exact) {
  Json json{{"program", recording.program().name},
            {"target", name(recording.program().target)},
            {"stopped", name(recording.stop_reason())},
            {"right", all_right(results)},
            {"goldens", goldens_json(recording, results, sources)}};
  if (exact != nullptr) json["exact"] = *exact;
  fmt::print(out, "{}\n", data::json_text(json, 1));
}

std::vector<GoldenMessage> golden_messages(const Recording& recording, const std::vector<GoldenResult>& results) {
  std::vector<GoldenMessage> messages;
  for (const GoldenResult& result : results) {
    if (result.right()) continue;
    GoldenMessage message{.step = result.first->made.step, .element = result.first->made.element};
    message.diagnostic.rule = "GOLDEN";
    if (message.step) message.diagnostic.pos = recording.bound(*message.step).pos;
    message.diagnostic.operand = result.name;
    message.diagnostic.text = fmt::format("%{}: {} of {} elements are not as in {}; the first: {}", result.name,
                                          result.comparison.count, result.comparison.compared, result.from,
                                          difference_text(result.output, result.golden, result.first->difference));
    messages.push_back(std::move(message));
  }
  return messages;
}

}  // namespace ts
