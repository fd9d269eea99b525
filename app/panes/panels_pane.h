// What scripts show: their panels, one at a time.
#pragma once

#include <string>

#include "app/panes/pane.h"

namespace ts::scripting {
struct Panel;
struct PanelItem;
}  // namespace ts::scripting

namespace ts::ui {

class PanelsPane final : public Pane {
 public:
  PanelsPane();
  void draw(DebugView& view, CommandQueue& out) override;

 private:
  void draw_panel(const scripting::Panel& panel, CommandQueue& out);
  void draw_item(const scripting::Panel& panel, const scripting::PanelItem& item, CommandQueue& out);

  std::string front_;
  std::uint64_t front_number_ = 0;
};

}  // namespace ts::ui
