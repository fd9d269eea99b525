// A Lua value that C++ holds on to.
#pragma once

#include <lua.hpp>
#include <utility>

#include "scripting/sandbox/weight.h"

namespace ts::scripting {

// Given back when this goes, which has to be before the state goes.
class LuaValue {
 public:
  // Takes the value on top of the stack. Weighs what usually stands around it: a listener, what was put off.
  explicit LuaValue(lua_State* L);
  ~LuaValue();
  LuaValue(LuaValue&& other) noexcept
      : L_(other.L_), weight_(std::move(other.weight_)), key_(std::exchange(other.key_, LUA_NOREF)) {}
  void push(lua_State* L) const { lua_rawgeti(L, LUA_REGISTRYINDEX, key_); }
  LuaValue(const LuaValue&) = delete;
  LuaValue& operator=(const LuaValue&) = delete;

 private:
  lua_State* L_;  // the main one: coroutines come and go
  Weight weight_;
  int key_;
};

}  // namespace ts::scripting
