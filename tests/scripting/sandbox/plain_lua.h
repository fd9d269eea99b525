// Lua as it comes, without a sandbox: what the sandbox's functions are held against.
#pragma once

#include <fmt/format.h>

#include <lua.hpp>
#include <string>
#include <string_view>

#include "scripting/sandbox/sandbox.h"

namespace ts::test {

// What a script prints in a plain state; an error is its last line.
inline std::string plain_output(std::string_view text) {
  lua_State* L = luaL_newstate();
  luaL_openlibs(L);
  std::string printed;
  lua_pushlightuserdata(L, &printed);
  const auto print = [](lua_State* state) {
    auto& out = *static_cast<std::string*>(lua_touserdata(state, lua_upvalueindex(1)));
    for (int i = 1; i <= lua_gettop(state); ++i) {
      std::size_t size = 0;
      const char* value = luaL_tolstring(state, i, &size);
      if (i > 1) out += '\t';
      out.append(value, size);
      lua_pop(state, 1);
    }
    out += '\n';
    return 0;
  };
  lua_pushcclosure(L, print, 1);
  lua_setglobal(L, "print");
  const bool good =
      luaL_loadbufferx(L, text.data(), text.size(), "@test.lua", "t") == LUA_OK && lua_pcall(L, 0, 0, 0) == LUA_OK;
  if (!good) printed += fmt::format("error: {}\n", luaL_tolstring(L, -1, nullptr));
  lua_close(L);
  return printed;
}

// The same in a sandbox.
inline std::string sandbox_output(std::string_view text) {
  scripting::Sandbox sandbox;
  std::string printed;
  sandbox.print = [&](std::string_view line) { printed += line; };
  const scripting::Outcome outcome = sandbox.run(text, "test.lua");
  if (outcome.kind != scripting::Outcome::Kind::Ok) printed += fmt::format("error: {}\n", outcome.message);
  return printed;
}

}  // namespace ts::test
