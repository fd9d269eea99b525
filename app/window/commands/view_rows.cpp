// The View menu: layout, panes, keys, themes, size, motion.
#include "app/window/commands/rows.h"
#include "app/window/shell/shell.h"

namespace ts::ui {
namespace {

void theme(Shell& shell, const Command& command) {
  if (command.text(0).empty()) shell.appearance().next_theme();
  else shell.appearance().set_theme(command.text(0));
}

void motion(Shell& shell, const Command& command) {
  const bool plays = shell.appearance().motion().mode == Motion::Mode::Play;
  shell.appearance().set_motion(!command.text(0).empty()  ? command.text(0)
                                : !command.values.empty() ? std::to_string(command.number(0))
                                : plays                   ? "off"
                                                          : "1x");
}

std::vector<CommandRow> layout_rows() {
  // clang-format off
  return {
      {.name = "palette", .menu = "View", .title = "Any command...", .words = "commands, search everything", .keys = "Ctrl+Shift+P",
       .help = "Finds a command by its name and carries it out.",
       .journal = kUnwritten,
       .act = ShellAct{[](Shell& shell, const Command&) { shell.palette().open(Palette::Mode::Commands); }}},
      {.name = "layoutLearn", .menu = "View", .group = "Layout", .title = "Layout: Learn", .words = "teaching", .keys = "Ctrl+Alt+1",
       .help = "The stage, and the text of a lesson beside it.",
       .journal = kOutcome,
       .act = ShellAct{[](Shell& shell, const Command&) { shell.set_layout("learn"); }}},
      {.name = "layoutDebug", .menu = "View", .group = "Layout", .title = "Layout: Debug", .words = "default layout", .keys = "Ctrl+Alt+2",
       .help = "Everything that a search for a bug needs.",
       .journal = kOutcome,
       .act = ShellAct{[](Shell& shell, const Command&) { shell.set_layout("debug"); }}},
      {.name = "layoutCompare", .menu = "View", .group = "Layout", .title = "Layout: Compare", .keys = "Ctrl+Alt+3",
       .help = "This run and the other one side by side, and the list of what differs.",
       .journal = kOutcome,
       .act = ShellAct{[](Shell& shell, const Command&) { shell.set_layout("compare"); }}},
      {.name = "layoutPresent", .menu = "View", .group = "Layout", .title = "Layout: Present", .words = "presentation, slides, projector", .keys = "Ctrl+Alt+4",
       .help = "Program and stage, in large type, without menus and bars; Page Down and Page Up step.",
       .journal = kOutcome,
       .act = ShellAct{[](Shell& shell, const Command&) { shell.set_layout("present"); }}},
      {.name = "pen", .menu = "View", .group = "Layout", .title = "Pen", .words = "draw, annotate, presentation, slides", .keys = "P",
       .help = "In layout Present the mouse draws over everything; Escape wipes it off.",
       .parameters = {{"on", kFlag, kMaybe}},
       .journal = kUnwritten,
       .act = ShellAct{[](Shell& shell, const Command& command) {
         shell.take_pen(command.values.empty() ? !shell.presenter().has_pen() : command.number(0) != 0);
       }}},
      {.name = "layout", .menu = "View", .title = "Layout",
       .help = "Shows the layout of this name.",
       .parameters = {{"name", kText}},
       .journal = kOutcome,
       .act = ShellAct{[](Shell& shell, const Command& command) { shell.set_layout(command.text(0)); }}},
      {.name = "resetLayout", .menu = "View", .group = "Layout", .title = "Reset this layout", .words = "default layout, lost pane, panes back",
       .help = "Puts the panes of the layout back where they stood at first.",
       .act = ShellAct{[](Shell& shell, const Command&) { shell.panes().reset_layout(); }}},
  };
  // clang-format on
}

std::vector<CommandRow> pane_rows() {
  // clang-format off
  return {
      {.name = "maximisePane", .menu = "View", .group = "This pane", .title = "Maximise pane", .words = "full screen, zoom pane, big", .keys = "Ctrl+Enter",
       .help = "Gives the pane with the focus all the room, or takes it back.",
       .act = ShellAct{[](Shell& shell, const Command&) { shell.panes().maximise(shell.panes().focused()); }}},
      {.name = "closePane", .menu = "View", .group = "This pane", .title = "Close pane", .words = "hide pane", .keys = "Ctrl+W",
       .help = "Closes the pane with the focus; the View menu opens it again.",
       .act = ShellAct{[](Shell& shell, const Command&) { shell.panes().close(shell.panes().focused()); }}},
      {.name = "focusPane", .menu = "View", .title = "Go to pane",
       .help = "Brings the pane of this name to the front.",
       .parameters = {{"pane", kText}},
       .journal = kOutcome,
       .act = ShellAct{[](Shell& shell, const Command& command) { shell.show_pane(command.text(0)); }}},
      {.name = "undoView", .menu = "View", .title = "Take back a change of the view", .words = "undo, take back", .keys = "Ctrl+Z",
       .help = "Panes, layout, theme, size and how tiles are shown become what they were before the last change.",
       .journal = kOutcome,
       .act = ShellAct{[](Shell& shell, const Command&) { shell.undo_view(false); }}},
      {.name = "redoView", .menu = "View", .title = "Change the view again", .words = "redo", .keys = "Ctrl+Y",
       .help = "What was taken back is done again.",
       .journal = kOutcome,
       .act = ShellAct{[](Shell& shell, const Command&) { shell.undo_view(true); }}},
      {.name = "nextPane", .menu = "View", .group = "This pane", .title = "Next pane", .keys = "Ctrl+Tab",
       .help = "Gives the focus to the next pane that is seen.",
       .journal = kUnwritten,
       .act = ShellAct{[](Shell& shell, const Command&) { shell.panes().focus_pane(1); }}},
      {.name = "previousPane", .menu = "View", .group = "This pane", .title = "Previous pane", .keys = "Ctrl+Shift+Tab",
       .help = "Gives the focus to the pane before.",
       .journal = kUnwritten,
       .act = ShellAct{[](Shell& shell, const Command&) { shell.panes().focus_pane(-1); }}},
      {.name = "nextTab", .menu = "View", .group = "This pane", .title = "Next tab", .keys = "Ctrl+Shift+PageDown",
       .help = "Shows the next of the panes that share a place.",
       .journal = kUnwritten,
       .act = ShellAct{[](Shell& shell, const Command&) { shell.panes().focus_tab(1); }}},
      {.name = "previousTab", .menu = "View", .group = "This pane", .title = "Previous tab", .keys = "Ctrl+Shift+PageUp",
       .help = "Shows the one before of the panes that share a place.",
       .journal = kUnwritten,
       .act = ShellAct{[](Shell& shell, const Command&) { shell.panes().focus_tab(-1); }}},
      {.name = "paneMenu", .menu = "View", .group = "This pane", .title = "Menu of the pane", .keys = "Ctrl+M",
       .help = "Moves, closes or maximises the pane with the focus.",
       .journal = kUnwritten,
       .act = ShellAct{[](Shell& shell, const Command&) { shell.panes().open_tab_menu(); }}},
      {.name = "paneWider", .menu = "View", .group = "This pane", .title = "Wider pane", .keys = "Shift+Alt+Right",
       .help = "Gives the pane with the focus more of the width.",
       .journal = kUnwritten,
       .act = ShellAct{[](Shell& shell, const Command&) { shell.panes().resize_focused(true, 40); }}},
      {.name = "paneNarrower", .menu = "View", .group = "This pane", .title = "Narrower pane", .keys = "Shift+Alt+Left",
       .help = "Gives the pane with the focus less of the width.",
       .journal = kUnwritten,
       .act = ShellAct{[](Shell& shell, const Command&) { shell.panes().resize_focused(true, -40); }}},
      {.name = "paneTaller", .menu = "View", .group = "This pane", .title = "Taller pane", .keys = "Shift+Alt+Down",
       .help = "Gives the pane with the focus more of the height.",
       .journal = kUnwritten,
       .act = ShellAct{[](Shell& shell, const Command&) { shell.panes().resize_focused(false, 40); }}},
      {.name = "paneShorter", .menu = "View", .group = "This pane", .title = "Shorter pane", .keys = "Shift+Alt+Up",
       .help = "Gives the pane with the focus less of the height.",
       .journal = kUnwritten,
       .act = ShellAct{[](Shell& shell, const Command&) { shell.panes().resize_focused(false, -40); }}},
  };
  // clang-format on
}

std::vector<CommandRow> look_rows() {
  // clang-format off
  return {
      {.name = "keys", .menu = "View", .title = "Keys...", .words = "shortcuts, hotkeys, keyboard, bindings", .keys = "Ctrl+Shift+K",
       .help = "Shows all keys and gives commands others.",
       .journal = kUnwritten,
       .act = ShellAct{[](Shell& shell, const Command&) { shell.keys_dialog().open(); }}},
      {.name = "theme", .menu = "View", .group = "Theme", .title = "Next theme", .words = "appearance, colour scheme", .keys = "Ctrl+T",
       .help = "Dark, light, high contrast, your own; or the theme of this name.",
       .parameters = {{"name", kText, kMaybe}},
       .journal = kOutcome,
       .act = ShellAct{theme}},
      {.name = "themeDark", .menu = "View", .group = "Theme", .title = "Theme: dark", .words = "dark mode, night",
       .help = "Light text on dark grounds.",
       .act = ShellAct{[](Shell& shell, const Command&) { shell.appearance().set_theme("dark"); }}},
      {.name = "themeLight", .menu = "View", .group = "Theme", .title = "Theme: light", .words = "light mode, bright",
       .help = "Dark text on light grounds.",
       .act = ShellAct{[](Shell& shell, const Command&) { shell.appearance().set_theme("light"); }}},
      {.name = "themeContrast", .menu = "View", .group = "Theme", .title = "Theme: high contrast", .words = "accessibility, colour blind",
       .help = "White on black, strong lines, no greys that matter.",
       .act = ShellAct{[](Shell& shell, const Command&) { shell.appearance().set_theme("contrast"); }}},
      {.name = "themeSystem", .menu = "View", .group = "Theme", .title = "Theme: as the desktop has it", .words = "automatic theme",
       .help = "Where the desktop says it by the variable GTK_THEME.",
       .act = ShellAct{[](Shell& shell, const Command&) { shell.appearance().set_theme("system"); }}},
      {.name = "readThemes", .menu = "View", .group = "Theme", .title = "Read theme files again",
       .help = "Files *.theme in the folder themes beside the settings.",
       .act = ShellAct{[](Shell& shell, const Command&) { shell.appearance().read_themes(true); }}},
      {.name = "motion", .menu = "View", .group = "Motion", .title = "Motion on or off", .words = "animation, animate, reduce motion",
       .help = "Whether moves are played; or off, step, 0.25x, 0.5x, 1x, 2x, 4x.",
       .parameters = {{"how", kAny, kMaybe}},
       .act = ShellAct{motion}},
      {.name = "motionFaster", .menu = "View", .group = "Motion", .title = "Motion: faster", .words = "speed",
       .help = "Off, step by step, then from a quarter of the speed to four times.",
       .act = ShellAct{[](Shell& shell, const Command&) { shell.appearance().step_motion(1); }}},
      {.name = "motionSlower", .menu = "View", .group = "Motion", .title = "Motion: slower", .words = "speed",
       .help = "Down to a quarter of the speed, step by step, then off.",
       .act = ShellAct{[](Shell& shell, const Command&) { shell.appearance().step_motion(-1); }}},
      {.name = "showBefore", .menu = "View", .title = "Show the state before", .words = "previous state, compare with before", .keys = "B",
       .help = "The state before the step, for as long as the key is held.",
       .act = DeskAct{[](Desk& desk, const Command&) { desk.walk().hold_before(!desk.view().showing_before()); }}},
      {.name = "zoomIn", .menu = "View", .group = "Size", .title = "Larger", .words = "bigger, zoom in, zoom, font size, scale up", .keys = "Ctrl++",
       .help = "Makes all text and cells larger.",
       .act = ShellAct{[](Shell& shell, const Command&) { shell.appearance().zoom(0.1f); }}},
      {.name = "zoomOut", .menu = "View", .group = "Size", .title = "Smaller", .words = "smaller, zoom out, scale down", .keys = "Ctrl+-",
       .help = "Makes all text and cells smaller.",
       .act = ShellAct{[](Shell& shell, const Command&) { shell.appearance().zoom(-0.1f); }}},
      {.name = "zoomReset", .menu = "View", .group = "Size", .title = "Usual size", .words = "default size, 100%",
       .help = "Text and cells as large as they were at first.",
       .act = ShellAct{[](Shell& shell, const Command&) { shell.appearance().zoom(0); }}},
      {.name = "showLine", .menu = "View", .title = "Show a line of the program",
       .help = "Brings a line of the program's text into view.",
       .parameters = {{"line", kInteger}},
       .journal = kOutcome,
       .act = PaneAct{.front = true}},
      {.name = "showSource", .menu = "View", .title = "Source of the program", .words = "code, text, listing",
       .help = "The program pane shows the program's text.",
       .act = PaneAct{}},
      {.name = "showSteps", .menu = "View", .title = "Steps of the program", .words = "trace, list of instructions",
       .help = "The program pane shows the steps that ran, with loops folded.",
       .act = PaneAct{}},
      {.name = "showLineTimes", .menu = "View", .title = "Time of each line", .words = "profile, heat, slow, speed, performance",
       .help = "A column beside the program's lines: which share of the emulation's time each took. Its steps run once more for it.",
       .act = PaneAct{}},
      {.name = "showOrigin", .menu = "View", .title = "File that the program came from", .words = "python, c++",
       .help = "The program pane shows the file whose lines made the program, such as attn.py, where the text names it.",
       .act = PaneAct{}},
      {.name = "showBoth", .menu = "View", .title = "That file beside the program's text",
       .help = "The program pane shows both, linked: what is pointed at in one is marked in the other.",
       .act = PaneAct{}},
  };
  // clang-format on
}

}  // namespace

std::vector<CommandRow> view_rows() {
  std::vector<CommandRow> rows = layout_rows();
  for (const auto more : {pane_rows, look_rows})
    for (CommandRow& row : more()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace ts::ui
