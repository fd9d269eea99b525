// From keys to commands.
#pragma once

#include <deque>
#include <string>

#include "app/window/commands/key_map.h"
#include "app/window/desk/walk.h"
#include "app/window/dialogs/chooser.h"
#include "app/window/dialogs/keys_dialog.h"
#include "app/window/dialogs/palette.h"
#include "app/window/dialogs/run_sheet.h"
#include "app/window/help/explain.h"
#include "app/window/help/legend.h"
#include "app/window/help/tour.h"
#include "app/window/shell/menu_bar.h"

namespace ts::ui {

// Whoever keys may belong to before they are a command's.
struct KeyTakers {
  Walk& walk;
  CommandQueue& queue;
  MenuBar& menu_bar;
  Palette& palette;
  Chooser& chooser;
  KeysDialog& keys_dialog;
  Legend& legend;
  RunSheet& run_sheet;
  HelpCard& help_card;
  Tour& tour;
};

class KeyInput {
 public:
  explicit KeyInput(const KeyTakers& takers) : takers_(takers) {}

  KeyMap& map() { return map_; }
  const KeyMap& map() const { return map_; }
  void press(const Chord& chord);
  void release(const Chord& chord);
  // Before ImGui looks at the keys: those of commands move no focus, and Tab moves it along the row.
  void guide_focus();
  // What was pressed since the last frame; all of it waits for a caret that is on its way.
  void take();
  bool waits() const { return !keys_.empty(); }
  // Tab was pressed in this frame.
  bool tabbed() const { return tabbed_; }
  // The first keys of a command that has two: "Ctrl+K"; or "".
  std::string pending() const { return text_of(pending_); }

 private:
  void take_key(const Chord& chord);
  bool belongs_to_others(const Chord& chord);
  void take_command_key(const Chord& chord);

  bool is_covered() const;

  KeyTakers takers_;
  KeyMap map_;
  std::deque<Chord> keys_;
  std::size_t guided_ = 0;  // of those that wait: each moves the focus once
  Keys pending_;            // the first of two that belong together
  int held_key_ = 0;        // shows the state before the step as long as it is down
  bool tabbed_ = false;
};

}  // namespace ts::ui
