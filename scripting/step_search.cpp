// Going through the steps of a recording: rec:steps and rec:find.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/program/sync.h"
#include "core/text/op_table.h"
#include "scripting/object.h"
#include "scripting/recording.h"
#include "scripting/step.h"
#include "scripting/stop_rule.h"
#include "scripting/work.h"

namespace ts::scripting {
namespace {

// A step is found by a few comparisons; about so many for a step of Lua.
constexpr std::uint64_t kLooksAStep = 4;

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
  std::uint32_t next = 0, end = 0;
  std::string op = {};
  std::optional<std::uint32_t> line = {}, core = {}, block = {};
  std::string pipe = {};
  std::optional<ByteRange> writes = {}, reads = {};
  static const ObjectType& type();
};

const ObjectType& Search::type() {
  static const ObjectType made{.name = "search", .owner = "search", .help = "A rec:find that goes on.", .bindings = {}};
  return made;
}

bool writes(const Recording& recording, std::uint32_t step, ByteRange place) {
  const Flat begin = recording.map().flat(place.space, place.address);
  return touch(recording.writes(step), begin, begin + place.size);
}

bool fits(const Search& search, Session& session, std::uint32_t step) {
  const Recording& recording = session.recording();
  const Bound& bound = recording.bound(step);
  if (!search.op.empty() && search.op != bound.row->name) return false;
  if (search.line && *search.line != bound.pos.line) return false;
  const std::uint32_t block = recording.step(step).block;
  if ((search.block && *search.block != block) || (search.core && *search.core != block)) return false;
  if (!search.pipe.empty() && search.pipe != name(bound.pipe)) return false;
  if (search.writes && !writes(recording, step, *search.writes)) return false;
  return !search.reads || session.first_read(step, *search.reads);
}

int next_found(lua_State* L) {
  Search& search = *static_cast<Search*>(lua_touserdata(L, lua_upvalueindex(1)));
  Session& session = session_of(L, *search.recording);
  Work work(L);
  while (search.next < search.end && !fits(search, session, search.next)) {
    if (++search.next % kLooksAStep == 0) work.add(search.reads ? 1000 : 1);
  }
  work.settle();
  if (search.next >= search.end) return 0;
  push_step(L, search.recording, search.next++);
  return 1;
}

// The one range of bytes under a key.
std::optional<ByteRange> range_of(const OptionTable& options, const char* key, Session& session) {
  if (!options.has(key)) return {};
  options.push(key);
  const ByteRange range = check_range(options.state(), -1, key, session);
  lua_pop(options.state(), 1);
  return range;
}

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  return text;
}

std::string check_pipe(const OptionTable& options) {
  std::string wanted = upper(options.text("pipe").value_or(""));
  if (wanted.starts_with("PIPE_")) wanted = wanted.substr(5);
  if (wanted.empty()) return wanted;
  for (int pipe = 0; pipe <= static_cast<int>(Pipe::None); ++pipe)
    if (wanted == name(static_cast<Pipe>(pipe))) return wanted;
  options.wrong("pipe", "S, V, M, MTE1, MTE2, MTE3 or FIX");
}

// An operation that the ISA has not is a slip; one that only the program lacks is found nowhere.
void check_op(lua_State* L, const std::string& op) {
  const bool known = text::find_bare_op(op) != text::kUnknownOp || text::find_op(op) != text::kUnknownOp ||
                     op == kBeginBlock.name || find_sync("pto." + op) != nullptr;
  if (op.empty() || known) return;
  const std::vector<std::string> near = text::similar_ops(op);
  raise(L, fmt::format("rec:find: there is no operation {}{}", op,
                       near.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(near, " or "))));
}

}  // namespace

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
  Search search{self.recording, 0, session.count()};
  search.op = plain_op(options.text("op").value_or(""));
  check_op(L, search.op);
  search.line = check_line(options, session);
  search.core = options.index("core", 65536);
  search.block = options.index("block", 65536);
  search.pipe = check_pipe(options);
  search.writes = range_of(options, "writes", session);
  search.reads = range_of(options, "reads", session);
  search.next = options.index("first", std::uint64_t{session.count()} + 1).value_or(0);
  if (const auto last = options.index("last", session.count())) search.end = *last + 1;
  make_object<Search>(L, std::move(search));
  lua_pushcclosure(L, guarded<next_found>, 1);
  return 1;
}

}  // namespace ts::scripting
