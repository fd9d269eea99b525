// Lua values as people want to see them.
#pragma once

#include <lua.hpp>
#include <string>
#include <string_view>

namespace ts::scripting {

// On one line, but for lists of things that say what they are: strings with quotes, tables with what is in them, down to a few levels and a few dozen entries. Nothing
// of the script's is called but __tostring and __name of objects.
std::string shown(lua_State* L, int index);

// As source text: in quotes, with escapes.
std::string quoted(std::string_view text);

}  // namespace ts::scripting
