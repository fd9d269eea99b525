// What is under the mouse, so that it can be explained: marks, commands, instructions. Asked for in one frame, and
// noted by whoever draws in the next one; at all other times it costs a comparison.
#pragma once

#include <string>
#include <vector>

#include "app/draw/rect.h"

namespace ts::ui {

struct Subject {
  enum class Kind : unsigned char { Mark, Command, Instruction };  // the first is meant rather than the others
  Kind kind = Kind::Mark;
  std::string name;  // of a row of the legend, of a command, of an instruction
  bool operator==(const Subject&) const = default;
};

bool subjects_wanted();
// For the frames that follow.
void want_subjects(bool wanted);
// All that were noted since they were wanted.
const std::vector<Subject>& subjects();

// To be called for what is under the mouse or has the focus.
void note_subject(Subject::Kind kind, std::string name);
// A mark that is drawn here: noted if the mouse is on it.
void note_mark(const char* row, const Rect& rect);

}  // namespace ts::ui
