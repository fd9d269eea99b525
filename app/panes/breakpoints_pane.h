// What makes a run stop: a list, and a line to add to it.
#pragma once

#include <optional>
#include <string>

#include "app/panes/pane.h"
#include "core/isa/refusal.h"

namespace ts::ui {

class BreakpointsPane final : public Pane {
 public:
  BreakpointsPane();
  void draw(DebugView& view, CommandQueue& out) override;

 private:
  void draw_stop_row(const StopEntry& stop, CommandQueue& out);
  void draw_adding(DebugView& view, CommandQueue& out);

  std::string text_;
  std::optional<Refusal> refused_;
  bool again_ = false;  // the line keeps the cursor
};

}  // namespace ts::ui
