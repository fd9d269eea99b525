// What panes do that care for nothing special, and making them all.
#include "app/panes/pane.h"

namespace ts::ui {

bool Pane::act(const Command&, DebugView&, CommandQueue&) { return false; }

void Pane::save(nlohmann::json&) const {}
void Pane::load(const data::Fields&) {}
void Pane::forget() {}

std::vector<std::unique_ptr<Pane>> make_panes() {
  std::vector<std::unique_ptr<Pane>> panes;
  for (const PaneRow* row : pane_rows()) {
    panes.push_back(row->make());
    panes.back()->row_ = row;
  }
  return panes;
}

}  // namespace ts::ui
