// Opening libraries, and taking one of Lua's apart.
#include "scripting/sandbox/libraries.h"

#include <algorithm>
#include <string_view>

namespace ts::scripting {
namespace {

// Lua's messages look for a function's name among the loaded libraries. They get copies, so that what a script puts into a
// library takes no time there and has no influence.
void note_names(lua_State* L, const char* library) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_newtable(L);
  if (lua_getglobal(L, library) == LUA_TTABLE) {
    lua_pushnil(L);
    while (lua_next(L, -2)) {
      lua_pushvalue(L, -2);
      lua_insert(L, -2);
      lua_isfunction(L, -1) ? lua_rawset(L, -5) : lua_pop(L, 2);
    }
  }
  lua_pop(L, 1);
  lua_setfield(L, -2, library);
  lua_pop(L, 1);
}

}  // namespace

void push_library(lua_State* L, lua_CFunction open, std::initializer_list<const char*> kept) {
  lua_pushcfunction(L, open);
  lua_call(L, 0, 1);
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lua_pop(L, 1);
    const std::string_view name = lua_tostring(L, -1);
    if (std::ranges::find(kept, name) != kept.end()) continue;
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, -4);  // allowed while walking: the field exists
  }
}

void open_libraries(lua_State* L, bool allow_io) {
  std::vector<Library> opened = Listed<Library>::all();
  if (!allow_io) std::erase_if(opened, [](const Library& library) { return library.trusted; });
  for (const Library& library : opened) library.open(L);
  for (const Library& library : opened) note_names(L, library.name);
}

}  // namespace ts::scripting
