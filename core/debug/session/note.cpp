// Notes: what they are about, and keeping one for each place.
#include "core/debug/session/note.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/debug/elements/elements.h"
#include "core/record/recording.h"

namespace ts {
namespace {

std::optional<Refusal> outside(const NotedElement& element, std::uint32_t rows, std::uint32_t cols) {
  if (element.row < rows && element.col < cols) return {};
  return Refusal{fmt::format("{} has no element [{},{}]", element.owner, element.row, element.col),
                 fmt::format("it is {}x{}; rows and columns count from 0", rows, cols)};
}

// Tiles of one name may differ in shape: one of them has to have the element.
std::optional<Refusal> wrong_element(const NotedElement& element, const Program& program) {
  std::optional<Refusal> wrong =
      Refusal{fmt::format("the program has no tile or buffer '{}'", element.owner), "names are those of its text"};
  for (const TileDecl& tile : program.tiles) {
    if (tile.name != element.owner) continue;
    wrong = outside(element, tile.type.rows, tile.type.cols);
    if (!wrong) return {};
  }
  for (const BufferDecl& buffer : program.buffers) {
    if (buffer.name != element.owner) continue;
    const BufferShape shape = shape_of(buffer);
    wrong = outside(element, shape.rows, shape.cols);
    if (!wrong) return {};
  }
  return wrong;
}

}  // namespace

std::optional<Refusal> wrong_note(const Note& note, const Recording& recording) {
  if (!note.step && !note.element)
    return Refusal{"a note is about nothing", "it names a step, an element of a tile or buffer, or both"};
  if (note.text.size() > kMostNoteBytes)
    return Refusal{fmt::format("the note has {} bytes", note.text.size()),
                   fmt::format("notes have {} at most", kMostNoteBytes)};
  if (note.step && *note.step >= recording.count())
    return Refusal{fmt::format("there is no step {}", *note.step),
                   fmt::format("the recording has {} steps, from 0", recording.count())};
  return note.element ? wrong_element(*note.element, recording.program()) : std::nullopt;
}

bool put_note(std::vector<Note>& notes, Note note) {
  const auto same = std::ranges::find_if(
      notes, [&](const Note& other) { return other.step == note.step && other.element == note.element; });
  if (note.text.empty()) {
    if (same != notes.end()) notes.erase(same);
    return true;
  }
  if (same != notes.end()) {
    same->text = std::move(note.text);
    return true;
  }
  if (notes.size() >= kMostNotes) return false;
  notes.push_back(std::move(note));
  return true;
}

std::string note_place(const Note& note) {
  std::string text = note.step ? fmt::format("step {}", *note.step) : "";
  if (note.element)
    text +=
        fmt::format("{}{}[{},{}]", text.empty() ? "" : ", ", note.element->owner, note.element->row, note.element->col);
  return text;
}

std::string clean_note_text(std::string_view text) {
  std::size_t size = std::min(text.size(), kMostNoteBytes);
  // Not in the middle of a character.
  while (size < text.size() && size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  std::string clean(text.substr(0, size));
  for (char& c : clean)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7F) c = c == '\t' ? ' ' : '?';
  return clean;
}

}  // namespace ts
