// Everything in the window around the panes: bars, menus, layout, palette, dialogs; and the way from keys and clicks to
// commands.
#pragma once

#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/motion.h"
#include "app/panes/pane.h"
#include "app/window/chooser.h"
#include "app/window/desk.h"
#include "app/window/explain.h"
#include "app/window/keys.h"
#include "app/window/keys_dialog.h"
#include "app/window/layout.h"
#include "app/window/legend.h"
#include "app/window/palette.h"
#include "app/window/screen.h"
#include "app/window/state_file.h"
#include "app/window/tour.h"
#include "app/window/view_history.h"

namespace ts::ui {

class Shell {
 public:
  Shell(Screen& screen, Desk& desk);
  ~Shell();

  // --- what the user set ---
  void load(const nlohmann::json& settings);
  nlohmann::json save() const;

  // Draws one frame. True: something moves, so another one is wanted at once.
  bool frame();
  const FrameTime& last_frame() const { return last_frame_; }
  // Something on the screen changes by itself: a message that goes away, the caret of a text field.
  bool moves() { return !notices_.empty() || typing_ || desk_.picture_wish() || desk_.busy() || desk_.view().moving(); }
  // Looks at the open file and keeps what was set, every now and then. True: something happened.
  bool look_around();
  void press(const Chord& chord, bool repeated);
  void release(const Chord& chord);
  void drop(const std::vector<std::string>& paths);

  // --- commands ---
  // `quiet`: it is in the journal already.
  void carry_out(const Command& command, bool quiet = false);
  // For a command that writes a file: where it names none, it is asked for. True: nothing is to be written now.
  bool asks_file(const Command& command, const char* title, const char* ending);
  void set_layout(const std::string& name);
  // The layout that was asked for when the program was started: opening a lesson leaves it.
  void ask_for_layout(const std::string& name);
  void set_theme(const std::string& name);
  void zoom(float by);  // 0: back to 1
  void show_pane(const std::string& id);
  void maximise(const std::string& id);
  // A program, recording, lesson or script.
  void open(const std::string& name);
  void open_program(const std::string& name);
  void quit() { screen_.close(); }
  Desk& desk() { return desk_; }
  const Desk& desk() const { return desk_; }
  Screen& screen() { return screen_; }
  Palette& palette() { return palette_; }
  Chooser& chooser() { return chooser_; }
  const std::string& focused_pane() const { return focused_; }
  const std::string& layout_name() const { return layout_name_; }
  // What is open above the panes: "palette", "chooser", "keys", "help", "legend", "tour", a menu's name, or "".
  std::string popup() const;
  // What the user is being told.
  std::vector<std::string> notices() const;
  void reset_layout();
  void close_focused() { layout().close(focused_); }
  void next_theme();
  // --- keys: shell_keys.cpp ---
  KeyMap& keys() { return key_map_; }
  KeysDialog& keys_dialog() { return keys_dialog_; }
  // To the next pane that is seen, to the next tab beside the pane with the focus; `by` 1 or -1.
  void focus_pane(int by);
  void focus_tab(int by);
  void open_menu(const std::string& menu) { opening_menu_ = menu; }
  // From the open menu to the one beside it.
  void step_menu(int by);
  // The menu that a tab has under the right button.
  void open_tab_menu() { tab_menu_ = focused_; }
  // --- how it looks: shell_view.cpp ---
  void set_motion(const std::string& text);
  void step_motion(int by) { motion_ = stepped(motion_, by); }
  const Motion& motion() const { return motion_; }
  float zoomed() const { return zoom_; }
  // Gives the pane with the focus more or less of the room; `across` sideways.
  void resize_focused(bool across, float by);
  // The theme files of the user, again.
  void read_themes(bool say);
  void undo_view(bool again);
  nlohmann::json view_state() const;
  // --- help ---
  Legend& legend() { return legend_; }
  Tour& tour() { return tour_; }
  // Explains what is under the mouse, or what has the focus, when the next frame has been drawn.
  void explain();
  // What a dialog, a card or the tour says at the moment.
  std::string says() const;
  // The first keys of a command that has two: "Ctrl+K"; or "".
  std::string pending_keys() const { return text_of(pending_); }
  const std::vector<std::unique_ptr<Pane>>& panes() const { return panes_; }
  Pane* find_pane(const std::string& id);  // null: there is none
  CommandQueue& queue() { return queue_; }
  Layout& layout();
  const std::vector<std::string>& recent() const { return recent_; }
  // Where each pane was drawn in this frame.
  const std::vector<std::pair<std::string, Rect>>& places() const { return places_; }

 private:
  void apply_look();
  void load_checking(const nlohmann::json& saved);
  bool presents() const { return layout_name_ == "present"; }
  Layout usual_layout(const NamedLayout& named);
  void take_commands();
  void take_wishes();
  void forget_what_was_open();
  bool hand_on(const CommandRow& row, const Command& command);
  // shell_keys.cpp
  void take_keys();
  void take_key(const Chord& chord);
  void guide_focus();
  // shell_view.cpp
  void load_look(const nlohmann::json& settings);
  void show_view(const nlohmann::json& state);
  void note_view();
  void finish_explaining();
  void note_recent();
  void take_wished_picture();
  // shell_bars.cpp
  void draw_menus();
  void draw_menu(std::string_view menu);
  void draw_panes_menu();
  void draw_toolbar();
  void draw_status(const Rect& area);
  void draw_notices(const Rect& area);
  // shell_panes.cpp
  void draw_layout(const Rect& area);
  void draw_leaf(LayoutNode& leaf, const Rect& area);
  void draw_tabs(LayoutNode& leaf, const Rect& bar);
  void draw_tab_menu(const std::string& pane);
  void draw_gaps(std::vector<Layout::Gap>& gaps);
  void draw_drop_zones(const std::vector<Layout::Placed>& leaves);

  Screen& screen_;
  Desk& desk_;
  std::vector<std::unique_ptr<Pane>> panes_;
  std::uint64_t panes_opening_ = 0;  // what they know of
  std::vector<std::pair<std::string, Layout>> layouts_;  // by name
  std::string layout_name_ = "debug", theme_name_ = "dark", focused_;
  std::optional<std::string> wants_focus_;
  float zoom_ = 1, applied_scale_ = 0;
  bool layout_asked_ = false;
  Motion motion_ = usual_motion(), applied_motion_;
  std::string applied_theme_;
  CommandQueue queue_;
  std::deque<Chord> keys_;
  Palette palette_;
  Chooser chooser_;
  std::vector<std::string> recent_;
  struct Shown {
    Notice notice;
    double until;
  };
  std::vector<Shown> notices_;
  std::vector<std::pair<std::string, Rect>> places_;
  std::string dragged_;  // a pane's tab
  nlohmann::json pane_settings_ = nlohmann::json::object();
  // Of the open file, to see when it changes.
  std::string watched_path_;
  long long watched_time_ = 0;
  double next_look_ = 0;
  int picture_frames_ = 0;  // drawn since somebody wished for a picture
  FrameTime last_frame_;
  bool typing_ = false;
  std::string titled_;
  // --- keys ---
  KeyMap key_map_;
  KeysDialog keys_dialog_;
  Keys pending_;      // the first of two that belong together
  int held_key_ = 0;  // shows the state before the step as long as it is down
  bool tabbed_ = false, focus_by_keys_ = false;
  std::string opening_menu_, open_menu_, tab_menu_;
  // --- the view, and help ---
  ViewHistory history_;
  bool view_restored_ = true;
  std::uint64_t noted_opening_ = 0;
  std::string theme_stamp_;
  bool follows_desktop_ = false;  // in its theme, also the next time
  Legend legend_;
  HelpCard help_card_;
  Tour tour_;
  enum class Explaining : unsigned char { No, Asked, Looking } explaining_ = Explaining::No;
};

// The page that is shown while nothing is open.
void draw_start_page(Shell& shell, const Rect& area);
}  // namespace ts::ui
