// The lesson that is open: turning its pages, answers, and what is hidden until they are there.
#pragma once

#include "app/view/document.h"
#include "app/window/desk/walk.h"

namespace ts::ui {

class LessonRun {
 public:
  LessonRun(Walk& walk, std::optional<ShownLesson>& state, LessonScores& scores, std::string state_folder);

  // Of a document that was opened; `again`: the page stays.
  void show(const Document* document, bool again);
  // Pages count from 0; what there is not is told, or passed over.
  void page(std::size_t page);
  void turn(int by);
  void fill(std::size_t index, std::string text);
  // The same; the next empty field follows.
  void drop(std::size_t index, const std::string& text);
  void choose(std::size_t choice);
  void answer();
  void tell();
  void hint();
  // What is clicked while something is asked is an answer, or says which cell is meant.
  void selected(const Element& element);
  // In the session's thread: whoever is asked what a step does is not shown what it did.
  bool hold_back(LiveSession& live);

 private:
  ShownLesson* lesson() { return state_ ? &*state_ : nullptr; }  // null: none is open
  void keep();
  void show_page_tiles(std::size_t page);
  void take_judged(std::uint64_t visit, const learn::Judgement& judged);
  void take_solution(std::uint64_t visit, const std::vector<std::string>& answers, const learn::Judgement& judged);
  void end_question();

  Walk& walk_;
  DebugView& view_;
  std::optional<ShownLesson>& state_;
  LessonScores& scores_;
  std::string folder_;
  std::uint64_t visits_ = 0;  // turns of pages
};

}  // namespace ts::ui
