// Everything in the window around the panes: bars, menus, layout, palette, dialogs; and the way from keys and clicks to
// commands.
#pragma once

#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/panes/pane.h"
#include "app/window/chooser.h"
#include "app/window/desk.h"
#include "app/window/keys.h"
#include "app/window/layout.h"
#include "app/window/palette.h"
#include "app/window/screen.h"
#include "app/window/state_file.h"

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
  bool moves() { return !notices_.empty() || typing_ || desk_.busy() || desk_.view().moving(); }
  // Looks at the open file and keeps what was set, every now and then. True: something happened.
  bool look_around();
  void press(const Chord& chord, bool repeated);
  void release(const Chord& chord);
  void drop(const std::vector<std::string>& paths);
  // The pane that lists what differs comes to the front.
  void compare_targets();
  void compare_with(const std::string& path);
  void compare_array(const std::string& tile, const std::string& path);

  // --- commands ---
  void carry_out(const Command& command);
  void set_layout(const std::string& name);
  // The layout that was asked for when the program was started: opening a lesson leaves it.
  void ask_for_layout(const std::string& name);
  void set_theme(const std::string& name);
  void zoom(float by);  // 0: back to 1
  void show_pane(const std::string& id);
  void maximise(const std::string& id);
  void open(const std::string& name);
  void quit() { screen_.close(); }
  Desk& desk() { return desk_; }
  const Desk& desk() const { return desk_; }
  Screen& screen() { return screen_; }
  Palette& palette() { return palette_; }
  Chooser& chooser() { return chooser_; }
  const std::string& focused_pane() const { return focused_; }
  const std::string& layout_name() const { return layout_name_; }
  // What is open above the panes: "palette", "chooser", "legend", or "".
  std::string popup() const;
  // What the user is being told.
  std::vector<std::string> notices() const;
  void reset_layout();
  void close_focused() { layout().close(focused_); }
  void toggle_legend() { legend_open_ = !legend_open_; }
  void next_theme();
  void toggle_motion() { motion_ = !motion_; }
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
  void take_keys();
  void take_commands();
  void take_wishes();
  void note_recent();
  // shell_bars.cpp
  void draw_menus();
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
  std::vector<std::pair<std::string, Layout>> layouts_;  // by name
  std::string layout_name_ = "debug", theme_name_ = "dark", focused_;
  std::optional<std::string> wants_focus_;
  float zoom_ = 1, applied_scale_ = 0;
  bool motion_ = true, applied_motion_ = false, layout_asked_ = false;
  std::string applied_theme_;
  bool legend_open_ = false;
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
  FrameTime last_frame_;
  bool typing_ = false;
  std::string titled_;
};

// The page that is shown while nothing is open.
void draw_start_page(Shell& shell, const Rect& area);
// What all marks mean.
void draw_legend(bool& open);

}  // namespace ts::ui
