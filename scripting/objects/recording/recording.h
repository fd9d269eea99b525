// Methods of recordings that stand in files of their own.
#pragma once

#include <lua.hpp>

namespace ts::scripting {

int recording_steps(lua_State* L);  // step_search.cpp
int recording_find(lua_State* L);
int recording_micro_steps(lua_State* L);  // micro_steps.cpp
int recording_fork(lua_State* L);         // fork.cpp

}  // namespace ts::scripting
