// find, match, gmatch and gsub, whose work is counted.
#pragma once

#include <lua.hpp>

namespace ts::scripting {

// Into the table on top of the stack.
void add_pattern_functions(lua_State* L);

}  // namespace ts::scripting
