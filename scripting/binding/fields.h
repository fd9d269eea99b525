// Small things on the stack: texts, fields of tables, entries of lists.
#pragma once

#include <cstdint>
#include <lua.hpp>
#include <string_view>

namespace ts::scripting {

inline void push_text(lua_State* L, std::string_view text) { lua_pushlstring(L, text.data(), text.size()); }
// For functions that give back a text.
inline int push_text_result(lua_State* L, std::string_view text) {
  push_text(L, text);
  return 1;
}

// Fields of the table on top of the stack.
inline void set_field(lua_State* L, const char* key, std::string_view text) {
  push_text(L, text);
  lua_setfield(L, -2, key);
}
inline void set_field(lua_State* L, const char* key, const char* text) { set_field(L, key, std::string_view(text)); }
inline void set_field(lua_State* L, const char* key, lua_Integer number) {
  lua_pushinteger(L, number);
  lua_setfield(L, -2, key);
}
inline void set_integer(lua_State* L, const char* key, std::uint64_t value) {
  set_field(L, key, static_cast<lua_Integer>(value));
}
inline void set_number(lua_State* L, const char* key, double value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, key);
}
inline void set_truth(lua_State* L, const char* key, bool value) {
  lua_pushboolean(L, value ? 1 : 0);
  lua_setfield(L, -2, key);
}

// Appends what `push` pushes to the list on top of the stack.
template <class Push>
void append(lua_State* L, Push push) {
  push();
  lua_rawseti(L, -2, static_cast<lua_Integer>(lua_rawlen(L, -2)) + 1);
}

}  // namespace ts::scripting
