// The report of `tilescope run --exact`.
#include "app/cli/cases/exact_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/cases/golden_report.h"
#include "app/cli/cases/traced_text.h"
#include "core/isa/element.h"
#include "core/program/source_map.h"

namespace ts {
namespace {

using ExactJson = nlohmann::ordered_json;

std::string beside_text(const ExactOutput& output, const Difference& difference) {
  std::string text =
      fmt::format("[{},{}]: {}, in double precision {}", difference.row, difference.col,
                  short_text(*output.output.format, difference.a), short_text(*output.exact.format, difference.b));
  if (difference.ulps) text += fmt::format(", {} ulp apart", *difference.ulps);
  return text;
}

void print_output(std::FILE* out, const ExactOutput& output) {
  const char* type = output.output.format->name;
  if (output.rounded.ok()) {
    fmt::print(out, "%{}: all {} elements are the nearest of {}\n", output.name, output.rounded.compared, type);
    return;
  }
  const Comparison& far = output.comparison;
  const std::string tolerance = tolerance_text(output.tolerance);
  if (far.ok())
    fmt::print(out, "%{}: all {} elements are {} of double precision ({}); {} not the nearest\n", output.name,
               far.compared, tolerance == "exactly" ? "those" : tolerance, type,
               output.rounded.count == 1 ? "1 is" : fmt::format("{} are", output.rounded.count));
  else
    fmt::print(out, "%{}: {} of {} elements {} not {} of double precision ({})\n", output.name, far.count, far.compared,
               far.count == 1 ? "is" : "are", tolerance == "exactly" ? "those" : tolerance, type);
  print_label(out, "worst", beside_text(output, far.ok() ? *output.rounded.worst : *far.worst));
}

void print_first(std::FILE* out, const Recording& recording, const RoundedAway& first, SourceTexts& sources) {
  const SourceMap map(recording.program());
  fmt::print(out, "rounding alone first leaves the tolerance ({}) here:\n", tolerance_text(first.tolerance));
  print_label(out, "first",
              fmt::format("{} = {}, in double precision {} ({})", first.made.element,
                          short_text(element_format(first.type), first.bits), first.exact, name(first.type)));
  print_traced(out, recording, map, first.made, sources);
}

std::string verdict_text(const GoldenVerdict& verdict) {
  const std::string wrong = fmt::format("%{}: of {} wrong element{}, double precision makes {} as in {}",
                                        verdict.output, verdict.wrong, verdict.wrong == 1 ? "" : "s",
                                        verdict.rounding == 0    ? "none"
                                        : verdict.all_rounding() ? verdict.wrong == 1 ? "it" : "all"
                                                                 : fmt::format("{}", verdict.rounding),
                                        verdict.golden);
  if (verdict.all_rounding()) return wrong + ": it is the rounding";
  const char* other = "the algorithm, or what it was given";
  if (verdict.rounding == 0) return fmt::format("{}: it is {}", wrong, other);
  return fmt::format("{}: there it is the rounding; in the other {} it is {}", wrong, verdict.wrong - verdict.rounding,
                     other);
}

ExactJson element_json(const ExactOutput& output, const Difference& difference) {
  ExactJson out{{"row", difference.row},
                {"col", difference.col},
                {"is", short_text(*output.output.format, difference.a)},
                {"exact", short_text(*output.exact.format, difference.b)},
                {"ulp", nullptr}};
  if (difference.ulps) out["ulp"] = *difference.ulps;
  return out;
}

}  // namespace

void print_exact(std::FILE* out, const Recording& recording, const ExactRun& run, std::span<const GoldenResult> goldens,
                 SourceTexts& sources) {
  fmt::print(out, "beside itself in double precision, nothing rounded between:\n");
  if (!run.complete) {
    fmt::print(out, "it was ended before it was through\n");
    return;
  }
  for (const ExactOutput& output : run.outputs) print_output(out, output);
  if (run.outputs.empty()) fmt::print(out, "the program wrote no array of floats\n");
  if (run.first) print_first(out, recording, *run.first, sources);
  else fmt::print(out, "rounding alone leaves the tolerance in no step\n");
  for (const GoldenResult& golden : goldens)
    if (const auto verdict = verdict_on(run, golden)) fmt::print(out, "{}\n", verdict_text(*verdict));
}

ExactJson exact_json(const Recording& recording, const ExactRun& run, std::span<const GoldenResult> goldens,
                     SourceTexts& sources) {
  ExactJson out{
      {"complete", run.complete}, {"first", nullptr}, {"outputs", ExactJson::array()}, {"goldens", ExactJson::array()}};
  if (run.first) {
    ExactJson& first = out["first"];
    first = {{"type", name(run.first->type)},
             {"is", short_text(element_format(run.first->type), run.first->bits)},
             {"exact", run.first->exact},
             {"tolerance", tolerance_json(run.first->tolerance)}};
    add_traced_json(recording, SourceMap(recording.program()), run.first->made, sources, first);
  }
  for (const ExactOutput& output : run.outputs) {
    ExactJson one{{"output", output.name},
                  {"type", output.output.format->name},
                  {"elements", output.comparison.compared},
                  {"tolerance", tolerance_json(output.tolerance)},
                  {"further", output.comparison.count},
                  {"not_nearest", output.rounded.count},
                  {"worst", nullptr}};
    if (output.rounded.worst) one["worst"] = element_json(output, *output.rounded.worst);
    out["outputs"].push_back(std::move(one));
  }
  for (const GoldenResult& golden : goldens)
    if (const auto verdict = verdict_on(run, golden))
      out["goldens"].push_back({{"output", verdict->output},
                                {"golden", verdict->golden},
                                {"wrong", verdict->wrong},
                                {"right_in_double", verdict->rounding}});
  return out;
}

}  // namespace ts
