// The libraries of Lua that are all right as they are, or for those who are trusted.
#include "scripting/sandbox/libraries.h"

namespace ts::scripting {
namespace {

// Random numbers come from a seed that the script names, so not from here.
void open_math(lua_State* L) {
  push_library(L, luaopen_math, {"abs",  "acos", "asin", "atan", "ceil",       "cos",  "deg",        "exp",  "floor",
                                 "fmod", "huge", "log",  "max",  "maxinteger", "min",  "mininteger", "modf", "pi",
                                 "rad",  "sin",  "sqrt", "tan",  "tointeger",  "type", "ult"});
  lua_setglobal(L, "math");
}

// Lua's own shows an address.
int file_tostring(lua_State* L) {
  const auto* file = static_cast<luaL_Stream*>(luaL_checkudata(L, 1, LUA_FILEHANDLE));
  lua_pushstring(L, file->closef ? "file" : "file (closed)");
  return 1;
}

void open_io(lua_State* L) {
  push_library(L, luaopen_io,
               {"close", "flush", "input", "lines", "open", "output", "popen", "read", "stderr", "stdin", "stdout",
                "tmpfile", "type", "write"});
  lua_setglobal(L, "io");
  luaL_getmetatable(L, LUA_FILEHANDLE);
  lua_pushcfunction(L, file_tostring);
  lua_setfield(L, -2, "__tostring");
  lua_pop(L, 1);
}

void open_os(lua_State* L) {
  push_library(L, luaopen_os,
               {"clock", "date", "difftime", "execute", "getenv", "remove", "rename", "time", "tmpname"});
  lua_setglobal(L, "os");
}

const Listed<Library> kMath{30, {"math", open_math}};
const Listed<Library> kIo{70, {"io", open_io, true}};
const Listed<Library> kOs{80, {"os", open_os, true}};

}  // namespace
}  // namespace ts::scripting
