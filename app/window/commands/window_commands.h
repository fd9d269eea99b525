// The window's own commands. Together with the session's they are the one table that menus, keys and palette are made
// of.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "app/window/commands/acts.h"

namespace ts::ui {

// The session's rows and the window's; the order is that of the menus.
const std::vector<const CommandRow*>& all_commands();
const CommandRow* find_any_command(std::string_view name);
// The menus, in their order, and the letters that open them together with Alt.
struct Menu {
  const char* name;
  char letter;
};
std::span<const Menu> menus();

// What a row does; null: not this kind of thing.
DeskAct desk_act_of(const CommandRow& row);
ShellAct shell_act_of(const CommandRow& row);
const AskedAct* asked_act_of(const CommandRow& row);
const PaneAct* pane_act_of(const CommandRow& row);

}  // namespace ts::ui
