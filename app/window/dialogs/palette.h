// The line that finds commands by their names, and places by what they are called.
#pragma once

#include <string>

#include "app/view/command.h"

namespace ts::ui {

class Palette {
 public:
  enum class Mode : unsigned char { Commands, GoTo };
  void open(Mode mode);
  bool is_open() const { return open_; }
  void draw(CommandQueue& out);

 private:
  void draw_commands(CommandQueue& out, bool entered);
  void draw_places(CommandQueue& out, bool entered);
  void close();
  bool open_ = false, appearing_ = false;
  Mode mode_ = Mode::Commands;
  std::string text_;
  int chosen_ = 0;
};

// How well a command's title fits what was typed: all its letters in their order; -1: not at all.
int fit_of(const std::string& title, const std::string& typed);
// "@42", "42", "42.3", "t2[1,5]", "ub+0x440" as a command; an empty name: none of these.
Command place_command(const std::string& text);

}  // namespace ts::ui
