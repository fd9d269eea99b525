// Breakpoints and memory callbacks: adding them, and their handles.
#include "scripting/objects/recording/breakpoint.h"

#include <fmt/format.h>

#include "scripting/binding/object.h"
#include "scripting/objects/recording/checks.h"
#include "scripting/objects/recording/step.h"
#include "scripting/objects/recording/stop_rule.h"
#include "scripting/run/pto.h"

namespace ts::scripting {
namespace {

using Answer = StopRule::Answer;

// --- adding ---

// Asks a function of the script's with the step. `answer` reads what it gave back, on top of the stack.
std::function<Answer(std::uint32_t)> scripted(lua_State* L, const std::shared_ptr<OpenRecording>& recording,
                                              Answer (*answer)(lua_State*)) {
  const auto function = std::make_shared<LuaValue>(L);
  Engine& engine = Engine::of(L);
  const std::weak_ptr<OpenRecording> weak = recording;
  return [&engine, weak, function, answer](std::uint32_t step) {
    lua_State* calling = engine.calling();
    if (!engine.call_out(*function, [&](lua_State* state) { push_step(state, weak.lock(), step); }))
      return Answer::Failed;
    const Answer given = answer(calling);
    lua_pop(calling, 1);
    return given;
  };
}

Answer stop_when_true(lua_State* L) { return lua_toboolean(L, -1) != 0 ? Answer::Yes : Answer::No; }
// A memory callback looks on; false takes it away.
Answer go_on_unless_false(lua_State* L) {
  return lua_isboolean(L, -1) && lua_toboolean(L, -1) == 0 ? Answer::Remove : Answer::No;
}

int add(lua_State* L, const std::shared_ptr<OpenRecording>& recording, StopRule rule) {
  const bool asks = bool(rule.when);
  const auto answer = ask_session(L, recording, "looking whether it can ever stop",
                                  [&](Session& session) { return session.add_stop(std::move(rule)); });
  if (const auto* refusal = std::get_if<Refusal>(&answer))
    raise(L, fmt::format("{}: it can never stop: {}", current_binding(L)->called(), refusal->text), refusal->hint);
  const StopId id = std::get<StopId>(answer);
  if (asks) recording->scripted_stops.push_back(id);
  Engine::of(L).added([weak = std::weak_ptr(recording), id] {
    const auto its = weak.lock();
    if (its != nullptr && its->session != nullptr) its->session->remove_stop(id);
  });
  weigh_marks(L, *recording);
  push_breakpoint(L, recording, id);
  return 1;
}

int pto_add_breakpoint(lua_State* L) { return add_breakpoint(L, 1, check_current(L)); }

int pto_add_memory_callback(lua_State* L) {
  check_function(L, 1, "callback");
  const auto touch = static_cast<Touch>(check_word(L, 2, "kind", {"write", "change", "read"}));
  const Space space = check_space(L, check_text(L, 3, "region"));
  const std::uint32_t first = check_index(L, 4, std::uint64_t{1} << 31, "first");
  const auto last = static_cast<std::uint32_t>(check_integer(L, 5, "last", first, (std::int64_t{1} << 31) - 1));
  const std::shared_ptr<OpenRecording> recording = check_current(L);
  StopRule rule;
  rule.watch = Watched{
      {{space, first, last - first + 1}}, touch, fmt::format("{}[0x{:x},0x{:x})", name(space), first, last + 1)};
  lua_pushvalue(L, 1);
  rule.when = scripted(L, recording, go_on_unless_false);
  return add(L, recording, std::move(rule));
}

// --- handles ---

StopEntry* entry(lua_State* L) {
  const BreakpointObject& self = check_self<BreakpointObject>(L);
  return self.recording->session == nullptr ? nullptr : self.recording->session->find_stop(self.id);
}

StopEntry& live_entry(lua_State* L) {
  StopEntry* found = entry(L);
  if (found == nullptr)
    raise(L, "the breakpoint was removed", "or its recording was closed, or it was once=true and has stopped");
  return *found;
}

int breakpoint_enable(lua_State* L) {
  live_entry(L).enabled = true;
  return 0;
}

int breakpoint_disable(lua_State* L) {
  live_entry(L).enabled = false;
  return 0;
}

int breakpoint_is_enabled(lua_State* L) {
  const StopEntry* found = entry(L);
  lua_pushboolean(L, found != nullptr && found->enabled ? 1 : 0);
  return 1;
}

int breakpoint_hits(lua_State* L) {
  lua_pushinteger(L, static_cast<lua_Integer>(live_entry(L).hits));
  return 1;
}

int breakpoint_ignore(lua_State* L) {
  StopEntry& found = live_entry(L);
  found.rule.ignore = found.hits + static_cast<std::uint64_t>(check_integer(L, 2, "n", 0, std::int64_t{1} << 60));
  return 0;
}

int breakpoint_remove(lua_State* L) {
  const BreakpointObject& self = check_self<BreakpointObject>(L);
  lua_pushboolean(L, self.recording->session != nullptr && self.recording->session->remove_stop(self.id) ? 1 : 0);
  return 1;
}

int breakpoint_equal(lua_State* L) {
  const auto *a = to_object<BreakpointObject>(L, 1), *b = to_object<BreakpointObject>(L, 2);
  lua_pushboolean(L, a != nullptr && b != nullptr && a->recording == b->recording && a->id == b->id ? 1 : 0);
  return 1;
}

constexpr char kBreakpointExample[] = R"(local rec = pto.load("row_loop"):record()
local b = pto.addBreakpoint{op="tadd"}
)";

constexpr RowMaker kBreakpointRow{"bp", kBreakpointExample};

std::vector<Binding> breakpoint_rows() {
  return {
      {"addBreakpoint", Binding::Kind::Function, pto_add_breakpoint,
       "pto.addBreakpoint{step=, op=, line=, core=, writes=, changes=, reads=, rows=, cols=, cell=, nan=, inf=, finding=, "
       "when=, log=, ignore=, once=} -> breakpoint",
       "Stops rec:continue and rec:reverse of the current recording where all of this holds of a step: before it, or "
       "just after it where bytes, values or "
       "findings are waited for. Bytes are \"ub[0x400,0x800)\", or a tile or its name with rows, cols (first and last) "
       "or cell; core (\"AIV0\", \"1.AIV0\" of block 1, or a number) is whose step it has to be, and whose memory. when "
       "is asked with the "
       "step and stops by giving back true; log is printed instead of stopping, with {step}, {op}, {line}, {hits}, {%tile}, "
       "{position}, {text}. What can never "
       "stop is refused.",
       R"(local rec = pto.load("row_loop"):record()
pto.addBreakpoint{op="TADD", when=function(s) return s.loops[1].turn == 2 end}
pto.addBreakpoint{writes="y_even", cell={0, 0}, log="{op} at step {step}"}
local stop = rec:continue()
assert(stop.op == "tadd" and stop.at.loops[1].turn == 2)
local ok, message = pcall(pto.addBreakpoint, {op="TSUB"})
assert(not ok and message:find("there is no tsub in the program", 1, true)))"},
      {"addMemoryCallback", Binding::Kind::Function, pto_add_memory_callback,
       "pto.addMemoryCallback(callback: function, kind: string, region: string, first: integer, last: integer) -> "
       "breakpoint",
       "Calls a function with the step whenever rec:continue or rec:reverse of the current recording goes over one "
       "that writes, changes or reads one of the "
       "bytes from first to last, both included. Giving back false removes it.",
       R"(local rec = pto.load("row_loop"):record()
local ops = {}
pto.addMemoryCallback(function(s) ops[#ops + 1] = s.op return #ops < 2 end, pto.on.write, "ub", 0x0, 0x3)
rec:continue()
assert(#ops == 2 and ops[1] == "tload"))"},
  };
}

// --- pto.on ---

// Fields that are their own name.
template <char const* kWord>
int word(lua_State* L) {
  lua_pushstring(L, kWord);
  return 1;
}
constexpr char kWrite[] = "write", kChange[] = "change", kRead[] = "read";

const ObjectType& on_type() {
  static const ObjectType made{
      .name = "pto.on",
      .owner = "pto.on",
      .help = "The kinds of access that pto.addMemoryCallback tells apart.",
      .bindings =
          {
              {"write", Binding::Kind::Field, word<kWrite>, "pto.on.write -> string",
               "Bytes are written, whatever they held.", R"(assert(pto.on.write == "write"))"},
              {"change", Binding::Kind::Field, word<kChange>, "pto.on.change -> string",
               "Bytes are written and hold something else afterwards.", R"(assert(pto.on.change == "change"))"},
              {"read", Binding::Kind::Field, word<kRead>, "pto.on.read -> string", "Bytes are read.",
               R"(assert(pto.on.read == "read"))"},
          },
      .is_table = true};
  return made;
}

int pto_on(lua_State* L) {
  push_table(L, on_type());
  return 1;
}

std::vector<Binding> on_rows() {
  return {
      {"on", Binding::Kind::Field, pto_on, "pto.on -> pto.on",
       "The kinds of access that pto.addMemoryCallback tells apart.", R"(assert(pto.on.write == "write"))"},
  };
}

const ListedRows kBreakpointRows{20, {pto_type, breakpoint_rows}};
const ListedRows kOnRow{71, {pto_type, on_rows}};
const ListedType kOn{200, on_type};
const ListedType kBreakpointType{210, BreakpointObject::type};

}  // namespace

void push_breakpoint(lua_State* L, std::shared_ptr<OpenRecording> recording, StopId id) {
  make_object<BreakpointObject>(L, std::move(recording), id);
}

int add_breakpoint(lua_State* L, int index, const std::shared_ptr<OpenRecording>& recording) {
  std::vector<const char*> keys = stop_keys();
  keys.insert(keys.end(), {"when", "log", "ignore", "once"});
  const OptionTable options(L, index, "options", keys);
  StopRule rule = check_rule(options, session_of(L, *recording));
  if (rule.finding) findings_of(L, recording);
  const bool asks = options.push_function("when");
  if (asks) rule.when = scripted(L, recording, stop_when_true);
  if (!says_anything(rule) && !asks)
    raise(L, fmt::format("{}: nothing is said to stop at", current_binding(L)->called()),
          "give step, op, line, core, writes, changes, reads, nan, inf, finding or when");
  rule.log = options.text("log").value_or("");
  rule.ignore = static_cast<std::uint64_t>(options.integer("ignore", 0, std::int64_t{1} << 60).value_or(0));
  rule.once = options.truth("once");
  return add(L, recording, std::move(rule));
}

const ObjectType& BreakpointObject::type() {
  static const ObjectType made{
      .name = "breakpoint",
      .owner = "bp",
      .help =
          "A handle to a breakpoint or a memory callback. Losing it changes nothing: the recording keeps its stops.",
      .bindings =
          {
              kBreakpointRow.method("enable", breakpoint_enable, "()", "It stops again.",
                                    "b:disable()\nb:enable()\nassert(rec:continue().bp == b)"),
              kBreakpointRow.method("disable", breakpoint_disable, "()", "It does not stop, and counts nothing.",
                                    "b:disable()\nassert(rec:continue() == nil)"),
              kBreakpointRow.method("isEnabled", breakpoint_is_enabled, "() -> boolean",
                                    "Whether it may stop; false when it was removed.", "assert(b:isEnabled())"),
              kBreakpointRow.method("hits", breakpoint_hits, "() -> integer", "How often all that it waits for was so.",
                                    "rec:continue()\nassert(b:hits() == 1)"),
              kBreakpointRow.method("ignore", breakpoint_ignore, "(n: integer)", "Lets the next n hits pass.",
                                    "b:ignore(2)\nrec:continue()\nassert(b:hits() == 3)"),
              kBreakpointRow.method("remove", breakpoint_remove, "() -> boolean",
                                    "Takes it away; false when it was gone already.",
                                    "assert(b:remove())\nassert(rec:continue() == nil)\nassert(not b:remove())"),
          },
      .equal = guarded<breakpoint_equal>};
  return made;
}

}  // namespace ts::scripting
