// The report of `tilescope lockstep` and `tilescope compare`.
#include "app/cli/report/difference_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/report/source_line.h"
#include "core/data/fields.h"
#include "core/debug/compare/padding_cause.h"
#include "core/record/operand_place.h"
#include "core/text/tree.h"

namespace ts {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostDifferences = 20;

const Operand& result_of(const Session& session, std::uint32_t step, int number) {
  return session.recording().bound(step).operands[static_cast<std::size_t>(number)];
}

std::string element_name(const Operand& operand, const Difference& difference) {
  return operand.spec->kind == OperandKind::Tile ? fmt::format("[{},{}]", difference.row, difference.col)
                                                 : fmt::format("[{}]", difference.col);
}

std::uint32_t steps_in(const std::vector<StepRange>& ranges) {
  std::uint32_t steps = 0;
  for (const StepRange& range : ranges) steps += range.end - range.first;
  return steps;
}

void print_rows(std::FILE* out, Session& a, const RunDifferences& found) {
  fmt::print(out, "\n{:>8}  {:>5}  {:<14} {:<20} {:>8}  {}\n", "step", "line", "op", "result", "elements", "");
  for (std::size_t i = 0; i < std::min(found.differences.size(), kMostDifferences); ++i) {
    const ResultDifference& one = found.differences[i];
    const Bound& bound = a.recording().bound(one.step_a);
    const std::string element = element_name(result_of(a, one.step_a, one.operand_a), *one.comparison.first);
    fmt::print(out, "{:>8}  {:>5}  {:<14} {:<20} {:>8}  {}\n", one.step_a, bound.pos.line, bound.row->name,
               "%" + one.name + element, one.comparison.count,
               one.inherited ? "handed on: what it read was different already" : "a cause");
  }
  if (found.differences.size() > kMostDifferences)
    fmt::print(out, "{:>8}  and {} more\n", "", found.differences.size() - kMostDifferences);
}

Json element_json(const Session& session, std::uint32_t step, int number, std::uint64_t bits) {
  const ElementFormat& format = element_format(element_type(result_of(session, step, number)));
  return {{"type", format.name}, {"bits", hex_text(format, bits)}, {"value", short_text(format, bits)}};
}

Json difference_json(Session& a, Session& b, const ResultDifference& one) {
  const Bound& bound = a.recording().bound(one.step_a);
  const Difference& first = *one.comparison.first;
  Json out{{"step", one.step_a},
           {"step_b", one.step_b},
           {"line", bound.pos.line},
           {"op", bound.row->name},
           {"result", one.name},
           {"row", first.row},
           {"col", first.col},
           {"a", element_json(a, one.step_a, one.operand_a, first.a)},
           {"b", one.place_b ? element_json(a, one.step_a, one.operand_a, first.b)
                             : element_json(b, one.step_b, one.operand_b, first.b)},
           {"ulp", nullptr},
           {"elements", one.comparison.count},
           {"inherited", one.inherited}};
  if (first.ulps) out["ulp"] = *first.ulps;
  return out;
}

Json side_json(const Session& session) {
  const Recording& recording = session.recording();
  return {{"program", recording.program().name},
          {"target", name(recording.program().target)},
          {"steps", recording.count()},
          {"ended", name(recording.stop_reason())}};
}

}  // namespace

void print_differences(std::FILE* out, Session& a, Session& b, const RunDifferences& found,
                       const std::optional<ResultDifference>& padding, const std::string& what) {
  if (found.stored_bytes > 0) fmt::print(out, "{}: {} bytes that both stored compared, ", what, found.stored_bytes);
  else fmt::print(out, "{}: {} step{} compared, ", what, found.compared, found.compared == 1 ? "" : "s");
  if (found.differences.empty()) fmt::print(out, "all results are the same{}\n", found.complete ? "" : " so far");
  else
    fmt::print(out, "{}{} result{} differ{}, {} of them a cause\n", found.differences.size(),
               found.complete ? "" : " or more", found.differences.size() == 1 ? "" : "s",
               found.differences.size() == 1 ? "s" : "", found.causes());
  if (!found.differences.empty() && found.causes() == 0)
    fmt::print(out, "where they come from: an input, an edit, or elements that no step's result holds as valid ones\n");
  const std::uint32_t only_a = steps_in(found.only_a), only_b = steps_in(found.only_b);
  if (only_a + only_b > 0)
    fmt::print(out, "without a partner: {} steps of the first, {} of the second\n", only_a, only_b);
  if (found.parted) fmt::print(out, "they part at step {}: {}\n", found.parted->step_a, found.parted->text);
  if (padding) fmt::print(out, "in padding only: {}\n", difference_text(a, b, *padding));
  if (found.differences.empty()) return;
  const ResultDifference& first = found.differences.front();
  fmt::print(out, "\n{}\n", difference_text(a, b, first));
  const std::string line = program_line(a.recording(), first.step_a);
  if (!line.empty()) fmt::print(out, "  {}\n", line);
  print_rows(out, a, found);
}

void print_json_differences(std::FILE* out, Session& a, Session& b, const RunDifferences& found,
                            const std::optional<ResultDifference>& padding) {
  Json json{{"a", side_json(a)},
            {"b", side_json(b)},
            {"same", found.same()},
            {"complete", found.complete},
            {"compared", found.compared},
            {"stored_bytes", found.stored_bytes},
            {"only_a", steps_in(found.only_a)},
            {"only_b", steps_in(found.only_b)},
            {"causes", found.causes()},
            {"parted", nullptr},
            {"padding", padding ? difference_json(a, b, *padding) : Json(nullptr)},
            {"differences", Json::array()}};
  if (found.parted)
    json["parted"] = {{"step", found.parted->step_a}, {"step_b", found.parted->step_b}, {"text", found.parted->text}};
  for (const ResultDifference& one : found.differences) json["differences"].push_back(difference_json(a, b, one));
  fmt::print(out, "{}\n", data::json_text(json, 2));
}

}  // namespace ts
