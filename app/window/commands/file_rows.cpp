// The File menu.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <system_error>

#include "app/files/editor.h"
#include "app/settings/trusted_folders.h"
#include "app/view/key_hints.h"
#include "app/window/commands/rows.h"
#include "app/window/desk/exports.h"
#include "app/window/film/film_maker.h"
#include "app/window/shell/shell.h"
#include "core/data/film/child_program.h"
#include "core/data/source_file.h"

namespace ts::ui {
namespace {

constexpr std::size_t kMostSourceFolders = 16;
// One step at a time may be a little longer.
constexpr std::uint32_t kWindowFilmFrames = 36, kWindowFilmFps = 12;

void open(Shell& shell, const Command& command) {
  if (command.text(0).empty()) shell.chooser().open();
  else shell.open(command.text(0));
}

bool asks_recording(Shell& shell, const Command& command) {
  return shell.asks_file(command, "Save the recording", ".ptorec");
}
bool asks_page(Shell& shell, const Command& command) { return shell.asks_file(command, "Export a page", ".html"); }
// --- pictures and films ---

void save_picture(Shell& shell, const Command& command) {
  if (!shell.asks_file(command, "Save a picture", ".png")) shell.picture().wish(command.text(0));
}

void copy_picture(Shell& shell, const Command&) {
  if (shell.desk().view().recording() == nullptr) return shell.desk().tell("nothing is open", "open a program first");
  shell.picture().wish("");
}

// Of the shown step, where no others are named.
void save_film(Shell& shell, const Command& command) {
  if (shell.asks_file(command, "Save a film", ".gif")) return;
  Desk& desk = shell.desk();
  const auto shown = desk.view().shown_step();
  const std::string named = command.text(1);
  const auto steps =
      film_steps(named.empty() && shown ? std::to_string(*shown) : named, desk.view().recording()->count());
  if (!steps) return desk.tell(fmt::format("'{}' are no steps of this program", named), "3..9, or 4", true);
  FilmPlan plan{.path = command.text(0), .first = steps->first, .last = steps->second, .frames = kWindowFilmFrames};
  plan.fps = kWindowFilmFps;
  auto form = data::film_form(plan.path, plan.fps);
  if (const auto* error = std::get_if<data::Error>(&form)) return desk.tell(error->text, error->hint, true);
  const bool captions = command.values.size() < 3 || command.number(2, 1) != 0;
  shell.begin_film(std::make_unique<FilmMaker>(plan, std::get<std::unique_ptr<data::FilmForm>>(std::move(form))),
                   captions);
}

bool asks_trace(Shell& shell, const Command& command) { return shell.asks_file(command, "Export a trace", ".json"); }

bool asks_source(Shell& shell, const Command& command) {
  if (shell.desk().view().recording() == nullptr || shell.desk().view().sources().empty()) {
    shell.desk().tell("the program does not say which files it came from", "loc(...) after its operations would");
    return true;
  }
  if (!command.text(0).empty()) return false;
  std::set<std::string> endings;
  for (const std::string& file : shell.desk().view().sources().files())
    endings.insert(std::filesystem::path(file).extension());
  shell.chooser().open({"A file that the program came from", {endings.begin(), endings.end()}, command});
  return true;
}

// The folder itself, or the one that a file of it is in.
void add_source_folder(Desk& desk, const Command& command) {
  if (desk.view().recording() == nullptr) return;
  std::error_code error;
  std::filesystem::path folder = std::filesystem::absolute(command.text(0), error);
  if (!std::filesystem::is_directory(folder, error)) folder = folder.parent_path();
  const std::string named = folder.string();
  const auto& files = desk.view().sources().files();
  const bool helps = std::ranges::any_of(files, [&](const std::string& file) {
    return data::find_below({&named, 1}, file).has_value();
  });
  if (!helps)
    return desk.tell(fmt::format("{} holds none of the program's files", named),
                     fmt::format("looked for: {}", fmt::join(files, ", ")), true);
  std::vector<std::string>& folders = desk.view().source_folders();
  std::erase(folders, named);
  folders.insert(folders.begin(), named);
  if (folders.size() > kMostSourceFolders) folders.resize(kMostSourceFolders);
}

void choose_entry(Desk& desk, const Command& command) {
  const Document* document = desk.view().document();
  if (document == nullptr) return desk.tell("nothing is open", "open a program first");
  const std::vector<std::string>& entries = document->entries;
  if (const std::string wanted = command.text(0); std::ranges::find(entries, wanted) == entries.end())
    return desk.tell(wanted.empty() ? fmt::format("{} runs {}", document->name, document->entry)
                                    : fmt::format("no entry point is called {}", wanted),
                     fmt::format("there is {}", fmt::join(entries, ", ")), !wanted.empty());
  Launch launch = desk.launch();
  launch.entry = command.text(0);
  launch.at.reset();
  desk.open(std::move(launch));
}

void run_code(Desk& desk, const Command&) {
  const Document* document = desk.view().document();
  if (document == nullptr || !document->asks_to_run)
    return desk.tell("there is no C++ file that waits to be run", "open one first");
  trust_folder_of(desk.launch().name);
  Launch launch = desk.launch();
  launch.may_compile = true;
  desk.open(std::move(launch));
}

// --- the editor ---

void choose_editor(Shell& shell, const Command& command) {
  if (command.values.empty()) return shell.palette().open_editors(shell.editor());
  shell.editor() = command.text(0);
  const std::string used = shell.editor().empty() ? "the usual editor" : shell.editor();
  shell.desk().tell("lines are opened by " + used,
                    fmt::format("{} opens one", with_key("File > Open this line in an editor", "openInEditor")));
}

// The Program pane knows which line is meant where none is named.
void open_in_editor(Shell& shell, const Command& command) {
  Desk& desk = shell.desk();
  const std::string file = command.text(1);
  if (file.empty()) {
    for (const auto& pane : shell.panes().all())
      if (pane->act({command.name}, desk.view(), shell.queue())) return;
    return desk.tell(
        "there is no file here whose line an editor could open",
        "samples and recordings bring their text along; tilescope fmt NAME > kernel.pto makes a file of one");
  }
  const std::string& chosen = shell.editor();
  const std::string used =
      chosen.empty() ? usual_editor(data::find_program, std::getenv("VISUAL"), std::getenv("EDITOR")) : chosen;
  const auto words = editor_words(used, file, command.count(0, 1), data::find_program);
  if (const auto* refused = std::get_if<Refusal>(&words)) return desk.tell(refused->text, refused->hint);
  const auto& started = std::get<std::vector<std::string>>(words);
  if (!data::start_apart(started))
    return desk.tell(fmt::format("{} did not start", started[0]), "File > Editor... chooses another one");
  desk.tell(fmt::format("line {} is opened by {}", command.count(0, 1), started[0]), "a file that is saved runs again");
}

void write_recording(Desk& desk, const Command& command) { save_recording(desk.walk(), command.text(0)); }
void write_page(Desk& desk, const Command& command) { export_page(desk.walk(), desk.launch(), command.text(0)); }
void write_trace(Desk& desk, const Command& command) { export_trace(desk.walk(), command.text(0)); }

}  // namespace

std::vector<CommandRow> file_rows() {
  // clang-format off
  return {
      {.name = "open", .menu = "File", .title = "Open...", .words = "load, file, sample, example, program", .keys = "Ctrl+O",
       .help = "Opens a program: a .pto or .cpp file, or a sample by its name.",
       .parameters = {{"path", kText, kMaybe}},
       .journal = kOutcome,
       .act = ShellAct{open}},
      {.name = "reload", .menu = "File", .title = "Reload", .words = "refresh, run again, rerun", .keys = "Ctrl+R",
       .help = "Runs the program's file again; the place and the breakpoints stay.",
       .journal = kOutcome,
       .act = DeskAct{[](Desk& desk, const Command&) { desk.reload(); }}},
      {.name = "reopen", .menu = "File", .title = "Go on where I was", .words = "reopen, last program, previous, session, restore", .keys = "Ctrl+Shift+T",
       .help = "Opens the program that was open last as it was: what it was given, the place and what was selected.",
       .journal = kOutcome,
       .act = ShellAct{[](Shell& shell, const Command&) { shell.reopen(); }}},
      {.name = "openCutOff", .menu = "File", .title = "The run that was cut off", .words = "crash, recover, rescue, restore, killed, recording so far",
       .help = "Where TileScope ended while it recorded: opens that run as far as it was, by running it again.",
       .journal = kOutcome,
       .act = DeskAct{[](Desk& desk, const Command&) { desk.open_cut_off(); }}},
      {.name = "entry", .menu = "File", .title = "Entry point...", .words = "function, kernel, main",
       .help = "Runs another entry point of the file; without a name it says which there are.",
       .parameters = {{"name", kText, kMaybe}},
       .journal = kOutcome,
       .act = DeskAct{choose_entry}},
      {.name = "runCode", .menu = "File", .title = "Run this file's code", .words = "trust, compile, allow, c++, cpp",
       .help = "Compiles and runs the C++ file that is open; files of its folder are not asked about any more.",
       .journal = kUnwritten,
       .act = DeskAct{run_code}},
      {.name = "sourceFolder", .menu = "File", .title = "Where its sources are...", .words = "source path, python files",
       .help = "Names a folder for files that the program came from, by its loc(...); it is remembered with the program.",
       .parameters = {{"path", kText, kMaybe}},
       .journal = kUnwritten,
       .act = AskedAct{asks_source, add_source_folder}},
      {.name = "openInEditor", .menu = "File", .title = "Open this line in an editor", .words = "edit file, edit source, vs code, vim, emacs, editor", .keys = "Ctrl+Shift+E",
       .help = "Opens the line of the program, or of the file it came from, in the editor that Editor... names.",
       .parameters = {{"line", kInteger, kMaybe}, {"file", kText, kMaybe}},
       .journal = kUnwritten,
       .act = ShellAct{open_in_editor}},
      {.name = "editor", .menu = "File", .title = "Editor...", .words = "external editor, choose editor, configure editor",
       .help = "Says by which command lines are opened: code --goto {file}:{line}.",
       .parameters = {{"command", kText, kMaybe}},
       .journal = kUnwritten,
       .act = ShellAct{choose_editor}},
      {.name = "saveRecording", .menu = "File", .title = "Save recording as...", .words = "save, store, ptorec, keep", .keys = "Ctrl+S",
       .help = "Keeps the run in a file, with breakpoints, bookmarks, watches and findings.",
       .parameters = {{"path", kText, kMaybe}},
       .journal = as_line("-- rec:save($*)"),
       .act = AskedAct{asks_recording, write_recording}},
      {.name = "exportPage", .menu = "File", .title = "Export a page of this step...", .words = "report, html, share, bug report",
       .help = "Writes a page in HTML about the finding or step that is shown: its picture, values and how to get there.",
       .parameters = {{"path", kText, kMaybe}},
       .journal = as_line("-- rec:report($*)"),
       .act = AskedAct{asks_page, write_page}},
      {.name = "exportTrace", .menu = "File", .title = "Export the steps as a trace...", .words = "perfetto, chrome trace, json, profile",
       .help = "Writes the steps by their pipes, for ui.perfetto.dev.",
       .parameters = {{"path", kText, kMaybe}},
       .journal = as_line("-- rec:exportTrace($*)"),
       .act = AskedAct{asks_trace, write_trace}},
      {.name = "savePicture", .menu = "File", .title = "Save a picture of the stage...", .words = "screenshot, png, image, export",
       .help = "Writes a picture of the stage as it is seen.",
       .parameters = {{"path", kText, kMaybe}},
       .journal = kUnwritten,
       .act = ShellAct{save_picture}},
      {.name = "copyPicture", .menu = "File", .title = "Copy a picture of the stage", .words = "screenshot, clipboard, image", .keys = "Ctrl+Shift+S",
       .help = "Puts a picture of the stage onto the clipboard, by xclip or wl-copy.",
       .journal = kUnwritten,
       .act = ShellAct{copy_picture}},
      {.name = "saveFilm", .menu = "File", .title = "Save a film of this step...", .words = "gif, animation, video, webm, record, export",
       .help = "Writes the move of a step, or of steps 3..9, as .gif, .webm or a folder of pictures; with captions or without.",
       .parameters = {{"path", kText, kMaybe}, {"steps", kText, kMaybe}, {"captions", kFlag, kMaybe}},
       .journal = kUnwritten,
       .act = ShellAct{save_film}},
      {.name = "close", .menu = "File", .title = "Close program", .words = "unload",
       .help = "Back to the start page.",
       .journal = kOutcome,
       .act = DeskAct{[](Desk& desk, const Command&) { desk.close(); }}},
      {.name = "quit", .menu = "File", .title = "Quit", .words = "exit, leave", .keys = "Ctrl+Q",
       .help = "Leaves TileScope; layout and settings are kept.",
       .journal = kUnwritten,
       .act = ShellAct{[](Shell& shell, const Command&) { shell.screen().close(); }}},
  };
  // clang-format on
}

}  // namespace ts::ui
