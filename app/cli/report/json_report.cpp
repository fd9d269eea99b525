// The JSON of `tilescope run --json` and `tilescope check --json`.
#include "app/cli/report/json_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>

#include "app/cli/digest.h"
#include "app/cli/report/source_line.h"
#include "app/cli/report/source_report.h"
#include "app/cli/terminal/terminal.h"
#include "core/data/fields.h"
#include "core/debug/session/source_visits.h"
#include "core/program/source_map.h"
#include "core/text/tree.h"

namespace ts {
namespace {

using Json = nlohmann::ordered_json;

Json place_json(const ByteRange& place) {
  Json out{{"space", name(place.space)}, {"address", place.address}, {"bytes", place.size}};
  if (place.part != BytePart::Whole) out["half"] = place.part == BytePart::Low ? "low" : "high";
  return out;
}

Json diagnostic_json(const Diagnostic& diagnostic, const std::string& file) {
  Json out{{"file", file},
           {"line", diagnostic.pos.line},
           {"column", diagnostic.pos.column},
           {"span", diagnostic.span},
           {"severity", name(diagnostic.severity)},
           {"rule", diagnostic.rule},
           {"kind", name(diagnostic.kind)},
           {"operand", diagnostic.operand},
           {"text", diagnostic.text},
           {"expected", diagnostic.expected},
           {"hint", diagnostic.hint},
           {"notes", Json::array()}};
  for (const DiagnosticNote& note : diagnostic.notes)
    out["notes"].push_back({{"line", note.pos.line}, {"column", note.pos.column}, {"text", note.text}});
  return out;
}

Json operand_json(const Program& program, const Operand& operand) {
  Json out{{"role", operand.spec->name}, {"name", program.operand_name(operand)}};
  switch (operand.spec->kind) {
    case OperandKind::Tile:
      out["type"] = operand.tile.type.describe();
      out["place"] = place_json(operand.tile.range());
      out["valid"] = {operand.tile.valid_rows, operand.tile.valid_cols};
      if (operand.implicit) out["implicit"] = true;
      break;
    case OperandKind::Global:
      out["type"] = name(operand.global.dtype);
      out["layout"] = name(operand.global.layout);
      out["address"] = operand.global.address;
      out["shape"] = operand.global.shape;
      out["strides"] = operand.global.stride;
      break;
    case OperandKind::Scalar:
      out["type"] = name(operand.scalar.dtype);
      out["bits"] = fmt::format("0x{:x}", operand.scalar.bits);
      break;
  }
  return out;
}

Json writes_json(const Recording& recording, std::uint32_t step) {
  Json out = Json::array();
  for (const WritePattern& pattern : recording.writes(step)) {
    Json one = place_json(recording.map().locate(pattern.base, pattern.size));
    if (pattern.count > 1) one["count"] = pattern.count, one["stride"] = pattern.stride;
    out.push_back(std::move(one));
  }
  return out;
}

Json trace_json(const Trace& trace) {
  Json out = Json::array();
  for (const MicroStep& micro : trace.steps) {
    Json one{{"text", trace.describe(micro)}, {"operation", micro.op->name}};
    for (const std::uint32_t id : micro.made) {
      const TraceValue& value = trace.values[id];
      const bool predicate = value.kind == TraceValue::Kind::Predicate;
      std::string hex;
      for (std::size_t i = 0; i < (predicate ? VL / 8 : VL); ++i) hex += fmt::format("{:02x}", value.bytes[i]);
      one["made"].push_back({{"name", fmt::format("{}{}", predicate ? "p" : "v", id)}, {"bytes", hex}});
    }
    for (const TraceAccess& access : micro.reads) one["reads"].push_back(place_json(access.place()));
    for (const TraceAccess& access : micro.writes) one["writes"].push_back(place_json(access.place()));
    out.push_back(std::move(one));
  }
  return out;
}

Json step_json(const Recording& recording, const SourceMap& map, SourceTexts& sources, Inspector& inspector,
               std::uint32_t step, bool trace) {
  const Program& program = recording.program();
  const Bound& bound = recording.bound(step);
  Json out{{"step", step},
           {"pipe", name(bound.pipe)},
           {"line", bound.pos.line},
           {"column", bound.pos.column},
           {"source", origin_json(map, recording.step(step).instruction, sources)},
           {"text", program.text(recording.step(step).instruction)},
           {"loops", Json::array()},
           {"block", recording.step(step).block},
           {"core", name_of_core(program, bound.core)},
           {"operands", Json::array()},
           {"writes", writes_json(recording, step)}};
  for (const LoopTurn& loop : recording.loops(step))
    if (!loop.is_region()) out["loops"].push_back(loop.variable);
  for (const Operand& operand : bound.operands) out["operands"].push_back(operand_json(program, operand));
  if (trace && machines_for(bound).run != nullptr) out["micro"] = trace_json(inspector.trace(step));
  return out;
}

Json diagnostics_json(const Diagnostics& diagnostics, const text::Source& source) {
  Json out = Json::array();
  for (const Diagnostic& diagnostic : diagnostics) out.push_back(diagnostic_json(diagnostic, source.name()));
  return out;
}

Json inputs_json(const std::vector<InputSource>& inputs) {
  Json out = Json::array();
  for (const InputSource& input : inputs) out.push_back({{"name", input.name}, {"from", input.text}});
  return out;
}

Json findings_json(const Recording& recording) {
  Json out = Json::array();
  for (const Finding& finding : recording.findings()) {
    out.push_back(diagnostic_json(finding.diagnostic, recording.program().tree->source->name()));
    out.back()["step"] = finding.step;
  }
  return out;
}

// The cores that could not go on when nobody could.
Json waits_json(const Recording& recording) {
  const Program& program = recording.program();
  Json out = Json::array();
  for (const CoreWait& wait : recording.waits()) {
    Json on = Json::array();
    for (const AwaitedCore& other : wait.on)
      on.push_back({{"core", name_of_core(program, other.core)}, {"act", other.act}, {"state", other.state}});
    out.push_back({{"core", name_of_core(program, wait.core)},
                   {"line", wait.pos.line},
                   {"column", wait.pos.column},
                   {"rule", wait.rule},
                   {"text", wait.text},
                   {"waitsFor", on}});
  }
  return out;
}

void print_steps(std::FILE* out, const Recording& recording, const SourceMap& map, SourceTexts& sources, bool trace) {
  Inspector inspector(recording);
  for (std::uint32_t step = 0; step < recording.count() && !interrupted(); ++step)
    fmt::print(out, "{}\n  {}", step == 0 ? "" : ",",
               data::json_text(step_json(recording, map, sources, inspector, step, trace)));
}

void print_json_visits(std::FILE* out, const Recording& recording, const SourceMap& map, SourceTexts& sources) {
  if (map.empty()) {
    fmt::print(stderr, "tilescope: {}\n", no_sources().text);
    return;
  }
  const SourceVisits visits(recording, map, [] { return !interrupted(); });
  const auto firsts = visits.complete() ? visits.firsts() : std::span<const std::uint32_t>();
  for (std::size_t i = 0; i < firsts.size() && !interrupted(); ++i) {
    const std::uint32_t first = firsts[i], end = i + 1 < firsts.size() ? firsts[i + 1] : recording.count();
    const Json visit{{"first", first},
                     {"last", end - 1},
                     {"line", recording.bound(first).pos.line},
                     {"source", origin_json(map, recording.step(first).instruction, sources)},
                     {"wrote", written_names(recording, first, end)}};
    fmt::print(out, "{}\n  {}", i == 0 ? "" : ",", data::json_text(visit));
  }
}

}  // namespace

Json origin_json(const SourceMap& map, std::uint32_t instruction, SourceTexts& sources) {
  Json out = Json::array();
  for (const SourceLine at : map.lines(map.origin_of(instruction))) {
    const auto line = sources.line(map.files()[at.file], at.line);
    out.push_back({{"file", map.files()[at.file]},
                   {"line", at.line},
                   {"text", line ? Json(without_indent(line->text)) : Json()},
                   {"changed", line && line->changed_since}});
  }
  return out;
}

void print_json_report(std::FILE* out, const Recording& recording, const std::vector<InputSource>& inputs,
                       const Diagnostics& told, SourceTexts& sources, const JsonExtras& extras) {
  const Program& program = recording.program();
  fmt::print(out, "{{\"program\": {},\n \"target\": {},\n \"stopped\": {},\n", data::json_text(program.name),
             data::json_text(name(program.target)), data::json_text(name(recording.stop_reason())));
  fmt::print(out, " \"inputs\": {},\n \"diagnostics\": {},\n", data::json_text(inputs_json(inputs)),
             data::json_text(diagnostics_json(told, *program.tree->source)));
  if (!extras.goldens.empty()) fmt::print(out, " \"goldens\": {},\n", extras.goldens);
  if (!extras.printed.empty()) fmt::print(out, " \"printed\": {},\n", extras.printed);
  if (!extras.exact.empty()) fmt::print(out, " \"exact\": {},\n", extras.exact);
  if (!extras.edited.empty()) fmt::print(out, " \"edited\": {},\n", extras.edited);
  if (!extras.profile.empty()) fmt::print(out, " \"profile\": {},\n", extras.profile);
  if (program.together()) fmt::print(out, " \"waits\": {},\n", data::json_text(waits_json(recording)));
  fmt::print(out, " \"findings\": {},\n \"{}\": [", data::json_text(findings_json(recording)),
             extras.by_source ? "visits" : "steps");
  const SourceMap map(recording.program());
  if (extras.by_source) print_json_visits(out, recording, map, sources);
  else print_steps(out, recording, map, sources, extras.trace);
  fmt::print(out, "],\n \"digest\": \"{}\"}}\n", digest_of(recording));
}

void print_json_refusal(std::FILE* out, const std::string& program, const Diagnostics& told,
                        const text::Source& source) {
  const Json json{{"program", program},        {"stopped", "not started"},
                  {"inputs", Json::array()},   {"diagnostics", diagnostics_json(told, source)},
                  {"findings", Json::array()}, {"steps", Json::array()}};
  fmt::print(out, "{}\n", data::json_text(json));
}

std::string json_diagnostics(const std::vector<FileDiagnostic>& diagnostics) {
  std::string out;
  for (const FileDiagnostic& one : diagnostics) {
    Json json = diagnostic_json(one.diagnostic, one.file);
    json["targets"] = one.targets;
    if (one.step) json["step"] = *one.step;
    if (!one.element.empty()) json["element"] = one.element;
    out += fmt::format("{}\n  {}", out.empty() ? "" : ",", data::json_text(json));
  }
  return "[" + out + "]\n";
}

}  // namespace ts
