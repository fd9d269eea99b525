// The Script menu, and notes.
#include "app/window/commands/rows.h"
#include "app/window/desk/notes.h"
#include "app/window/shell/shell.h"

namespace ts::ui {
namespace {

void watch(Desk& desk, const Command& command) {
  desk.change("watching", [text = command.text(0)](Session& session) -> std::optional<Refusal> {
    return text.empty() ? std::nullopt : session.watch(text);
  });
}

void edit_watch(Desk& desk, const Command& command) {
  desk.change("watching",
              [index = command.count(0), text = command.text(1)](Session& session) -> std::optional<Refusal> {
                if (index < session.watches().size() && !text.empty()) session.change_watch(index, text);
                return {};
              });
}

void unwatch(Desk& desk, const Command& command) {
  desk.change("watching", [index = command.count(0)](Session& session) -> std::optional<Refusal> {
    if (index < session.watches().size()) session.remove_watch(index);
    return {};
  });
}

bool asks_journal(Shell& shell, const Command& command) { return shell.asks_file(command, "Save the journal", ".lua"); }
void save_journal(Desk& desk, const Command& command) { desk.journal().save(command.text(0)); }

bool asks_script(Shell& shell, const Command& command) {
  if (!command.text(0).empty()) return false;
  shell.chooser().open({"Run a script", {".lua"}, {"runScript"}});
  return true;
}
void run_script(Desk& desk, const Command& command) { desk.scripts().run_file(command.text(0)); }

bool asks_note(Shell& shell, const Command& command) {
  if (!command.values.empty()) return false;
  shell.show_pane("notes");
  if (Pane* pane = shell.panes().find("notes")) pane->act({"note"}, shell.desk().view(), shell.queue());
  return true;
}
void put_note(Desk& desk, const Command& command) { write_note(desk.walk(), command); }

std::vector<CommandRow> journal_rows() {
  // clang-format off
  return {
      {.name = "journal", .menu = "Script", .title = "Journal", .words = "macro, record, history of commands",
       .help = "Shows what was done, as the lines of a script.",
       .journal = kOutcome,
       .act = ShellAct{[](Shell& shell, const Command&) { shell.show_pane("journal"); }}},
      {.name = "copyJournal", .menu = "Script", .title = "Copy the journal as a script", .words = "copy script", .keys = "Ctrl+Shift+J",
       .help = "Puts a script on the clipboard that does the same again, and asserts that it comes to the same.",
       .journal = kUnwritten,
       .act = ShellAct{[](Shell& shell, const Command&) {
         shell.screen().set_clipboard(shell.desk().journal().take_script());
       }}},
      {.name = "saveJournal", .menu = "Script", .title = "Save the journal as a script...", .words = "save script, macro",
       .help = "Writes that script into a file.",
       .parameters = {{"path", kText, kMaybe}},
       .journal = kUnwritten,
       .act = AskedAct{asks_journal, save_journal}},
      {.name = "runJournal", .menu = "Script", .title = "Run the journal again", .words = "replay, repeat",
       .help = "Runs the program anew and does all of it once more; says whether it came to the same.",
       .journal = kUnwritten,
       .act = DeskAct{[](Desk& desk, const Command&) { desk.scripts().run_journal(); }}},
      {.name = "clearJournal", .menu = "Script", .title = "Clear the journal",
       .help = "Forgets what was done; a script then begins here.",
       .journal = kUnwritten,
       .act = DeskAct{[](Desk& desk, const Command&) { desk.journal().clear(); }}},
  };
  // clang-format on
}

std::vector<CommandRow> note_rows() {
  // clang-format off
  return {
      {.name = "note", .menu = "Run", .title = "Write a note", .words = "comment, annotate, remark", .keys = "Ctrl+Shift+B",
       .help = "Writes a note about the shown step and the selected element.",
       .parameters = {{"text", kText, kMaybe},
                      {"step", kInteger, kMaybe},
                      {"tile", kTile, kMaybe},
                      {"row", kInteger, kMaybe},
                      {"col", kInteger, kMaybe}},
       .journal = kOutcome,
       .act = AskedAct{asks_note, put_note}},
      {.name = "showNote", .menu = "Run", .title = "Go to a note",
       .help = "Goes to the step and element of a note by its number in the list.",
       .parameters = {{"index", kInteger}},
       .journal = kOutcome,
       .act = DeskAct{[](Desk& desk, const Command& command) { show_note(desk.walk(), command.count(0)); }}},
  };
  // clang-format on
}

}  // namespace

std::vector<CommandRow> script_rows() {
  std::vector<CommandRow> rows{
      {.name = "console",
       .menu = "Script",
       .title = "Type into the console",
       .help = "Runs a line of Lua in the console.",
       .parameters = {{"line", kText}},
       .journal = kOutcome,
       .act = DeskAct{[](Desk& desk, const Command& command) { desk.scripts().type(command.text(0)); }}},
      {.name = "watch",
       .menu = "Script",
       .title = "Watch an expression",
       .help = "Shows an expression wherever the session stands.",
       .parameters = {{"text", kText}},
       .journal = kOutcome,
       .act = DeskAct{watch}},
      {.name = "editWatch",
       .menu = "Script",
       .title = "Change a watched expression",
       .help = "Puts another expression in its place.",
       .parameters = {{"index", kInteger}, {"text", kText}},
       .journal = kOutcome,
       .act = DeskAct{edit_watch}},
      {.name = "unwatch",
       .menu = "Script",
       .title = "Stop watching",
       .help = "Takes a watched expression away.",
       .parameters = {{"index", kInteger}},
       .journal = kOutcome,
       .act = DeskAct{unwatch}},
      {.name = "runScript",
       .menu = "Script",
       .title = "Run a script...",
       .words = "lua, macro, automate",
       .keys = "Ctrl+Shift+O",
       .help = "Runs a Lua file; a recording that it makes is shown in the window.",
       .parameters = {{"path", kText, kMaybe}},
       .journal = kOutcome,
       .act = AskedAct{asks_script, run_script}},
      {.name = "pressButton",
       .menu = "Script",
       .title = "Press a button of a panel",
       .help = "Presses a button of a script's panel.",
       .parameters = {{"panel", kText}, {"button", kText}},
       .journal = kOutcome,
       .act = DeskAct{[](Desk& desk, const Command& command) {
         desk.scripts().press_button(command.text(0), command.text(1));
       }}},
      {.name = "closePanel",
       .menu = "Script",
       .title = "Close a panel",
       .help = "Takes a script's panel away.",
       .parameters = {{"panel", kText}},
       .journal = kOutcome,
       .act = DeskAct{[](Desk& desk, const Command& command) { desk.scripts().close_panel(command.text(0)); }}},
  };
  for (const auto more : {journal_rows, note_rows})
    for (CommandRow& row : more()) rows.push_back(std::move(row));
  return rows;
}

std::vector<CommandRow> help_rows() {
  // clang-format off
  return {
      {.name = "explain", .menu = "Help", .title = "What is this?", .words = "help, what is this", .keys = "F1",
       .help = "Explains what is under the mouse, or has the focus: a mark, an instruction, a command, a pane.",
       .act = ShellAct{[](Shell& shell, const Command&) { shell.explainer().ask(); }}},
      {.name = "page", .menu = "Help", .title = "Page of this instruction", .words = "documentation, manual, instruction reference, docs", .keys = "Shift+F1",
       .help = "What the instruction does, its rules, its micro-operations.",
       .parameters = {{"mnemonic", kText, kMaybe}},
       .act = PaneAct{.front = true}},
      {.name = "guide", .menu = "Help", .title = "The language, line by line", .words = "language guide, syntax, grammar, how to write a program, first program",
       .help = "A program built from one instruction to a loop over a matrix with a tail.",
       .act = PaneAct{.front = true}},
      {.name = "legend", .menu = "Help", .title = "Legend", .words = "colours, colors, symbols, marks, key to the marks", .keys = "Ctrl+L",
       .help = "What every mark means.",
       .act = ShellAct{[](Shell& shell, const Command&) { shell.legend().toggle(); }}},
      {.name = "tour", .menu = "Help", .title = "Show me", .words = "getting started, introduction",
       .help = "A tour of two minutes: from opening a program to where a value came from.",
       .act = ShellAct{[](Shell& shell, const Command&) { shell.tour().begin(shell.queue()); }}},
  };
  // clang-format on
}

}  // namespace ts::ui
