// Taking a library of Lua's apart, and the libraries that are all right as they are.
#include "scripting/sandbox/libraries.h"

#include <algorithm>
#include <string_view>

namespace ts::scripting {

void push_library(lua_State* L, lua_CFunction open, std::initializer_list<const char*> kept) {
  lua_pushcfunction(L, open);
  lua_call(L, 0, 1);
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lua_pop(L, 1);
    const std::string_view name = lua_tostring(L, -1);
    if (std::ranges::find(kept, name) != kept.end()) continue;
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, -4);  // allowed while walking: the field exists
  }
}

// Random numbers come from a seed that the script names, so not from here.
void open_math(lua_State* L) {
  push_library(L, luaopen_math, {"abs",  "acos", "asin",       "atan", "ceil",       "cos",  "deg", "exp", "floor",
                                 "fmod", "huge", "log",        "max",  "maxinteger", "min",  "mininteger", "modf",
                                 "pi",   "rad",  "sin",        "sqrt", "tan",        "tointeger", "type", "ult"});
  lua_setglobal(L, "math");
}

namespace {

// Lua's own shows an address.
int file_tostring(lua_State* L) {
  const auto* file = static_cast<luaL_Stream*>(luaL_checkudata(L, 1, LUA_FILEHANDLE));
  lua_pushstring(L, file->closef ? "file" : "file (closed)");
  return 1;
}

// Lua's messages look for a function's name among the loaded libraries. They get copies, so that what a script puts into a
// library takes no time there and has no influence.
void note_names(lua_State* L, const char* library) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_newtable(L);
  if (lua_getglobal(L, library) == LUA_TTABLE) {
    lua_pushnil(L);
    while (lua_next(L, -2)) {
      lua_pushvalue(L, -2);
      lua_insert(L, -2);
      lua_isfunction(L, -1) ? lua_rawset(L, -5) : lua_pop(L, 2);
    }
  }
  lua_pop(L, 1);
  lua_setfield(L, -2, library);
  lua_pop(L, 1);
}

}  // namespace

void open_libraries(lua_State* L, bool allow_io) {
  open_base(L);
  open_coroutine(L);
  open_math(L);
  open_string(L);
  open_table(L);
  open_utf8(L);
  if (allow_io) open_io(L);
  for (const char* library : {"_G", "coroutine", "math", "string", "table", "utf8", "io", "os"}) note_names(L, library);
}

void open_io(lua_State* L) {
  push_library(L, luaopen_io, {"close", "flush", "input", "lines", "open", "output", "popen", "read", "stderr", "stdin",
                               "stdout", "tmpfile", "type", "write"});
  lua_setglobal(L, "io");
  luaL_getmetatable(L, LUA_FILEHANDLE);
  lua_pushcfunction(L, file_tostring);
  lua_setfield(L, -2, "__tostring");
  lua_pop(L, 1);
  push_library(L, luaopen_os, {"clock", "date", "difftime", "execute", "getenv", "remove", "rename", "time", "tmpname"});
  lua_setglobal(L, "os");
}

}  // namespace ts::scripting
