// Files that scripts write: always new ones below the current folder, by the host's leave.
#pragma once

#include <initializer_list>
#include <lua.hpp>
#include <string>
#include <string_view>

#include "core/data/file.h"

namespace ts::scripting {

struct NewFile {
  std::string path;
  data::WriteRules rules;
};
// At the path of argument `index`, a file with one of these endings that may be made.
NewFile check_new_file(lua_State* L, std::initializer_list<std::string_view> endings, int index = 2);
// "tile:save: text".
[[noreturn]] void raise_error(lua_State* L, const data::Error& error);

}  // namespace ts::scripting
