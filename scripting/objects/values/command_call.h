// A command of the tables as a function of scripts: its arguments and its signature are those of its row.
#pragma once

#include <lua.hpp>
#include <string>
#include <vector>

#include "core/debug/session/commands.h"

namespace ts::scripting {

// What stands from `index` on, checked; the first nil is the end.
std::vector<CommandValue> check_command_values(lua_State* L, int index, const CommandRow& row);
// "(tile: tile | string, row?: integer)".
std::string parameters_text(const CommandRow& row);
// Arguments that every command of these parameters takes, for examples: `"x", 0`.
std::string example_arguments(const CommandRow& row);

}  // namespace ts::scripting
