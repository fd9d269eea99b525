// Stops as scripts see them.
#include "scripting/objects/recording/stop.h"

#include <fmt/format.h>

#include "scripting/binding/fields.h"
#include "scripting/binding/object.h"
#include "scripting/objects/compare/run_comparison.h"
#include "scripting/objects/recording/breakpoint.h"
#include "scripting/objects/recording/finding.h"
#include "scripting/objects/recording/step.h"

namespace ts::scripting {
namespace {

// Its step, where there is one: at the end there is none.
bool has_step(lua_State* L, const StopObject& object) {
  return object.stop.step < recording_of(L, *object.recording).count();
}

int stop_reason(lua_State* L) {
  lua_pushstring(L, name(check_self<StopObject>(L).stop.reason));
  return 1;
}

int stop_step(lua_State* L) {
  lua_pushinteger(L, check_self<StopObject>(L).stop.step);
  return 1;
}

int stop_pos(lua_State* L) {
  lua_pushinteger(L, check_self<StopObject>(L).position);
  return 1;
}

int stop_at(lua_State* L) {
  const StopObject& object = check_self<StopObject>(L);
  if (has_step(L, object)) push_step(L, object.recording, object.stop.step);
  else lua_pushnil(L);
  return 1;
}

int stop_op(lua_State* L) {
  const StopObject& object = check_self<StopObject>(L);
  if (has_step(L, object)) lua_pushstring(L, recording_of(L, *object.recording).bound(object.stop.step).row->name);
  else lua_pushnil(L);
  return 1;
}

int stop_line(lua_State* L) {
  const StopObject& object = check_self<StopObject>(L);
  if (has_step(L, object)) lua_pushinteger(L, recording_of(L, *object.recording).bound(object.stop.step).pos.line);
  else lua_pushnil(L);
  return 1;
}

int stop_bp(lua_State* L) {
  const StopObject& object = check_self<StopObject>(L);
  if (object.stop.stop != 0) push_breakpoint(L, object.recording, object.stop.stop);
  else lua_pushnil(L);
  return 1;
}

int stop_finding(lua_State* L) {
  const StopObject& object = check_self<StopObject>(L);
  const auto list = session_of(L, *object.recording).shared_findings();
  if (object.stop.finding && *object.stop.finding < list->size())
    push_finding(L, object.recording, list, *object.stop.finding);
  else lua_pushnil(L);
  return 1;
}

int stop_difference(lua_State* L) {
  const StopObject& object = check_self<StopObject>(L);
  push_difference_at(L, object.recording, object.stop.step);
  return 1;
}

int stop_tile(lua_State* L) {
  const StopObject& object = check_self<StopObject>(L);
  const auto& cell = object.stop.cell;
  if (!has_step(L, object)) lua_pushnil(L);
  else if (!cell || cell->operand < 0) push_result(L, object.recording, object.stop.step);
  else
    push_operand(
        L, object.recording, object.stop.step,
        recording_of(L, *object.recording).bound(object.stop.step).operands[static_cast<std::size_t>(cell->operand)]);
  return 1;
}

int stop_row(lua_State* L) {
  const auto& cell = check_self<StopObject>(L).stop.cell;
  if (cell && cell->operand >= 0) lua_pushinteger(L, cell->row);
  else lua_pushnil(L);
  return 1;
}

int stop_col(lua_State* L) {
  const auto& cell = check_self<StopObject>(L).stop.cell;
  if (cell && cell->operand >= 0) lua_pushinteger(L, cell->col);
  else lua_pushnil(L);
  return 1;
}

int stop_to_text(lua_State* L) {
  const StopObject& object = check_self<StopObject>(L);
  push_text(L, fmt::format("stop at step {}: {}", object.stop.step, name(object.stop.reason)));
  return 1;
}

constexpr char kStopExample[] = R"(local rec = pto.load("row_loop"):record()
local stop = rec:continue{op="tadd"}
)";

constexpr RowMaker kStopRow{"stop", kStopExample};

const ListedType kStopType{50, StopObject::type};

const Event kStep{10, "step"}, kStop{20, "stop"};

void tell_stop(Engine& engine, const std::shared_ptr<OpenRecording>& recording, const Stopped& stop) {
  const Event& event = stop.reason == Stopped::Reason::Done ? kStep : kStop;
  if (engine.anybody_listens(event)) engine.tell(event, [&](lua_State* L) { push_stop(L, recording, stop); });
}
const Listed<WhenStopped> kStopped{10, {tell_stop}};

}  // namespace

void push_stop(lua_State* L, std::shared_ptr<OpenRecording> recording, const Stopped& stop) {
  const std::uint32_t position = session_of(L, *recording).moment().position;
  make_object<StopObject>(L, std::move(recording), stop, position);
}

int push_stop_or_nil(lua_State* L, const std::shared_ptr<OpenRecording>& recording, const Stopped& stop) {
  if (stop.reason == Stopped::Reason::End || stop.reason == Stopped::Reason::Start) lua_pushnil(L);
  else push_stop(L, recording, stop);
  return 1;
}

const ObjectType& StopObject::type() {
  static const ObjectType made{
      .name = "stop",
      .owner = "stop",
      .help = "Why the recording stands where it stands, after a call that moved it.",
      .bindings =
          {
              kStopRow.field(
                  "reason", stop_reason, "string",
                  "breakpoint: one of those, or a stop given with the call; step: it moved as asked; error: the "
                  "program could not go on; "
                  "failed: a condition raised an error; interrupted; end and start.",
                  R"(assert(stop.reason == "breakpoint"))"),
              kStopRow.field("step", stop_step, "integer", "The step it is about.",
                             "assert(rec:at(stop.step).op == 'tadd')"),
              kStopRow.field("at", stop_at, "step | nil", "That step; nil at the end.", "assert(stop.at.op == 'tadd')"),
              kStopRow.field(
                  "pos", stop_pos, "integer",
                  "The position it stands at: before the step, or just after it where bytes or values were waited for.",
                  "assert(stop.pos == stop.step)"),
              kStopRow.field("op", stop_op, "string | nil", "The step's instruction.", "assert(stop.op == 'tadd')"),
              kStopRow.field("line", stop_line, "integer | nil", "The step's line in the program's text.",
                             "assert(stop.line > 0)"),
              kStopRow.field("bp", stop_bp, "breakpoint | nil", "The breakpoint that stopped it.",
                             R"(assert(stop.bp == nil)
local b = rec:addBreakpoint{op="tstore"}
assert(rec:continue().bp == b))"),
              kStopRow.field("finding", stop_finding, "finding | nil", "What was found, where that was waited for.",
                             "assert(stop.finding == nil)"),
              kStopRow.field(
                  "difference", stop_difference, "table | nil",
                  "How the step differs from the run that the recording was compared with; as in a comparison of runs.",
                  "assert(stop.difference == nil)"),
              kStopRow.field("tile", stop_tile, "tile | nil",
                             "The tile with the element it is about; else the first tile that the step makes.",
                             "local t = stop.tile"),
              kStopRow.field("row", stop_row, "integer | nil",
                             "The element's row, where bytes or values were waited for.", "assert(stop.row == nil)"),
              kStopRow.field("col", stop_col, "integer | nil", "The element's column.", "assert(stop.col == nil)"),
          },
      .to_text = guarded<stop_to_text>};
  return made;
}

}  // namespace ts::scripting
