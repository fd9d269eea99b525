// The menu Run, its part about settings: how the program is run, and setups by name.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "app/window/commands/rows.h"
#include "app/window/shell/shell.h"
#include "core/report/escape.h"

namespace ts::ui {
namespace {

constexpr const char* kSettings = "Settings";

void tell_refused(Desk& desk, const std::optional<Refusal>& refused) {
  if (refused) desk.tell(refused->text, refused->hint, true);
}

void open_settings(Shell& shell, const Command& command) {
  if (!shell.desk().settings().can_run())
    return shell.desk().tell("there is no program that could be run in another way",
                             "lessons and recordings run as they say; open a program");
  const std::string part = command.text(0);
  if (shell.run_sheet().is_open() && part.empty()) shell.run_sheet().close();
  else shell.run_sheet().open(part), shell.desk().settings().look();
}

// "target", "a5"; or of one input: "arrays", "x", "x.npy".
void set_setting(Desk& desk, const Command& command) {
  const bool is_pair = command.values.size() > 2;
  tell_refused(desk, desk.settings().set(command.text(0), is_pair ? command.text(1) : "",
                                         is_pair ? command.text(2) : command.text(1)));
}

void bind_array(Shell& shell, const Command& command) {
  const auto refused = shell.desk().settings().bind_file(command.text(0), command.text(1));
  tell_refused(shell.desk(), refused);
  if (shell.desk().settings().can_run()) shell.run_sheet().open("");
}

void choose_array(Shell& shell, const Command& command) {
  Wanted wanted{
      "An array for " + command.text(0), {".npy", ".npz", ".bin", ".raw"}, {"setSetting", {"arrays", command.text(0)}}};
  if (const Document* document = shell.desk().view().document(); document != nullptr && !document->path.empty()) {
    std::error_code failed;
    wanted.folder = std::filesystem::absolute(document->path, failed).parent_path();
  }
  shell.chooser().open(std::move(wanted));
}

void reset_settings(Desk& desk, const Command& command) {
  if (!desk.settings().can_run()) return;
  desk.settings().set(command.text(0) == "usual" ? cases::Setup{} : desk.settings().running());
}

void copy_run_command(Shell& shell, const Command&) {
  const Desk& desk = shell.desk();
  if (!desk.settings().can_run())
    return shell.desk().tell("nothing is open that a command line could run", "open a program first");
  std::string line = "tilescope run " + shell_word(desk.launch().name);
  for (const std::string& word : cases::words_of(desk.settings().draft())) line += " " + shell_word(word);
  shell.screen().set_clipboard(line);
  shell.desk().tell("copied: " + line);
}

}  // namespace

std::vector<CommandRow> setup_rows() {
  // clang-format off
  return {
      {.name = "runSettings", .menu = "Run", .group = kSettings, .title = "How it runs...", .words = "settings, arguments, input, inputs, array, arrays, npy, data, other inputs, target, blocks, seed, scalars, parameters, setup, run with", .keys = "Ctrl+Shift+R",
       .help = "Opens the sheet with everything that a run takes, at a part of it; again: closes it.",
       .parameters = {{"part", kText, kMaybe}},
       .journal = kUnwritten,
       .act = ShellAct{open_settings}},
      {.name = "runDraft", .menu = "Run", .group = kSettings, .title = "Run with these settings", .words = "run again, rerun, start, apply settings", .keys = "Ctrl+Shift+Enter",
       .help = "Runs the program as the sheet says; the place, breakpoints and notes stay.",
       .journal = kOutcome,
       .act = DeskAct{[](Desk& desk, const Command&) { desk.run_draft(); }}},
      {.name = "setSetting", .menu = "Run", .group = kSettings, .title = "Change a setting of the run",
       .help = "As setups have them: setSetting(\"target\", \"a5\"), setSetting(\"arrays\", \"x\", \"x.npy\"); an empty value: as usual.",
       .parameters = {{"setting", kText}, {"name or value", kText}, {"value", kText, kMaybe}},
       .journal = kUnwritten,
       .act = DeskAct{set_setting}},
      {.name = "bindArray", .menu = "Run", .group = kSettings, .title = "Give a file to an input",
       .help = "The file of an array for the next run; without a name for the input that it is called like.",
       .parameters = {{"path", kText}, {"input", kText, kMaybe}},
       .journal = kUnwritten,
       .act = ShellAct{bind_array}},
      {.name = "chooseArray", .menu = "Run", .group = kSettings, .title = "Choose a file for an input",
       .help = "Asks for the file of an array for the next run.",
       .parameters = {{"input", kText}},
       .journal = kUnwritten,
       .act = ShellAct{choose_array}},
      {.name = "resetSettings", .menu = "Run", .group = kSettings, .title = "Settings as it runs now", .words = "reset, undo settings, usual",
       .help = "The sheet says again how the program runs now; with \"usual\": everything as if nobody had said anything.",
       .parameters = {{"to", kText, kMaybe}},
       .journal = kUnwritten,
       .act = DeskAct{reset_settings}},
      {.name = "saveSetup", .menu = "Run", .group = kSettings, .title = "Save the settings by a name",
       .help = "Keeps the settings in PROGRAM.tilescope beside the program; the command line takes them by --setup NAME.",
       .parameters = {{"name", kText}},
       .journal = kUnwritten,
       .act = DeskAct{[](Desk& desk, const Command& command) { desk.settings().save(command.text(0)); }}},
      {.name = "loadSetup", .menu = "Run", .group = kSettings, .title = "Load saved settings",
       .help = "Takes settings from the file beside the program into the sheet; with 1 also where its files lie outside of that folder.",
       .parameters = {{"name", kText}, {"outside", kFlag, kMaybe}},
       .journal = kUnwritten,
       .act = DeskAct{[](Desk& desk, const Command& command) {
         desk.settings().load(command.text(0), command.number(1, 0) != 0 ? cases::SetupFiles::Anywhere : cases::SetupFiles::Below);
       }}},
      {.name = "deleteSetup", .menu = "Run", .group = kSettings, .title = "Delete saved settings",
       .help = "Takes settings out of the file beside the program.",
       .parameters = {{"name", kText}},
       .journal = kUnwritten,
       .act = DeskAct{[](Desk& desk, const Command& command) { desk.settings().remove(command.text(0)); }}},
      {.name = "copyRunCommand", .menu = "Run", .group = kSettings, .title = "Copy the settings as a command line", .words = "reproduce, shell, cli, tilescope run",
       .help = "Puts the command line onto the clipboard that runs the program as the sheet says.",
       .journal = kUnwritten,
       .act = ShellAct{copy_run_command}},
  };
  // clang-format on
}

}  // namespace ts::ui
