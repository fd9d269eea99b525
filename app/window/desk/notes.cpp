// Notes of the session.
#include "app/window/desk/notes.h"

namespace ts::ui {
namespace {

Note note_of(const DebugView& view, const Command& command) {
  Note note{.text = command.text(0)};
  if (command.values.size() > 1) {
    if (command.number(1, -1) >= 0) note.step = command.count(1);
    if (!command.text(2).empty()) note.element = NotedElement{command.text(2), command.count(3), command.count(4)};
  } else {
    note.step = view.shown_step();
    if (const auto& selected = view.selected())
      note.element = NotedElement{view.name_of(selected->owner), selected->row, selected->col};
  }
  return note;
}

}  // namespace

void write_note(Walk& walk, const Command& command) {
  if (walk.view().recording() == nullptr)
    return walk.tell("nothing is open that a note could be about", "open a program first");
  walk.change("writing a note",
              [note = note_of(walk.view(), command)](Session& session) { return session.note(note); });
}

void show_note(Walk& walk, std::size_t index) {
  if (index >= walk.view().notes().size()) return;
  const Note note = walk.view().notes()[index];
  if (note.step) walk.go_after(*note.step);
  if (!note.element) return;
  if (const auto element = walk.find_element(note.element->owner, note.element->row, note.element->col))
    walk.select(element);
}

}  // namespace ts::ui
