// The line that finds commands by their names, and places by what they are called.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/view/command.h"
#include "app/window/dialogs/palette_search.h"

namespace ts::ui {

class Palette {
 public:
  enum class Mode : unsigned char { Commands, GoTo, Editor };
  void open(Mode mode);
  // Which editor opens lines: the known ones that are there, or what is typed, which is `command` at first.
  void open_editors(const std::string& command);
  bool is_open() const { return open_; }
  // `recent`: files that were open before.
  void draw(DebugView& view, const std::vector<std::string>& recent, CommandQueue& out);

 private:
  void find(DebugView& view);
  void find_editors();
  void draw_found(CommandQueue& out, bool entered);
  bool draw_entry(const PaletteEntry& entry, bool chosen);
  void draw_places(CommandQueue& out, bool entered);
  void close();
  bool open_ = false, appearing_ = false;
  Mode mode_ = Mode::Commands;
  std::string text_;
  int chosen_ = 0;
  std::vector<PaletteEntry> entries_, typed_entries_;  // all that there was when it was opened; what is typed as it is
  std::vector<const PaletteEntry*> found_;
  std::optional<std::string> found_for_;
};

}  // namespace ts::ui
