// Source text to a function, inside the limits: Lua's compiler has no hook that could stop it.
#pragma once

#include <lua.hpp>
#include <string_view>

namespace ts::scripting {

// Pushes the compiled function and returns true, or pushes a message and returns false. `chunk_name` is as Lua wants it:
// "@name" for a file, "=name" as it is. Raises when the script is over.
bool compile(lua_State* L, std::string_view text, const char* chunk_name);
// The same with a function that returns the text in pieces; it lies at `reader`. An error of its own is the message.
bool compile_pieces(lua_State* L, int reader, const char* chunk_name);

}  // namespace ts::scripting
