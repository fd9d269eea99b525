// The lesson that is open, as panes see it: the page, what was filled in, and what was said about it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/learn/judge.h"
#include "core/learn/lesson.h"
#include "core/learn/progress.h"

namespace ts::ui {

// What is kept of all lessons: by the lesson's name, "zip.lua", and by family of instructions.
struct LessonScores {
  std::map<std::string, learn::Score> lessons = {}, families = {};
};

struct ShownLesson {
  std::shared_ptr<const learn::Lesson> lesson = {};  // its functions are not there: judging is the session's thread's
  std::string name = {};                             // "zip.lua"
  std::size_t page = 0;
  learn::Progress progress = {};
  // --- of this page, since it was turned to ---
  std::vector<std::string> fills = {};  // answers so far
  std::size_t current = 0;              // which of them is filled in next
  std::optional<learn::Judgement> judged = {};
  bool done = false;  // answered, or told
  bool told = false;
  bool hint = false;
  bool held = false;        // somebody wanted to go behind the hidden step
  std::uint64_t visit = 0;  // another number for every turn of a page

  const learn::Page& now() const { return lesson->pages[page]; }
  bool is_answered(std::size_t index) const {
    return index < progress.pages.size() && (progress.pages[index].right || progress.pages[index].shown);
  }
  bool asks() const { return now().asks() && !done; }
  // The cells that are to be predicted; null: none are, or they have been.
  const learn::Predict* predicting() const { return asks() ? now().predict() : nullptr; }
  // The prediction whose step is hidden: this page's, or one that is still to come. The page's own comes first.
  const learn::Predict* hiding() const;
  // Bugs to be found are not told by the checks.
  bool hides_findings() const;
};

inline const learn::Predict* ShownLesson::hiding() const {
  if (const learn::Predict* now_asked = predicting()) return now_asked;
  const learn::Predict* first = nullptr;
  for (std::size_t i = page + 1; i < lesson->pages.size(); ++i) {
    const learn::Predict* later = lesson->pages[i].predict();
    if (later == nullptr || later->step < now().stands || is_answered(i)) continue;
    if (first == nullptr || later->step < first->step) first = later;
  }
  return first;
}

inline bool ShownLesson::hides_findings() const {
  for (std::size_t i = 0; i < lesson->pages.size(); ++i) {
    if (!std::holds_alternative<learn::Find>(lesson->pages[i].question)) continue;
    if (!is_answered(i)) return true;
  }
  return false;
}

}  // namespace ts::ui
