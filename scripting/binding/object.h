// C++ objects in the hands of scripts: made, checked, and destroyed when the script lets go of them.
#pragma once

#include <new>
#include <type_traits>
#include <utility>

#include "scripting/binding/arguments.h"
#include "scripting/binding/object_type.h"

namespace ts::scripting {

// The object's memory when a value of this type stands there, else null.
void* object_of_type(lua_State* L, int index, const ObjectType& type);
// A method that was called with a dot, or on something else.
[[noreturn]] void wrong_self(lua_State* L, const ObjectType& type);

// The object at a place on the stack, or null when something else stands there.
template <class T>
T* to_object(lua_State* L, int index) {
  return static_cast<T*>(object_of_type(L, index, T::type()));
}

// The object that a method or a field is asked of.
template <class T>
T& check_self(lua_State* L) {
  if (T* object = to_object<T>(L, 1)) return *object;
  wrong_self(L, T::type());
}

// Argument `index` of a call, `name` as in the signature.
template <class T>
T& check_object(lua_State* L, int index, const char* name) {
  if (T* object = to_object<T>(L, index)) return *object;
  wrong_argument(L, index, name, a_or_an(T::type().name));
}

namespace detail {
template <class T>
int collect(lua_State* L) {
  T* object = to_object<T>(L, 1);
  if (object == nullptr) return 0;
  object->~T();
  // A finaliser of the script's may still hold it: from now on it is nothing.
  lua_pushnil(L);
  lua_setmetatable(L, 1);
  return 0;
}
}  // namespace detail

// Makes an object and pushes it.
template <class T, class... Args>
T& make_object(lua_State* L, Args&&... args) {
  void* place = lua_newuserdatauv(L, sizeof(T), 0);
  T* object = new (place) T{std::forward<Args>(args)...};
  push_metatable(L, T::type());
  if constexpr (!std::is_trivially_destructible_v<T>) {
    if (lua_getfield(L, -1, "__gc") == LUA_TNIL) {
      lua_pushcfunction(L, detail::collect<T>);
      lua_setfield(L, -3, "__gc");
    }
    lua_pop(L, 1);
  }
  lua_setmetatable(L, -2);
  return *object;
}

}  // namespace ts::scripting
