// From the table of pto.lesson to a lesson.
#pragma once

#include <lua.hpp>
#include <memory>

#include "scripting/objects/lesson/open_lesson.h"

namespace ts::scripting {

// The table at `index`, checked; raises what is wrong with it, by the step's number and the field.
std::shared_ptr<OpenLesson> read_lesson(lua_State* L, int index);

}  // namespace ts::scripting
