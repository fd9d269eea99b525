// The JSON of `tilescope run --json`.
#include "app/json_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace ts {
namespace {

using Json = nlohmann::ordered_json;

Json place_json(const ByteRange& place) { return {{"space", name(place.space)}, {"address", place.address}, {"bytes", place.size}}; }

Json diagnostic_json(const Diagnostic& diagnostic) {
  Json out{{"rule", diagnostic.rule}, {"severity", name(diagnostic.severity)}, {"line", diagnostic.pos.line}, {"column", diagnostic.pos.column}, {"text", diagnostic.text}};
  if (!diagnostic.operand.empty()) out["operand"] = diagnostic.operand;
  if (!diagnostic.hint.empty()) out["hint"] = diagnostic.hint;
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
    for (const TraceAccess& access : micro.reads) one["reads"].push_back(place_json({access.space, access.address, access.size}));
    for (const TraceAccess& access : micro.writes) one["writes"].push_back(place_json({access.space, access.address, access.size}));
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

std::string json_report(const Recording& recording, const std::vector<InputSource>& inputs, const Diagnostics& diagnostics, bool trace) {
  const Program& program = recording.program();
  Json out{{"program", program.name}, {"target", name(program.target)}, {"steps", Json::array()}, {"stopped", name(recording.stop_reason())}};
  for (const InputSource& input : inputs) out["inputs"].push_back({{"name", input.name}, {"from", input.text}});
  for (const Diagnostic& diagnostic : diagnostics) out["diagnostics"].push_back(diagnostic_json(diagnostic));
  Inspector inspector(recording);
  for (std::uint32_t step = 0; step < recording.count(); ++step) {
    const Bound& bound = recording.bound(step);
    Json one{{"step", step}, {"pipe", name(bound.pipe)}, {"line", bound.pos.line}, {"column", bound.pos.column}, {"text", program.text(recording.step(step).instruction)}};
    if (!recording.loops(step).empty()) one["loops"] = recording.loops(step);
    if (program.blocks > 1) one["block"] = recording.step(step).block;
    one["operands"] = Json::array();
    for (const Operand& operand : bound.operands) one["operands"].push_back(operand_json(program, operand));
    one["writes"] = writes_json(recording, step);
    if (trace && bound.row->machines.trace != nullptr) one["micro"] = trace_json(inspector.trace(step));
    out["steps"].push_back(std::move(one));
  }
  for (const Finding& finding : recording.findings()) {
    Json one = diagnostic_json(finding.diagnostic);
    one["step"] = finding.step;
    out["findings"].push_back(std::move(one));
  }
  out["digest"] = recording.digest();
  return out.dump(1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace ts
