// A lesson held against its recording: where its pages stand, what their names mean, and whether every question can be
// answered.
#pragma once

#include <string>
#include <vector>

#include "core/debug/session/session.h"
#include "core/learn/lesson.h"

namespace ts::learn {

struct Problem {
  std::size_t page = 0;  // from 1; 0: the lesson as a whole
  std::string field;     // "predict.cols"; empty: the page as a whole
  std::string text, hint = {};
};
// "page 3: predict.cols: ...".
std::string problem_text(const Problem& problem);

// Fills in what pages get from their recording. Empty: nothing is wrong.
std::vector<Problem> bind_lesson(Lesson& lesson, Session& session);

}  // namespace ts::learn
