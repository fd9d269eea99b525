// The rows, and what they do.
#include "app/window/window_commands.h"

#include <algorithm>
#include <iterator>

#include "app/files/files.h"
#include "app/view/lesson_view.h"
#include "app/window/shell.h"

namespace ts::ui {
namespace {

struct WindowCommand {
  CommandRow row;
  void (*act)(Shell&, const Command&);  // null: the desk or the pane with the focus does it
  bool alone = true;                    // makes sense without arguments
};

void open(Shell& shell, const Command& command) {
  if (command.text(0).empty())
    shell.chooser().open();
  else
    shell.open(command.text(0));
}

// Without a name, it is asked for.
void write_file(Shell& shell, const Command& command, const char* title, const char* ending,
                void (Desk::*write)(const std::string& path)) {
  const Recording* recording = shell.desk().view().recording();
  if (recording == nullptr) return shell.desk().tell("nothing is open that could be written", "open a program first");
  if (!command.text(0).empty()) return (shell.desk().*write)(command.text(0));
  const std::string suggestion = recording->program().name + ending;
  shell.chooser().open({title, {ending}, {command.name}, suggestion});
}

// Without a name, the file is looked for.
void compare_with(Shell& shell, const Command& command) {
  if (!command.text(0).empty())
    shell.compare_with(command.text(0));
  else
    shell.chooser().open({"Compare with a program or recording", {".pto", ".ptorec"}, {"compareWith"}});
}

void compare_array(Shell& shell, const Command& command) {
  const DebugView& view = shell.desk().view();
  std::string tile = command.text(0);
  if (tile.empty() && view.recording() != nullptr && view.selected()) tile = view.name_of(view.selected()->owner);
  if (tile.empty())
    shell.desk().tell("no tile is chosen", "select an element of the tile that the array is to be compared with");
  else if (command.text(1).empty())
    shell.chooser().open({"Compare " + tile + " with an array", {".npy"}, {"compareArray", {tile}}});
  else
    shell.compare_array(tile, command.text(1));
}

void show_levels(Shell& shell, const Command&) {
  shell.show_pane("findings");
  if (Pane* pane = shell.find_pane("findings")) pane->act({"levels"}, shell.desk().view(), shell.queue());
}

void go_to(Shell& shell, const Command&) {
  shell.palette().open(Palette::Mode::GoTo);
}

void show_lessons(Shell& shell, const Command&) {
  if (shell.desk().view().document() == nullptr) return shell.open(std::string(lessons().front().name));
  shell.set_layout("learn");
  shell.show_pane("lesson");
  if (Pane* pane = shell.find_pane("lesson")) pane->act({"lessons"}, shell.desk().view(), shell.queue());
}

void open_lesson(Shell& shell, const Command& command) {
  if (!command.text(0).empty())
    shell.open(command.text(0));
  else
    shell.chooser().open({"Open a lesson", {".lua"}, {"openLesson"}});
}

// Behind the last one: the list.
void next_lesson(Shell& shell, const Command& command) {
  const std::vector<Sample> all = lessons();
  const LessonView* now = shell.desk().view().lesson();
  if (now == nullptr) return shell.open(std::string(all.front().name));
  const auto here = std::ranges::find_if(all, [&](const Sample& one) { return now->name == std::string(one.name) + ".lua"; });
  if (here == all.end() || here + 1 == all.end()) return show_lessons(shell, command);
  shell.open(std::string((here + 1)->name));
}

const WindowCommand kWindowCommands[] = {
    // --- File ---
    {{"open", "File", "Open...", "Ctrl+O", "Opens a program: a .pto file, or a sample by its name.", nullptr, "(path)"},
     open},
    {{"reload", "File", "Reload", "Ctrl+R", "Runs the program's file again; the place and the breakpoints stay."},
     [](Shell& shell, const Command&) { shell.desk().reload(); }},
    {{"saveRecording", "File", "Save recording as...", "Ctrl+S",
      "Keeps the run in a file, with breakpoints, bookmarks, watches and findings.", nullptr, "(path)"},
     [](Shell& shell, const Command& command) {
       write_file(shell, command, "Save the recording", ".ptorec", &Desk::save_recording);
     }},
    {{"exportPage", "File", "Export a page of this step...", "",
      "Writes a page in HTML about the finding or step that is shown: its picture, values and how to get there.", nullptr,
      "(path)"},
     [](Shell& shell, const Command& command) {
       write_file(shell, command, "Export a page", ".html", &Desk::export_page);
     }},
    {{"exportTrace", "File", "Export the steps as a trace...", "",
      "Writes the steps by their pipes, for ui.perfetto.dev.", nullptr, "(path)"},
     [](Shell& shell, const Command& command) {
       write_file(shell, command, "Export a trace", ".json", &Desk::export_trace);
     }},
    {{"close", "File", "Close program", "", "Back to the start page."},
     [](Shell& shell, const Command&) { shell.desk().close(); }},
    {{"quit", "File", "Quit", "Ctrl+Q", "Leaves TileScope; layout and settings are kept."},
     [](Shell& shell, const Command&) { shell.quit(); }},
    // --- View ---
    {{"palette", "View", "Any command...", "Ctrl+Shift+P", "Finds a command by its name and carries it out."},
     [](Shell& shell, const Command&) { shell.palette().open(Palette::Mode::Commands); }},
    {{"layoutLearn", "View", "Layout: Learn", "Ctrl+Alt+1", "The stage, and the text of a lesson beside it."},
     [](Shell& shell, const Command&) { shell.set_layout("learn"); }},
    {{"layoutDebug", "View", "Layout: Debug", "Ctrl+Alt+2", "Everything that a search for a bug needs."},
     [](Shell& shell, const Command&) { shell.set_layout("debug"); }},
    {{"layoutCompare", "View", "Layout: Compare", "Ctrl+Alt+3",
      "This run and the other one side by side, and the list of what differs."},
     [](Shell& shell, const Command&) { shell.set_layout("compare"); }},
    {{"layoutPresent", "View", "Layout: Present", "Ctrl+Alt+4", "Program and stage, in large type, without menus."},
     [](Shell& shell, const Command&) { shell.set_layout("present"); }},
    {{"layout", "View", "Layout", "", "Shows the layout of this name.", nullptr, "(name)"},
     [](Shell& shell, const Command& command) { shell.set_layout(command.text(0)); },
     false},
    {{"resetLayout", "View", "Reset this layout", "", "Puts the panes of the layout back where they stood at first."},
     [](Shell& shell, const Command&) { shell.reset_layout(); }},
    {{"maximisePane", "View", "Maximise pane", "Ctrl+Enter",
      "Gives the pane with the focus all the room, or takes it back."},
     [](Shell& shell, const Command&) { shell.maximise(shell.focused_pane()); }},
    {{"closePane", "View", "Close pane", "Ctrl+W", "Closes the pane with the focus; the View menu opens it again."},
     [](Shell& shell, const Command&) { shell.close_focused(); }},
    {{"focusPane", "View", "Go to pane", "", "Brings the pane of this name to the front.", nullptr, "(pane)"},
     [](Shell& shell, const Command& command) { shell.show_pane(command.text(0)); },
     false},
    {{"theme", "View", "Next theme", "Ctrl+T", "Dark or light; or the theme of this name.", nullptr, "(name)"},
     [](Shell& shell, const Command& command) {
       if (command.text(0).empty())
         shell.next_theme();
       else
         shell.set_theme(command.text(0));
     }},
    {{"motion", "View", "Motion on or off", "", "Whether moves are played, or shown one element a press."},
     [](Shell& shell, const Command&) { shell.toggle_motion(); }},
    {{"zoomIn", "View", "Larger", "Ctrl++", "Makes all text and cells larger."},
     [](Shell& shell, const Command&) { shell.zoom(0.1f); }},
    {{"zoomOut", "View", "Smaller", "Ctrl+-", "Makes all text and cells smaller."},
     [](Shell& shell, const Command&) { shell.zoom(-0.1f); }},
    {{"zoomReset", "View", "Usual size", "", "Text and cells as large as they were at first."},
     [](Shell& shell, const Command&) { shell.zoom(0); }},
    {{"showSource", "View", "Source of the program", "", "The program pane shows the program's text."}, nullptr},
    {{"showSteps", "View", "Steps of the program", "", "The program pane shows the steps that ran, with loops folded."},
     nullptr},
    // --- Run, Step ---
    {{"toggleBreakpoint", "Run", "Breakpoint", "F9", "Sets a breakpoint on the line, or takes it away.", nullptr,
      "(line)"},
     nullptr},
    {{"toggleStepBreakpoint", "Run", "Breakpoint on a step", "", "Sets a breakpoint on one step, or takes it away.",
      nullptr, "(step)"},
     nullptr,
     false},
    {{"addBreakpoint", "Run", "Breakpoint on an instruction", "", "Stops at every step of this instruction.", nullptr,
      "(op)"},
     nullptr,
     false},
    {{"addStop", "Run", "Add a breakpoint", "", "Stops where a text says: tsel, line 40, step 12, writes:t2, nan.",
      nullptr, "(text)"},
     nullptr,
     false},
    {{"removeStop", "Run", "Remove breakpoint", "", "Takes a breakpoint away.", nullptr, "(id)"}, nullptr, false},
    {{"enableStop", "Run", "Enable breakpoint", "", "Lets a breakpoint stop the run, or pass.", nullptr, "(id, on)"},
     nullptr,
     false},
    {{"enableBreakpoints", "Run", "Breakpoints on or off", "Ctrl+F9", "Lets all breakpoints rest, or all stop again."},
     nullptr},
    {{"watchSelection", "Run", "Stop at writes of the selection", "Shift+F9",
      "Stops whenever the selected element's bytes are written."},
     nullptr},
    {{"runToStep", "Run", "Run to a step", "", "Runs on to a step.", nullptr, "(step)"}, nullptr, false},
    {{"runBackToStep", "Run", "Run back to a step", "", "Runs back to a step.", nullptr, "(step)"}, nullptr, false},
    {{"runToLine", "Run", "Run to a line", "", "Runs on to the next step of a line.", nullptr, "(line)"},
     nullptr,
     false},
    {{"runBackToLine", "Run", "Run back to a line", "", "Runs back to the last step of a line.", nullptr, "(line)"},
     nullptr,
     false},
    {{"bookmark", "Run", "Bookmark this place", "Ctrl+B", "Marks the place in the timeline, or takes the mark away.",
      nullptr, "(name)"},
     nullptr},
    {{"pause", "Run", "Pause", "F6", "Ends what runs at the moment, where it is."},
     [](Shell& shell, const Command&) { shell.desk().cancel(); }},
    {{"goTo", "Run", "Go to...", "", "A position, an element or an address: @42, t2[1,5], ub+0x440."}, go_to},
    {{"showNext", "Step", "Stage: next or last step", "Ctrl+E",
      "The stage shows the step that comes next, or the one just made.", nullptr, "(next)"},
     [](Shell& shell, const Command& command) {
       shell.desk().show_next(command.values.empty() ? !shell.desk().view().shows_next() : command.number(0) != 0);
     }},
    {{"playMove", "Step", "Play the move", "Space", "Goes through the elements of the results in the order of memory."},
     nullptr},
    // --- Tile ---
    {{"select", "Tile", "Select", "", "Selects an element.", nullptr, "(tile, row, col)"}, nullptr, false},
    {{"selectAddress", "Tile", "Select an address", "", "Selects the element that a byte is part of.", nullptr,
      "(space, address)"},
     nullptr,
     false},
    {{"selectNone", "Tile", "Select nothing", "", "Takes the selection away."}, nullptr},
    {{"follow", "Tile", "Follow to the source", "F4",
      "To the step that made the selected value; again: to what it was made of.", nullptr, "(tile, row, col)"},
     nullptr},
    {{"trailTo", "Tile", "Back on the trail", "", "To a stop of the trail that led to the source.", nullptr, "(index)"},
     nullptr,
     false},
    {{"showTile", "Tile", "Show tile", "", "Shows a tile or buffer in the Tiles pane.", nullptr, "(name)"},
     nullptr,
     false},
    {{"cycleFormat", "Tile", "Next number format", "X", "Decimal, hexadecimal, bits."}, nullptr},
    {{"showHeat", "Tile", "Heat", "H", "Colours the cells by their values."}, nullptr},
    {{"showBytes", "Tile", "Bytes", "",
      "Shows the tile also in the order of memory: blocks, boxes, gaps between rows."},
     nullptr},
    {{"showHistogram", "Tile", "Histogram", "", "Shows how the tile's values are spread."}, nullptr},
    {{"nextNan", "Tile", "Next NaN or infinity", "N", "Selects the next element that is NaN or infinite."}, nullptr},
    {{"copyValue", "Tile", "Copy", "Ctrl+C", "Copies the selected value."}, nullptr},
    {{"copyAs", "Tile", "Copy as...", "Ctrl+Shift+C", "Copies a value or a range as text, C, Lua or NumPy."}, nullptr},
    {{"find", "Tile", "Find", "Ctrl+F", "Finds in the pane with the focus."}, nullptr},
    {{"copy", "Tile", "Copy text", "", "Puts a text on the clipboard.", nullptr, "(text)"},
     [](Shell& shell, const Command& command) { shell.screen().set_clipboard(command.text(0)); },
     false},
    // --- Compare ---
    {{"compareTargets", "Compare", "Compare with the other target", "",
      "Runs the program on the other target too, step by step beside this run, and lists what differs."},
     [](Shell& shell, const Command&) { shell.compare_targets(); }},
    {{"compareWith", "Compare", "Compare with another recording or program...", "",
      "Lists which steps left other results in another run.", nullptr, "(path)"},
     compare_with},
    {{"compareArray", "Compare", "Compare tile with .npy...", "",
      "Compares the selected tile or buffer, as it stands now, with an array of a file.", nullptr, "(tile, path)"},
     compare_array},
    {{"markDifferences", "Compare", "Mark differing cells", "D",
      "Whether cells that differ are marked in the tiles and on the stage."},
     nullptr},
    {{"showDifference", "Compare", "Go to a difference", "", "Goes to a difference by its number in the list.", nullptr,
      "(index)"},
     nullptr,
     false},
    {{"compareAgain", "Compare", "Compare with other tolerances", "",
      "Compares the same once more: how far apart elements may be.", nullptr, "(abs, rel, ulp, nan, region)"},
     nullptr,
     false},
    {{"stopComparing", "Compare", "Stop comparing", "", "Forgets the other side, and takes the marks away."}, nullptr},
    // --- Check ---
    {{"checkNow", "Check", "Check now", "", "Looks through the whole recording for what is wrong in it."}, nullptr},
    {{"checkByItself", "Check", "Check every program that is opened", "",
      "Turns the looking for findings after every opening on or off.", nullptr, "(on)"},
     nullptr},
    {{"findings", "Check", "Findings", "", "Shows the list of what was found."},
     [](Shell& shell, const Command&) { shell.show_pane("findings"); }},
    {{"levels", "Check", "Levels...", "", "What is looked for, and how grave it is."}, show_levels},
    {{"checkLevel", "Check", "Level of a kind", "", "How grave findings of a kind are.", nullptr, "(kind, level)"},
     nullptr,
     false},
    {{"usualLevels", "Check", "Usual levels", "", "All kinds as grave as they are at first."}, nullptr, false},
    {{"showFinding", "Check", "Go to a finding", "", "Goes to a finding by its number in the list.", nullptr,
      "(index)"},
     nullptr,
     false},
    // --- Lesson ---
    {{"lessons", "Lesson", "All lessons", "", "Lists the lessons that the program brings along."}, show_lessons},
    {{"openLesson", "Lesson", "Open a lesson...", "", "Opens a lesson: a .lua file, or one by its name.", nullptr,
      "(name)"},
     open_lesson},
    {{"nextLesson", "Lesson", "Next lesson", "", "Opens the lesson that comes behind this one."}, next_lesson},
    {{"lessonNext", "Lesson", "Next step", "Ctrl+PageDown", "Turns to the lesson's next step."}, nullptr},
    {{"lessonBack", "Lesson", "Step before", "Ctrl+PageUp", "Turns back to the lesson's step before."}, nullptr},
    {{"lessonHint", "Lesson", "Hint", "Ctrl+H", "A word that helps with the question."}, nullptr},
    {{"lessonAnswer", "Lesson", "Answer", "", "Judges what was filled in or chosen."}, nullptr},
    {{"lessonTell", "Lesson", "Show me the answer", "", "Shows the answer; it does not count as yours."}, nullptr},
    {{"lessonPage", "Lesson", "Go to a step of the lesson", "", "Turns to a step by its number, from 1.", nullptr,
      "(number)"},
     nullptr,
     false},
    {{"lessonChoose", "Lesson", "Choose an answer", "", "Answers with a choice by its number, from 1.", nullptr,
      "(number)"},
     nullptr,
     false},
    {{"lessonFill", "Lesson", "Fill in an answer", "", "Puts a text into a field of the question, counted from 0.",
      nullptr, "(field, text)"},
     nullptr,
     false},
    {{"lessonDrop", "Lesson", "Fill in a source", "", "The same; the next empty field follows.", nullptr,
      "(field, text)"},
     nullptr,
     false},
    // --- Script ---
    {{"console", "Script", "Type into the console", "", "Runs a line of Lua.", nullptr, "(line)"}, nullptr, false},
    {{"watch", "Script", "Watch an expression", "", "Shows an expression wherever the session stands.", nullptr,
      "(text)"},
     nullptr,
     false},
    {{"editWatch", "Script", "Change a watched expression", "", "Puts another expression in its place.", nullptr,
      "(index, text)"},
     nullptr,
     false},
    {{"unwatch", "Script", "Stop watching", "", "Takes a watched expression away.", nullptr, "(index)"},
     nullptr,
     false},
    {{"guess", "Script", "Complete a line", "", "How the end of a typed line may go on.", nullptr, "(line)"},
     nullptr,
     false},
    // --- Help ---
    {{"page", "Help", "Page of this instruction", "F1", "What the instruction does, its rules, its micro-operations.",
      nullptr, "(mnemonic)"},
     nullptr},
    {{"legend", "Help", "Legend", "Ctrl+L", "What every mark means."},
     [](Shell& shell, const Command&) { shell.toggle_legend(); }},
};

}  // namespace

const std::vector<const CommandRow*>& all_commands() {
  static const std::vector<const CommandRow*> rows = [] {
    std::vector<const CommandRow*> all;
    for (const WindowCommand& command : kWindowCommands)
      if (std::string_view(command.row.menu) == "File" || std::string_view(command.row.menu) == "View")
        all.push_back(&command.row);
    for (const CommandRow& row : commands()) all.push_back(&row);
    for (const WindowCommand& command : kWindowCommands)
      if (std::string_view(command.row.menu) != "File" && std::string_view(command.row.menu) != "View")
        all.push_back(&command.row);
    return all;
  }();
  return rows;
}

const CommandRow* find_any_command(std::string_view name) {
  const auto& rows = all_commands();
  const auto found = std::ranges::find(rows, name, [](const CommandRow* row) { return std::string_view(row->name); });
  return found == rows.end() ? nullptr : *found;
}

bool stands_alone(const CommandRow& row) {
  for (const WindowCommand& command : kWindowCommands)
    if (&command.row == &row) return command.alone;
  // Of core's that take arguments, those with a key know what is meant: the selection, the cursor, what is typed.
  return row.run != nullptr || *row.keys != 0;
}

bool carry_out_window_command(Shell& shell, const Command& command) {
  // Without a position, the place is asked for.
  if (command.name == "seek" && command.values.empty()) {
    go_to(shell, command);
    return true;
  }
  const auto* found =
      std::ranges::find_if(kWindowCommands, [&](const auto& row) { return command.name == row.row.name; });
  if (found == std::end(kWindowCommands) || found->act == nullptr) return false;
  found->act(shell, command);
  return true;
}

}  // namespace ts::ui
