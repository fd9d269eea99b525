// Expressions and what they are worth where the session stands.
#pragma once

#include <optional>
#include <string>

#include "app/panes/pane.h"

namespace ts::ui {

class WatchPane final : public Pane {
 public:
  WatchPane();
  void draw(DebugView& view, CommandQueue& out) override;

 private:
  void draw_line(const WatchLine& watch, std::size_t index, CommandQueue& out);
  void draw_editing(std::size_t index, CommandQueue& out);
  void draw_adding(CommandQueue& out);
  void draw_examples(DebugView& view, CommandQueue& out);

  std::string text_, edited_;
  std::optional<std::size_t> editing_;
  bool again_ = false, editing_begins_ = false;
};

}  // namespace ts::ui
