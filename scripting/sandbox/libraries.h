// The libraries that scripts get: Lua's own functions where they are harmless, ours where they are not.
#pragma once

#include <initializer_list>
#include <lua.hpp>

namespace ts::scripting {

// All of them, and the names by which messages call their functions.
void open_libraries(lua_State* L, bool allow_io);

// Each opens one library as a global (the base library: as the globals).
void open_base(lua_State* L);
void open_coroutine(lua_State* L);
void open_math(lua_State* L);
void open_string(lua_State* L);
void open_table(lua_State* L);
void open_utf8(lua_State* L);
void open_io(lua_State* L);

// pairs() and next(), in an order that does not depend on where things lie in memory; into the table on top of the stack.
void add_iteration(lua_State* L);
// find, match, gmatch, gsub; into the table on top of the stack.
void add_pattern_functions(lua_State* L);

// Calls a library's opener and pushes what it returns, a table, without the functions that are not named.
void push_library(lua_State* L, lua_CFunction open, std::initializer_list<const char*> kept);

}  // namespace ts::scripting
