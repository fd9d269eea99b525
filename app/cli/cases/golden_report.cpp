// The report of `tilescope run CASE --golden`.
#include "app/cli/cases/golden_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/program_file.h"
#include "app/cli/terminal/terminal.h"
#include "core/data/fields.h"
#include "core/program/source_map.h"
#include "core/text/tree.h"

namespace ts {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kLabel = "  {:<8}{}\n";

std::string trimmed_line(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first == line.npos ? "" : std::string(line.substr(first));
}

std::string program_line(const Recording& recording, std::uint32_t step) {
  return trimmed_line(recording.program().tree->source->line(recording.bound(step).pos.line));
}

// "turn [16,0]"; empty: it is in no loop.
std::string turns_text(const Recording& recording, std::uint32_t step) {
  std::string text;
  for (const LoopTurn& loop : recording.loops(step))
    text += fmt::format("{}{}", text.empty() ? "" : ",", loop.variable);
  return text.empty() ? "" : fmt::format(", turn [{}]", text);
}

std::string step_text(const Recording& recording, const WrongValue& wrong) {
  if (!wrong.step) return "none: no step wrote this element";
  std::string text =
      fmt::format("{} {}{}", *wrong.step, recording.bound(*wrong.step).row->name, turns_text(recording, *wrong.step));
  if (!wrong.element.empty()) text += fmt::format(": {}", wrong.element);
  if (wrong.only_moved) text += "; it only moved an input's value";
  if (wrong.stored)
    text += fmt::format("; brought there by step {} {}", *wrong.stored, recording.bound(*wrong.stored).row->name);
  return text;
}

std::string range_text(std::uint32_t first, std::uint32_t last) {
  return first == last ? fmt::format("{}", first) : fmt::format("{}..{}", first, last);
}

std::string part_text(const InputPart& part) {
  std::string text = fmt::format("{}%{}[{},{}]", part.decided ? "chosen by " : "", part.name,
                                 range_text(part.first_row, part.last_row), range_text(part.first_col, part.last_col));
  if (part.count == 1) return part.first_value.empty() ? text : fmt::format("{} = {}", text, part.first_value);
  return fmt::format("{}, {} elements", text, part.count);
}

std::string inputs_text(const WrongValue& wrong) {
  std::string text;
  for (const InputPart& part : wrong.inputs) text += (text.empty() ? "" : "; ") + part_text(part);
  for (const std::string& odd : wrong.odd) text += (text.empty() ? "" : "; ") + odd;
  if (!wrong.complete) text += (text.empty() ? "" : "; ") + std::string("and more than could be looked through");
  return text.empty() ? "none" : text;
}

void print_wrong(std::FILE* out, const Recording& recording, const SourceMap& map, const GoldenResult& result,
                 SourceTexts& sources) {
  const WrongValue& wrong = *result.first;
  fmt::print(out, kLabel, "worst", difference_text(result.output, result.golden, *result.comparison.worst));
  fmt::print(out, kLabel, "first", difference_text(result.output, result.golden, wrong.difference));
  fmt::print(out, kLabel, "step", step_text(recording, wrong));
  if (!wrong.step) return;
  fmt::print(out, kLabel, "line",
             fmt::format("{}: {}", recording.bound(*wrong.step).pos.line, program_line(recording, *wrong.step)));
  const char* how = "source";
  for (const SourceLine at : map.lines(map.origin_of(recording.step(*wrong.step).instruction))) {
    const std::string& file = map.files()[at.file];
    std::string text = fmt::format("{}:{}", file, at.line);
    if (const auto line = sources.line(file, at.line))
      text += fmt::format(": {}{}", trimmed_line(line->text),
                          line->changed_since ? "  (the file is newer than the program)" : "");
    fmt::print(out, kLabel, how, text);
    how = "called";
  }
  fmt::print(out, kLabel, "inputs", inputs_text(wrong));
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

Json part_json(const InputPart& part) {
  return {{"name", part.name},
          {"rows", {part.first_row, part.last_row}},
          {"cols", {part.first_col, part.last_col}},
          {"elements", part.count},
          {"value", part.first_value},
          {"decided", part.decided}};
}

Json source_json(const Recording& recording, const SourceMap& map, std::uint32_t step, SourceTexts& sources) {
  Json out = Json::array();
  for (const SourceLine at : map.lines(map.origin_of(recording.step(step).instruction))) {
    const std::string& file = map.files()[at.file];
    Json one{{"file", file}, {"line", at.line}, {"text", nullptr}};
    if (const auto line = sources.line(file, at.line)) one["text"] = trimmed_line(line->text);
    out.push_back(std::move(one));
  }
  return out;
}

void add_step_json(const Recording& recording, const SourceMap& map, const WrongValue& wrong, SourceTexts& sources,
                   Json& out) {
  out["step"] = nullptr;
  if (!wrong.step) return;
  out["step"] = *wrong.step;
  out["op"] = recording.bound(*wrong.step).row->name;
  out["element"] = wrong.element;
  out["loops"] = Json::array();
  for (const LoopTurn& loop : recording.loops(*wrong.step)) out["loops"].push_back(loop.variable);
  out["only_moved"] = wrong.only_moved;
  out["stored"] = wrong.stored ? Json(*wrong.stored) : Json();
  out["line"] = recording.bound(*wrong.step).pos.line;
  out["text"] = program_line(recording, *wrong.step);
  out["source"] = source_json(recording, map, *wrong.step, sources);
  out["inputs"] = Json::array();
  for (const InputPart& part : wrong.inputs) out["inputs"].push_back(part_json(part));
  out["odd"] = wrong.odd;
  out["complete"] = wrong.complete;
}

}  // namespace

std::optional<std::vector<GoldenResult>> check_goldens(const std::shared_ptr<const Recording>& recording,
                                                       const std::vector<cases::Golden>& goldens,
                                                       const cases::Tolerance& said) {
  Questions questions(recording);
  std::vector<GoldenResult> results;
  for (const cases::Golden& golden : goldens) {
    auto result = check_golden(questions, golden, said, [] { return !interrupted(); });
    if (const auto* refusal = std::get_if<Refusal>(&result)) {
      fail(refusal->text, refusal->hint);
      return {};
    }
    results.push_back(std::move(std::get<GoldenResult>(result)));
  }
  return results;
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

Json goldens_json(const Recording& recording, const std::vector<GoldenResult>& results, SourceTexts& sources) {
  const SourceMap map(recording.program());
  Json out = Json::array();
  for (const GoldenResult& result : results) {
    const Comparison& found = result.comparison;
    Json one{
        {"output", result.name},
        {"golden", result.from},
        {"type", result.output.format->name},
        {"elements", found.compared},
        {"wrong", found.count},
        {"tolerance", {{"abs", result.tolerance.abs}, {"rel", result.tolerance.rel}, {"ulp", result.tolerance.ulp}}}};
    if (result.first) {
      one["worst"] = difference_json(result, *found.worst);
      one["first"] = difference_json(result, result.first->difference);
      add_step_json(recording, map, *result.first, sources, one);
    }
    out.push_back(std::move(one));
  }
  return out;
}

void print_json_goldens(std::FILE* out, const Recording& recording, const std::vector<GoldenResult>& results,
                        SourceTexts& sources) {
  const Json json{{"program", recording.program().name},
                  {"target", name(recording.program().target)},
                  {"stopped", name(recording.stop_reason())},
                  {"right", all_right(results)},
                  {"goldens", goldens_json(recording, results, sources)}};
  fmt::print(out, "{}\n", data::json_text(json, 1));
}

std::vector<GoldenMessage> golden_messages(const Recording& recording, const std::vector<GoldenResult>& results) {
  std::vector<GoldenMessage> messages;
  for (const GoldenResult& result : results) {
    if (result.right()) continue;
    GoldenMessage message{.step = result.first->step, .element = result.first->element};
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

ShowHint first_wrong(const std::vector<GoldenResult>& results) {
  const WrongValue* first = nullptr;
  for (const GoldenResult& result : results)
    if (result.first && result.first->step && (first == nullptr || *result.first->step < *first->step))
      first = &*result.first;
  if (first == nullptr) return {};
  ShowHint hint{.step = *first->step};
  if (!first->tile.empty()) hint.cell = CellName{first->tile, first->row, first->col};
  return hint;
}

}  // namespace ts
