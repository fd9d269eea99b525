// "What is this?": what is under the mouse, or has the focus, is explained when the next frame has been drawn.
#pragma once

#include "app/window/help/explain.h"
#include "app/window/help/legend.h"
#include "app/window/shell/pane_area.h"

namespace ts::ui {

class Walk;

class Explainer {
 public:
  void ask();
  bool is_asked() const { return state_ != State::No; }
  // After a frame.
  void finish(const PaneArea& panes, Legend& legend, HelpCard& card, CommandQueue& queue, Walk& walk);

 private:
  // In the frame that is looked at, everybody says what is under the mouse.
  enum class State : unsigned char { No, Asked, Looking } state_ = State::No;
};

}  // namespace ts::ui
