// pairs() and next(), in an order that does not depend on where things lie in memory.
#pragma once

#include <lua.hpp>

namespace ts::scripting {

// Into the table on top of the stack.
void add_iteration(lua_State* L);

}  // namespace ts::scripting
