// Everything the user can ask of a session by a key, a menu, a palette or a script: one row each. Names, keys and help
// stand here and nowhere else.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/debug/session/session.h"

namespace ts {

struct CommandRow {
  const char* name;  // in scripts: rec:over()
  const char* menu;
  const char* title;
  const char* keys;  // "Shift+F11"; empty: none
  const char* help;  // a sentence
  // What it does; null: it takes arguments, and whoever has them does it.
  Stopped (*run)(Session&) = nullptr;
  const char* arguments = "";  // "(position)"
  // How the journal writes it, and by that what scripts call:
  //   ""    by its name: rec:over() where `run` is, else gui.checkNow()
  //   "="   what it changed is written by who changes it, such as gui.select("t2", 1, 5); gui has a function of its name
  //   "-"   not at all, and no script calls it: it asks a person, or belongs to the screen alone
  //   else  Lua, with $1 for the first argument and $* for all of them: rec:seek($*)
  const char* lua = "";
};

std::span<const CommandRow> commands();
const CommandRow* find_command(std::string_view name);

// Rows of other tables, such as the window's: what they do is not for core to know, but scripts know their names. They
// live as long as the program.
struct RegisteredCommands {
  explicit RegisteredCommands(const std::vector<const CommandRow*>& rows);
};
std::span<const CommandRow* const> registered_commands();
// Whether `gui` has a function of the row's name.
bool is_called_by_gui(const CommandRow& row);

}  // namespace ts
