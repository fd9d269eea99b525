// What a learner has answered, and how well, by families of instructions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/learn/lesson.h"

namespace ts::learn {

struct PageProgress {
  std::uint32_t tries = 0;  // until it was right
  bool right = false;       // answered by the learner
  bool shown = false;       // the program told the answer
  bool operator==(const PageProgress&) const = default;
};

struct Progress {
  std::vector<PageProgress> pages = {};
  std::uint32_t page = 0;  // where the learner is

  std::size_t answered() const;  // by the learner
  void take(std::size_t page_index, bool was_right);
  void show(std::size_t page_index);
  bool operator==(const Progress&) const = default;
};

// Every question answered, or told.
bool is_done(const Lesson& lesson, const Progress& progress);

// Questions of one family: how many were answered, and how many of them at once.
struct Score {
  std::uint32_t questions = 0, answered = 0, at_once = 0;
};
void add_to(Score& score, const Progress& progress, std::size_t questions);
// "6 of 9 answered, 4 at once".
std::string score_text(const Score& score);

}  // namespace ts::learn
