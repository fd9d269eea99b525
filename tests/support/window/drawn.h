// Panes drawn without a window: ImGui with its own font, and no OpenGL.
#pragma once

#include <imgui.h>

#include "app/panes/pane.h"

namespace ts::test {

class DrawnPanes {
 public:
  DrawnPanes();
  ~DrawnPanes();
  DrawnPanes(const DrawnPanes&) = delete;
  DrawnPanes& operator=(const DrawnPanes&) = delete;

  // A frame in which the pane fills the window; gives what it asks for.
  std::vector<ui::Command> draw(ui::Pane& pane, ui::DebugView& view);
  // The mouse goes there, is pressed and let go.
  void click(ui::Pane& pane, ui::DebugView& view, ImVec2 at);
  // Of the window from now on.
  void resize(ImVec2 size) { size_ = size; }

 private:
  ImVec2 size_{900, 600};
  ImGuiContext* context_;
};

}  // namespace ts::test
