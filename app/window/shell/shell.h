// Everything in the window around the panes, and the way from commands to who carries them out. Its parts have their
// own state: panes, menus, keys, how it looks, what is told, what is explained.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/window/desk/desk.h"
#include "app/window/dialogs/chooser.h"
#include "app/window/dialogs/keys_dialog.h"
#include "app/window/dialogs/palette.h"
#include "app/window/dialogs/run_sheet.h"
#include "app/window/film/film_maker.h"
#include "app/window/forks/fork_tabs.h"
#include "app/window/help/tour.h"
#include "app/window/shell/appearance.h"
#include "app/window/shell/appearance_history.h"
#include "app/window/shell/explainer.h"
#include "app/window/shell/key_input.h"
#include "app/window/shell/menu_bar.h"
#include "app/window/shell/notice_stack.h"
#include "app/window/shell/open_file.h"
#include "app/window/shell/pane_area.h"
#include "app/window/shell/pane_picture.h"
#include "app/window/shell/presenter.h"
#include "app/window/shell/screen.h"
#include "app/window/shell/script_picture.h"
#include "app/window/state_file.h"

namespace ts::data {
class Fields;
}

namespace ts::ui {

class Shell {
 public:
  Shell(Screen& screen, Desk& desk);
  ~Shell();

  // --- its parts ---
  Desk& desk() { return desk_; }
  const Desk& desk() const { return desk_; }
  Screen& screen() { return screen_; }
  CommandQueue& queue() { return queue_; }
  PaneArea& panes() { return panes_; }
  const PaneArea& panes() const { return panes_; }
  Appearance& appearance() { return appearance_; }
  const Appearance& appearance() const { return appearance_; }
  KeyInput& keys() { return keys_; }
  MenuBar& menu_bar() { return menu_bar_; }
  Palette& palette() { return palette_; }
  Chooser& chooser() { return chooser_; }
  KeysDialog& keys_dialog() { return keys_dialog_; }
  Legend& legend() { return legend_; }
  HelpCard& help_card() { return help_card_; }
  Tour& tour() { return tour_; }
  Explainer& explainer() { return explainer_; }
  Presenter& presenter() { return presenter_; }
  const Presenter& presenter() const { return presenter_; }

  // --- what the user set ---
  void load(const data::Fields& settings);
  nlohmann::json save() const;

  // --- frames ---
  // Draws one frame. True: something moves, so another one is wanted at once.
  bool frame();
  const FrameTime& last_frame() const { return last_frame_; }
  // Something on the screen changes by itself: a message that goes away, the caret of a text field.
  bool moves();
  // Looks at the open file and keeps what was set, every now and then. True: something happened.
  bool look_around();
  // What else is to be kept then.
  std::function<void()> keeps_more = {};

  // --- commands ---
  // `quiet`: it is in the journal already.
  void carry_out(const Command& command, bool quiet = false);
  // For a command that writes a file: where it names none, it is asked for. True: nothing is to be written now.
  bool asks_file(const Command& command, const char* title, const char* ending);
  void set_layout(const std::string& name);
  // The layout that was asked for when the program was started: opening a lesson leaves it.
  void ask_for_layout(const std::string& name);
  void show_pane(const std::string& id);
  // While the layout Present is on: drawing over everything by the mouse.
  void take_pen(bool takes);
  // A program, recording, lesson or script.
  void open(const std::string& name);
  void open_program(const std::string& name);
  // What was open last, as it was.
  void reopen();
  // Opened in one row: the settings, above all panes.
  RunSheet& run_sheet() { return run_sheet_; }
  bool can_reopen() const { return !last_.empty(); }
  void undo_view(bool again);
  // The command by which lines are opened in an editor; empty: the usual one.
  std::string& editor() { return editor_; }

  // --- pictures and films ---
  // Of the stage, or of the pane with the focus where the stage is not seen: into a file, or onto the clipboard.
  PanePicture& picture() { return pane_picture_; }
  // Makes a film of the stage, frame by frame, and says what became of it. `captions`: its words are in it.
  void begin_film(std::unique_ptr<FilmMaker> film, bool captions);
  FilmMaker* film() { return film_.get(); }  // null: none is being made
  // Gives it up; nothing is left of it.
  void cancel_film();

  // --- what is seen ---
  // What is open above the panes: "palette", "chooser", "keys", "help", "legend", "tour", a menu's name, or "".
  std::string popup() const;
  // What a dialog, a card or the tour says at the moment.
  std::string says() const;
  // What the user is being told.
  std::vector<std::string> notices() const { return notices_.texts(); }
  const std::vector<std::string>& recent() const { return open_file_.recent(); }

 private:
  void take_commands();
  void take_wishes();
  void go_on_filming();
  void leave_film();
  void draw_stage_alone(const Rect& area);
  bool hand_on(const CommandRow& row, const Command& command);
  void forget_what_was_open();
  void draw_all();
  void draw_above(const Rect& area);
  bool has_run_bar();
  nlohmann::json view_state() const;
  void note_view();

  Screen& screen_;
  Desk& desk_;
  CommandQueue queue_;
  PaneArea panes_;
  Appearance appearance_;
  MenuBar menu_bar_;
  Palette palette_;
  Chooser chooser_;
  KeysDialog keys_dialog_;
  NoticeStack notices_;
  OpenFile open_file_;
  ScriptPicture picture_;
  PanePicture pane_picture_;
  std::unique_ptr<FilmMaker> film_;
  Moment filmed_from_;  // where the session stood
  Legend legend_;
  RunSheet run_sheet_;
  ForkTabs fork_tabs_;
  HelpCard help_card_;
  Tour tour_;
  KeyInput keys_;
  Explainer explainer_;
  Presenter presenter_;
  FrameTime last_frame_;
  mutable nlohmann::json last_ = nlohmann::json::object();  // the program that was open last, as it stood
  mutable nlohmann::json ran_ = nlohmann::json::object();   // how recent programs were run, by path
  std::string editor_;
  bool layout_asked_ = false, typing_ = false;
  double next_look_ = 0;
  // --- going back in the view ---
  AppearanceHistory history_;
  bool view_restored_ = true;
  std::uint64_t noted_opening_ = 0;
  std::uint64_t panes_opening_ = 0;  // what they know of
};

// The page that is shown while nothing is open.
void draw_start_page(Shell& shell, const Rect& area);
}  // namespace ts::ui
