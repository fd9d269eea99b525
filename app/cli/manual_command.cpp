// manual: what scripts can ask for.
#include <fmt/format.h>

#include <cstdio>

#include "app/cli/commands.h"
#include "app/window/window_commands.h"
#include "scripting/docs.h"

namespace ts {

namespace {

// The commands that have a key or a place in a menu.
void print_commands() {
  fmt::print(
      "# Keys and commands of the window\n\nCtrl+Shift+P finds any of them by parts of its name.\n\n"
      "| key | command | menu | what it does |\n|---|---|---|---|\n");
  for (const CommandRow* row : ui::all_commands())
    if (ui::stands_alone(*row)) fmt::print("| {} | {} | {} | {} |\n", row->keys, row->title, row->menu, row->help);
  fmt::print("\nB shows the state before the step for as long as it is held.\n");
}

}  // namespace

int manual_command(bool stubs, bool keys) {
  if (keys) {
    print_commands();
    return kOk;
  }
  if (stubs) {
    fmt::print("{}", scripting::editor_stubs());
    return kOk;
  }
  const char* gap = "";
  for (const scripting::ManualPage& page : scripting::manual_pages()) {
    fmt::print("{}{}", gap, page.text);
    gap = "\n";
  }
  return kOk;
}

}  // namespace ts
