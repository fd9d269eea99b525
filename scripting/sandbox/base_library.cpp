// The base library: what cannot be survived is not survived, and nothing shows an address.
#include <string_view>

#include "scripting/sandbox/budget.h"
#include "scripting/sandbox/compile.h"
#include "scripting/sandbox/iteration.h"
#include "scripting/sandbox/libraries.h"
#include "scripting/sandbox/sandbox.h"

namespace ts::scripting {

namespace {

// --- errors ---

int finish_pcall(lua_State* L, int status, lua_KContext below) {
  Sandbox::raise_if_over(L);
  if (status == LUA_OK || status == LUA_YIELD) return lua_gettop(L) - static_cast<int>(below);
  lua_pushboolean(L, 0);
  lua_pushvalue(L, -2);
  return 2;
}

int base_pcall(lua_State* L) {
  luaL_checkany(L, 1);
  Sandbox::charge(L, 1);
  lua_pushboolean(L, 1);  // the first result, when all is well
  lua_insert(L, 1);
  return finish_pcall(L, lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish_pcall), 0);
}

// A script's message handler is not asked when the script is over.
int handle_unless_over(lua_State* L) {
  if (Sandbox::of(L).is_over()) return 1;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

// On the stack during the call: function, handler, true, function, arguments.
int base_xpcall(lua_State* L) {
  const int nargs = lua_gettop(L) - 2;
  luaL_checktype(L, 2, LUA_TFUNCTION);
  Sandbox::charge(L, 1);
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, handle_unless_over, 1);
  lua_replace(L, 2);
  lua_pushboolean(L, 1);
  lua_pushvalue(L, 1);
  lua_rotate(L, 3, 2);
  return finish_pcall(L, lua_pcallk(L, nargs, LUA_MULTRET, 2, 2, finish_pcall), 2);
}

// --- metatables ---

// Only tables show theirs: the metatable of a string or of an object is the host's.
int base_getmetatable(lua_State* L) {
  luaL_checkany(L, 1);
  if (!lua_getmetatable(L, 1)) return luaL_pushfail(L), 1;
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) return 1;
  if (!lua_istable(L, 1)) lua_pushboolean(L, 0);
  return 1;
}

void check_metatable(lua_State* L, int metatable) {
  lua_pushliteral(L, "__gc");
  if (lua_rawget(L, metatable) != LUA_TNIL)
    luaL_error(L, "__gc is not available in scripts; use __close, or a function");
  lua_pop(L, 1);
  if (has_weak_keys(L, metatable)) luaL_error(L, kWeakKeysText);
}

int base_setmetatable(lua_State* L) {
  const int type = lua_type(L, 2);
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_argexpected(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) return luaL_error(L, "cannot change a protected metatable");
  lua_settop(L, 2);
  if (type == LUA_TTABLE) {
    check_metatable(L, 2);
    note_metatable(L, 2);
  }
  lua_setmetatable(L, 1);
  return 1;
}

// --- text ---

int base_tostring(lua_State* L) {
  luaL_checkany(L, 1);
  Sandbox::push_text(L, 1);
  return 1;
}

int base_tonumber(lua_State* L) {
  // Lua reads digits without a hook.
  if (lua_type(L, 1) == LUA_TSTRING) Sandbox::charge(L, lua_rawlen(L, 1) / 8);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

void say_line(lua_State* L) {
  std::size_t size = 0;
  const char* line = lua_tolstring(L, -1, &size);
  Sandbox::charge(L, size);  // whoever reads it is slow
  Sandbox::of(L).say({line, size});
}

int base_print(lua_State* L) {
  const int count = lua_gettop(L);
  luaL_Buffer line;
  luaL_buffinit(L, &line);
  for (int i = 1; i <= count; ++i) {
    if (i > 1) luaL_addchar(&line, '\t');
    Sandbox::push_text(L, i);
    luaL_addvalue(&line);
    Sandbox::charge(L, 1);
  }
  luaL_addchar(&line, '\n');
  luaL_pushresult(&line);
  say_line(L);
  return 0;
}

int base_warn(lua_State* L) {
  const int count = lua_gettop(L);
  luaL_checkstring(L, 1);
  for (int i = 2; i <= count; ++i) luaL_checkstring(L, i);
  lua_pushliteral(L, "warning: ");
  lua_insert(L, 1);
  lua_pushliteral(L, "\n");
  lua_concat(L, count + 2);
  say_line(L);
  return 0;
}

// --- the rest ---

int base_collectgarbage(lua_State* L) {
  const std::string_view what = luaL_optstring(L, 1, "collect");
  if (what == "count") {
    lua_pushnumber(L, static_cast<lua_Number>(budget_of(L).used_bytes()) / 1024);
    return 1;
  }
  luaL_argcheck(L, what == "collect", 1, "scripts can only \"collect\" and \"count\"");
  Sandbox::charge(L, 1);
  budget_of(L).collect(L);
  lua_pushinteger(L, 0);
  return 1;
}

// load(text or function, chunk name, mode, environment)
int base_load(lua_State* L) {
  const bool is_text = lua_tostring(L, 1);  // numbers are texts, too
  if (!is_text) luaL_checktype(L, 1, LUA_TFUNCTION);
  const char* name = luaL_optstring(L, 2, is_text ? lua_tostring(L, 1) : "=(load)");
  const std::string_view mode = luaL_optstring(L, 3, "t");
  const bool has_environment = !lua_isnone(L, 4);
  lua_settop(L, 4);
  bool good = false;
  if (mode.find('t') == mode.npos) {
    lua_pushliteral(L, "scripts can only load source text (mode \"t\")");
  } else if (is_text) {
    std::size_t size = 0;
    const char* text = lua_tolstring(L, 1, &size);
    good = compile(L, {text, size}, name);
  } else {
    good = compile_pieces(L, 1, name);
  }
  if (!good) {
    luaL_pushfail(L);
    lua_insert(L, -2);
    return 2;
  }
  if (has_environment) {
    lua_pushvalue(L, 4);
    if (!lua_setupvalue(L, -2, 1)) lua_pop(L, 1);
  }
  return 1;
}

// clang-format off
const luaL_Reg base_functions[] = {
    {"pcall", base_pcall},       {"xpcall", base_xpcall},     {"getmetatable", base_getmetatable},
    {"print", base_print},       {"tostring", base_tostring}, {"setmetatable", base_setmetatable},
    {"warn", base_warn},         {"load", base_load},         {"collectgarbage", base_collectgarbage},
    {nullptr, nullptr},
};
// clang-format on

void open_base(lua_State* L) {
  push_library(L, luaopen_base,
               {"_G", "_VERSION", "assert", "error", "ipairs", "rawequal", "rawget", "rawlen", "rawset", "select",
                "tonumber", "type"});
  lua_getfield(L, -1, "tonumber");
  lua_pushcclosure(L, base_tonumber, 1);
  lua_setfield(L, -2, "tonumber");
  luaL_setfuncs(L, base_functions, 0);
  add_iteration(L);
  lua_pop(L, 1);
}

const Listed<Library> kBaseLibraryListed{10, {"_G", open_base}};

}  // namespace
}  // namespace ts::scripting
