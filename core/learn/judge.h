// Whether an answer is right. What is true comes from the recording and the data flow of its steps.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/debug/session/session.h"
#include "core/learn/lesson.h"

namespace ts::learn {

struct Judgement {
  bool right = false;
  bool unread = false;              // some answer says nothing that could be right: no try is counted
  std::string text = {};            // about the whole
  std::vector<Verdict> parts = {};  // by answer; of predictions by cell
};

// The answers of a page: one, or as many as a prediction has cells. The lesson is bound (bind_lesson.h).
Judgement judge(Session& session, const Page& page, std::span<const std::string> answers);

// Right answers, for who gives up and for checks; empty where nobody knows one (an answer that only a function knows).
std::vector<std::string> solution(Session& session, const Page& page);

}  // namespace ts::learn
