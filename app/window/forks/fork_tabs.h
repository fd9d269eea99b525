// A row of tabs above the panes where values were changed by hand: the run, and each of its forks.
#pragma once

#include <string>

#include "app/draw/rect.h"
#include "app/view/command.h"
#include "app/view/debug_view.h"

namespace ts::ui {

class ForkTabs {
 public:
  // One that could not be kept has no tab, but a way back.
  static bool wanted(const DebugView& view) {
    return view.recording() != nullptr && (!view.standing().forks.empty() || !view.fork().empty());
  }
  static float height();
  void draw(const Rect& area, const DebugView& view, CommandQueue& out);

 private:
  float draw_tab(const Rect& area, float x, const KeptFork* fork, const DebugView& view, CommandQueue& out);
  void draw_name(CommandQueue& out);

  std::string renamed_, name_;  // the fork whose name is being typed; empty: none
  bool caret_ = false;
};

}  // namespace ts::ui
