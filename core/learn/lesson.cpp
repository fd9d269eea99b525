// Small questions about pages.
#include "core/learn/lesson.h"

namespace ts::learn {

std::size_t answers_wanted(const Page& page) {
  if (const Predict* predict = page.predict()) return predict->cells.size();
  return page.asks() ? 1 : 0;
}

const char* kind_of(const Page& page) {
  if (std::holds_alternative<Ask>(page.question)) return "ask";
  if (std::holds_alternative<Predict>(page.question)) return "predict";
  return std::holds_alternative<Find>(page.question) ? "find" : "";
}

}  // namespace ts::learn
