// Notes and bookmarks: a line to write one, and the list, to go there, change, take away.
#pragma once

#include <optional>
#include <string>

#include "app/panes/pane.h"

namespace ts::ui {

class NotesPane final : public Pane {
 public:
  NotesPane();
  void draw(DebugView& view, CommandQueue& out) override;
  bool act(const Command& command, DebugView& view, CommandQueue& out) override;

 private:
  // What a note that is written now is about.
  Note about(const DebugView& view) const;
  void draw_adding(const DebugView& view, CommandQueue& out);
  void draw_note(const Note& note, std::size_t index, CommandQueue& out);
  void draw_bookmark(const std::string& name, std::uint32_t position, int id, CommandQueue& out);

  std::string text_;
  std::optional<Note> editing_;  // the note whose text is being changed
  bool of_step_ = true, of_element_ = true, wants_cursor_ = false;
};

}  // namespace ts::ui
