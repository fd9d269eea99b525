// Values in the registry.
#include "scripting/run/lua_value.h"

namespace ts::scripting {
namespace {

lua_State* main_state(lua_State* L) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
  lua_State* main = lua_tothread(L, -1);
  lua_pop(L, 1);
  return main;
}

constexpr std::size_t kUsualBytes = 200;

}  // namespace

LuaValue::LuaValue(lua_State* L) : L_(main_state(L)), weight_(L, kUsualBytes), key_(luaL_ref(L, LUA_REGISTRYINDEX)) {}

LuaValue::~LuaValue() {
  if (key_ != LUA_NOREF) luaL_unref(L_, LUA_REGISTRYINDEX, key_);
}

}  // namespace ts::scripting
