// The File menu.
#include "app/window/commands/rows.h"
#include "app/window/desk/exports.h"
#include "app/window/shell/shell.h"

namespace ts::ui {
namespace {

void open(Shell& shell, const Command& command) {
  if (command.text(0).empty()) shell.chooser().open();
  else shell.open(command.text(0));
}

bool asks_recording(Shell& shell, const Command& command) {
  return shell.asks_file(command, "Save the recording", ".ptorec");
}
bool asks_page(Shell& shell, const Command& command) { return shell.asks_file(command, "Export a page", ".html"); }
bool asks_trace(Shell& shell, const Command& command) { return shell.asks_file(command, "Export a trace", ".json"); }

void write_recording(Desk& desk, const Command& command) { save_recording(desk.walk(), command.text(0)); }
void write_page(Desk& desk, const Command& command) { export_page(desk.walk(), desk.launch(), command.text(0)); }
void write_trace(Desk& desk, const Command& command) { export_trace(desk.walk(), command.text(0)); }

}  // namespace

std::vector<CommandRow> file_rows() {
  // clang-format off
  return {
      {.name = "open", .menu = "File", .title = "Open...", .keys = "Ctrl+O",
       .help = "Opens a program: a .pto file, or a sample by its name.",
       .parameters = {{"path", kText, kMaybe}},
       .journal = kOutcome,
       .act = ShellAct{open}},
      {.name = "reload", .menu = "File", .title = "Reload", .keys = "Ctrl+R",
       .help = "Runs the program's file again; the place and the breakpoints stay.",
       .journal = kOutcome,
       .act = DeskAct{[](Desk& desk, const Command&) { desk.reload(); }}},
      {.name = "saveRecording", .menu = "File", .title = "Save recording as...", .keys = "Ctrl+S",
       .help = "Keeps the run in a file, with breakpoints, bookmarks, watches and findings.",
       .parameters = {{"path", kText, kMaybe}},
       .journal = as_line("-- rec:save($*)"),
       .act = AskedAct{asks_recording, write_recording}},
      {.name = "exportPage", .menu = "File", .title = "Export a page of this step...",
       .help = "Writes a page in HTML about the finding or step that is shown: its picture, values and how to get there.",
       .parameters = {{"path", kText, kMaybe}},
       .journal = as_line("-- rec:report($*)"),
       .act = AskedAct{asks_page, write_page}},
      {.name = "exportTrace", .menu = "File", .title = "Export the steps as a trace...",
       .help = "Writes the steps by their pipes, for ui.perfetto.dev.",
       .parameters = {{"path", kText, kMaybe}},
       .journal = as_line("-- rec:exportTrace($*)"),
       .act = AskedAct{asks_trace, write_trace}},
      {.name = "close", .menu = "File", .title = "Close program",
       .help = "Back to the start page.",
       .journal = kOutcome,
       .act = DeskAct{[](Desk& desk, const Command&) { desk.close(); }}},
      {.name = "quit", .menu = "File", .title = "Quit", .keys = "Ctrl+Q",
       .help = "Leaves TileScope; layout and settings are kept.",
       .journal = kUnwritten,
       .act = ShellAct{[](Shell& shell, const Command&) { shell.screen().close(); }}},
  };
  // clang-format on
}

}  // namespace ts::ui
