// Small things on the stack.
#pragma once

#include <cstdint>
#include <lua.hpp>
#include <string>
#include <string_view>

#include "core/tile/operands.h"

namespace ts::scripting {

// Integers as integers (64 unsigned bits as the signed number of the same bits), floats as numbers.
void push_scalar(lua_State* L, const Scalar& scalar);

// The bits of a number in a type: floats are rounded, integers have to fit; of u64 the upper half is negative numbers.
std::uint64_t check_bits(lua_State* L, int index, const std::string& name, DType dtype);

inline void push_text(lua_State* L, std::string_view text) {
  lua_pushlstring(L, text.data(), text.size());
}

// Fields of the table on top of the stack.
inline void set_field(lua_State* L, const char* key, std::string_view text) {
  push_text(L, text);
  lua_setfield(L, -2, key);
}
inline void set_field(lua_State* L, const char* key, const char* text) {
  set_field(L, key, std::string_view(text));
}
inline void set_field(lua_State* L, const char* key, lua_Integer number) {
  lua_pushinteger(L, number);
  lua_setfield(L, -2, key);
}

// Appends what `push` pushes to the list on top of the stack.
template <class Push>
void append(lua_State* L, Push push) {
  push();
  lua_rawseti(L, -2, static_cast<lua_Integer>(lua_rawlen(L, -2)) + 1);
}

}  // namespace ts::scripting
