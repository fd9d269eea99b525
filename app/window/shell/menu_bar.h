// The menus: their commands, and below them what belongs to each besides.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/window/commands/window_commands.h"
#include "app/window/shell/pane_area.h"

namespace ts::ui {

class MenuBar {
 public:
  // In the next frame.
  void open(const std::string& menu) { opening_ = menu; }
  // From the open menu to the one beside it.
  void step(int by);
  // Where there is no bar.
  void close();
  const std::string& open_menu() const { return open_; }  // empty: none
  void draw(const DebugView& view, PaneArea& panes, const std::vector<std::string>& recent, CommandQueue& queue);

 private:
  std::string opening_, open_;
};

// What has the mouse or the focus is a command, for who asks what it is.
void note_command(const char* name);

}  // namespace ts::ui
