// What was done, as lines of Lua: to be read, copied as a script, saved, run again.
#pragma once

#include <string>

#include "app/draw/row_scroll.h"
#include "app/panes/pane.h"

namespace ts::ui {

class JournalPane final : public Pane {
 public:
  JournalPane();
  void draw(DebugView& view, CommandQueue& out) override;
  bool act(const Command& command, DebugView& view, CommandQueue& out) override;

 private:
  void draw_line(const JournalLine& line, const Rect& rect, bool chosen);
  void take_keys(const DebugView& view, CommandQueue& out);

  RowScroll scroll_;
  std::size_t lines_ = 0;
  std::uint32_t chosen_ = ~0u;  // a row; beyond the last: none
};

}  // namespace ts::ui
