// All rows.
#include "app/window/commands/window_commands.h"

#include <algorithm>
#include <iterator>

#include "app/window/commands/rows.h"

namespace ts::ui {
namespace {

constexpr Menu kMenus[] = {{"File", 'F'},    {"View", 'V'},  {"Run", 'R'},    {"Step", 'S'},   {"Tile", 'T'},
                           {"Compare", 'C'}, {"Check", 'K'}, {"Lesson", 'L'}, {"Script", 'P'}, {"Help", 'H'}};

const std::vector<CommandRow>& window_rows() {
  static const std::vector<CommandRow> rows = [] {
    std::vector<CommandRow> all;
    for (const auto rows_of : {file_rows, view_rows, run_rows, setup_rows, tile_rows, compare_rows, check_rows,
                               lesson_rows, script_rows, help_rows})
      std::ranges::move(rows_of(), std::back_inserter(all));
    return all;
  }();
  return rows;
}

// Scripts know their names.
const RegisteredCommands kRegistered(window_rows());

bool is_before_the_session(const CommandRow& row) {
  const std::string_view menu = row.menu;
  return menu == "File" || menu == "View";
}

}  // namespace

const std::vector<const CommandRow*>& all_commands() {
  static const std::vector<const CommandRow*> rows = [] {
    std::vector<const CommandRow*> all;
    for (const CommandRow& row : window_rows())
      if (is_before_the_session(row)) all.push_back(&row);
    for (const CommandRow& row : commands()) all.push_back(&row);
    for (const CommandRow& row : window_rows())
      if (!is_before_the_session(row)) all.push_back(&row);
    return all;
  }();
  return rows;
}

const CommandRow* find_any_command(std::string_view name) {
  const auto& rows = all_commands();
  const auto found = std::ranges::find(rows, name, [](const CommandRow* row) { return std::string_view(row->name); });
  return found == rows.end() ? nullptr : *found;
}

std::span<const Menu> menus() { return kMenus; }

DeskAct desk_act_of(const CommandRow& row) {
  if (const AskedAct* asked = asked_act_of(row)) return asked->act;
  const auto* act = std::any_cast<DeskAct>(&row.act);
  return act != nullptr ? *act : desk_act_of_session_row(row);
}

ShellAct shell_act_of(const CommandRow& row) {
  const auto* act = std::any_cast<ShellAct>(&row.act);
  return act != nullptr ? *act : nullptr;
}

const AskedAct* asked_act_of(const CommandRow& row) { return std::any_cast<AskedAct>(&row.act); }

const PaneAct* pane_act_of(const CommandRow& row) { return std::any_cast<PaneAct>(&row.act); }

}  // namespace ts::ui
