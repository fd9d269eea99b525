// A card to change a breakpoint: its condition, how many hits pass by, what it says instead of stopping.
#pragma once

#include <imgui.h>

#include <string>

#include "app/view/command.h"
#include "app/view/debug_view.h"

namespace ts::ui {

class StopEditor {
 public:
  void open(const StopEntry& stop);
  void draw(DebugView& view, CommandQueue& out);

 private:
  void draw_condition(DebugView& view, CommandQueue& out);
  void draw_guesses(const DebugView& view);
  int on_condition(ImGuiInputTextCallbackData* data);

  StopId id_ = 0;
  std::string condition_, log_, ignore_;
  bool opens_ = false, caret_ = false;
  // --- how the condition may go on ---
  std::string wanted_;  // the text that it was asked for
  std::string takes_;   // a name that was chosen, which goes into the field
  std::size_t from_ = 0;
  Guesses guesses_;
};

}  // namespace ts::ui
