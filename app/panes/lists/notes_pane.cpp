// Notes and bookmarks: a line to write one, and the list, to go there, change, take away.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>

#include "app/draw/focus.h"
#include "app/draw/look.h"
#include "app/draw/shapes.h"
#include "app/draw/signs.h"
#include "app/panes/pane.h"
#include "app/panes/parts/chip_row.h"
#include "app/panes/parts/empty.h"
#include "app/panes/parts/followed_row.h"
#include "app/panes/parts/list_row.h"
#include "app/panes/parts/text_field.h"
#include "app/view/targets.h"

namespace ts::ui {
namespace {

class NotesPane final : public Pane {
 public:
  void draw(DebugView& view, CommandQueue& out) override;
  bool act(const Command& command, DebugView& view, CommandQueue& out) override;

 private:
  // What a note that is written now is about.
  Note about(const DebugView& view) const;
  void draw_adding(const DebugView& view, CommandQueue& out);
  void draw_note(const DebugView& view, std::size_t index, CommandQueue& out);
  void draw_bookmark(const DebugView& view, const Bookmark& mark, int id, CommandQueue& out);

  std::string text_;
  std::optional<Note> editing_;  // the note whose text is being changed
  bool of_step_ = true, of_element_ = true, wants_cursor_ = false;
};

// Asks for a note; an empty text takes it away.
void push_note(const Note& note, CommandQueue& out) {
  std::vector<CommandValue> values{note.text, note.step ? std::int64_t{*note.step} : std::int64_t{-1}};
  if (note.element)
    values.insert(values.end(),
                  {note.element->owner, std::int64_t{note.element->row}, std::int64_t{note.element->col}});
  out.push("note", std::move(values));
}

bool same_place(const Note& a, const Note& b) { return a.step == b.step && a.element == b.element; }

}  // namespace

bool NotesPane::act(const Command& command, DebugView& view, CommandQueue&) {
  if (command.name != "note" || !command.values.empty() || view.recording() == nullptr) return false;
  wants_cursor_ = true;
  return true;
}

Note NotesPane::about(const DebugView& view) const {
  Note note;
  const bool has_step = view.shown_step().has_value(), has_element = view.selected().has_value();
  if (has_step && (of_step_ || !has_element)) note.step = view.shown_step();
  if (has_element && (of_element_ || !note.step))
    note.element = NotedElement{view.name_of(view.selected()->owner), view.selected()->row, view.selected()->col};
  return note;
}

void NotesPane::draw_adding(const DebugView& view, CommandQueue& out) {
  Note note = editing_ ? *editing_ : about(view);
  ChipRow chips("note chips");
  if (editing_) {
    if (chips.put("changing: " + note_place(note), true, "Click to write a new note instead.")) {
      editing_.reset();
      text_.clear();
    }
  } else {
    if (const auto step = view.shown_step())
      if (chips.put(fmt::format("step {}", *step), note.step.has_value(), "Whether the note is about the shown step."))
        of_step_ = !of_step_ || !view.selected();
    if (view.selected())
      if (chips.put(view.name_of(*view.selected()), note.element.has_value(),
                    "Whether the note is about the selected element."))
        of_element_ = !of_element_;
  }
  chips.end();
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + look().px(6));
  ImGui::SetNextItemWidth(std::max(look().px(80), ImGui::GetContentRegionAvail().x - look().px(8)));
  if (wants_cursor_) give_caret();
  wants_cursor_ = false;
  const bool entered = text_field("##note", "what is to be noted?", text_, ImGuiInputTextFlags_EnterReturnsTrue);
  if (targets_wanted()) note_target("notes/add", {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
  ImGui::Dummy({1, look().px(2)});
  if (!entered || text_.empty()) return;
  note.text = text_;
  push_note(note, out);
  text_.clear();
  editing_.reset();
}

void NotesPane::draw_note(const DebugView& view, std::size_t index, CommandQueue& out) {
  const Note& note = view.notes()[index];
  const Theme& theme = *look().theme;
  ListRow row(static_cast<int>(index));
  const bool edit =
      row.sign([&](ImDrawList& list, const Rect& rect) { draw_note_sign(list, rect); }, "Click to change the text.");
  if (row.remove("Take the note away")) {
    Note away = note;
    away.text.clear();
    push_note(away, out);
  }
  row.note(note_place(note));
  std::string text = note.text;
  std::ranges::replace(text, '\n', ' ');
  row.text(text, theme.text, false);
  put_followed(row, view.standing().followed_marks, note, out);
  if (targets_wanted()) note_target(fmt::format("notes/note {}", index), row.rect());
  if (edit) {
    editing_ = note;
    text_ = note.text;
    wants_cursor_ = true;
  }
  if (row.clicked()) out.push("showNote", {static_cast<std::int64_t>(index)});
}

void NotesPane::draw_bookmark(const DebugView& view, const Bookmark& mark, int id, CommandQueue& out) {
  ListRow row(id);
  row.sign(
      [&](ImDrawList& list, const Rect& rect) {
        flag_mark(list, {rect.min.x + rect.width() * 0.35f, rect.max.y - rect.height() * 0.25f}, rect.height() * 0.5f,
                  ink(look().theme->good));
      },
      "A bookmark.");
  if (row.remove("Take the bookmark away")) out.push("removeBookmark", {mark.name});
  row.note(fmt::format("position {}", mark.position));
  row.text(mark.name, look().theme->text, false);
  put_followed(row, view.standing().followed_marks, mark, out);
  if (row.clicked()) out.push("seek", {std::int64_t{mark.position}});
}

void NotesPane::draw(DebugView& view, CommandQueue& out) {
  if (view.recording() == nullptr) {
    say_empty("Nothing to write about.", "Open a program that runs.");
    return;
  }
  if (editing_ && std::ranges::none_of(view.notes(), [&](const Note& note) { return same_place(note, *editing_); }))
    editing_.reset();
  draw_adding(view, out);
  const auto& bookmarks = view.standing().bookmarks;
  const std::vector<FollowedMark>& followed = view.standing().followed_marks;
  const std::vector<std::size_t> gone = gone_of(followed, false);
  if (view.notes().empty() && bookmarks.empty() && gone.empty()) {
    say_empty(
        "No notes and no bookmarks.",
        "Write a note above (Ctrl+Shift+B), or press Ctrl+B to mark the place. Both are kept with the program, and "
        "in a saved recording.");
    return;
  }
  ImGui::BeginChild("notes", {0, 0});
  const std::vector<Note>& notes = view.notes();
  // Bookmarks first.
  const int marks = static_cast<int>(bookmarks.size());
  ImGuiListClipper rows;
  rows.Begin(marks + static_cast<int>(notes.size() + gone.size()), list_row_height());
  while (rows.Step()) {
    auto mark = std::next(bookmarks.begin(), std::min(rows.DisplayStart, marks));
    for (int i = rows.DisplayStart; i < rows.DisplayEnd; ++i) {
      const auto note = static_cast<std::size_t>(i - marks);
      if (i < marks) draw_bookmark(view, {mark->first, mark->second}, static_cast<int>(kMostNotes) + i, out), ++mark;
      else if (note < notes.size()) draw_note(view, note, out);
      else draw_gone_row(followed, gone[note - notes.size()], -1 - i, out);
    }
  }
  ImGui::EndChild();
}

namespace {

const RegisteredPane kNotesPane({
    .id = "notes",
    .title = "Notes",
    .help = "Notes about steps and elements, and bookmarks.",
    .order = 70,
    .places = {{"debug", "lists", 6}, {"compare", "lists", 6}},
    .manual =
        R"(Notes about steps and elements, and bookmarks. A click on one goes there. When the text is edited they stay with
the call sites and turns of their steps, as breakpoints do with their lines.)",
    .make = make_pane<NotesPane>,
});

}  // namespace
}  // namespace ts::ui
