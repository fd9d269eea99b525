// Telling objects apart.
#include "scripting/binding/object.h"

#include <fmt/format.h>

namespace ts::scripting {

void* object_of_type(lua_State* L, int index, const ObjectType& type) {
  if (lua_type(L, index) != LUA_TUSERDATA || lua_getmetatable(L, index) == 0) return nullptr;
  push_metatable(L, type);
  const bool same = lua_rawequal(L, -1, -2) != 0;
  lua_pop(L, 2);
  return same ? lua_touserdata(L, index) : nullptr;
}

void wrong_self(lua_State* L, const ObjectType& type) {
  const Binding* row = current_binding(L);
  if (row == nullptr) raise(L, fmt::format("wanted {}, got {}", a_or_an(type.name), describe(L, 1)));
  raise(L, fmt::format("{} is asked of {}, not of {}", row->called(), a_or_an(type.name), describe(L, 1)),
        fmt::format("with a colon: {}", row->signature));
}

}  // namespace ts::scripting
