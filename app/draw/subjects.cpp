// What is under the mouse.
#include "app/draw/subjects.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

namespace ts::ui {
namespace {

struct Noted {
  bool wanted = false;
  std::vector<Subject> subjects;
};
Noted& noted() {
  static Noted made;
  return made;
}

}  // namespace

bool subjects_wanted() { return noted().wanted; }

void want_subjects(bool wanted) {
  noted().wanted = wanted;
  if (wanted) noted().subjects.clear();
}

const std::vector<Subject>& subjects() { return noted().subjects; }

void note_subject(Subject::Kind kind, std::string name) {
  Subject subject{kind, std::move(name)};
  auto& all = noted().subjects;
  if (noted().wanted && std::ranges::find(all, subject) == all.end()) all.push_back(std::move(subject));
}

void note_mark(const char* row, const Rect& rect) {
  if (noted().wanted && rect.holds(ImGui::GetIO().MousePos) && ImGui::IsWindowHovered())
    note_subject(Subject::Kind::Mark, row);
}

}  // namespace ts::ui
