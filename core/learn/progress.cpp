// Counting answers.
#include "core/learn/progress.h"

#include <fmt/format.h>

#include <algorithm>

namespace ts::learn {

std::size_t Progress::answered() const {
  return static_cast<std::size_t>(std::ranges::count(pages, true, &PageProgress::right));
}

// Once it was right, or told, nothing is counted any more.
void Progress::take(std::size_t page_index, bool was_right) {
  if (pages.size() <= page_index) pages.resize(page_index + 1);
  PageProgress& its = pages[page_index];
  if (its.right || its.shown) return;
  ++its.tries;
  its.right = was_right;
}

void Progress::show(std::size_t page_index) {
  if (pages.size() <= page_index) pages.resize(page_index + 1);
  if (!pages[page_index].right) pages[page_index].shown = true;
}

bool is_done(const Lesson& lesson, const Progress& progress) {
  for (std::size_t i = 0; i < lesson.pages.size(); ++i) {
    if (!lesson.pages[i].asks()) continue;
    if (i >= progress.pages.size() || !(progress.pages[i].right || progress.pages[i].shown)) return false;
  }
  return true;
}

void add_to(Score& score, const Progress& progress, std::size_t questions) {
  score.questions += static_cast<std::uint32_t>(questions);
  score.answered += static_cast<std::uint32_t>(progress.answered());
  score.at_once += static_cast<std::uint32_t>(
      std::ranges::count_if(progress.pages, [](const PageProgress& page) { return page.right && page.tries == 1; }));
}

std::string score_text(const Score& score) {
  return fmt::format("{} of {} answered, {} at once", score.answered, score.questions, score.at_once);
}

}  // namespace ts::learn
