// Whether an answer is right. What is true comes from the recording and the data flow of its steps.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/debug/session/session.h"
#include "core/isa/element.h"
#include "core/learn/lesson.h"

namespace ts::learn {

struct Judgement {
  bool right = false;
  bool unread = false;              // some answer says nothing that could be right: no try is counted
  std::string text = {};            // about the whole
  std::vector<Verdict> parts = {};  // by answer; of predictions by cell
};

// The answers of a page: one, or as many as a prediction has cells. A lesson's places have been found.
Judgement judge(Session& session, const Page& page, std::span<const std::string> answers);

// Right answers, for who gives up and for checks; empty where nobody knows one (an answer that only a function knows).
std::vector<std::string> solution(Session& session, const Page& page);

// A typed value as an element of this type: "6", "6.0", "-1e3", "0x41200000", "nan", "inf".
std::optional<std::uint64_t> read_value(const ElementFormat& format, std::string_view text);
// Whether two elements are the same to a learner: equal bits, both NaN, or zeros of either sign.
bool same_value(const ElementFormat& format, std::uint64_t a, std::uint64_t b);

}  // namespace ts::learn
