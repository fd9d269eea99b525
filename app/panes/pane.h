// A part of the window with a title of its own. The host calls Begin and End, and remembers where it stands.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "app/view/command.h"
#include "app/view/debug_view.h"

namespace ts::ui {

class Pane {
 public:
  Pane(const char* id, const char* title, const char* help) : id_(id), title_(title), help_(help) {}
  virtual ~Pane() = default;
  Pane(const Pane&) = delete;
  Pane& operator=(const Pane&) = delete;

  // Inside a child window of the pane's size, with the text font set. Does no work that grows with the program.
  virtual void draw(DebugView& view, CommandQueue& out) = 0;
  // A command of the window that is for the pane with the focus: "copyValue", "cycleFormat", "find". False: not for it.
  virtual bool act(const Command& command, DebugView& view, CommandQueue& out);
  // What the user set in it, kept with the user's layout.
  virtual void save(nlohmann::json& settings) const;
  virtual void load(const nlohmann::json& settings);

  const char* id() const { return id_; }
  const char* title() const { return title_; }
  const char* help() const { return help_; }  // a sentence, for the menu

 private:
  const char *id_, *title_, *help_;
};

}  // namespace ts::ui
