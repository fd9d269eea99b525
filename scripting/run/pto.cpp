// The table `pto`: what belongs to no object.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scripting/binding/docs.h"
#include "scripting/run/engine.h"
#include "scripting/binding/object.h"
#include "scripting/objects/values/rng.h"
#include "scripting/objects/rows.h"

namespace ts::scripting {
namespace {

constexpr int kApiVersion = 1;

int pto_api(lua_State* L) {
  lua_pushinteger(L, kApiVersion);
  return 1;
}

int pto_args(lua_State* L) {
  const std::vector<std::string>& arguments = Engine::of(L).host().arguments;
  lua_createtable(L, static_cast<int>(arguments.size()), 0);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    lua_pushlstring(L, arguments[i].data(), arguments[i].size());
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
  return 1;
}

int pto_on(lua_State* L) {
  push_table(L, on_type());
  return 1;
}

int pto_help(lua_State* L) {
  const std::string name = lua_isnoneornil(L, 1) ? "" : check_text(L, 1, "name");
  const std::optional<std::string> text = help_text(name);
  if (!text) {
    const std::vector<std::string> near = similar_help(name);
    raise(L,
          fmt::format("pto.help: nothing is called '{}'{}", name,
                      near.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(near, " or "))),
          near.empty() ? "pto.help() lists all there is" : "");
  }
  Engine::of(L).print(*text);
  return 0;
}

int pto_quit(lua_State* L) {
  Sandbox::quit(L, static_cast<int>(optional_integer(L, 1, "code", 0, 255, 0)));
}

int pto_rng(lua_State* L) {
  make_object<Rng>(L, static_cast<std::uint64_t>(check_integer(L, 1, "seed")));
  return 1;
}

int pto_next_tick(lua_State* L) {
  check_function(L, 1, "action");
  lua_settop(L, 1);
  Engine::of(L).next_tick(LuaValue(L));
  return 0;
}

// Fields of pto.on: a word that is its own name.
template <char const* kWord>
int word(lua_State* L) {
  lua_pushstring(L, kWord);
  return 1;
}
constexpr char kWrite[] = "write", kChange[] = "change", kRead[] = "read";

}  // namespace

std::vector<Binding> joined(std::initializer_list<std::vector<Binding>> parts) {
  std::vector<Binding> all;
  for (const std::vector<Binding>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::vector<Binding> basic_rows() {
  return {
      {"api", Binding::Kind::Field, pto_api, "pto.api -> integer",
       "The version of this surface. It grows when something a script could rely on changes.", "assert(pto.api == 1)"},
      {"args", Binding::Kind::Field, pto_args, "pto.args -> string[]",
       "What stood behind the script's name on the command line.",
       R"(assert(#pto.args == 0)
assert(type(pto.args) == "table"))"},
      {"on", Binding::Kind::Field, pto_on, "pto.on -> pto.on",
       "The kinds of access that pto.addMemoryCallback tells apart.", R"(assert(pto.on.write == "write"))"},
      {"help", Binding::Kind::Function, pto_help, "pto.help(name?: string)",
       "Prints what something is and does: 'pto.load', 'rec:seek', 'recording', or 'seek'. Without a name, what there "
       "is.",
       R"(pto.help("rng:int")
local ok, message = pcall(pto.help, "pto.halp")
assert(not ok and message:find("did you mean pto.help", 1, true)))"},
      {"quit", Binding::Kind::Function, pto_quit, "pto.quit(code?: integer)",
       "Ends the script at once, with this exit status. 0 (the default) does not hide a failed test or callback.",
       R"(pto.quit(0)
error("this is never reached"))"},
      {"rng", Binding::Kind::Function, pto_rng, "pto.rng(seed: integer) -> rng",
       "A source of random numbers that are the same whenever the script runs.",
       R"(local rng = pto.rng(1)
assert(rng:int(1, 6) <= 6))"},
      {"nextTick", Binding::Kind::Function, pto_next_tick, "pto.nextTick(action: function)",
       "Runs a function when the script, or the callback it is called from, has come to its end. Several run in the "
       "order they were given.",
       R"(local order = {}
pto.nextTick(function() order[#order + 1] = "later" end)
pto.nextTick(function() assert(order[1] == "now" and order[2] == "later") end)
order[1] = "now")"},
  };
}

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

const ObjectType& pto_type() {
  static const ObjectType made{.name = "pto",
                               .owner = "pto",
                               .help = "Programs, stops, events and checks: everything that begins a script's work.",
                               .bindings = joined({program_rows(), breakpoint_rows(), listener_rows(), check_rows(), value_rows(),
                                                   run_comparison_rows(), basic_rows(), recording_file_rows(), lesson_rows()}),
                               .is_table = true};
  return made;
}

}  // namespace ts::scripting
