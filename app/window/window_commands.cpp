// The rows, and what they do.
#include "app/window/window_commands.h"

#include <algorithm>
#include <iterator>
#include <string>

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

// Without a name, it is asked for.
void run_script(Shell& shell, const Command& command) {
  if (!command.text(0).empty())
    shell.desk().run_script(command.text(0));
  else
    shell.chooser().open({"Run a script", {".lua"}, {"runScript"}});
}

// Without a text, it is asked for.
void write_note(Shell& shell, const Command& command) {
  if (!command.values.empty()) return shell.desk().write_note(command);
  shell.show_pane("notes");
  if (Pane* pane = shell.find_pane("notes")) pane->act({"note"}, shell.desk().view(), shell.queue());
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
    shell.open_program(command.text(0));
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

// Of the same tile; without a selection the first element of the tile that the Tiles pane shows.
void select_beside(Shell& shell, int rows, int cols) {
  DebugView& view = shell.desk().view();
  if (view.recording() == nullptr) return;
  if (!view.selected()) {
    if (const auto& owner = view.tiles_look().owner)
      shell.queue().push("select", {view.name_of(*owner), std::int64_t{0}, std::int64_t{0}});
    return;
  }
  const Element& from = *view.selected();
  const std::int64_t row = std::int64_t{from.row} + rows, col = std::int64_t{from.col} + cols;
  const std::string name = view.name_of(from.owner);
  if (row < 0 || col < 0 ||
      !shell.desk().find_element(name, static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(col)))
    return;
  shell.queue().push("select", {name, row, col});
}

const WindowCommand kWindowCommands[] = {
    // --- File ---
    {{"open", "File", "Open...", "Ctrl+O", "Opens a program: a .pto file, or a sample by its name.", nullptr, "(path)",
      "="},
     open},
    {{"reload", "File", "Reload", "Ctrl+R", "Runs the program's file again; the place and the breakpoints stay.",
      nullptr, "", "="},
     [](Shell& shell, const Command&) { shell.desk().reload(); }},
    {{"saveRecording", "File", "Save recording as...", "Ctrl+S",
      "Keeps the run in a file, with breakpoints, bookmarks, watches and findings.", nullptr, "(path)",
      "-- rec:save($*)"},
     [](Shell& shell, const Command& command) {
       write_file(shell, command, "Save the recording", ".ptorec", &Desk::save_recording);
     }},
    {{"exportPage", "File", "Export a page of this step...", "",
      "Writes a page in HTML about the finding or step that is shown: its picture, values and how to get there.",
      nullptr, "(path)", "-- rec:report($*)"},
     [](Shell& shell, const Command& command) {
       write_file(shell, command, "Export a page", ".html", &Desk::export_page);
     }},
    {{"exportTrace", "File", "Export the steps as a trace...", "",
      "Writes the steps by their pipes, for ui.perfetto.dev.", nullptr, "(path)", "-- rec:exportTrace($*)"},
     [](Shell& shell, const Command& command) {
       write_file(shell, command, "Export a trace", ".json", &Desk::export_trace);
     }},
    {{"close", "File", "Close program", "", "Back to the start page.", nullptr, "", "="},
     [](Shell& shell, const Command&) { shell.desk().close(); }},
    {{"quit", "File", "Quit", "Ctrl+Q", "Leaves TileScope; layout and settings are kept.", nullptr, "", "-"},
     [](Shell& shell, const Command&) { shell.quit(); }},
    // --- View ---
    {{"palette", "View", "Any command...", "Ctrl+Shift+P", "Finds a command by its name and carries it out.", nullptr,
      "", "-"},
     [](Shell& shell, const Command&) { shell.palette().open(Palette::Mode::Commands); }},
    {{"layoutLearn", "View", "Layout: Learn", "Ctrl+Alt+1", "The stage, and the text of a lesson beside it.", nullptr, "", "="},
     [](Shell& shell, const Command&) { shell.set_layout("learn"); }},
    {{"layoutDebug", "View", "Layout: Debug", "Ctrl+Alt+2", "Everything that a search for a bug needs.", nullptr, "",
      "="},
     [](Shell& shell, const Command&) { shell.set_layout("debug"); }},
    {{"layoutCompare", "View", "Layout: Compare", "Ctrl+Alt+3",
      "This run and the other one side by side, and the list of what differs.", nullptr, "", "="},
     [](Shell& shell, const Command&) { shell.set_layout("compare"); }},
    {{"layoutPresent", "View", "Layout: Present", "Ctrl+Alt+4", "Program and stage, in large type, without menus.",
      nullptr, "", "="},
     [](Shell& shell, const Command&) { shell.set_layout("present"); }},
    {{"layout", "View", "Layout", "", "Shows the layout of this name.", nullptr, "(name)", "="},
     [](Shell& shell, const Command& command) { shell.set_layout(command.text(0)); },
     false},
    {{"resetLayout", "View", "Reset this layout", "", "Puts the panes of the layout back where they stood at first."},
     [](Shell& shell, const Command&) { shell.reset_layout(); }},
    {{"maximisePane", "View", "Maximise pane", "Ctrl+Enter",
      "Gives the pane with the focus all the room, or takes it back."},
     [](Shell& shell, const Command&) { shell.maximise(shell.focused_pane()); }},
    {{"closePane", "View", "Close pane", "Ctrl+W", "Closes the pane with the focus; the View menu opens it again."},
     [](Shell& shell, const Command&) { shell.close_focused(); }},
    {{"focusPane", "View", "Go to pane", "", "Brings the pane of this name to the front.", nullptr, "(pane)", "="},
     [](Shell& shell, const Command& command) { shell.show_pane(command.text(0)); },
     false},
    // --- View: keys, themes, motion, going back ---
    {{"undoView", "View", "Take back a change of the view", "Ctrl+Z",
      "Panes, layout, theme, size and how tiles are shown become what they were before the last change.", nullptr, "", "="},
     [](Shell& shell, const Command&) { shell.undo_view(false); }},
    {{"redoView", "View", "Change the view again", "Ctrl+Y", "What was taken back is done again.", nullptr, "", "="},
     [](Shell& shell, const Command&) { shell.undo_view(true); }},
    {{"nextPane", "View", "Next pane", "Ctrl+Tab", "Gives the focus to the next pane that is seen.", nullptr, "", "-"},
     [](Shell& shell, const Command&) { shell.focus_pane(1); }},
    {{"previousPane", "View", "Previous pane", "Ctrl+Shift+Tab", "Gives the focus to the pane before.", nullptr, "", "-"},
     [](Shell& shell, const Command&) { shell.focus_pane(-1); }},
    {{"nextTab", "View", "Next tab", "Ctrl+Shift+PageDown", "Shows the next of the panes that stand behind each other.", nullptr, "", "-"},
     [](Shell& shell, const Command&) { shell.focus_tab(1); }},
    {{"previousTab", "View", "Previous tab", "Ctrl+Shift+PageUp", "Shows the one before of the panes that stand behind each other.", nullptr, "", "-"},
     [](Shell& shell, const Command&) { shell.focus_tab(-1); }},
    {{"paneMenu", "View", "Menu of the pane", "Ctrl+M", "Moves, closes or maximises the pane with the focus.", nullptr, "", "-"},
     [](Shell& shell, const Command&) { shell.open_tab_menu(); }},
    {{"paneWider", "View", "Wider pane", "Shift+Alt+Right", "Gives the pane with the focus more of the width.", nullptr, "", "-"},
     [](Shell& shell, const Command&) { shell.resize_focused(true, 40); }},
    {{"paneNarrower", "View", "Narrower pane", "Shift+Alt+Left", "Gives the pane with the focus less of the width.", nullptr, "", "-"},
     [](Shell& shell, const Command&) { shell.resize_focused(true, -40); }},
    {{"paneTaller", "View", "Taller pane", "Shift+Alt+Down", "Gives the pane with the focus more of the height.", nullptr, "", "-"},
     [](Shell& shell, const Command&) { shell.resize_focused(false, 40); }},
    {{"paneShorter", "View", "Shorter pane", "Shift+Alt+Up", "Gives the pane with the focus less of the height.", nullptr, "", "-"},
     [](Shell& shell, const Command&) { shell.resize_focused(false, -40); }},
    {{"keys", "View", "Keys...", "Ctrl+Shift+K", "Shows all keys and gives commands others.", nullptr, "", "-"},
     [](Shell& shell, const Command&) { shell.keys_dialog().open(); }},
    {{"theme", "View", "Next theme", "Ctrl+T", "Dark, light, high contrast, your own; or the theme of this name.", nullptr, "(name)", "="},
     [](Shell& shell, const Command& command) {
       if (command.text(0).empty())
         shell.next_theme();
       else
         shell.set_theme(command.text(0));
     }},
    {{"themeDark", "View", "Theme: dark", "", "Light text on dark grounds."},
     [](Shell& shell, const Command&) { shell.set_theme("dark"); }},
    {{"themeLight", "View", "Theme: light", "", "Dark text on light grounds."},
     [](Shell& shell, const Command&) { shell.set_theme("light"); }},
    {{"themeContrast", "View", "Theme: high contrast", "", "White on black, strong lines, no greys that matter."},
     [](Shell& shell, const Command&) { shell.set_theme("contrast"); }},
    {{"themeSystem", "View", "Theme: as the desktop has it", "",
      "Where the desktop says it by the variable GTK_THEME."},
     [](Shell& shell, const Command&) { shell.set_theme("system"); }},
    {{"readThemes", "View", "Read theme files again", "", "Files *.theme in the folder themes beside the settings."},
     [](Shell& shell, const Command&) { shell.read_themes(true); }},
    {{"motion", "View", "Motion on or off", "", "Whether moves are played; or off, step, 0.25x, 0.5x, 1x, 2x, 4x.",
      nullptr, "(how)"},
     [](Shell& shell, const Command& command) {
       const bool plays = shell.motion().mode == Motion::Mode::Play;
       shell.set_motion(!command.text(0).empty()  ? command.text(0)
                        : !command.values.empty() ? std::to_string(command.number(0))
                        : plays                   ? "off"
                                                  : "1x");
     }},
    {{"motionFaster", "View", "Motion: faster", "",
      "Off, step by step, then from a quarter of the speed to four times."},
     [](Shell& shell, const Command&) { shell.step_motion(1); }},
    {{"motionSlower", "View", "Motion: slower", "", "Down to a quarter of the speed, step by step, then off."},
     [](Shell& shell, const Command&) { shell.step_motion(-1); }},
    {{"showBefore", "View", "Show the state before", "B", "The state before the step, for as long as the key is held."},
     [](Shell& shell, const Command&) { shell.desk().hold_before(!shell.desk().view().showing_before()); }},
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
      "(line)", "="},
     nullptr},
    {{"toggleStepBreakpoint", "Run", "Breakpoint on a step", "", "Sets a breakpoint on one step, or takes it away.",
      nullptr, "(step)", "="},
     nullptr,
     false},
    {{"addBreakpoint", "Run", "Breakpoint on an instruction", "", "Stops at every step of this instruction.", nullptr,
      "(op)", "="},
     nullptr,
     false},
    {{"addStop", "Run", "Add a breakpoint", "", "Stops where a text says: tsel, line 40, step 12, writes:t2, nan.",
      nullptr, "(text)", "="},
     nullptr,
     false},
    {{"removeStop", "Run", "Remove breakpoint", "", "Takes a breakpoint away.", nullptr, "(id)", "="}, nullptr, false},
    {{"enableStop", "Run", "Enable breakpoint", "", "Lets a breakpoint stop the run, or pass.", nullptr, "(id, on)",
      "="},
     nullptr,
     false},
    {{"enableBreakpoints", "Run", "Breakpoints on or off", "Ctrl+F9", "Lets all breakpoints rest, or all stop again.",
      nullptr, "", "="},
     nullptr},
    {{"watchSelection", "Run", "Stop at writes of the selection", "Shift+F9",
      "Stops whenever the selected element's bytes are written.", nullptr, "", "="},
     nullptr},
    {{"runToStep", "Run", "Run to a step", "", "Runs on to a step.", nullptr, "(step)", "rec:runTo{step=$1}"},
     nullptr,
     false},
    {{"runBackToStep", "Run", "Run back to a step", "", "Runs back to a step.", nullptr, "(step)",
      "rec:runBackTo{step=$1}"},
     nullptr,
     false},
    {{"runToLine", "Run", "Run to a line", "", "Runs on to the next step of a line.", nullptr, "(line)",
      "rec:runTo{line=$1}"},
     nullptr,
     false},
    {{"runBackToLine", "Run", "Run back to a line", "", "Runs back to the last step of a line.", nullptr, "(line)",
      "rec:runBackTo{line=$1}"},
     nullptr,
     false},
    {{"bookmark", "Run", "Bookmark this place", "Ctrl+B", "Marks the place in the timeline, or takes the mark away.",
      nullptr, "(name)", "="},
     nullptr},
    {{"pause", "Run", "Pause", "F6", "Ends what runs at the moment, where it is.", nullptr, "", "-"},
     [](Shell& shell, const Command&) { shell.desk().cancel(); }},
    {{"goTo", "Run", "Go to...", "", "A position, an element or an address: @42, t2[1,5], ub+0x440.", nullptr, "", "-"},
     go_to},
    {{"showNext", "Step", "Stage: next or last step", "Ctrl+E",
      "The stage shows the step that comes next, or the one just made.", nullptr, "(next)", "="},
     [](Shell& shell, const Command& command) {
       shell.desk().show_next(command.values.empty() ? !shell.desk().view().shows_next() : command.number(0) != 0);
     }},
    {{"playMove", "Step", "Play the move", "Space", "Goes through the elements of the results in the order of memory."},
     nullptr},
    // --- Tile ---
    {{"select", "Tile", "Select", "", "Selects an element.", nullptr, "(tile, row, col)", "="}, nullptr, false},
    {{"selectAddress", "Tile", "Select an address", "", "Selects the element that a byte is part of.", nullptr,
      "(space, address)", "="},
     nullptr,
     false},
    {{"selectLeft", "Tile", "Select the element on the left", "Ctrl+Left", "In the same row, one column before.", nullptr, "", "="},
     [](Shell& shell, const Command&) { select_beside(shell, 0, -1); }},
    {{"selectRight", "Tile", "Select the element on the right", "Ctrl+Right", "In the same row, one column on.", nullptr, "", "="},
     [](Shell& shell, const Command&) { select_beside(shell, 0, 1); }},
    {{"selectUp", "Tile", "Select the element above", "Ctrl+Up", "In the same column, one row before.", nullptr, "", "="},
     [](Shell& shell, const Command&) { select_beside(shell, -1, 0); }},
    {{"selectDown", "Tile", "Select the element below", "Ctrl+Down", "In the same column, one row on.", nullptr, "", "="},
     [](Shell& shell, const Command&) { select_beside(shell, 1, 0); }},
    {{"selectNone", "Tile", "Select nothing", "", "Takes the selection away.", nullptr, "", "="}, nullptr},
    {{"follow", "Tile", "Follow to the source", "F4",
      "To the step that made the selected value; again: to what it was made of.", nullptr, "(tile, row, col)", "="},
     nullptr},
    {{"trailTo", "Tile", "Back on the trail", "", "To a stop of the trail that led to the source.", nullptr, "(index)",
      "="},
     nullptr,
     false},
    {{"showTile", "Tile", "Show tile", "", "Shows a tile or buffer in the Tiles pane.", nullptr, "(name)", "="},
     nullptr,
     false},
    {{"cycleFormat", "Tile", "Next number format", "X", "Decimal, hexadecimal, bits.", nullptr, "", "="}, nullptr},
    {{"showHeat", "Tile", "Heat", "H", "Colours the cells by their values.", nullptr, "", "="}, nullptr},
    {{"showBytes", "Tile", "Bytes", "",
      "Shows the tile also in the order of memory: blocks, boxes, gaps between rows."},
     nullptr},
    {{"showHistogram", "Tile", "Histogram", "", "Shows how the tile's values are spread."}, nullptr},
    {{"nextNan", "Tile", "Next NaN or infinity", "N", "Selects the next element that is NaN or infinite.", nullptr, "",
      "="},
     nullptr},
    {{"copyValue", "Tile", "Copy", "Ctrl+C", "Copies the selected value.", nullptr, "", "-"}, nullptr},
    {{"copyAs", "Tile", "Copy as...", "Ctrl+Shift+C", "Copies a value or a range as text, C, Lua or NumPy.", nullptr,
      "", "-"},
     nullptr},
    {{"find", "Tile", "Find", "Ctrl+F", "Finds in the pane with the focus.", nullptr, "", "-"}, nullptr},
    {{"copy", "Tile", "Copy text", "", "Puts a text on the clipboard.", nullptr, "(text)", "-"},
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
      "(index)", "="},
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
    {{"showFinding", "Check", "Go to a finding", "", "Goes to a finding by its number in the list.", nullptr, "(index)",
      "="},
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
    {{"lessonTell", "Lesson", "Reveal the answer", "", "Shows the answer; it does not count as yours."}, nullptr},
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
    {{"console", "Script", "Type into the console", "", "Runs a line of Lua.", nullptr, "(line)", "-"}, nullptr, false},
    {{"watch", "Script", "Watch an expression", "", "Shows an expression wherever the session stands.", nullptr,
      "(text)", "="},
     nullptr,
     false},
    {{"editWatch", "Script", "Change a watched expression", "", "Puts another expression in its place.", nullptr,
      "(index, text)", "="},
     nullptr,
     false},
    {{"unwatch", "Script", "Stop watching", "", "Takes a watched expression away.", nullptr, "(index)", "="},
     nullptr,
     false},
    {{"guess", "Script", "Complete a line", "", "How the end of a typed line may go on.", nullptr, "(line)", "-"},
     nullptr,
     false},
    // --- Script: what was done, and what scripts show ---
    {{"journal", "Script", "Journal", "", "Shows what was done, as the lines of a script.", nullptr, "", "="},
     [](Shell& shell, const Command&) { shell.show_pane("journal"); }},
    {{"copyJournal", "Script", "Copy the journal as a script", "Ctrl+Shift+J",
      "Puts a script on the clipboard that does the same again, and asserts that it comes to the same.", nullptr, "",
      "-"},
     [](Shell& shell, const Command&) { shell.screen().set_clipboard(shell.desk().take_journal_script()); }},
    {{"saveJournal", "Script", "Save the journal as a script...", "", "Writes that script into a file.", nullptr,
      "(path)", "-"},
     [](Shell& shell, const Command& command) {
       write_file(shell, command, "Save the journal", ".lua", &Desk::save_journal);
     }},
    {{"runJournal", "Script", "Run the journal again", "",
      "Runs the program anew and does all of it once more; says whether it came to the same.", nullptr, "", "-"},
     [](Shell& shell, const Command&) { shell.desk().run_journal(); }},
    {{"clearJournal", "Script", "Clear the journal", "", "Forgets what was done; a script then begins here.", nullptr,
      "", "-"},
     [](Shell& shell, const Command&) { shell.desk().clear_journal(); }},
    {{"runScript", "Script", "Run a script...", "Ctrl+Shift+O",
      "Runs a Lua file; a recording that it makes is shown in the window.", nullptr, "(path)", "="},
     run_script},
    {{"pressButton", "Script", "Press a button of a panel", "", "Presses a button of a script's panel.", nullptr,
      "(panel, button)", "="},
     nullptr,
     false},
    {{"closePanel", "Script", "Close a panel", "", "Takes a script's panel away.", nullptr, "(panel)", "="},
     nullptr,
     false},
    {{"note", "Run", "Write a note", "Ctrl+Shift+B", "Writes a note about the shown step and the selected element.",
      nullptr, "(text, step, tile, row, col)", "="},
     write_note},
    {{"showNote", "Run", "Go to a note", "", "Goes to the step and element of a note by its number in the list.",
      nullptr, "(index)", "="},
     nullptr,
     false},
    {{"removeBookmark", "Run", "Remove a bookmark", "", "Takes a bookmark away.", nullptr, "(name)", "="},
     nullptr,
     false},
    // --- Help ---
    {{"explain", "Help", "What is this?", "F1",
      "Explains what is under the mouse, or has the focus: a mark, an instruction, a command, a pane."},
     [](Shell& shell, const Command&) { shell.explain(); }},
    {{"page", "Help", "Page of this instruction", "Shift+F1",
      "What the instruction does, its rules, its micro-operations.", nullptr, "(mnemonic)"},
     nullptr},
    {{"legend", "Help", "Legend", "Ctrl+L", "What every mark means."},
     [](Shell& shell, const Command&) { shell.legend().toggle(); }},
    {{"tour", "Help", "Show me", "", "A tour of two minutes: from opening a program to where a value came from."},
     [](Shell& shell, const Command&) { shell.tour().begin(shell.queue()); }},
};

// Scripts know their names.
const RegisteredCommands kRegistered([] {
  std::vector<const CommandRow*> rows;
  for (const WindowCommand& command : kWindowCommands) rows.push_back(&command.row);
  return rows;
}());

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
