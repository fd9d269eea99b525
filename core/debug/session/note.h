// What somebody wrote about a step, an element of a tile or buffer, or an element at a step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/isa/refusal.h"

namespace ts {

class Recording;

struct NotedElement {
  std::string owner;  // the name of the tile or buffer, without %
  std::uint32_t row = 0, col = 0;
  bool operator==(const NotedElement&) const = default;
};

// At least one of the two says what it is about; there is one note of the same step and element, and no more.
struct Note {
  std::string text;
  std::optional<std::uint32_t> step = {};
  std::optional<NotedElement> element = {};
  bool operator==(const Note&) const = default;
};

inline constexpr std::size_t kMostNotes = 10'000, kMostNoteBytes = 4000;

// Why there cannot be such a note in a recording; nothing: there can. A text that is longer than notes are is refused.
std::optional<Refusal> wrong_note(const Note& note, const Recording& recording);
// Takes the place of the note of the same step and element; an empty text takes it away. False: there is no room.
bool put_note(std::vector<Note>& notes, Note note);

// "step 5, im[1,7]".
std::string note_place(const Note& note);
// Without what would tell a terminal something, and no longer than notes are.
std::string clean_note_text(std::string_view text);

}  // namespace ts
