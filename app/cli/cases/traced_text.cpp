// A traced value for people and for programs.
#include "app/cli/cases/traced_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/report/json_report.h"
#include "app/cli/report/source_line.h"
#include "core/text/tree.h"

namespace ts {
namespace {

using TracedJson = nlohmann::ordered_json;

// "turn [16,0]"; empty: it is in no loop.
std::string turns_text(const Recording& recording, std::uint32_t step) {
  std::string text;
  for (const LoopTurn& loop : recording.loops(step))
    if (!loop.is_region()) text += fmt::format("{}{}", text.empty() ? "" : ",", loop.variable);
  return text.empty() ? "" : fmt::format(", turn [{}]", text);
}

std::string step_text(const Recording& recording, const TracedValue& made) {
  if (!made.step) return "none: no step wrote it";
  std::string text =
      fmt::format("{} {}{}", *made.step, recording.bound(*made.step).row->name, turns_text(recording, *made.step));
  if (!made.element.empty()) text += fmt::format(": {}", made.element);
  if (made.only_moved) text += "; it only moved an input's value";
  if (made.stored)
    text += fmt::format("; brought there by step {} {}", *made.stored, recording.bound(*made.stored).row->name);
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

std::string inputs_text(const TracedValue& made) {
  std::string text;
  for (const InputPart& part : made.inputs) text += (text.empty() ? "" : "; ") + part_text(part);
  for (const std::string& odd : made.odd) text += (text.empty() ? "" : "; ") + odd;
  if (!made.complete) text += (text.empty() ? "" : "; ") + std::string("and more than could be looked through");
  return text.empty() ? "none" : text;
}

TracedJson part_json(const InputPart& part) {
  return {{"name", part.name},
          {"rows", {part.first_row, part.last_row}},
          {"cols", {part.first_col, part.last_col}},
          {"elements", part.count},
          {"value", part.first_value},
          {"decided", part.decided}};
}

}  // namespace

void print_label(std::FILE* out, const char* label, const std::string& text) {
  fmt::print(out, "  {:<8}{}\n", label, text);
}

void print_traced(std::FILE* out, const Recording& recording, const SourceMap& map, const TracedValue& made,
                  SourceTexts& sources) {
  print_label(out, "step", step_text(recording, made));
  if (!made.step) return;
  print_label(out, "line",
              fmt::format("{}: {}", recording.bound(*made.step).pos.line, program_line(recording, *made.step)));
  const char* how = "source";
  for (const SourceLine at : map.lines(map.origin_of(recording.step(*made.step).instruction))) {
    const std::string& file = map.files()[at.file];
    std::string text = fmt::format("{}:{}", file, at.line);
    if (const auto line = original_line(sources, file, at.line)) text += ": " + *line;
    print_label(out, how, text);
    how = "called";
  }
  print_label(out, "inputs", inputs_text(made));
}

void add_traced_json(const Recording& recording, const SourceMap& map, const TracedValue& made, SourceTexts& sources,
                     nlohmann::ordered_json& out) {
  out["step"] = nullptr;
  if (!made.step) return;
  out["step"] = *made.step;
  out["op"] = recording.bound(*made.step).row->name;
  out["element"] = made.element;
  out["loops"] = TracedJson::array();
  for (const LoopTurn& loop : recording.loops(*made.step))
    if (!loop.is_region()) out["loops"].push_back(loop.variable);
  out["only_moved"] = made.only_moved;
  out["stored"] = made.stored ? TracedJson(*made.stored) : TracedJson();
  out["line"] = recording.bound(*made.step).pos.line;
  out["text"] = program_line(recording, *made.step);
  out["source"] = origin_json(map, recording.step(*made.step).instruction, sources);
  out["inputs"] = TracedJson::array();
  for (const InputPart& part : made.inputs) out["inputs"].push_back(part_json(part));
  out["odd"] = made.odd;
  out["complete"] = made.complete;
}

}  // namespace ts
