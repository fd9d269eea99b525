// Going through the steps of a recording: rec:steps and rec:find.
#include <fmt/format.h>

#include "core/debug/session/step_filter.h"
#include "scripting/binding/object.h"
#include "scripting/objects/recording/step.h"
#include "scripting/objects/recording/stop_rule.h"
#include "scripting/sandbox/work.h"

namespace ts::scripting {
namespace {

// A step is found by a few comparisons; about so many for a step of Lua.
constexpr std::uint64_t kLooksAStep = 4, kStepsToLookInside = 1000;

// --- rec:steps: upvalues are the recording, the next step, the end ---

int next_step(lua_State* L) {
  const auto& recording = static_cast<RecordingObject*>(lua_touserdata(L, lua_upvalueindex(1)))->recording;
  const lua_Integer step = lua_tointeger(L, lua_upvalueindex(2));
  if (step >= lua_tointeger(L, lua_upvalueindex(3))) return 0;
  lua_pushinteger(L, step + 1);
  lua_replace(L, lua_upvalueindex(2));
  session_of(L, *recording);
  push_step(L, recording, static_cast<std::uint32_t>(step));
  return 1;
}

// --- rec:find ---

struct Search {
  std::shared_ptr<OpenRecording> recording;
  StepMatcher matcher;
  std::uint32_t next = 0, end = 0;
  static const ObjectType& type();
};

const ObjectType& Search::type() {
  static const ObjectType made{.name = "search", .owner = "search", .help = "A rec:find that goes on.", .bindings = {}};
  return made;
}

int next_found(lua_State* L) {
  Search& search = *static_cast<Search*>(lua_touserdata(L, lua_upvalueindex(1)));
  session_of(L, *search.recording);
  Work work(L);
  while (search.next < search.end && !search.matcher.fits(search.next)) {
    const bool inside = search.matcher.looked_inside();
    if (++search.next % kLooksAStep == 0 || inside) work.add(inside ? kStepsToLookInside : 1);
  }
  work.settle();
  if (search.next >= search.end) return 0;
  push_step(L, search.recording, search.next++);
  return 1;
}

// The one range of bytes under a key.
std::optional<QueryPlace> place_of(const OptionTable& options, const char* key, Session& session) {
  if (!options.has(key)) return {};
  options.push(key);
  const ByteRange range = check_range(options.state(), -1, key, session);
  lua_pop(options.state(), 1);
  return QueryPlace{.bytes = range};
}

std::string check_pipe(const OptionTable& options) {
  const std::string wanted = options.text("pipe").value_or("");
  const std::string pipe = pipe_name(wanted);
  if (pipe.empty() && !wanted.empty()) options.wrong("pipe", "S, V, M, MTE1, MTE2, MTE3 or FIX");
  return pipe;
}

// An operation that the ISA has not is a slip; one that only the program lacks is found nowhere.
std::string check_op(lua_State* L, const std::string& text) {
  if (text.empty()) return text;
  const auto known = known_op(text);
  if (const auto* refusal = std::get_if<Refusal>(&known))
    raise(L, fmt::format("rec:find: {}{}{}", refusal->text, refusal->hint.empty() ? "" : "; ", refusal->hint));
  return std::get<std::string>(known);
}

int recording_steps(lua_State* L) {
  const RecordingObject& self = check_self<RecordingObject>(L);
  const std::uint32_t count = session_of(L, *self.recording).count();
  const auto first = optional_integer(L, 2, "first", 0, count, 0);
  const auto last = optional_integer(L, 3, "last", -1, std::int64_t{count} - 1, std::int64_t{count} - 1);
  lua_pushvalue(L, 1);
  lua_pushinteger(L, first);
  lua_pushinteger(L, last + 1);
  lua_pushcclosure(L, guarded<next_step>, 3);
  return 1;
}

int recording_find(lua_State* L) {
  const RecordingObject& self = check_self<RecordingObject>(L);
  Session& session = session_of(L, *self.recording);
  const OptionTable options(L, 2, "options",
                            {"op", "line", "core", "block", "pipe", "writes", "reads", "first", "last"});
  StepQuery query;
  query.op = check_op(L, options.text("op").value_or(""));
  const WantedLine wanted = check_line(options, session);
  query.line = wanted.line;
  if (wanted.source) query.source = SourceLine{*session.sources().find_file(wanted.source->file), wanted.source->line};
  query.block = options.index("block", 65536);
  query.core = check_core(options, session);
  query.pipe = check_pipe(options);
  query.writes = place_of(options, "writes", session);
  query.reads = place_of(options, "reads", session);
  Search search{self.recording, StepMatcher(session, std::move(query)), 0, session.count()};
  search.next = options.index("first", std::uint64_t{session.count()} + 1).value_or(0);
  if (const auto last = options.index("last", session.count())) search.end = *last + 1;
  make_object<Search>(L, std::move(search));
  lua_pushcclosure(L, guarded<next_found>, 1);
  return 1;
}

constexpr RowMaker kStepSearchRow{"rec", "local rec = pto.load(\"row_loop\"):record()\n"};

std::vector<Binding> search_rows() {
  return {
      kStepSearchRow.method("steps", recording_steps, "(first?: integer, last?: integer) -> fun(): step",
                            "All steps, or those from first to last, in their order.",
                            R"(local n = 0
for s in rec:steps() do n = n + 1 end
assert(n == rec.count))"),
      kStepSearchRow.method(
          "find", recording_find, "{op=, line=, core=, block=, pipe=, writes=, reads=, first=, last=} -> fun(): step",
          "The steps that are all of this. Bytes are \"ub[0x400,0x800)\" without the end, or a tile or its name.",
          R"(for s in rec:find{op="TLOAD", writes="x_even"} do assert(s.args.dst == nil or s.op == "tload") end
assert(rec:find{op="TADD", pipe="V"}().step < rec.count))"),
  };
}

const ListedRows kStepSearchRows{41, {RecordingObject::type, search_rows}};

}  // namespace
}  // namespace ts::scripting
