// The libraries that scripts get: Lua's own functions where they are harmless, ours where they are not.
#pragma once

#include <initializer_list>
#include <lua.hpp>
#include <vector>

#include "scripting/sandbox/listed.h"

namespace ts::scripting {

// What a file opens. It says so itself:
//
//   const Listed<Library> kHere{50, {"table", open_table}};
struct Library {
  const char* name;  // of the global, by which messages call its functions; "_G": the globals themselves
  void (*open)(lua_State* L);
  bool trusted = false;  // only for scripts that may reach the host
};

// All of them, and the names by which messages call their functions.
void open_libraries(lua_State* L, bool allow_io);

// Calls a library's opener and pushes what it returns, a table, without the functions that are not named.
void push_library(lua_State* L, lua_CFunction open, std::initializer_list<const char*> kept);

}  // namespace ts::scripting
