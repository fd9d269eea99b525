// What panes do that care for nothing special.
#include "app/panes/pane.h"

namespace ts::ui {

bool Pane::act(const Command&, DebugView&, CommandQueue&) {
  return false;
}

void Pane::save(nlohmann::json&) const {}
void Pane::load(const nlohmann::json&) {}

}  // namespace ts::ui
