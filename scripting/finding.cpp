// Findings of a recording.
#include "scripting/finding.h"

#include <fmt/format.h>

#include "scripting/object.h"
#include "scripting/push.h"

namespace ts::scripting {
namespace {

const Finding& here(lua_State* L) {
  const FindingObject& object = check_self<FindingObject>(L);
  return recording_of(L, *object.recording).findings()[object.index];
}

int finding_step(lua_State* L) {
  lua_pushinteger(L, here(L).step);
  return 1;
}

int push_or_nil(lua_State* L, const std::string& text) {
  if (text.empty())
    lua_pushnil(L);
  else
    push_text(L, text);
  return 1;
}

int finding_rule(lua_State* L) {
  return push_or_nil(L, here(L).diagnostic.rule);
}
int finding_severity(lua_State* L) {
  return push_or_nil(L, name(here(L).diagnostic.severity));
}
int finding_text(lua_State* L) {
  return push_or_nil(L, here(L).diagnostic.text);
}
int finding_fix(lua_State* L) {
  return push_or_nil(L, here(L).diagnostic.hint);
}
int finding_operand(lua_State* L) {
  return push_or_nil(L, here(L).diagnostic.operand);
}

int finding_line(lua_State* L) {
  lua_pushinteger(L, here(L).diagnostic.pos.line);
  return 1;
}

int finding_to_text(lua_State* L) {
  const Finding& finding = here(L);
  const Diagnostic& diagnostic = finding.diagnostic;
  push_text(L, fmt::format("step {}: {}: [{}] {}", finding.step, name(diagnostic.severity), diagnostic.rule,
                           diagnostic.text));
  return 1;
}

// --- the iterator: upvalues are the recording, the next index, the wished severity or nil, the wished rule or nil ---

bool wanted(lua_State* L, const Finding& finding) {
  const char* severity = lua_tostring(L, lua_upvalueindex(3));
  const char* rule = lua_tostring(L, lua_upvalueindex(4));
  return (severity == nullptr || std::string_view(severity) == name(finding.diagnostic.severity)) &&
         (rule == nullptr || rule == finding.diagnostic.rule);
}

int next_finding(lua_State* L) {
  const auto& recording = to_object<RecordingObject>(L, lua_upvalueindex(1))->recording;
  const auto& findings = recording_of(L, *recording).findings();
  auto index = static_cast<std::size_t>(lua_tointeger(L, lua_upvalueindex(2)));
  while (index < findings.size() && !wanted(L, findings[index])) ++index;
  lua_pushinteger(L, static_cast<lua_Integer>(index) + 1);
  lua_replace(L, lua_upvalueindex(2));
  if (index >= findings.size()) return 0;
  push_finding(L, recording, index);
  return 1;
}

// A word without a row in the table.
constexpr char kExample[] = R"(local words = {}
for i = 1, 32 do words[i] = i end
words[5] = 2000
local rec = pto.load("block_lookup", {inputs={words=words}}):record()
local f = rec:findings()()
)";

constexpr RowMaker kRow{"finding", kExample};

}  // namespace

void push_finding(lua_State* L, std::shared_ptr<OpenRecording> recording, std::size_t index) {
  make_object<FindingObject>(L, std::move(recording), index);
}

int recording_findings(lua_State* L) {
  const RecordingObject& self = check_self<RecordingObject>(L);
  session_of(L, *self.recording);
  const OptionTable options(L, 2, "options", {"severity", "rule"});
  lua_pushvalue(L, 1);
  lua_pushinteger(L, 0);
  if (options.word("severity", {"note", "warning", "error"}))
    options.push("severity");
  else
    lua_pushnil(L);
  if (options.text("rule"))
    options.push("rule");
  else
    lua_pushnil(L);
  lua_pushcclosure(L, guarded<next_finding>, 4);
  return 1;
}

const ObjectType& FindingObject::type() {
  static const ObjectType made{
      .name = "finding",
      .owner = "finding",
      .help = "Something that is wrong or odd in a step, with the rule that says so.",
      .bindings =
          {
              kRow.field("step", finding_step, "integer",
                    "The step it was found in; of what ended the program, the number of steps.",
                    R"(assert(rec:at(f.step).op == "tgatherb"))"),
              kRow.field("rule", finding_rule, "string | nil", "The rule's id, as on the instruction's page.",
                    R"(assert(f.rule == "TGB-W2"))"),
              kRow.field("severity", finding_severity, "string", "note, warning or error.",
                    R"(assert(f.severity == "warning"))"),
              kRow.field("text", finding_text, "string", "What was found, with the values.",
                    R"(assert(f.text:find("64000", 1, true)))"),
              kRow.field("fix", finding_fix, "string | nil", "What to do about it.",
                    R"(assert(f.fix == "the value is whatever stands there"))"),
              kRow.field("operand", finding_operand, "string | nil",
                    "The operand that is meant; nil: the instruction as a whole.", R"(assert(f.operand == "offsets"))"),
              kRow.field("line", finding_line, "integer", "The line in the program's text.",
                    "assert(f.line == rec:at(f.step).source.line)"),
          },
      .to_text = guarded<finding_to_text>};
  return made;
}

}  // namespace ts::scripting
