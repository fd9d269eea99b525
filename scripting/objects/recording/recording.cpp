// Recordings as scripts see them: where one stands, and going elsewhere.
#include <fmt/format.h>

#include <algorithm>

#include "core/debug/session/commands.h"
#include "scripting/binding/fields.h"
#include "scripting/binding/object.h"
#include "scripting/objects/compare/run_comparison.h"
#include "scripting/objects/recording/checks.h"
#include "scripting/objects/recording/finding.h"
#include "scripting/objects/recording/step.h"
#include "scripting/objects/recording/stop.h"
#include "scripting/objects/recording/stop_rule.h"
#include "scripting/objects/values/command_call.h"

namespace ts::scripting {
namespace {

// --- fields ---

int recording_pos(lua_State* L) {
  lua_pushinteger(L, own_session(L).moment().position);
  return 1;
}

int recording_micro(lua_State* L) {
  lua_pushinteger(L, own_session(L).moment().micro);
  return 1;
}

int recording_count(lua_State* L) {
  lua_pushinteger(L, own_session(L).count());
  return 1;
}

int recording_target(lua_State* L) {
  lua_pushstring(L, name(own_session(L).recording().program().target));
  return 1;
}

int recording_name(lua_State* L) {
  push_text(L, own_session(L).recording().program().name);
  return 1;
}

// In one word each; the core's names are for people.
const char* word_for(StopReason reason) {
  switch (reason) {
    case StopReason::End: return "end";
    case StopReason::Error: return "error";
    case StopReason::NotEmulated: return "notEmulated";
    case StopReason::Budget: return "budget";
    case StopReason::Limit: return "limit";
    case StopReason::Interrupted: break;
  }
  return "interrupted";
}

int recording_stop_reason(lua_State* L) {
  lua_pushstring(L, word_for(own_session(L).recording().stop_reason()));
  return 1;
}

int recording_is_open(lua_State* L) {
  lua_pushboolean(L, own_recording(L)->session != nullptr ? 1 : 0);
  return 1;
}

// --- moving ---

int push_answer(lua_State* L, const std::variant<Stopped, Refusal>& answer) {
  if (const auto* refusal = std::get_if<Refusal>(&answer))
    raise(L, fmt::format("{}: {}", current_binding(L)->called(), refusal->text), refusal->hint);
  return push_stop_or_nil(L, own_recording(L), std::get<Stopped>(answer));
}

// Without a comparison there is nowhere to go, and a script should know.
int to_difference(lua_State* L, Direction direction) {
  if (own_session(L).reference().differences == nullptr)
    raise(L, fmt::format("{}: the recording was not compared with another", current_binding(L)->called()),
          "pto.compareRuns(rec, other) does");
  const std::optional<Stopped> stop = move_session(L, own_recording(L), "looking for a difference",
                                                   [&](Session& session) { return session.to_difference(direction); });
  if (stop) push_stop(L, own_recording(L), *stop);
  else lua_pushnil(L);
  return 1;
}
int recording_next_difference(lua_State* L) { return to_difference(L, Direction::Forward); }
int recording_previous_difference(lua_State* L) { return to_difference(L, Direction::Backward); }

// A command by its row.
int run_command(lua_State* L) {
  const CommandRow& row = *find_command(current_binding(L)->name);
  const Command command{row.name, check_command_values(L, 2, row)};
  if (std::string_view(row.menu) == "Check") findings_of(L, own_recording(L));
  return push_answer(
      L, move_session(L, own_recording(L), row.title, [&](Session& session) { return row.run(session, command); }));
}

int recording_seek(lua_State* L) {
  const std::uint32_t count = own_session(L).count();
  const auto position = static_cast<std::uint32_t>(check_integer(L, 2, "position", 0, count));
  const auto micro = static_cast<std::uint32_t>(optional_integer(L, 3, "micro", 0, ~0u, 0));
  move_session(L, own_recording(L), "seeking", [&](Session& session) { return session.seek({position, micro}), 0; });
  lua_settop(L, 1);
  return 1;
}

int move_steps(lua_State* L, Direction direction) {
  const auto count = static_cast<std::uint32_t>(optional_integer(L, 2, "n", 0, ~0u, 1));
  return push_stop_or_nil(L, own_recording(L), move_session(L, own_recording(L), "stepping", [&](Session& session) {
                            return session.steps(count, direction);
                          }));
}
int recording_step(lua_State* L) { return move_steps(L, Direction::Forward); }
int recording_back(lua_State* L) { return move_steps(L, Direction::Backward); }

// A stop of a call whose place no step has would run to the end without a word.
void check_place(lua_State* L, OpenRecording& recording, const StopRule& rule) {
  const std::string key = fmt::format("{} {} {} {}", rule.op, rule.line.value_or(0),
                                      rule.step ? fmt::format("{}", *rule.step) : "", rule.core ? rule.core->text : "");
  if (recording.known_places.contains(key)) return;
  const auto answer =
      recording.session->add_stop({.step = rule.step, .line = rule.line, .op = rule.op, .core = rule.core});
  if (const auto* refusal = std::get_if<Refusal>(&answer))
    raise(L, fmt::format("{}: {}", current_binding(L)->called(), refusal->text), refusal->hint);
  recording.session->remove_stop(std::get<StopId>(answer));
  recording.known_places.insert(key);
}

int run_on(lua_State* L, Direction direction) {
  const OptionTable options(L, 2, "options", stop_keys());
  const std::shared_ptr<OpenRecording> recording = own_recording(L);
  std::vector<StopRule> extra;
  const StopRule rule = check_rule(options, own_session(L));
  if (rule.finding) findings_of(L, recording);
  if (says_anything(rule)) {
    check_place(L, *recording, rule);
    extra.push_back(rule);
  } else if (options.table() != 0) {
    raise(L, fmt::format("{}: the table says nothing to stop at", current_binding(L)->called()),
          "leave it out, or give step, op, line, core, writes, nan, ...");
  }
  const Stopped stop =
      move_session(L, recording, "running on", [&](Session& session) { return session.run(direction, extra); });
  if (rule.differs) tell_divergence(L, recording, stop);
  return push_stop_or_nil(L, recording, stop);
}
int recording_continue(lua_State* L) { return run_on(L, Direction::Forward); }
int recording_reverse(lua_State* L) { return run_on(L, Direction::Backward); }

int run_to(lua_State* L, Direction direction) {
  const OptionTable options(L, 2, "options", {"op", "line", "step", "nth"});
  RunTarget target;
  target.op = options.text("op").value_or("");
  const WantedLine wanted = check_line(options, own_session(L));
  target.line = wanted.line;
  target.source = wanted.source;
  target.nth = static_cast<std::uint32_t>(options.integer("nth", 1, ~0u).value_or(1));
  if (const auto step = options.integer("step", 0, ~0u)) target.step = static_cast<std::uint32_t>(*step);
  return push_answer(L, move_session(L, own_recording(L), "running on",
                                     [&](Session& session) { return session.run_to(target, direction); }));
}
int recording_run_to(lua_State* L) { return run_to(L, Direction::Forward); }
int recording_run_back_to(lua_State* L) { return run_to(L, Direction::Backward); }

int to_write(lua_State* L, Direction direction) {
  const ByteRange bytes = check_bytes(L, 2, own_session(L));
  const std::optional<Stopped> stop = move_session(
      L, own_recording(L), "looking for a write", [&](Session& session) { return session.to_write(bytes, direction); });
  if (stop) push_stop(L, own_recording(L), *stop);
  else lua_pushnil(L);
  return 1;
}
int recording_next_write(lua_State* L) { return to_write(L, Direction::Forward); }
int recording_previous_write(lua_State* L) { return to_write(L, Direction::Backward); }

// --- looking ---

int recording_at(lua_State* L) {
  const std::uint32_t count = own_session(L).count();
  if (count == 0) raise(L, "rec:at: the recording has no steps", "its findings say why the program did not run");
  push_step(L, own_recording(L), check_index(L, 2, count, "step"));
  return 1;
}

int recording_digest(lua_State* L) {
  push_text(L, ask_session(L, own_recording(L), "making the digest",
                           [](Session& session) { return session.recording().digest(); }));
  return 1;
}

int recording_close(lua_State* L) {
  const std::shared_ptr<OpenRecording> recording = own_recording(L);
  if (recording->calls > 0)
    raise(L, "rec:close: the recording is being asked something", "close it when that has come back");
  recording->close();
  Recordings& recordings = Engine::of(L).slot<Recordings>();
  if (recordings.current() == recording) recordings.forget_current();
  return 0;
}

// --- rows ---

constexpr char kRecordingExample[] = R"(local rec = pto.load("row_loop"):record()
)";

constexpr RowMaker kRecordingRow{"rec", kRecordingExample};

// Help of a command, from its row.
Binding command(const char* name, lua_CFunction function, const std::string& rest, const std::string& more,
                const std::string& example) {
  return kRecordingRow.method(name, function, rest, find_command(name)->help + more, example);
}

std::vector<Binding> field_rows() {
  return {
      kRecordingRow.field("pos", recording_pos, "integer",
                          "Where it stands: the state after so many steps, from 0 to count.", "assert(rec.pos == 0)"),
      kRecordingRow.field("micro", recording_micro, "integer",
                          "In the middle of a step: after so many of its micro-steps. 0: between steps.",
                          R"(rec:runTo{op="tadd"}
rec:into()
assert(rec.micro == 1))"),
      kRecordingRow.field("count", recording_count, "integer", "How many steps it has.", "assert(rec.count > 10)"),
      kRecordingRow.field("target", recording_target, "string", "a2a3 or a5.", R"(assert(rec.target == "a5"))"),
      kRecordingRow.field("name", recording_name, "string", "The program's name.", R"(assert(rec.name == "row_loop"))"),
      kRecordingRow.field(
          "stopReason", recording_stop_reason, "string",
          "Why it has no more steps: end, or what kept the program from going on: error, notEmulated, limit, budget, "
          "interrupted.",
          R"(assert(rec.stopReason == "end"))"),
      kRecordingRow.field("isOpen", recording_is_open, "boolean",
                          "False when it was closed: everything else of it raises then.",
                          R"(rec:close()
assert(not rec.isOpen))"),
  };
}

std::vector<Binding> move_rows() {
  return {
      command("seek", recording_seek, "(position: integer, micro?: integer) -> recording", " Gives itself back.",
              "assert(rec:seek(3).pos == 3)"),
      command("step", recording_step, "(n?: integer) -> stop | nil", " Without a number one; nil at the end.",
              R"(rec:step(2)
rec:step()
assert(rec.pos == 3))"),
      command("back", recording_back, "(n?: integer) -> stop | nil", " Without a number one; nil at the start.",
              R"(rec:seek(5):back(2)
assert(rec.pos == 3))"),
      command(
          "continue", recording_continue, "(stops?: table) -> stop | nil",
          " Stops given here count for this call only: step, op, line, writes, changes, reads, rows, cols, cell, "
          "nan, inf, finding, differs (a recording to compare with, within abs, rel and ulp; or true, for the one compared "
          "with last). Nil at the end.",
          R"(local stop = rec:continue{op="tadd"}
assert(rec.pos == stop.step and stop.op == "tadd")
assert(rec:continue() == nil and rec.pos == rec.count))"),
      command("overSource", run_command, "() -> stop | nil",
              " Nil at the end. Raises where the program does not say it.",
              R"(local ok, why = pcall(rec.overSource, rec)
assert(not ok and tostring(why):find("does not say which lines"))  -- this one was written by hand)"),
      command("overSourceBack", run_command, "() -> stop | nil",
              " Nil at the start. Raises where the program does not say it.",
              R"(assert(not pcall(rec.overSourceBack, rec)))"),
      command("stepBy", run_command, "(what?: string) -> stop",
              " Without a word it changes. Raises where the program does not say which lines it came from.",
              R"(rec:stepBy("instruction")
assert(not pcall(rec.stepBy, rec, "source")))"),
      command("followCore", run_command, "(core?: integer) -> stop", "",
              R"(local rec = pto.load("scores_softmax"):record()
rec:followCore(1)
rec:step()
assert(rec:at(rec.pos - 1).coreName == "AIV0")
rec:followCore(-1))"),
      command("untilWaits", run_command, "() -> stop | nil", " Nil at the end.",
              R"(local rec = pto.load("scores_softmax"):record()
rec:untilWaits()
assert(rec:lanes()[1].state == "waits"))"),
      command("reverse", recording_reverse, "(stops?: table) -> stop | nil",
              " Takes stops as continue does. Nil at the start.",
              R"(rec:seek(rec.count)
assert(rec:reverse{op="tstore"}.op == "tstore")
assert(rec:reverse() == nil and rec.pos == 0))"),
      command("runTo", recording_run_to, "{op=, line=, step=, nth=} -> stop",
              " Raises, and stays, where there is none.",
              R"(rec:runTo{op="tadd", nth=2}
assert(rec:at(rec.pos).loops[1].turn == 1))"),
      command("runBackTo", recording_run_back_to, "{op=, line=, step=, nth=} -> stop",
              " Raises, and stays, where there is none.",
              R"(rec:seek(rec.count)
rec:runBackTo{op="tload", nth=2}
assert(rec:at(rec.pos).op == "tload"))"),
      command("nextWrite", recording_next_write, "(bytes: string | tile, row?: integer, col?: integer) -> stop | nil",
              " Bytes are \"ub[0x400,0x404)\", a tile or its name, or one element of it. Nil, and it stays, where "
              "there is none.",
              R"(local stop = rec:nextWrite("y_even", 0, 0)
assert(stop.op == "tload" and rec.pos == stop.step + 1))"),
      command("nextDifference", recording_next_difference, "() -> stop | nil",
              " pto.compareRuns compares. Nil at the last.",
              R"(local sum = rec:find{op="tadd"}()
local other = rec:fork{step=sum.step, tile="x_even", row=0, col=0, value=1000}
pto.compareRuns(rec, other)
local stop = rec:nextDifference()
assert(rec.pos == stop.step + 1 and stop.difference.a ~= stop.difference.b))"),
      command("previousDifference", recording_previous_difference, "() -> stop | nil", " Nil at the first.",
              R"(local sum = rec:find{op="tadd"}()
local other = rec:fork{step=sum.step, tile="x_even", row=0, col=0, value=1000}
pto.compareRuns(rec, other)
rec:seek(rec.count)
assert(rec:previousDifference().step < rec.count))"),
      command("previousWrite", recording_previous_write,
              "(bytes: string | tile, row?: integer, col?: integer) -> stop | nil", " Takes bytes as nextWrite does.",
              R"(rec:seek(rec.count)
assert(rec:previousWrite("y_odd", 0, 0).op == "tadd"))"),
  };
}

// The commands of which the row says everything.
std::vector<Binding> command_rows() {
  const std::vector<Binding> written = move_rows();
  std::vector<Binding> rows;
  for (const CommandRow& row : commands()) {
    const bool is_written = std::ranges::any_of(
        written, [&](const Binding& binding) { return std::string_view(binding.name) == row.name; });
    if (row.run == nullptr || is_written) continue;
    rows.push_back(kRecordingRow.method(
        row.name, run_command, parameters_text(row) + " -> stop | nil",
        std::string(row.help) + " Nil where there is nothing further that way.",
        fmt::format("rec:seek(9)\nlocal stop = rec:{}()\nassert(stop == nil or stop.pos == rec.pos)", row.name)));
  }
  return rows;
}

std::vector<Binding> at_rows() {
  return {
      kRecordingRow.method("at", recording_at, "(step: integer) -> step", "A step by its number.",
                           "assert(rec:at(0).step == 0)"),
  };
}

std::vector<Binding> closing_rows() {
  return {
      kRecordingRow.method(
          "digest", recording_digest, "() -> string",
          "The same text for the same steps with the same results, on every machine. Runs all steps once more.",
          R"(assert(rec:digest() == pto.load("row_loop"):record():digest()))"),
      kRecordingRow.method("close", recording_close, "()",
                           "Lets go of it, and of its memory, now instead of when nobody has it any more.",
                           R"(rec:close()
assert(not pcall(rec.seek, rec, 0)))"),
  };
}

const ListedRows kFields{10, {RecordingObject::type, field_rows}};
const ListedRows kMoves{20, {RecordingObject::type, move_rows}};
const ListedRows kCommands{30, {RecordingObject::type, command_rows}};
const ListedRows kAt{40, {RecordingObject::type, at_rows}};
const ListedRows kClosing{45, {RecordingObject::type, closing_rows}};

}  // namespace
}  // namespace ts::scripting
