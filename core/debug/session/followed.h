// What became of breakpoints, bookmarks and notes when the text of their program was edited.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/debug/session/note.h"
#include "core/debug/session/stops.h"

namespace ts {

struct Bookmark {
  std::string name;
  std::uint32_t position = 0;
  bool operator==(const Bookmark&) const = default;
};
using Mark = std::variant<StopEntry, Bookmark, Note>;

// By what a mark's operation is found again: hashes of its text and of those around it, and of a step which turn it was.
struct MarkAnchor {
  std::uint32_t text = 0, before = 0, after = 0;  // 0: there is none
  std::uint32_t block = 0;
  std::vector<std::uint32_t> turns = {};  // of the loops, outermost first
  bool is_step = false;
  bool operator==(const MarkAnchor&) const = default;
};

struct FollowedMark {
  // Moved: its operation stands elsewhere. Doubtful: what stands there now is not the same, only what comes next to it.
  // Gone: nothing is there any more; the mark itself is kept here, until somebody takes it away or its operation comes back.
  enum class Fate : std::uint8_t { Moved, Doubtful, Gone };
  Mark mark;
  Fate fate = Fate::Moved;
  std::string was;  // "line 40"; of what is gone why it is
  MarkAnchor anchor = {};
};

// In words: "moved from line 40".
std::string describe(const FollowedMark& followed);
// What the mark is, in words: "line 40", "bookmark start", "note of step 5".
std::string describe(const Mark& mark);

}  // namespace ts
