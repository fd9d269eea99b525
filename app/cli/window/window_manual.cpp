// manual: what the window says of itself.
#include <fmt/format.h>

#include <string_view>

#include "app/cli/commands.h"
#include "app/panes/pane_row.h"
#include "app/window/commands/key_map.h"
#include "app/window/commands/window_commands.h"
#include "app/window/help/legend.h"

namespace ts {

// The commands that have a key or a place in a menu.
int print_keys() {
  fmt::print(
      "# Keys and commands of the window\n\nCtrl+Shift+P finds any of them by parts of its name.\n\n"
      "| key | command | menu | what it does |\n|---|---|---|---|\n");
  for (const CommandRow* row : ui::all_commands())
    if (stands_alone(*row)) fmt::print("| {} | {} | {} | {} |\n", row->keys, row->title, row->menu, row->help);
  fmt::print(
      "\nView > Keys gives commands other keys. These belong to the window itself:\n\n| key | what it does "
      "|\n|---|---|\n");
  for (const ui::FixedKey& row : ui::fixed_keys()) fmt::print("| {} | {} |\n", row.keys, row.help);
  for (const ui::KeyPreset& preset : ui::key_presets()) {
    if (preset.keys.empty()) continue;
    fmt::print("\nWith the keys of {}:\n\n| key | command |\n|---|---|\n", preset.title);
    for (const ui::PresetKey& key : preset.keys)
      fmt::print("| {} | {} |\n", key.keys, ui::find_any_command(key.command)->title);
  }
  return kOk;
}

int print_panes() {
  fmt::print("{}", ui::panes_manual());
  return kOk;
}

// What the marks of the window mean.
int print_legend() {
  std::string_view group;
  for (const ui::LegendRow& row : ui::legend_rows()) {
    if (group != row.group) fmt::print("{}{}\n", group.empty() ? "" : "\n", row.group);
    group = row.group;
    fmt::print("  {:<18} {}\n", row.id, row.text);
  }
  return kOk;
}

}  // namespace ts
