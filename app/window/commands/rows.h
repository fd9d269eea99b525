// The window's rows, menu by menu.
#pragma once

#include <vector>

#include "app/window/commands/acts.h"

namespace ts::ui {

std::vector<CommandRow> file_rows();
std::vector<CommandRow> view_rows();
std::vector<CommandRow> run_rows();    // Run and Step
std::vector<CommandRow> setup_rows();  // Run: settings
std::vector<CommandRow> tile_rows();
std::vector<CommandRow> compare_rows();
std::vector<CommandRow> check_rows();
std::vector<CommandRow> lesson_rows();
std::vector<CommandRow> script_rows();  // Script, and notes
std::vector<CommandRow> help_rows();

// What the window knows more of a session's row than the session: what is selected, which step the stage shows. Null: no
// more.
DeskAct desk_act_of_session_row(const CommandRow& row);

}  // namespace ts::ui
