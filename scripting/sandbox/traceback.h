// Which functions are active, as text for people: no addresses of the host.
#pragma once

#include <lua.hpp>
#include <string>

namespace ts::scripting {

// One line for each active function of the thread, innermost first, each with its line end: "  a.lua:12: in function 'f'".
// Of a long stack both ends are shown. Functions inside of `first_level` are left out.
std::string traceback(lua_State* L, int first_level);

}  // namespace ts::scripting
