// Everything the user can ask of a session by a key, a menu, a palette or a script: one row each. Names, keys and help
// stand here and nowhere else.
#pragma once

#include <span>
#include <string_view>

#include "core/debug/session.h"

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
};

std::span<const CommandRow> commands();
const CommandRow* find_command(std::string_view name);

}  // namespace ts
