// The window's own commands. Together with core's they are the one table that menus, keys and palette are made of.
#pragma once

#include <string_view>
#include <vector>

#include "app/view/command.h"
#include "core/debug/session/commands.h"

namespace ts::ui {

class Shell;

// Core's rows and the window's; the order is that of the menus.
const std::vector<const CommandRow*>& all_commands();
const CommandRow* find_any_command(std::string_view name);
// Whether it makes sense without arguments: by a key, from a menu.
bool stands_alone(const CommandRow& row);

// False: none of the window's.
bool carry_out_window_command(Shell& shell, const Command& command);

}  // namespace ts::ui
