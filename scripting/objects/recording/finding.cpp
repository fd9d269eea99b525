// Findings of a recording.
#include "scripting/objects/recording/finding.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scripting/binding/fields.h"
#include "scripting/binding/object.h"
#include "scripting/objects/recording/checks.h"

namespace ts::scripting {
namespace {

const Finding& finding_here(lua_State* L) {
  const FindingObject& object = check_self<FindingObject>(L);
  session_of(L, *object.recording);  // raises when it is closed
  return (*object.list)[object.index];
}

int finding_step(lua_State* L) {
  lua_pushinteger(L, finding_here(L).step);
  return 1;
}

int push_or_nil(lua_State* L, const std::string& text) {
  if (text.empty()) lua_pushnil(L);
  else push_text(L, text);
  return 1;
}

int finding_rule(lua_State* L) { return push_or_nil(L, finding_here(L).diagnostic.rule); }
int finding_severity(lua_State* L) { return push_or_nil(L, name(finding_here(L).diagnostic.severity)); }
int finding_text(lua_State* L) { return push_or_nil(L, finding_here(L).diagnostic.text); }
int finding_fix(lua_State* L) { return push_or_nil(L, finding_here(L).diagnostic.hint); }
int finding_operand(lua_State* L) { return push_or_nil(L, finding_here(L).diagnostic.operand); }

int finding_kind(lua_State* L) { return push_or_nil(L, name(finding_here(L).kind())); }

int finding_tile(lua_State* L) {
  const FindingObject& object = check_self<FindingObject>(L);
  const Finding& finding = finding_here(L);
  if (!finding.element || finding.element->operand < 0) return push_or_nil(L, "");
  const Recording& recording = recording_of(L, *object.recording);
  const Bound* bound = recording.bound_of(finding);
  if (bound == nullptr) return push_or_nil(L, "");
  const Operand& operand = bound->operands[static_cast<std::size_t>(finding.element->operand)];
  const Program& program = recording.program();
  const bool tile = operand.spec->kind == OperandKind::Tile;
  return push_or_nil(L, tile ? program.tiles[operand.id].name : program.buffers[operand.id].name);
}

int push_index_or_nil(lua_State* L, std::uint32_t FoundElement::*index) {
  const std::optional<FoundElement>& element = finding_here(L).element;
  if (element && element->operand >= 0) lua_pushinteger(L, lua_Integer{(*element).*index});
  else lua_pushnil(L);
  return 1;
}
int finding_row(lua_State* L) { return push_index_or_nil(L, &FoundElement::row); }
int finding_col(lua_State* L) { return push_index_or_nil(L, &FoundElement::col); }

int finding_line(lua_State* L) {
  lua_pushinteger(L, finding_here(L).diagnostic.pos.line);
  return 1;
}

int finding_notes(lua_State* L) {
  lua_newtable(L);
  for (const DiagnosticNote& note : finding_here(L).diagnostic.notes)
    append(L, [&] {
      lua_newtable(L);
      set_field(L, "line", lua_Integer{note.pos.line});
      set_field(L, "column", lua_Integer{note.pos.column});
      set_field(L, "text", note.text);
    });
  return 1;
}

int finding_to_text(lua_State* L) {
  const Finding& finding = finding_here(L);
  const Diagnostic& diagnostic = finding.diagnostic;
  push_text(L, fmt::format("step {}: {}: [{}] {}", finding.step, name(diagnostic.severity), diagnostic.rule,
                           diagnostic.text));
  return 1;
}

// --- the iterator: upvalues are the recording, the next index, and the wished severity, rule and kind, each or nil ---

bool wanted(lua_State* L, const Finding& finding) {
  const auto fits = [&](int upvalue, std::string_view value) {
    const char* wish = lua_tostring(L, lua_upvalueindex(upvalue));
    return wish == nullptr || wish == value;
  };
  return fits(3, name(finding.diagnostic.severity)) && fits(4, finding.diagnostic.rule) &&
         fits(5, name(finding.kind()));
}

int next_finding(lua_State* L) {
  const auto& recording = to_object<RecordingObject>(L, lua_upvalueindex(1))->recording;
  const auto list = findings_of(L, recording);
  const std::vector<Finding>& findings = *list;
  auto index = static_cast<std::size_t>(lua_tointeger(L, lua_upvalueindex(2)));
  while (index < findings.size() && !wanted(L, findings[index])) ++index;
  lua_pushinteger(L, static_cast<lua_Integer>(index) + 1);
  lua_replace(L, lua_upvalueindex(2));
  if (index >= findings.size()) return 0;
  push_finding(L, recording, list, index);
  return 1;
}

std::vector<const char*> kind_names() {
  std::vector<const char*> names;
  for (const CheckRow& row : checks()) names.push_back(name(row.kind));
  return names;
}

// A word without a row in the table.
constexpr char kFindingExample[] = R"(local words = {}
for i = 1, 32 do words[i] = i end
words[5] = 2000
local rec = pto.load("block_lookup", {inputs={words=words}}):record()
local f = rec:findings()()
)";

constexpr RowMaker kFindingRow{"finding", kFindingExample};

int recording_findings(lua_State* L) {
  const RecordingObject& self = check_self<RecordingObject>(L);
  findings_of(L, self.recording);
  const OptionTable options(L, 2, "options", {"severity", "rule", "kind"});
  lua_pushvalue(L, 1);
  lua_pushinteger(L, 0);
  if (options.word("severity", {"note", "warning", "error"})) options.push("severity");
  else lua_pushnil(L);
  if (options.text("rule")) options.push("rule");
  else lua_pushnil(L);
  const std::optional<std::string> kind = options.text("kind");
  if (kind && !find_finding_kind(*kind)) options.wrong("kind", fmt::format("one of {}", fmt::join(kind_names(), ", ")));
  push_or_nil(L, kind.value_or(""));
  lua_pushcclosure(L, guarded<next_finding>, 5);
  return 1;
}

constexpr RowMaker kFindingsRow{"rec", "local rec = pto.load(\"row_loop\"):record()\n"};

std::vector<Binding> recording_rows() {
  // clang-format off
  return {
      kFindingsRow.method("findings", recording_findings, "{kind=, severity=, rule=} -> fun(): finding",
             "What was found, in the order of steps: by the run, and by the checks that pto.check chooses, which run when "
             "this is asked first.",
             "for f in rec:findings{kind=\"bounds\", severity=\"error\"} do error(f.text) end"),
  };
  // clang-format on
}

const ListedRows kFindingRows{43, {RecordingObject::type, recording_rows}};
const ListedType kFindingType{60, FindingObject::type};

const Event kFinding{30, "finding"};

// Told of each finding of a new recording.
void tell_findings(lua_State* L, const std::shared_ptr<OpenRecording>& recording) {
  Engine& engine = Engine::of(L);
  if (!engine.anybody_listens(kFinding)) return;
  const auto list = findings_of(L, recording);
  for (std::size_t i = 0; i < list->size() && recording->session != nullptr; ++i)
    engine.tell(kFinding, [&](lua_State* state) { push_finding(state, recording, list, i); });
}
const Listed<WhenOpened> kOpened{10, {tell_findings}};

}  // namespace

void push_finding(lua_State* L, std::shared_ptr<OpenRecording> recording,
                  std::shared_ptr<const std::vector<Finding>> list, std::size_t index) {
  make_object<FindingObject>(L, std::move(recording), std::move(list), index);
}

const ObjectType& FindingObject::type() {
  static const ObjectType made{
      .name = "finding",
      .owner = "finding",
      .help = "Something that is wrong or odd in a step, with the rule that says so.",
      .bindings =
          {
              kFindingRow.field("step", finding_step, "integer",
                                "The step it was found in; of what ended the program, the number of steps.",
                                R"(assert(rec:at(f.step).op == "tgatherb"))"),
              kFindingRow.field("rule", finding_rule, "string | nil", "The rule's id, as on the instruction's page.",
                                R"(assert(f.rule == "TGB-W2"))"),
              kFindingRow.field("kind", finding_kind, "string",
                                "What it is about: the name of a check, as pto.check has them.",
                                R"(assert(f.kind == "offset"))"),
              kFindingRow.field("tile", finding_tile, "string | nil",
                                "The tile or buffer of the element that is meant.", R"(assert(f.tile == "offsets"))"),
              kFindingRow.field("row", finding_row, "integer | nil", "The row of the first element that is meant.",
                                R"(assert(f.row == 0))"),
              kFindingRow.field("col", finding_col, "integer | nil",
                                "Its column; of a buffer the index of the element.", R"(assert(f.col == 4))"),
              kFindingRow.field("severity", finding_severity, "string", "note, warning or error.",
                                R"(assert(f.severity == "warning"))"),
              kFindingRow.field("text", finding_text, "string", "What was found, with the values.",
                                R"(assert(f.text:find("64000", 1, true)))"),
              kFindingRow.field("fix", finding_fix, "string | nil", "What to do about it.",
                                R"(assert(f.fix == "the value is whatever stands there"))"),
              kFindingRow.field("operand", finding_operand, "string | nil",
                                "The operand that is meant; nil: the instruction as a whole.",
                                R"(assert(f.operand == "offsets"))"),
              kFindingRow.field("line", finding_line, "integer", "The line in the program's text.",
                                "assert(f.line == rec:at(f.step).source.line)"),
              kFindingRow.field("notes", finding_notes, "{line: integer, column: integer, text: string}[]",
                                "Other places that matter: who waits elsewhere, the earlier one of two accesses.",
                                R"(local rec = pto.load("bug_slot_never_freed"):record()
for f in rec:findings{severity="error"} do assert(f.notes[1].text:find("entry")) end)"),
          },
      .to_text = guarded<finding_to_text>};
  return made;
}

}  // namespace ts::scripting
