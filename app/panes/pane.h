// A part of the window with a title of its own. The host calls Begin and End, and remembers where it stands.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/panes/pane_row.h"
#include "app/view/command.h"
#include "app/view/debug_view.h"

namespace ts::data {
class Fields;
}

namespace ts::ui {

class Pane {
 public:
  Pane() = default;
  virtual ~Pane() = default;
  Pane(const Pane&) = delete;
  Pane& operator=(const Pane&) = delete;

  // Inside a child window of the pane's size, with the text font set. Does no work that grows with the program.
  virtual void draw(DebugView& view, CommandQueue& out) = 0;
  // A command of the window that is for the pane with the focus: "copyValue", "cycleFormat", "find". False: not for it.
  virtual bool act(const Command& command, DebugView& view, CommandQueue& out);
  // What the user set in it, kept with the user's layout.
  virtual void save(nlohmann::json& settings) const;
  virtual void load(const data::Fields& settings);
  // Something else is open: answers about what was open before go, also those of a pane that nobody sees.
  virtual void forget();

  const char* id() const { return row_->id; }
  const char* title() const { return row_->title; }
  const PaneRow& row() const { return *row_; }

 private:
  friend std::vector<std::unique_ptr<Pane>> make_panes();
  const PaneRow* row_ = nullptr;
};

template <class P, auto... arguments>
std::unique_ptr<Pane> make_pane() {
  return std::make_unique<P>(arguments...);
}

// One of each row, in the order of the menu.
std::vector<std::unique_ptr<Pane>> make_panes();

}  // namespace ts::ui
