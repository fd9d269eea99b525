// The table `pto`: what belongs to no object.
#include "scripting/run/pto.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scripting/binding/arguments.h"
#include "scripting/binding/docs.h"
#include "scripting/run/engine.h"

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

int pto_quit(lua_State* L) { Sandbox::quit(L, static_cast<int>(optional_integer(L, 1, "code", 0, 255, 0))); }

int pto_next_tick(lua_State* L) {
  check_function(L, 1, "action");
  lua_settop(L, 1);
  Engine::of(L).next_tick(LuaValue(L));
  return 0;
}

std::vector<Binding> first_rows() {
  return {
      {"api", Binding::Kind::Field, pto_api, "pto.api -> integer",
       "The version of this surface. It grows when something a script could rely on changes.", "assert(pto.api == 1)"},
      {"args", Binding::Kind::Field, pto_args, "pto.args -> string[]",
       "What followed the script's name on the command line.",
       R"(assert(#pto.args == 0)
assert(type(pto.args) == "table"))"},
  };
}

std::vector<Binding> middle_rows() {
  return {
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
  };
}

std::vector<Binding> last_rows() {
  return {
      {"nextTick", Binding::Kind::Function, pto_next_tick, "pto.nextTick(action: function)",
       "Runs a function when the script, or the callback it is called from, has come to its end. Several run in the "
       "order they were given.",
       R"(local order = {}
pto.nextTick(function() order[#order + 1] = "later" end)
pto.nextTick(function() assert(order[1] == "now" and order[2] == "later") end)
order[1] = "now")"},
  };
}

const ListedRows kFirst{70, {pto_type, first_rows}};
const ListedRows kMiddle{72, {pto_type, middle_rows}};
const ListedRows kLast{74, {pto_type, last_rows}};
const ListedType kPtoType{10, pto_type};

}  // namespace

const ObjectType& pto_type() {
  static const ObjectType made{.name = "pto",
                               .owner = "pto",
                               .help = "Programs, stops, events and checks: everything that begins a script's work.",
                               .bindings = listed_rows(pto_type),
                               .is_table = true};
  return made;
}

}  // namespace ts::scripting
