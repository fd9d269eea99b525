// manual: what scripts can ask for.
#include <fmt/format.h>

#include <cstdio>

#include "app/cli/commands.h"
#include "app/cli/program_file.h"
#include "app/panes/pane_row.h"
#include "app/settings/settings.h"
#include "app/theme/theme_files.h"
#include "app/window/commands/key_map.h"
#include "app/window/commands/window_commands.h"
#include "app/window/help/legend.h"
#include "scripting/binding/docs.h"

namespace ts {

namespace {

// The commands that have a key or a place in a menu.
void print_commands() {
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
}

}  // namespace

int manual_command(bool stubs, bool keys, bool panes) {
  if (panes) {
    fmt::print("{}", ui::panes_manual());
    return kOk;
  }
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

// A theme as a file that can be changed.
int print_theme(const std::string& name) {
  std::vector<ui::Theme> own;
  for (ui::ThemeFile& file : ui::read_theme_folder(ui::themes_folder()))
    if (file.theme) own.push_back(std::move(*file.theme));
  ui::set_user_themes(std::move(own));
  const ui::Theme* theme = ui::find_theme(name);
  if (theme == nullptr) {
    std::string names;
    for (const std::string& one : ui::theme_names()) names += (names.empty() ? "" : ", ") + one;
    return fail(fmt::format("there is no theme {}", name), "themes are " + names);
  }
  fmt::print("{}", ui::theme_text(*theme));
  return kOk;
}

}  // namespace ts
